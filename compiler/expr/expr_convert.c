/* SPDX-License-Identifier: Apache-2.0
 *
 * Choices (?:) and conversions between widths, signs, and integers and floats. C converts by itself
 * in many places; a cast is printed where it would do something else. */
#include "compiler/core/diagnose.h"
#include "compiler/expr/expr_place.h"
#include "compiler/expr/operators.h"
#include "compiler/model/source_types.h"

static struct qn__expr choice(struct qn__unit *u, const struct qn__node *condition,
                              const struct qn__node *a, const struct qn__node *b,
                              const struct qn__type *t)
{
    const struct qn__node *const three[] = {condition, a, b};
    return qn__of(qn__node_new(u, QN__OP_CHOOSE, t, 3, three));
}

struct qn__expr qn__choose(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef c = LLVMGetOperand(in, 0), x = LLVMGetOperand(in, 1),
                       y = LLVMGetOperand(in, 2);
    if (LLVMGetTypeKind(LLVMTypeOf(c)) != LLVMIntegerTypeKind)
        qn__refuse(u, in, "a choice by a vector of conditions: choose element by element");
    struct qn__expr logical;
    if (qn__logical(f, in, false, &logical))
        return logical;
    const struct qn__expr condition = qn__condition(f, c, false);
    struct qn__expr a = qn__expr(f, x), b = qn__expr(f, y);
    const struct qn__type *t = a.type;
    if (a.number && b.type->kind == QN__INT)
        t = b.type;
    if (t->kind == QN__INT && b.type->kind == QN__INT && !b.number && !a.number && t->bits >= 32)
        t = qn__signed_as(u, t, qn__is_unsigned(a.type) || qn__is_unsigned(b.type));
    if (t->kind == QN__POINTER && b.type->kind == QN__POINTER && b.type->is_const)
        t = qn__type_pointer(u, t->of, t->space, true, t->is_volatile);
    a = t->kind == QN__INT && t->bits >= 32 && !a.number ? a : qn__convert(f, a, t);
    b = t->kind == QN__INT && t->bits >= 32 && !b.number ? b : qn__convert(f, b, t);
    qn__usual(u, &a, &b, false);
    return choice(u, condition.node, a.node, b.node, t);
}

static bool is_bool_load(LLVMValueRef trunc)
{
    size_t n;
    const char *const name = LLVMGetValueName2(trunc, &n);
    return qn__starts_with(name, "tobool") || qn__starts_with(name, "loadedv");
}

struct qn__expr qn__truncate(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr e = qn__expr(f, LLVMGetOperand(in, 0));
    if (LLVMGetTypeKind(LLVMTypeOf(in)) == LLVMVectorTypeKind) {
        const struct qn__type *const to =
            qn__signed_as(u, qn__type_of(u, LLVMTypeOf(in), NULL, in), qn__is_unsigned(e.type));
        if (to->of->kind != QN__INT)
            qn__refuse(u, in, "a vector of conditions: test element by element");
        return qn__prefix(u, QN__OP_CONVERT, e, to);
    }
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(in));
    if (bits != 1)
        return qn__cast(
            u, e, qn__signed_as(u, qn__type_of(u, LLVMTypeOf(in), NULL, in), e.type->is_unsigned));
    const struct qn__type *const t = qn__type_bool(u);
    if (is_bool_load(in))
        return qn__convert(f, e, t);
    const struct qn__expr low =
        qn__of(qn__node_binary(u, QN__OP_AND, e.type, e.node, qn__node_plain_number(u, 1, e.type)));
    return qn__is_not_zero(u, low);
}

