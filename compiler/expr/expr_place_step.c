/* SPDX-License-Identifier: Apache-2.0
 *
 * From one place to another: what a pointer points to, a subscript, a member, a number of bytes
 * further on, the same bytes as another type. Each step keeps what the next may want to write
 * shorter: the p of *p, the x and i of x[i]. */
#include "compiler/expr/expr_place.h"

#include "compiler/expr/operators.h"
#include "compiler/model/alias_types.h"

#include <stdlib.h>
#include <string.h>

static const struct qn__type *uchar_type(struct qn__unit *u)
{
    return qn__type_int(u, 8, true);
}

struct qn__place qn__deref(struct qn__function *f, struct qn__expr p)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = p.type->kind == QN__POINTER ? p.type->of : uchar_type(u);
    return (struct qn__place){.text = qn__text(u, "*%s", qn__wrap(u, p, QN__PREC_UNARY)),
                              .prec = QN__PREC_UNARY,
                              .type = t,
                              .space = p.type->space,
                              .is_const = p.type->is_const,
                              .deref = qn__wrap(u, p, QN__PREC_POSTFIX),
                              .bare = p.bare};
}

struct qn__expr qn__place_address(struct qn__function *f, struct qn__place p)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = qn__type_pointer(u, p.type, p.space, p.is_const, false);
    if (p.is_component) {
        if (p.component == 0)
            return p.whole;
        return qn__spell(qn__text(u, "%s + %llu", qn__wrap(u, p.whole, QN__PREC_ADD),
                                  (unsigned long long)p.component),
                         QN__PREC_ADD, p.whole.type);
    }
    if (p.deref) {
        struct qn__expr e = qn__spell(p.deref, QN__PREC_POSTFIX, t);
        e.bare = p.bare;
        return e;
    }
    if (p.type->kind == QN__ARRAY) /* an array's name is the address of its first element */
        return qn__spell(qn__wrap(u, qn__spell(p.text, p.prec, t), QN__PREC_POSTFIX),
                         QN__PREC_POSTFIX,
                         qn__type_pointer(u, p.type->of, p.space, p.is_const, false));
    if (p.base && qn__equal(p.index.text, "0"))
        return qn__spell(p.base, QN__PREC_POSTFIX, t);
    return qn__spell(
        qn__text(u, "&%s", qn__wrap(u, qn__spell(p.text, p.prec, t), QN__PREC_POSTFIX)),
        QN__PREC_UNARY, t);
}

struct qn__expr qn__address_as(struct qn__function *f, struct qn__place p,
                               const struct qn__type *to)
{
    const struct qn__expr a = qn__place_address(f, p);
    return qn__cast(f->u, a, qn__type_pointer(f->u, to, p.space, p.is_const, false));
}

static struct qn__expr number_index(struct qn__function *f, uint64_t i)
{
    return qn__spell(qn__text(f->u, "%llu", (unsigned long long)i), QN__PREC_POSTFIX,
                     qn__type_int(f->u, 32, false));
}

/* (&x[i])[j] is x[i + j] where the sum is made in 64 bits. */
static bool add_index(struct qn__function *f, const struct qn__place *p, struct qn__expr *index)
{
    if (!p->base || p->is_component || (p->index.type->bits != 64 && index->type->bits != 64))
        return false;
    *index = qn__infix(f->u, p->index, "+", *index, QN__PREC_ADD, qn__type_int(f->u, 64, true));
    return true;
}

struct qn__place qn__subscript(struct qn__function *f, struct qn__place p, struct qn__expr index)
{
    struct qn__unit *const u = f->u;
    const bool array = p.type->kind == QN__ARRAY;
    const char *base;
    if (array)
        base = qn__wrap(u, qn__spell(p.text, p.prec, p.type), QN__PREC_POSTFIX);
    else if (add_index(f, &p, &index))
        base = p.base;
    else if (p.base && !p.is_component && !qn__equal(p.index.text, "0"))
        base = qn__text(u, "(%s + %s)", p.base, qn__wrap(u, p.index, QN__PREC_ADD + 1));
    else
        base = qn__wrap(u, qn__place_address(f, p), QN__PREC_POSTFIX);
    return (struct qn__place){.text = qn__text(u, "%s[%s]", base, index.text),
                              .prec = QN__PREC_POSTFIX,
                              .type = array ? p.type->of : p.type,
                              .space = p.space,
                              .is_const = p.is_const,
                              .is_packed = array && p.is_packed,
                              .base = base,
                              .index = index};
}

struct qn__place qn__advance(struct qn__function *f, struct qn__place p, struct qn__expr index)
{
    struct qn__unit *const u = f->u;
    if (p.type->kind != QN__ARRAY)
        return qn__subscript(f, p, index);
    const char *const base =
        p.deref ? p.deref
                : qn__text(u, "(&%s)",
                           qn__wrap(u, qn__spell(p.text, p.prec, p.type), QN__PREC_POSTFIX));
    struct qn__place out = {.text = qn__text(u, "%s[%s]", base, index.text),
                            .prec = QN__PREC_POSTFIX,
                            .type = p.type,
                            .space = p.space,
                            .is_const = p.is_const,
                            .base = base,
                            .index = index};
    return out;
}

