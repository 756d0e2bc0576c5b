/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons and conditions. LLVM says which sign a comparison has; C takes it from the operands.
 * A negated condition is its opposite where there is one: i < n, not !(i >= n), but !(x < y) for
 * floats. */
#include "compiler/core/diagnose.h"
#include "compiler/expr/operators.h"

static enum qn__op comparison(LLVMIntPredicate p, bool negate)
{
    switch (p) {
    case LLVMIntEQ: return negate ? QN__OP_NOT_EQUAL : QN__OP_EQUAL;
    case LLVMIntNE: return negate ? QN__OP_EQUAL : QN__OP_NOT_EQUAL;
    case LLVMIntSGT:
    case LLVMIntUGT: return negate ? QN__OP_LESS_EQUAL : QN__OP_GREATER;
    case LLVMIntSGE:
    case LLVMIntUGE: return negate ? QN__OP_LESS : QN__OP_GREATER_EQUAL;
    case LLVMIntSLT:
    case LLVMIntULT: return negate ? QN__OP_GREATER_EQUAL : QN__OP_LESS;
    default: return negate ? QN__OP_GREATER : QN__OP_LESS_EQUAL;
    }
}

struct qn__expr qn__compare_integers(struct qn__function *f, LLVMValueRef in, bool negate)
{
    struct qn__unit *const u = f->u;
    const LLVMIntPredicate p = LLVMGetICmpPredicate(in);
    const enum qn__op op = comparison(p, negate);
    const bool equality = p == LLVMIntEQ || p == LLVMIntNE;
    const struct qn__type *const t = qn__type_bool(u);
    const LLVMValueRef rhs = LLVMGetOperand(in, 1);
    if (LLVMTypeOf(rhs) == LLVMInt1TypeInContext(u->context) && LLVMIsAConstantInt(rhs) &&
        equality) {
        const bool wants_true = (LLVMConstIntGetZExtValue(rhs) != 0) == (p == LLVMIntEQ);
        return qn__condition(f, LLVMGetOperand(in, 0), wants_true == negate);
    }
    struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0)), b = qn__expr(f, rhs);
    if (a.type->kind == QN__VECTOR) {
        qn__refuse(u, in, "a comparison of whole vectors: compare their elements");
        return a;
    }
    if (a.type->kind == QN__POINTER) {
        if (LLVMIsAConstantPointerNull(rhs))
            b = qn__plain(u, 0, a.type);
        else
            b = qn__convert(f, b, qn__type_pointer(u, a.type->of, a.type->space, true, false));
        return qn__infix(u, op, a, b, t);
    }
    if (a.type->kind == QN__INT && b.type->kind == QN__INT) {
        const bool unsigned_ =
            p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntULT || p == LLVMIntULE;
        if (a.type->bits < 32 || !equality) {
            const struct qn__type *const as =
                qn__signed_as(u, a.type, equality ? a.type->is_unsigned : unsigned_);
            if (unsigned_ && a.type->bits >= 32 &&
                (qn__is_unsigned(a.type) || qn__is_unsigned(b.type)) && !a.number && !b.number)
                return qn__infix(u, op, a, b, t); /* one unsigned operand makes both so */
            a = qn__convert(f, a, as);
            b = qn__convert(f, b, as);
        } else if (b.number) {
            b = qn__number(u, b.number, a.type);
        }
    }
    return qn__infix(u, op, a, b, t);
}

struct qn__expr qn__negated(struct qn__unit *u, struct qn__expr e)
{
    return qn__of(qn__node_not(u, e.node));
}

struct qn__expr qn__compare_floats(struct qn__function *f, LLVMValueRef in, bool negate)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = qn__type_bool(u);
    const LLVMValueRef l = LLVMGetOperand(in, 0), r = LLVMGetOperand(in, 1);
    const struct qn__expr a = qn__expr(f, l), b = qn__expr(f, r);
    if (a.type->kind == QN__VECTOR)
        qn__refuse(u, in, "a comparison of whole vectors: compare their elements");
    enum qn__op op = QN__OP_EQUAL;
    const char *function = NULL;
    bool inverse = negate; /* ordered forms print as they are, unordered ones as their opposite */
    const LLVMRealPredicate p = LLVMGetFCmpPredicate(in);
    /* whether a number is ordered with a constant is a question about one operand */
    const bool asks_one =
        (p == LLVMRealORD || p == LLVMRealUNO) && (l == r || LLVMIsAConstantFP(r));
    switch (p) {
    case LLVMRealOEQ:
        op = negate ? QN__OP_NOT_EQUAL : QN__OP_EQUAL;
        inverse = false;
        break;
    case LLVMRealUNE:
        op = negate ? QN__OP_EQUAL : QN__OP_NOT_EQUAL;
        inverse = false;
        break;
    case LLVMRealOGT: op = QN__OP_GREATER; break;
    case LLVMRealOGE: op = QN__OP_GREATER_EQUAL; break;
    case LLVMRealOLT: op = QN__OP_LESS; break;
    case LLVMRealOLE: op = QN__OP_LESS_EQUAL; break;
    case LLVMRealUGT:
        op = QN__OP_LESS_EQUAL;
        inverse = !negate;
        break;
    case LLVMRealUGE:
        op = QN__OP_LESS;
        inverse = !negate;
        break;
    case LLVMRealULT:
        op = QN__OP_GREATER_EQUAL;
        inverse = !negate;
        break;
    case LLVMRealULE:
        op = QN__OP_GREATER;
        inverse = !negate;
        break;
    case LLVMRealONE: function = "islessgreater"; break;
    case LLVMRealUEQ:
        function = "islessgreater";
        inverse = !negate;
        break;
    case LLVMRealORD:
        function = asks_one ? "isnan" : "isordered";
        inverse = asks_one != negate;
        break;
    case LLVMRealUNO: function = asks_one ? "isnan" : "isunordered"; break;
    case LLVMRealPredicateTrue: return qn__of(qn__node_truth(u, !negate));
    default: return qn__of(qn__node_truth(u, negate));
    }
    const struct qn__node *const both[] = {a.node, b.node};
    const struct qn__expr e =
        function ? qn__of(qn__node_function(u, function, t, asks_one ? 1 : 2, both))
                 : qn__infix(u, op, a, b, t);
    return inverse ? qn__negated(u, e) : e;
}