struct qn__expr qn__extend(struct qn__function *f, LLVMValueRef in, bool zero)
{
    struct qn__unit *const u = f->u;
    struct qn__expr e = qn__expr(f, LLVMGetOperand(in, 0));
    if (LLVMGetTypeKind(LLVMTypeOf(in)) != LLVMIntegerTypeKind) {
        const struct qn__type *const to = qn__type_of(u, LLVMTypeOf(in), NULL, in);
        const struct qn__expr from = qn__convert(f, e, qn__signed_as(u, e.type, zero));
        return qn__prefix(u, QN__OP_CONVERT, from, qn__signed_as(u, to, zero));
    }
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(in));
    const struct qn__type *const int_ = qn__type_int(u, 32, false);
    if (e.type->kind == QN__INT)
        e = qn__with_sign_of(f, LLVMGetOperand(in, 0), zero);
    if (e.type->kind == QN__BOOL) {
        if (!zero)
            return qn__convert(f,
                               choice(u, e.node, qn__node_number(u, (uint64_t)-1, int_),
                                      qn__node_number(u, 0, int_), int_),
                               qn__type_int(u, bits > 32 ? bits : 32, false));
        if (bits > 32)
            return qn__cast(u, e, qn__type_int(u, bits, true));
        struct qn__expr promoted =
            qn__as(e.node, qn__type_int(u, bits < 32 ? bits : 32, bits < 32));
        promoted.loose = !qn__is_operator(e.node); /* a bool variable; comparisons are int in C */
        return promoted;
    }
    const struct qn__expr from = qn__convert(f, e, qn__signed_as(u, e.type, zero));
    if (bits == 32) { /* C promotes narrow integers itself; the value fits an int */
        struct qn__expr promoted = qn__as(from.node, int_);
        promoted.loose = true;
        return promoted;
    }
    struct qn__expr wider = qn__cast(u, from, qn__type_int(u, bits, zero));
    if (wider.type != from.type && wider.node != qn__bare_node(from))
        wider.bare = (struct qn__bare){from.node, from.type, true};
    return wider;
}

/* Is it computed here, so that it may wrap? Not what is loaded or counts in a loop. */
static bool may_wrap(LLVMValueRef v)
{
    return LLVMIsABinaryOperator(v) || LLVMIsATruncInst(v);
}

struct qn__expr qn__to_float(struct qn__function *f, LLVMValueRef in, bool from_unsigned)
{
    struct qn__unit *const u = f->u;
    struct qn__expr e = qn__expr(f, LLVMGetOperand(in, 0));
    const struct qn__type *const to = qn__type_of(u, LLVMTypeOf(in), NULL, in);
    if (e.type->kind == QN__VECTOR)
        return qn__prefix(u, QN__OP_CONVERT,
                          qn__convert(f, e, qn__signed_as(u, e.type, from_unsigned)), to);
    if (e.type->kind == QN__INT)
        e = qn__convert(f, e, qn__signed_as(u, e.type, from_unsigned));
    if (e.type->kind == QN__BOOL && !from_unsigned)
        e = qn__prefix(u, QN__OP_NEGATE, e, qn__type_int(u, 32, false));
    if (qn__profile_has(u->profile, QN__QUIRK_wrapped_float) && may_wrap(LLVMGetOperand(in, 0)))
        return qn__prefix(u, QN__OP_CONVERT, e, to);
    return qn__cast(u, e, to);
}

struct qn__expr qn__to_integer(struct qn__function *f, LLVMValueRef in, bool to_unsigned)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr e = qn__expr(f, LLVMGetOperand(in, 0));
    const struct qn__type *const t = qn__type_of(u, LLVMTypeOf(in), NULL, in);
    if (t->kind == QN__BOOL)
        return qn__is_not_zero(u, e);
    const struct qn__type *const to = qn__signed_as(u, t, to_unsigned);
    if (t->kind != QN__VECTOR)
        return qn__cast(u, e, to);
    struct qn__node saturating = *qn__node_unary(u, QN__OP_CONVERT, to, e.node);
    saturating.value = 1;
    return qn__of(qn__node_make(u, saturating));
}

struct qn__expr qn__reinterpret(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef from = LLVMGetOperand(in, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(in)) == LLVMPointerTypeKind)
        return qn__pointer_expr(f, from);
    const struct qn__type *const t = qn__type_of(u, LLVMTypeOf(in), NULL, in);
    const struct qn__expr e = qn__exact(u, qn__expr(f, from));
    return qn__prefix(u, QN__OP_REINTERPRET, e, t);
}

struct qn__expr qn__from_integer(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const struct qn__value *const v = qn__value_of(f, in);
    const struct qn__type *t =
        qn__type_pointer(u, qn__type_int(u, 8, true), v ? v->space : QN__GLOBAL, false, false);
    return qn__cast(u, qn__expr(f, LLVMGetOperand(in, 0)), t);
}
