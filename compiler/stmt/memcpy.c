/* SPDX-License-Identifier: Apache-2.0
 *
 * memcpy, memmove and memset that LLVM's passes left, as assignments and loops:
 *
 *     memcpy(&own, &in[i], sizeof own)     own = in[i];
 *     memcpy(tile, &in[i], 64)             for (uint qn_k = 0; qn_k < 16; qn_k++)
 *                                              tile[qn_k] = (&in[i])[qn_k];
 *
 * What a loop reads must not change while it runs: inline_values.c folds no load into such a call.
 */
#include "compiler/stmt/memcpy.h"
#include "compiler/expr/expr_place.h"
#include "compiler/expr/expr_variable.h"
#include "compiler/stmt/stmt.h"

static const struct qn__node *assignment(struct qn__unit *u, const struct qn__node *to,
                                         const struct qn__node *from)
{
    return qn__node_binary(u, QN__OP_ASSIGN, to->type, to, from);
}

static void add_loop(struct qn__function *f, struct qn__stmt *list, enum qn__op op,
                     const struct qn__node *a, const struct qn__node *b,
                     const struct qn__node *count, LLVMValueRef call)
{
    const struct qn__node *const operands[] = {a, b, count};
    qn__add_effect(f, list, qn__node_new(f->u, op, qn__type_void(f->u), 3, operands), call);
}

static const struct qn__node *number(struct qn__unit *u, uint64_t n)
{
    return qn__node_plain_number(u, n, qn__type_int(u, n > UINT32_MAX ? 64 : 32, true));
}

/* What a copy moves at a time: the elements of both arrays, else bytes. Anything else would be an
 * access through a type that is not the object's, which C lets compilers reorder. */
static const struct qn__type *copied_unit(struct qn__unit *u, const struct qn__type *t,
                                          const struct qn__type *from, uint64_t bytes,
                                          uint64_t aligned)
{
    while (t->kind == QN__ARRAY)
        t = t->of;
    while (from->kind == QN__ARRAY)
        from = from->of;
    const bool scalar = t->kind == QN__INT || t->kind == QN__FLOAT;
    return scalar && qn__type_same_but_sign(t, from) && qn__type_size(t) <= aligned &&
                   bytes % qn__type_size(t) == 0
               ? t
               : qn__type_int(u, 8, true);
}

/* A struct with a volatile member is copied and cleared as a whole that is volatile: in the largest
 * words it is aligned for, so that no member is torn. */
static bool is_volatile(LLVMValueRef call)
{
    return LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 3)) != 0;
}

static const struct qn__type *word_of(struct qn__unit *u, uint64_t bytes, uint64_t aligned)
{
    while (bytes % aligned != 0)
        aligned /= 2;
    return qn__type_int(u, (unsigned)aligned * 8, true);
}

/* How much a memory function's places are aligned for sure, up to the widest integer. */
static uint64_t alignment_of(LLVMValueRef call, unsigned n_places)
{
    uint64_t aligned = 8;
    const unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    for (unsigned i = 1; i <= n_places; i++) {
        const LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i, kind);
        while (aligned > (a ? LLVMGetEnumAttributeValue(a) : 1))
            aligned /= 2;
    }
    return aligned;
}

/* Does an array end before so many bytes do? Then they go on in the fields after it. */
static bool ends_before(const struct qn__place *place, uint64_t bytes)
{
    return place->type->kind == QN__ARRAY && place->type->count &&
           qn__type_size(place->type) < bytes;
}

/* The address of `bytes` at a place, as one of units of that type. */
static struct qn__expr pointer_to(struct qn__function *f, const struct qn__place *place,
                                  uint64_t bytes, const struct qn__type *unit, bool is_const,
                                  bool volatile_)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t =
        qn__type_pointer(u, unit, place->space, is_const, volatile_ && place->space != QN__PRIVATE);
    struct qn__expr e = qn__place_address(f, *place);
    if (ends_before(place, bytes))
        e = qn__of(qn__node_unary(
            u, QN__OP_ADDRESS,
            qn__type_pointer(u, place->type, place->space, place->is_const, false), e.node));
    return qn__cast(u, e, volatile_ ? qn__type_aliasing(u, t) : t);
}

/* memmove within one address space: in the direction in which no byte is read after it is written.
 */
static void move_memory(struct qn__function *f, struct qn__stmt *list, LLVMValueRef call,
                        const struct qn__place *to, const struct qn__place *from)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const byte = qn__type_int(u, 8, true);
    const struct qn__expr d = pointer_to(f, to, 0, byte, false, false),
                          s = pointer_to(f, from, 0, byte, true, false);
    add_loop(f, list, QN__OP_MOVE, d.node, s.node, qn__expr(f, LLVMGetArgOperand(call, 2)).node,
             call);
}

/* Does C's assignment take along every byte that may matter? Padding it may leave out. */
static bool is_assigned_whole(const struct qn__type *t)
{
    return t->kind != QN__ARRAY && (t->kind != QN__STRUCT || !t->record->hides_bytes);
}

