/* SPDX-License-Identifier: Apache-2.0
 *
 * From one place to another: what a pointer points to, a subscript, a member, a number of bytes
 * further on, the same bytes as another type. Each step keeps what the next may want to write
 * shorter: the p of *p, the x and i of x[i]. */

#include "compiler/expr/expr_place_step.h"
#include "compiler/expr/expr_variable.h"
#include "compiler/expr/operators.h"
#include "compiler/model/address_space.h"
#include "compiler/model/alias_types.h"
#include "compiler/model/source_types.h"

static const struct qn__type *uchar_type(struct qn__unit *u)
{
    return qn__type_int(u, 8, true);
}

static const struct qn__node *sum(struct qn__unit *u, const struct qn__type *t,
                                  const struct qn__node *a, const struct qn__node *b)
{
    return qn__node_binary(u, QN__OP_ADD, t, a, b);
}

struct qn__place qn__deref(struct qn__function *f, struct qn__expr p)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = p.type->kind == QN__POINTER ? p.type->of : uchar_type(u);
    return (struct qn__place){.node = qn__node_unary(u, QN__OP_DEREF, t, p.node),
                              .type = t,
                              .space = p.type->space,
                              .is_const = p.type->is_const,
                              .deref = p.node,
                              .bare = p.bare};
}

static struct qn__expr number_index(struct qn__unit *u, uint64_t i)
{
    return qn__plain(u, i, qn__type_int(u, 32, false));
}

struct qn__expr qn__place_address(struct qn__function *f, struct qn__place p)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = qn__type_pointer(u, p.type, p.space, p.is_const, false);
    if (p.is_component) {
        if (p.component == 0)
            return p.whole;
        return qn__of(sum(u, p.whole.type, p.whole.node, number_index(u, p.component).node));
    }
    if (p.deref) {
        struct qn__expr e = qn__as(p.deref, t);
        e.bare = p.bare;
        return e;
    }
    if (p.type->kind == QN__ARRAY) /* an array's name is the address of its first element */
        return qn__as(p.node, qn__type_pointer(u, p.type->of, p.space, p.is_const, false));
    if (p.base && qn__node_is_number(p.index.node, 0))
        return qn__as(p.base, t);
    return qn__of(qn__node_unary(u, QN__OP_ADDRESS, t, p.node));
}

struct qn__expr qn__address_as(struct qn__function *f, struct qn__place p,
                               const struct qn__type *to)
{
    const struct qn__expr a = qn__place_address(f, p);
    return qn__cast(f->u, a, qn__type_pointer(f->u, to, p.space, p.is_const, false));
}

/* (&x[i])[j] is x[i + j] where the sum is made in 64 bits. */
static bool add_index(struct qn__function *f, const struct qn__place *p, struct qn__expr *index)
{
    if (!p->base || p->is_component || (p->index.type->bits != 64 && index->type->bits != 64))
        return false;
    *index = qn__infix(f->u, QN__OP_ADD, p->index, *index, qn__type_int(f->u, 64, true));
    return true;
}

/* base[index] */
static struct qn__place element_of(struct qn__unit *u, struct qn__place p,
                                   const struct qn__type *type, bool is_packed,
                                   const struct qn__node *base, struct qn__expr index)
{
    return (struct qn__place){
        .node = qn__node_binary(u, QN__OP_SUBSCRIPT, type, base, index.node),
        .type = type,
        .space = p.space,
        .is_const = p.is_const,
        .is_packed = is_packed,
        .base = base,
        .index = index,
    };
}

struct qn__place qn__subscript(struct qn__function *f, struct qn__place p, struct qn__expr index)
{
    struct qn__unit *const u = f->u;
    const bool array = p.type->kind == QN__ARRAY;
    const struct qn__node *base;
    if (array)
        base = p.node;
    else if (add_index(f, &p, &index))
        base = p.base;
    else if (p.base && !p.is_component && !qn__node_is_number(p.index.node, 0))
        base = sum(u, p.base->type, p.base, p.index.node);
    else
        base = qn__place_address(f, p).node;
    return element_of(u, p, array ? p.type->of : p.type, array && p.is_packed, base, index);
}

