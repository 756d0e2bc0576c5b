/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and their names: OpenCL's and C++'s for scalars, declarations inside out, definitions of
 * structs and of types that may alias. */
#include "compiler/model/types.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *cl, *cpp;
    enum qn__kind kind;
    uint8_t bits;
    bool is_unsigned;
} scalars[] = {
    {"void", "void", QN__VOID, 0, false},
    {"bool", "bool", QN__INT, 8, true},
    {"char", "char", QN__INT, 8, false},
    {"char", "signed char", QN__INT, 8, false},
    {"uchar", "unsigned char", QN__INT, 8, true},
    {"short", "short", QN__INT, 16, false},
    {"ushort", "unsigned short", QN__INT, 16, true},
    {"int", "int", QN__INT, 32, false},
    {"uint", "unsigned int", QN__INT, 32, true},
    {"long", "long", QN__INT, 64, false},
    {"ulong", "unsigned long", QN__INT, 64, true},
    {"long", "long long", QN__INT, 64, false},
    {"ulong", "unsigned long long", QN__INT, 64, true},
    {"half", "_Float16", QN__FLOAT, 16, false},
    {"float", "float", QN__FLOAT, 32, false},
    {"double", "double", QN__FLOAT, 64, false},
};

const struct qn__type *qn__type_named_cpp(struct qn__unit *u, const char *name)
{
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (qn__equal(name, scalars[i].cpp))
            return qn__type_intern(u, (struct qn__type){.kind = scalars[i].kind,
                                                        .bits = scalars[i].bits,
                                                        .is_unsigned = scalars[i].is_unsigned});
    return NULL;
}

const struct qn__type *qn__type_named(struct qn__unit *u, const char *name, size_t n,
                                      enum qn__space space)
{
    while (n && name[n - 1] == ' ')
        n--;
    if (n && name[n - 1] == '*') {
        bool is_const = n > 6 && strncmp(name, "const ", 6) == 0;
        const struct qn__type *const to =
            qn__type_named(u, name + (is_const ? 6 : 0), n - 1 - (is_const ? 6 : 0), space);
        return to ? qn__type_pointer(u, to, space, is_const, false) : NULL;
    }
    size_t letters = n;
    while (letters && name[letters - 1] >= '0' && name[letters - 1] <= '9')
        letters--;
    unsigned count = 0;
    for (size_t i = letters; i < n; i++)
        count = count * 10 + (unsigned)(name[i] - '0');
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (strlen(scalars[i].cl) == letters && memcmp(scalars[i].cl, name, letters) == 0) {
            const struct qn__type *const t = qn__equal(scalars[i].cl, "bool")
                                                 ? qn__type_bool(u)
                                                 : qn__type_named_cpp(u, scalars[i].cpp);
            return count ? qn__type_vector(u, t, count) : t;
        }
    return NULL;
}

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
    case QN__FLOAT:
        for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
            if (scalars[i].kind == t->kind && scalars[i].bits == t->bits &&
                scalars[i].is_unsigned == t->is_unsigned && !qn__equal(scalars[i].cl, "bool"))
                return qn__text(u, "%s%s%s", scalars[i].cl, gap, inner);
        return "int";
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
        const char *const prefix = qn__text(u, "%s%s%s",
                                            t->space == QN__PRIVATE    ? ""
                                            : t->space == QN__LOCAL    ? "__local "
                                            : t->space == QN__CONSTANT ? "__constant "
                                                                       : "__global ",
                                            t->is_const && t->space != QN__CONSTANT ? "const " : "",
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