/* memcpy and memset that the passes left: a struct assignment where both sides are one struct, else
 * a loop over elements or bytes. */
void qn__copy_memory(struct qn__function *f, struct qn__stmt *list, LLVMValueRef call)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef length = LLVMGetArgOperand(call, 2);
    struct qn__place to = qn__place(f, LLVMGetArgOperand(call, 0)),
                     from = qn__place(f, LLVMGetArgOperand(call, 1));
    if (qn__starts_with(qn__callee(call), "llvm.memmove") && to.space == from.space) {
        move_memory(f, list, call, &to, &from);
        return;
    }
    if (!LLVMIsAConstantInt(length)) {
        const struct qn__type *const byte = qn__type_int(u, 8, true);
        const struct qn__expr d = pointer_to(f, &to, 0, byte, false, is_volatile(call)),
                              s = pointer_to(f, &from, 0, byte, true, is_volatile(call));
        add_loop(f, list, QN__OP_COPY, d.node, s.node, qn__expr(f, length).node, call);
        return;
    }
    const uint64_t bytes = LLVMConstIntGetZExtValue(length);
    if (bytes == 0)
        return;
    if (to.type == from.type && qn__type_size(to.type) == bytes && is_assigned_whole(to.type) &&
        !is_volatile(call)) {
        struct qn__value *const v = qn__value_of(f, LLVMGetArgOperand(call, 0));
        if (v && LLVMIsAAllocaInst(v->llvm))
            qn__add_assign(f, list, qn__memory_var(f, v->llvm), from.node, call);
        else
            qn__add_effect(f, list, assignment(u, to.node, from.node), call);
        return;
    }
    const uint64_t aligned = alignment_of(call, 2);
    const struct qn__type *const unit = is_volatile(call)
                                            ? word_of(u, bytes, aligned)
                                            : copied_unit(u, to.type, from.type, bytes, aligned);
    const uint64_t piece = qn__type_size(unit);
    const struct qn__expr d = pointer_to(f, &to, bytes, unit, false, is_volatile(call)),
                          s = pointer_to(f, &from, bytes, unit, true, is_volatile(call));
    if (bytes == piece)
        qn__add_effect(f, list,
                       assignment(u, qn__node_unary(u, QN__OP_DEREF, unit, d.node),
                                  qn__node_unary(u, QN__OP_DEREF, unit, s.node)),
                       call);
    else
        add_loop(f, list, QN__OP_COPY, d.node, s.node, number(u, bytes / piece), call);
}

/* An array's elements become 0. False: `to` is no array of numbers, of few dimensions, that ends
 * where the bytes do. */
static bool clear_array(struct qn__function *f, struct qn__stmt *list, const struct qn__place *to,
                        uint64_t bytes, LLVMValueRef call)
{
    enum { DIMENSIONS = 4 };
    struct qn__unit *const u = f->u;
    const struct qn__type *t = to->type;
    if (t->kind != QN__ARRAY || ends_before(to, bytes) || bytes % qn__type_size(t->of) != 0)
        return false;
    for (unsigned depth = 0; t->kind == QN__ARRAY; t = t->of)
        if (++depth > DIMENSIONS)
            return false;
    if (t->kind != QN__INT && t->kind != QN__FLOAT && t->kind != QN__VECTOR)
        return false;
    struct qn__node clear = *qn__node_unary(u, QN__OP_CLEAR, to->type, to->node);
    clear.count = bytes / qn__type_size(to->type->of);
    qn__add_effect(f, list, qn__node_make(u, clear), call);
    return true;
}

void qn__set_memory(struct qn__function *f, struct qn__stmt *list, LLVMValueRef call)
{
    struct qn__unit *const u = f->u;
    const struct qn__place to = qn__place(f, LLVMGetArgOperand(call, 0));
    const LLVMValueRef value = LLVMGetArgOperand(call, 1), length = LLVMGetArgOperand(call, 2);
    const uint64_t bytes = LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : 0;
    const bool clears = bytes && LLVMIsAConstantInt(value) && LLVMIsNull(value);
    if (clears && !is_volatile(call) && clear_array(f, list, &to, bytes, call))
        return;
    const struct qn__type *const unit = clears && is_volatile(call)
                                            ? word_of(u, bytes, alignment_of(call, 1))
                                            : qn__type_int(u, 8, true);
    const struct qn__expr d = pointer_to(f, &to, bytes, unit, false, is_volatile(call));
    const struct qn__node *const n =
        LLVMIsAConstantInt(length)
            ? qn__node_plain_number(u, bytes / qn__type_size(unit), qn__type_int(u, 64, true))
            : qn__expr(f, length).node;
    add_loop(f, list, QN__OP_FILL, d.node,
             clears ? qn__node_plain_number(u, 0, unit) : qn__assignable(f, value, unit), n, call);
}