/* && and || as LLVM has them: an and, an or, or a select one of whose arms is known. */
struct logical {
    LLVMValueRef a, b;
    bool not_a, is_or;
};

static bool find_logical(struct qn__unit *u, LLVMValueRef v, struct logical *out)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (LLVMTypeOf(v) != LLVMInt1TypeInContext(u->context))
        return false;
    if (op == LLVMAnd || op == LLVMOr) {
        *out = (struct logical){LLVMGetOperand(v, 0), LLVMGetOperand(v, 1), false, op == LLVMOr};
        return true;
    }
    if (op != LLVMSelect || LLVMTypeOf(LLVMGetOperand(v, 0)) != LLVMTypeOf(v))
        return false;
    const LLVMValueRef c = LLVMGetOperand(v, 0), x = LLVMGetOperand(v, 1), y = LLVMGetOperand(v, 2);
    const bool first = LLVMIsAConstantInt(x) != NULL; /* c ? true : y is c || y */
    if (!first && !LLVMIsAConstantInt(y))
        return false;
    const bool is_or = LLVMConstIntGetZExtValue(first ? x : y) != 0;
    *out = (struct logical){c, first ? y : x, first != is_or, is_or};
    return true;
}

static bool begins_with_not(const struct qn__node *n)
{
    while (n->op == QN__OP_LOGICAL_AND || n->op == QN__OP_LOGICAL_OR)
        n = n->operands[0];
    return n->op == QN__OP_NOT;
}

bool qn__logical(struct qn__function *f, LLVMValueRef v, bool negate, struct qn__expr *out)
{
    struct qn__unit *const u = f->u;
    struct logical l;
    if (!find_logical(u, v, &l))
        return false;
    const struct qn__expr a = qn__condition(f, l.a, l.not_a != negate);
    const struct qn__expr b = qn__condition(f, l.b, negate);
    if (negate && (begins_with_not(a.node) || begins_with_not(b.node)))
        return false; /* !(x < y || z) says it better than !(x < y) && !z */
    const bool is_or = l.is_or != negate;
    *out = qn__infix(u, is_or ? QN__OP_LOGICAL_OR : QN__OP_LOGICAL_AND, a, b, qn__type_bool(u));
    return true;
}

struct qn__expr qn__condition(struct qn__function *f, LLVMValueRef v, bool negate)
{
    struct qn__unit *const u = f->u;
    const struct qn__value *const known = qn__value_of(f, v);
    struct qn__expr logical;
    if (known && known->folded) {
        const LLVMOpcode op = LLVMGetInstructionOpcode(v);
        if (negate && qn__logical(f, v, true, &logical))
            return logical;
        if (op == LLVMICmp)
            return qn__compare_integers(f, v, negate);
        if (op == LLVMFCmp)
            return qn__compare_floats(f, v, negate);
        if (op == LLVMXor && LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
            return qn__condition(f, LLVMGetOperand(v, 0),
                                 negate != (LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) != 0));
        if (op == LLVMTrunc && negate) { /* a bool in memory */
            const struct qn__node *const n = qn__expr(f, v).node;
            if (n->op == QN__OP_NOT_EQUAL && qn__node_is_number(n->operands[1], 0))
                return qn__of(
                    qn__node_binary(u, QN__OP_EQUAL, n->type, n->operands[0], n->operands[1]));
        }
    }
    struct qn__expr e = qn__expr(f, v);
    if (e.number)
        return qn__of(qn__node_truth(u, (LLVMConstIntGetZExtValue(v) != 0) != negate));
    return negate ? qn__negated(u, e) : e;
}