struct qn__place qn__member(struct qn__function *f, struct qn__place p, uint64_t i)
{
    struct qn__unit *const u = f->u;
    struct qn__place out = {.space = p.space, .is_const = p.is_const, .prec = QN__PREC_POSTFIX};
    const char *name;
    if (p.type->kind == QN__VECTOR) {
        static const char *const letters[] = {"x", "y", "z", "w"};
        name = p.type->count <= 4 ? letters[i] : qn__text(u, "s%c", "0123456789abcdef"[i]);
        out.type = p.type->of;
        out.is_component = true;
        out.is_packed = p.is_packed;
        out.component = i;
        out.whole = qn__address_as(f, p, p.type->of);
    } else {
        out.is_packed = p.is_packed || p.type->record->is_packed;
        name = p.type->record->fields[i].name;
        out.type = p.type->record->fields[i].type;
    }
    out.text =
        p.deref ? qn__text(u, "%s->%s", p.deref, name)
                : qn__text(u, "%s.%s",
                           qn__wrap(u, qn__spell(p.text, p.prec, p.type), QN__PREC_POSTFIX), name);
    return out;
}

struct qn__place qn__place_cast(struct qn__function *f, struct qn__place p, LLVMValueRef pointer,
                                const struct qn__type *to, bool is_volatile)
{
    const struct qn__type *const t = qn__type_pointer(f->u, to, p.space, p.is_const, is_volatile);
    return qn__deref(f, qn__cast(f->u, qn__place_address(f, p), qn__punned(f, pointer, t)));
}

bool qn__descend(struct qn__function *f, struct qn__place *p, uint64_t *offset)
{
    const struct qn__type *const t = p->type;
    uint64_t size;
    switch (t->kind) {
    case QN__ARRAY:
    case QN__VECTOR:
        size = qn__type_size(t->of);
        if (size == 0 || (t->count && *offset / size >= t->count))
            return false;
        if (t->kind == QN__VECTOR && *offset % size)
            return false;
        *p = t->kind == QN__VECTOR ? qn__member(f, *p, *offset / size)
                                   : qn__subscript(f, *p, number_index(f, *offset / size));
        *offset %= size;
        return true;
    case QN__STRUCT:
        for (uint32_t i = 0; i < t->record->n_fields; i++) {
            const struct qn__field *const m = &t->record->fields[i];
            if (*offset < m->offset || *offset >= m->offset + qn__type_size(m->type))
                continue;
            *offset -= m->offset;
            *p = qn__member(f, *p, i);
            return true;
        }
        return false;
    default: return false;
    }
}

struct qn__place qn__bytes_at(struct qn__function *f, struct qn__place p, const char *offset,
                              bool negative)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr a = qn__address_as(f, p, uchar_type(u));
    return qn__deref(f, qn__spell(qn__text(u, "%s %c %s", qn__wrap(u, a, QN__PREC_ADD),
                                           negative ? '-' : '+', offset),
                                  QN__PREC_ADD, a.type));
}

struct qn__place qn__at_offset(struct qn__function *f, struct qn__place p, int64_t signed_offset)
{
    struct qn__unit *const u = f->u;
    if (signed_offset == 0)
        return p;
    if (signed_offset < 0)
        return qn__bytes_at(f, p, qn__text(u, "%llu", (unsigned long long)-signed_offset), true);
    uint64_t offset = (uint64_t)signed_offset;
    const struct qn__place start = p;
    const uint64_t size = qn__type_size(p.type);
    if (p.type->kind != QN__ARRAY && size && offset >= size && p.deref) {
        p = qn__subscript(f, p, number_index(f, offset / size));
        offset %= size;
    }
    const bool scalar = p.type->kind == QN__INT || p.type->kind == QN__FLOAT;
    if (scalar && p.base && offset % size == 0) {
        if (strspn(p.index.text, "0123456789") == strlen(p.index.text)) {
            const unsigned long long index = strtoull(p.index.text, NULL, 10) + offset / size;
            const struct qn__expr base = qn__spell(
                p.base, QN__PREC_POSTFIX, qn__type_pointer(u, p.type, p.space, p.is_const, false));
            return qn__subscript(f, qn__deref(f, base), number_index(f, index));
        }
        return qn__advance(f, p, number_index(f, offset / size));
    }
    while (offset != 0)
        if (!qn__descend(f, &p, &offset))
            return qn__bytes_at(f, start, qn__text(u, "%llu", (unsigned long long)signed_offset),
                                false);
    return p;
}

struct qn__place qn__place_as(struct qn__function *f, struct qn__place p, LLVMTypeRef t,
                              LLVMValueRef where, bool is_volatile)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef pointer = LLVMGetOperand(where, LLVMIsAStoreInst(where) ? 1 : 0);
    struct qn__place inner = p;
    uint64_t offset = 0;
    while (!is_volatile || inner.space == QN__PRIVATE) {
        if (qn__type_holds(inner.type, t, u))
            return inner;
        if (qn__type_size(inner.type) < LLVMABISizeOfType(u->layout, t) ||
            !qn__descend(f, &inner, &offset))
            break;
    }
    while (is_volatile && !qn__type_holds(inner.type, t, u) && qn__descend(f, &inner, &offset))
        ;
    if (is_volatile && qn__type_holds(inner.type, t, u))
        return qn__place_cast(f, inner, pointer, inner.type, true);
    return qn__place_cast(f, p, pointer, qn__type_of(u, t, NULL, where), is_volatile);
}
