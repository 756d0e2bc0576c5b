/* SPDX-License-Identifier: Apache-2.0
 *
 * C's usual conversions, used: casts and suffixes of numbers that C would supply by itself are not
 * printed.
 *
 *     (ulong)n * 16ul + (ulong)k          (ulong)n * 16 + k
 *     (uint)get_local_id(0) == 0u         get_local_id(0) == 0
 *     v * (float16)(scale)                v * scale
 *     int i = (uint)get_group_id(0) * (uint)get_local_size(0)
 *                                         int i = get_group_id(0) * get_local_size(0)
 *
 * CUDA's indices are 32 bits wide, OpenCL's size_t. What an expression is without its cast stands
 * in its `bare`: the same value (exact), or one of the same low bits. */
#include "compiler/expr/operators.h"

static bool is_int(struct qn__expr e)
{
    return e.type->kind == QN__INT;
}

static bool is_wide(struct qn__expr e)
{
    return e.bare.node && e.type->bits == 32 && e.bare.type->bits == 64;
}

/* A number beside an operand that gives it its type. */
static struct qn__expr unsuffixed(struct qn__unit *u, struct qn__expr e,
                                  const struct qn__type *beside)
{
    if (!e.number || !is_int(e) || beside->bits < 32 || beside->bits < e.type->bits ||
        (e.type->is_unsigned && !beside->is_unsigned))
        return e;
    const int64_t value = e.type->is_unsigned ? (int64_t)LLVMConstIntGetZExtValue(e.number)
                                              : LLVMConstIntGetSExtValue(e.number);
    if (value < 0 || value > INT32_MAX)
        return e;
    e.node = qn__node_plain(u, e.node);
    return e;
}

static struct qn__expr stripped(struct qn__expr e)
{
    e.node = e.bare.node;
    return e;
}

struct qn__expr qn__same_components(struct qn__unit *u, const struct qn__type *vector,
                                    struct qn__expr x)
{
    struct qn__expr e = qn__prefix(u, QN__OP_VECTOR, x, vector);
    if (vector->of->bits >= 32) /* C promotes narrower ones, and then they are too wide */
        e.bare = (struct qn__bare){x.node, vector, true};
    return e;
}

/* Beside a vector a scalar is meant for all components. */
static void strip_vector(struct qn__expr *a, struct qn__expr *b)
{
    if (a->type != b->type)
        return;
    if (b->bare.node && !a->bare.node)
        *b = stripped(*b);
    else if (a->bare.node && !b->bare.node)
        *a = stripped(*a);
}

void qn__usual(struct qn__unit *u, struct qn__expr *a, struct qn__expr *b, bool compares)
{
    if (a->type->kind == QN__VECTOR)
        strip_vector(a, b);
    if (!is_int(*a) || !is_int(*b))
        return;
    for (int turn = 0; turn < 2; turn++) {
        struct qn__expr *const x = turn ? a : b;
        const struct qn__expr y = turn ? *b : *a;
        if (x->number || !x->bare.node || !x->bare.exact || y.type->bits < 32)
            continue;
        const bool narrower = x->bare.type->bits < x->type->bits && !y.number &&
                              y.type->bits == x->type->bits &&
                              (y.type == x->type || y.type->is_unsigned);
        const bool size_t_fits = compares && is_wide(*x) && y.type->is_unsigned;
        if (!narrower && !size_t_fits)
            continue;
        *x = stripped(*x);
        if (narrower)
            break; /* the other one's cast makes the width */
    }
    if (a->number && !b->number)
        *a = unsuffixed(u, *a, b->type);
    else if (b->number && !a->number)
        *b = unsuffixed(u, *b, a->type);
}

const struct qn__node *qn__bare_node(struct qn__expr e)
{
    return e.bare.node ? e.bare.node : e.node;
}

/* An operand of 64-bit arithmetic whose low half is wanted. */
static struct qn__expr wide_operand(struct qn__unit *u, struct qn__expr e)
{
    const struct qn__type *const t = qn__type_int(u, 64, true);
    if (!is_wide(e))
        return unsuffixed(u, e, t);
    return qn__as(e.bare.node, t);
}

struct qn__expr qn__with_bare(struct qn__unit *u, struct qn__expr e, struct qn__expr a,
                              enum qn__op op, struct qn__expr b)
{
    if (!is_int(e) || e.type->bits != 32 || (!is_wide(a) && !is_wide(b)))
        return e;
    const bool divides = op == QN__OP_DIVIDE || op == QN__OP_REMAINDER ||
                         op == QN__OP_SHIFT_RIGHT || op == QN__OP_AND;
    const bool a_exact = is_wide(a) ? a.bare.exact : a.type->is_unsigned;
    if (divides && !(a_exact && b.number && !qn__node_is_negative(b.node)))
        return e; /* not by what is only known at run time: 64 bits would cost */
    const struct qn__type *const t = qn__type_int(u, 64, true);
    const struct qn__expr wide = qn__infix(u, op, wide_operand(u, a), wide_operand(u, b), t);
    if (is_wide(a) && is_wide(b))
        e = qn__cast(u, wide, e.type);
    e.bare = (struct qn__bare){wide.node, t, divides};
    return e;
}