struct qn__place qn__advance(struct qn__function *f, struct qn__place p, struct qn__expr index)
{
    struct qn__unit *const u = f->u;
    if (p.type->kind != QN__ARRAY)
        return qn__subscript(f, p, index);
    const struct qn__node *const base =
        p.deref ? p.deref : qn__node_unary(u, QN__OP_ADDRESS, p.type, p.node);
    return element_of(u, p, p.type, false, base, index);
}

struct qn__place qn__member(struct qn__function *f, struct qn__place p, uint64_t i)
{
    struct qn__unit *const u = f->u;
    struct qn__place out = {.space = p.space, .is_const = p.is_const};
    const enum qn__op op = p.deref ? QN__OP_ARROW : QN__OP_MEMBER;
    const struct qn__node *const from = p.deref ? p.deref : p.node;
    if (p.type->kind == QN__VECTOR) {
        out.type = p.type->of;
        out.is_component = true;
        out.is_packed = p.is_packed;
        out.component = i;
        out.whole = qn__address_as(f, p, p.type->of);
        struct qn__node part = *qn__node_components(u, out.type, from, p.type->count, i);
        part.by = op;
        out.node = qn__node_make(u, part);
    } else {
        out.is_packed = p.is_packed || p.type->record->is_packed;
        out.type = p.type->record->fields[i].type;
        out.node = qn__node_member(u, op, out.type, from, p.type->record->fields[i].name);
    }
    return out;
}

struct qn__place qn__place_cast(struct qn__function *f, struct qn__place p, LLVMValueRef pointer,
                                const struct qn__type *to, bool is_volatile)
{
    const struct qn__type *const t = qn__type_pointer(f->u, to, p.space, p.is_const, is_volatile);
    return qn__deref(f,
                     qn__cast(f->u, qn__place_address(f, p), qn__type_with_aliases(f, pointer, t)));
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
                                   : qn__subscript(f, *p, number_index(f->u, *offset / size));
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

struct qn__place qn__bytes_at(struct qn__function *f, struct qn__place p,
                              const struct qn__node *offset, bool negative)
{
    const struct qn__expr a = qn__address_as(f, p, uchar_type(f->u));
    return qn__deref(f, qn__of(qn__node_binary(f->u, negative ? QN__OP_SUBTRACT : QN__OP_ADD,
                                               a.type, a.node, offset)));
}

struct qn__place qn__at_offset(struct qn__function *f, struct qn__place p, int64_t signed_offset)
{
    struct qn__unit *const u = f->u;
    if (signed_offset == 0)
        return p;
    if (signed_offset < 0)
        return qn__bytes_at(f, p, number_index(u, (uint64_t)-signed_offset).node, true);
    uint64_t offset = (uint64_t)signed_offset;
    const struct qn__place start = p;
    const uint64_t size = qn__type_size(p.type);
    if (p.type->kind != QN__ARRAY && size && offset >= size && p.deref) {
        p = qn__subscript(f, p, number_index(f->u, offset / size));
        offset %= size;
    }
    const bool scalar = p.type->kind == QN__INT || p.type->kind == QN__FLOAT;
    if (scalar && p.base && offset % size == 0) {
        const struct qn__node *const n = p.index.node;
        if (n->op == QN__OP_NUMBER && !qn__node_is_negative(n)) {
            const struct qn__expr base =
                qn__as(p.base, qn__type_pointer(u, p.type, p.space, p.is_const, false));
            return qn__subscript(f, qn__deref(f, base), number_index(u, n->value + offset / size));
        }
        return qn__advance(f, p, number_index(f->u, offset / size));
    }
    while (offset != 0)
        if (!qn__descend(f, &p, &offset))
            return qn__bytes_at(f, start, number_index(u, (uint64_t)signed_offset).node, false);
    return p;
}

struct qn__place qn__place_as(struct qn__function *f, struct qn__place p, LLVMTypeRef t,
                              LLVMValueRef where, bool is_volatile)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef pointer = LLVMGetOperand(where, LLVMIsAStoreInst(where) ? 1 : 0);
    struct qn__place inner = p;
    uint64_t offset = 0;
    const LLVMValueRef root = qn__memory_root(pointer);
    const bool says_so = LLVMIsAAllocaInst(root) && qn__memory_var(f, root)->is_volatile;
    while (!is_volatile || says_so) {
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
