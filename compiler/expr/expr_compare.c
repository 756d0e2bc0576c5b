/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons and conditions. LLVM says which sign a comparison has; C takes it from the operands.
 * A negated condition is its opposite where there is one: i < n, not !(i >= n), but !(x < y) for
 * floats. */
#include "compiler/expr/operators.h"

#include <string.h>

static const char *predicate_operator(LLVMIntPredicate p, bool negate)
{
    switch (p) {
    case LLVMIntEQ: return negate ? "!=" : "==";
    case LLVMIntNE: return negate ? "==" : "!=";
    case LLVMIntSGT:
    case LLVMIntUGT: return negate ? "<=" : ">";
    case LLVMIntSGE:
    case LLVMIntUGE: return negate ? "<" : ">=";
    case LLVMIntSLT:
    case LLVMIntULT: return negate ? ">=" : "<";
    default: return negate ? ">" : "<=";
    }
}

struct qn__expr qn__compare_integers(struct qn__function *f, LLVMValueRef in, bool negate)
{
    struct qn__unit *const u = f->u;
    const LLVMIntPredicate p = LLVMGetICmpPredicate(in);
    const char *const op = predicate_operator(p, negate);
    const bool equality = p == LLVMIntEQ || p == LLVMIntNE;
    const enum qn__prec prec = equality ? QN__PREC_EQUAL : QN__PREC_RELATION;
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
            b = qn__spell("0", QN__PREC_POSTFIX, a.type);
        else
            b = qn__convert(f, b, qn__type_pointer(u, a.type->of, a.type->space, true, false));
        return qn__infix(u, a, op, b, prec, t);
    }
    if (a.type->kind == QN__INT && b.type->kind == QN__INT) {
        const bool unsigned_ =
            p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntULT || p == LLVMIntULE;
        if (a.type->bits < 32 || !equality) {
            const struct qn__type *const as =
                qn__signed_as(u, a.type, equality ? a.type->is_unsigned : unsigned_);
            if (unsigned_ && a.type->bits >= 32 &&
                (qn__is_unsigned(a.type) || qn__is_unsigned(b.type)) && !a.number && !b.number)
                return qn__infix(u, a, op, b, prec, t); /* one unsigned operand makes both so */
            a = qn__convert(f, a, as);
            b = qn__convert(f, b, as);
        } else if (b.number) {
            b = qn__number(u, b.number, a.type);
        }
    }
    return qn__infix(u, a, op, b, prec, t);
}

struct qn__expr qn__negated(struct qn__unit *u, struct qn__expr e)
{
    return qn__spell(qn__text(u, "!%s", qn__wrap(u, e, QN__PREC_UNARY)), QN__PREC_UNARY,
                     qn__type_bool(u));
}

struct qn__expr qn__compare_floats(struct qn__function *f, LLVMValueRef in, bool negate)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = qn__type_bool(u);
    const LLVMValueRef l = LLVMGetOperand(in, 0), r = LLVMGetOperand(in, 1);
    const struct qn__expr a = qn__expr(f, l), b = qn__expr(f, r);
    if (a.type->kind == QN__VECTOR)
        qn__refuse(u, in, "a comparison of whole vectors: compare their elements");
    const char *op = NULL, *function = NULL;
    bool inverse = negate; /* ordered forms print as they are, unordered ones as their opposite */
    switch (LLVMGetFCmpPredicate(in)) {
    case LLVMRealOEQ:
        op = negate ? "!=" : "==";
        inverse = false;
        break;
    case LLVMRealUNE:
        op = negate ? "==" : "!=";
        inverse = false;
        break;
    case LLVMRealOGT: op = ">"; break;
    case LLVMRealOGE: op = ">="; break;
    case LLVMRealOLT: op = "<"; break;
    case LLVMRealOLE: op = "<="; break;
    case LLVMRealUGT:
        op = "<=";
        inverse = !negate;
        break;
    case LLVMRealUGE:
        op = "<";
        inverse = !negate;
        break;
    case LLVMRealULT:
        op = ">=";
        inverse = !negate;
        break;
    case LLVMRealULE:
        op = ">";
        inverse = !negate;
        break;
    case LLVMRealONE: function = "islessgreater"; break;
    case LLVMRealUEQ:
        function = "islessgreater";
        inverse = !negate;
        break;
    case LLVMRealORD:
        function = l == r ? "isnan" : "isordered";
        inverse = (l == r) != negate;
        break;
    case LLVMRealUNO: function = l == r ? "isnan" : "isunordered"; break;
    case LLVMRealPredicateTrue: return qn__spell(negate ? "false" : "true", QN__PREC_POSTFIX, t);
    default: return qn__spell(negate ? "true" : "false", QN__PREC_POSTFIX, t);
    }
    struct qn__expr e;
    if (function && (LLVMIsAConstantFP(r) || l == r) && function[2] != 'l') {
        /* ord and uno against a number ask about one operand */
        const bool is_nan = LLVMGetFCmpPredicate(in) == LLVMRealUNO;
        e = qn__spell(qn__text(u, "isnan(%s)", a.text), QN__PREC_POSTFIX, t);
        inverse = is_nan == negate;
    } else if (function) {
        e = qn__spell(qn__text(u, "%s(%s, %s)", function, a.text, b.text), QN__PREC_POSTFIX, t);
    } else {
        const bool equality = op[0] == '!' || (op[0] == '=' && op[1] == '=');
        e = qn__infix(u, a, op, b, equality ? QN__PREC_EQUAL : QN__PREC_RELATION, t);
    }
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

bool qn__logical(struct qn__function *f, LLVMValueRef v, bool negate, struct qn__expr *out)
{
    struct qn__unit *const u = f->u;
    struct logical l;
    if (!find_logical(u, v, &l))
        return false;
    const struct qn__expr a = qn__condition(f, l.a, l.not_a != negate);
    const struct qn__expr b = qn__condition(f, l.b, negate);
    if (negate && (a.text[0] == '!' || b.text[0] == '!'))
        return false; /* !(x < y || z) says it better than !(x < y) && !z */
    const bool is_or = l.is_or != negate;
    *out = qn__infix(u, a, is_or ? "||" : "&&", b,
                     is_or ? QN__PREC_LOGICAL_OR : QN__PREC_LOGICAL_AND, qn__type_bool(u));
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
            const struct qn__expr e = qn__expr(f, v);
            const size_t n = strlen(e.text);
            if (n > 5 && strcmp(e.text + n - 5, " != 0") == 0)
                return qn__spell(qn__text(u, "%.*s == 0", (int)n - 5, e.text), QN__PREC_EQUAL,
                                 e.type);
        }
    }
    struct qn__expr e = qn__expr(f, v);
    if (e.number)
        return qn__spell((LLVMConstIntGetZExtValue(v) != 0) != negate ? "true" : "false",
                         QN__PREC_POSTFIX, qn__type_bool(u));
    return negate ? qn__negated(u, e) : e;
}
