/* SPDX-License-Identifier: Apache-2.0
 *
 * Types as text: declarations inside out, definitions of structs and of types that may alias. The
 * language names scalars and address spaces. */
#include "compiler/lang/language.h"

#include <ctype.h>
#include <string.h>

/* The type of an object, its innermost element marked. */
static const struct qn__type *aliasing_object(struct qn__unit *u, const struct qn__type *t)
{
    if (t->kind == QN__ARRAY)
        return qn__type_array(u, aliasing_object(u, t->of), t->count);
    struct qn__type out = *t;
    out.is_aliasing = true;
    return qn__type_intern(u, out);
}

static const struct qn__type *plain(struct qn__unit *u, struct qn__type marked)
{
    marked.is_aliasing = false;
    return qn__type_intern(u, marked);
}

static const char *alias_name(struct qn__unit *u, const struct qn__type *marked)
{
    return qn__text(u, "qn_alias_%s",
                    marked->kind == QN__STRUCT ? marked->record->name
                                               : qn__type_text(u, plain(u, *marked)));
}

/* C's inside-out declarations: `inner` is what stands in place of the name. */
static const char *declare(struct qn__unit *u, const struct qn__type *t, const char *inner)
{
    const char *const gap = *inner ? " " : "";
    if (t->is_aliasing && t->kind != QN__POINTER)
        return qn__text(u, "%s%s%s", alias_name(u, t), gap, inner);
    switch (t->kind) {
    case QN__VOID: return qn__text(u, "void%s%s", gap, inner);
    case QN__BOOL: return qn__text(u, "bool%s%s", gap, inner);
    case QN__INT:
    case QN__FLOAT: return qn__text(u, "%s%s%s", u->language->scalar(t), gap, inner);
    case QN__VECTOR:
        return qn__text(u, "%s%u%s%s", declare(u, t->of, ""), (unsigned)t->count, gap, inner);
    case QN__STRUCT: return qn__text(u, "struct %s%s%s", t->record->name, gap, inner);
    case QN__ARRAY: {
        const bool pointer = *inner == '*';
        return declare(
            u, t->of,
            qn__text(u, pointer ? "(%s)[%llu]" : "%s[%llu]", inner, (unsigned long long)t->count));
    }
    case QN__POINTER: {
        const struct qn__type *base = t->of;
        while (base->kind == QN__ARRAY)
            base = base->of;
        const char *const space = u->language->spaces[t->space];
        const bool is_const = t->is_const && t->space != QN__CONSTANT;
        const char *const prefix = qn__text(u, "%s%s%s", space, is_const ? "const " : "",
                                            t->is_volatile ? "volatile " : "");
        if (base->kind == QN__POINTER) /* the space belongs to the inner pointer itself */
            return declare(u, t->of, qn__text(u, "%s*%s", prefix, inner));
        return qn__text(u, "%s%s", prefix,
                        declare(u, t->is_aliasing ? aliasing_object(u, t->of) : t->of,
                                qn__text(u, "*%s", inner)));
    }
    }
    return "int";
}

const char *qn__type_declare(struct qn__unit *u, const struct qn__type *t, const char *name)
{
    return declare(u, t, name);
}

const char *qn__type_text(struct qn__unit *u, const struct qn__type *t)
{
    return declare(u, t, "");
}

const char *qn__var_declaration(struct qn__unit *u, const struct qn__var *v, const char *name)
{
    const char *const declared = qn__type_declare(u, v->type, name), *const text =
                                                                         v->is_volatile
                                                                             ? qn__text(
                                                                                   u, "volatile %s",
                                                                                   declared)
                                                                             : declared;
    return v->aligned ? qn__text(u, "%s __attribute__((aligned(%u)))", text, v->aligned) : text;
}

void qn__records_print(struct qn__unit *u, struct qn__str *out)
{
    for (struct qn__record *r = u->records; r; r = r->next) {
        uint64_t offset = 0;
        unsigned n = 0;
        qn__str_printf(out, "struct %s {\n", r->name);
        for (uint32_t i = 0; i < r->n_fields; i++) {
            const struct qn__field *const f = &r->fields[i];
            if (r->is_packed && f->offset > offset)
                qn__str_printf(out, "    uchar gap%u[%llu];\n", n++,
                               (unsigned long long)(f->offset - offset));
            qn__str_printf(out, "    %s;\n", qn__type_declare(u, f->type, f->name));
            offset = f->offset + qn__type_size(f->type);
        }
        if (r->is_packed && r->size > offset)
            qn__str_printf(out, "    uchar gap%u[%llu];\n", n,
                           (unsigned long long)(r->size - offset));
        if (!r->n_fields)
            qn__str_add(out, "    uchar nothing;\n");
        if (r->is_packed || r->is_aligned)
            qn__str_printf(out, "} __attribute__((%s%s%s));\n\n", r->is_packed ? "packed" : "",
                           r->is_packed && r->is_aligned ? ", " : "",
                           r->is_aligned ? qn__text(u, "aligned(%u)", (unsigned)r->align) : "");
        else
            qn__str_add(out, "};\n\n");
    }
}

/* Does the text hold the name as a whole word? */
static bool mentions(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + n, name))
        if (!isalnum((unsigned char)at[n]) && at[n] != '_')
            return true;
    return false;
}

void qn__aliases_print(struct qn__unit *u, const char *kernels, struct qn__str *out)
{
    const size_t before = out->len;
    for (uint32_t i = 0; i < u->n_types; i++) {
        const struct qn__type *const t = u->types[i];
        if (!t->is_aliasing || t->kind == QN__POINTER || !mentions(kernels, alias_name(u, t)))
            continue;
        qn__str_printf(out, "typedef %s __attribute__((may_alias)) %s;\n",
                       qn__type_text(u, plain(u, *t)), alias_name(u, t));
    }
    if (out->len > before)
        qn__str_add(out, "\n");
}
