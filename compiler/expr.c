/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions: LLVM instructions as C operators.
 *
 * LLVM's integers have no sign and wrap; C's have one and signed overflow is undefined. So an
 * operation that must be unsigned (udiv, icmp ult, an add that may wrap) gets an unsigned operand,
 * and one that must be signed (sdiv, sext) a signed one; the casts that remain are those C needs.
 */
#include "compiler/expr.h"

#include "compiler/space.h"

#include <string.h>

const char *qn__wrap(struct qn__unit *u, struct qn__expr e, enum qn__prec least)
{
    return e.prec < least ? qn__text(u, "(%s)", e.text) : e.text;
}

struct qn__expr qn__exact(struct qn__unit *u, struct qn__expr e)
{
    if (!e.loose)
        return e;
    return qn__spell(
        qn__text(u, "(%s)%s", qn__type_text(u, e.type), qn__wrap(u, e, QN__PREC_UNARY)),
        QN__PREC_UNARY, e.type);
}

struct qn__expr qn__var_expr(struct qn__unit *u, const struct qn__var *v)
{
    return qn__spell(qn__text(u, "\x01%u\x02", (unsigned)v->id), QN__PREC_POSTFIX, v->type);
}

struct qn__expr qn__cast(struct qn__unit *u, struct qn__expr e, const struct qn__type *to)
{
    if (e.type == to)
        return e;
    return qn__spell(qn__text(u, "(%s)%s", qn__type_text(u, to), qn__wrap(u, e, QN__PREC_UNARY)),
                     QN__PREC_UNARY, to);
}

static struct qn__expr number(struct qn__unit *u, LLVMValueRef v, const struct qn__type *t);

struct qn__expr qn__convert(struct qn__function *f, struct qn__expr e, const struct qn__type *to)
{
    struct qn__unit *const u = f->u;
    if (e.type == to)
        return e;
    if (to->kind == QN__INT && e.number)
        return number(u, e.number, to);
    if (to->kind == QN__INT && e.type->kind == QN__POINTER)
        return qn__cast(u, e, qn__type_int(u, to->bits, to->is_unsigned));
    if (to->kind == QN__INT && e.type->kind == QN__BOOL && to->bits <= 32)
        return qn__spell(e.text, e.prec, to);
    if (to->kind == QN__BOOL && e.type->kind == QN__INT)
        return qn__spell(qn__text(u, "%s != 0", qn__wrap(u, e, QN__PREC_EQUAL)), QN__PREC_EQUAL,
                         to);
    if (to->kind == QN__VECTOR && e.type->kind == QN__VECTOR)
        return qn__spell(qn__text(u, "as_%s(%s)", qn__type_text(u, to), e.text), QN__PREC_POSTFIX,
                         to);
    if (to->kind == QN__POINTER && e.type->kind == QN__POINTER && e.type->of == to->of &&
        e.type->space == to->space && (!e.type->is_const || to->is_const))
        return e; /* adding const or volatile needs no cast */
    return qn__cast(u, e, to);
}

const char *qn__assignable(struct qn__function *f, LLVMValueRef v, const struct qn__type *to)
{
    const struct qn__expr e = qn__expr(f, v);
    if (to->kind == QN__INT && e.type->kind == QN__INT && !e.number && e.type->bits == to->bits)
        return e.text; /* same bits, C changes the sign */
    if (to->kind == QN__INT && e.type->kind == QN__BOOL)
        return e.text;
    return qn__convert(f, e, to).text;
}

/* ---- integers ---- */

static const struct qn__type *signed_as(struct qn__unit *u, const struct qn__type *t,
                                        bool is_unsigned)
{
    if (t->kind == QN__VECTOR)
        return qn__type_vector(u, qn__type_int(u, t->of->bits, is_unsigned), t->count);
    return qn__type_int(u, t->bits, is_unsigned);
}

static bool is_unsigned(const struct qn__type *t)
{
    return t->kind == QN__VECTOR ? t->of->is_unsigned : t->is_unsigned;
}

static struct qn__expr number(struct qn__unit *u, LLVMValueRef v, const struct qn__type *t)
{
    const int64_t s = LLVMConstIntGetSExtValue(v);
    const uint64_t z = LLVMConstIntGetZExtValue(v);
    const char *text;
    if (t->is_unsigned && t->bits < 32)
        text = qn__text(u, "%llu", (unsigned long long)z);
    else if (t->is_unsigned && z > 0xffff && (z & (z + 1)) == 0) /* a mask of ones */
        text = qn__text(u, t->bits == 64 ? "0x%llxul" : "0x%llxu", (unsigned long long)z);
    else if (t->is_unsigned)
        text = qn__text(u, t->bits == 64 ? "%lluul" : "%lluu", (unsigned long long)z);
    else if (t->bits == 64 && s == INT64_MIN)
        text = "(-9223372036854775807l - 1)";
    else if (t->bits == 32 && s == INT32_MIN)
        text = "(-2147483647 - 1)";
    else
        text = qn__text(u, t->bits == 64 ? "%lldl" : "%lld", (long long)s);
    return (struct qn__expr){text, *text == '-' ? QN__PREC_UNARY : QN__PREC_POSTFIX, t, v, NULL,
                             false};
}

/* Masks read better in hexadecimal. */
static struct qn__expr mask(struct qn__unit *u, struct qn__expr e)
{
    if (!e.number || (e.type->kind != QN__INT))
        return e;
    const uint64_t z = LLVMConstIntGetZExtValue(e.number);
    if (z < 256)
        return e;
    e.text = qn__text(u, "0x%llx%s", (unsigned long long)z,
                      !e.type->is_unsigned ? (e.type->bits == 64 ? "l" : "")
                                           : (e.type->bits == 64 ? "ul" : "u"));
    if (!e.type->is_unsigned && LLVMConstIntGetSExtValue(e.number) < 0)
        return number(u, e.number, e.type);
    e.prec = QN__PREC_POSTFIX;
    return e;
}

static struct qn__expr infix(struct qn__unit *u, struct qn__expr a, const char *op,
                             struct qn__expr b, enum qn__prec prec, const struct qn__type *t)
{
    /* shifts and bit operations keep their operands' parentheses: nobody knows those precedences */
    const bool bits = prec >= QN__PREC_OR && prec <= QN__PREC_AND;
    const bool shift = prec == QN__PREC_SHIFT;
    enum qn__prec left = prec, right = prec + 1;
    if ((bits && a.prec != prec) || shift)
        left = QN__PREC_UNARY;
    if (bits || shift)
        right = QN__PREC_UNARY;
    return qn__spell(qn__text(u, "%s %s %s", qn__wrap(u, a, left), op, qn__wrap(u, b, right)), prec,
                     t);
}

/* C computes narrow integers as int: cut the result to its width. */
static struct qn__expr narrow(struct qn__unit *u, struct qn__expr e, const struct qn__type *t)
{
    if (t->kind != QN__INT || t->bits >= 32)
        return e;
    e.type = qn__type_int(u, 32, false);
    return qn__cast(u, e, t);
}

static struct qn__expr bool_operation(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef rhs = LLVMGetOperand(in, 1);
    const struct qn__type *const t = qn__type_bool(u);
    if (LLVMGetInstructionOpcode(in) == LLVMXor && LLVMIsAConstantInt(rhs))
        return qn__condition(f, LLVMGetOperand(in, 0), LLVMConstIntGetZExtValue(rhs) != 0);
    const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0)), b = qn__expr(f, rhs);
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMAnd:
    case LLVMMul: return infix(u, a, "&&", b, QN__PREC_LOGICAL_AND, t);
    case LLVMOr: return infix(u, a, "||", b, QN__PREC_LOGICAL_OR, t);
    default: return infix(u, a, "!=", b, QN__PREC_EQUAL, t);
    }
}

/* add, sub, mul: unsigned unless LLVM knows that they do not overflow */
static struct qn__expr wrapping(struct qn__function *f, LLVMValueRef in, const char *op,
                                enum qn__prec prec)
{
    struct qn__unit *const u = f->u;
    struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0)), b = qn__expr(f, LLVMGetOperand(in, 1));
    if (*op == '-' && a.number && LLVMIsNull(a.number) && b.type->kind == QN__INT)
        return narrow(
            u,
            qn__spell(qn__text(u, "-%s", qn__wrap(u, b, QN__PREC_POSTFIX)), QN__PREC_UNARY, b.type),
            b.type);
    bool want_unsigned = is_unsigned(a.type) || (is_unsigned(b.type) && !b.number);
    const bool narrow_type = a.type->kind == QN__INT && a.type->bits < 32;
    if (!want_unsigned && !LLVMGetNSW(in) && !narrow_type) {
        want_unsigned = true;
        if (!b.number)
            a = qn__convert(f, a, signed_as(u, a.type, true));
    }
    const struct qn__type *const t = signed_as(u, a.type, want_unsigned);
    if (a.type->kind == QN__VECTOR || a.number)
        a = qn__convert(f, a, t);
    if (a.type->kind == QN__VECTOR)
        b = qn__convert(f, b, t);
    if (b.number && a.type->kind == QN__INT) {
        const int64_t s = LLVMConstIntGetSExtValue(b.number);
        if (s < 0 && s != INT64_MIN && s != INT32_MIN && (*op == '+' || *op == '-')) {
            op = *op == '+' ? "-" : "+";
            b = qn__spell(qn__text(u,
                                   t->bits == 64   ? (want_unsigned ? "%lldul" : "%lldl")
                                   : want_unsigned ? "%lldu"
                                                   : "%lld",
                                   (long long)-s),
                          QN__PREC_POSTFIX, t);
        } else {
            b = number(u, b.number, t);
        }
    }
    return narrow(u, infix(u, a, op, b, prec, t), t);
}

/* div, rem, right shift: the sign is the operation's */
static struct qn__expr with_sign(struct qn__function *f, LLVMValueRef in, const char *op,
                                 enum qn__prec prec, bool unsigned_)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr a0 = qn__expr(f, LLVMGetOperand(in, 0));
    const struct qn__type *const t = signed_as(u, a0.type, unsigned_);
    const struct qn__expr a = qn__convert(f, a0, t);
    struct qn__expr b = qn__expr(f, LLVMGetOperand(in, 1));
    if (prec == QN__PREC_SHIFT) {
        if (b.number)
            b = number(u, b.number, qn__type_int(u, 32, false));
    } else {
        b = qn__convert(f, b, t);
    }
    return infix(u, a, op, b, prec, t);
}

static struct qn__expr shift_left(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0));
    struct qn__expr b = qn__expr(f, LLVMGetOperand(in, 1));
    if (b.number)
        b = number(u, b.number, qn__type_int(u, 32, false));
    return narrow(u, infix(u, a, "<<", b, QN__PREC_SHIFT, a.type), a.type);
}

static struct qn__expr bitwise(struct qn__function *f, LLVMValueRef in, const char *op,
                               enum qn__prec prec)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0));
    struct qn__expr b = qn__expr(f, LLVMGetOperand(in, 1));
    const bool any = is_unsigned(a.type) || (!b.number && is_unsigned(b.type));
    const struct qn__type *const t = signed_as(u, a.type, any);
    if (b.number && *op == '^' && LLVMConstIntGetSExtValue(b.number) == -1)
        return narrow(
            u, qn__spell(qn__text(u, "~%s", qn__wrap(u, a, QN__PREC_UNARY)), QN__PREC_UNARY, t), t);
    if (b.number)
        b = mask(u, number(u, b.number, t));
    if (t->kind == QN__VECTOR)
        return infix(u, qn__convert(f, a, t), op, qn__convert(f, b, t), prec, t);
    if (t->bits < 32) /* and, or, xor of two like-signed narrow values fit again */
        return infix(u, qn__convert(f, a, t), op, qn__convert(f, b, t), prec, t);
    return infix(u, mask(u, a), op, b, prec, t);
}

/* The value as an integer of this sign: a truncation is cast to it at once. */
static struct qn__expr with_sign_of(struct qn__function *f, LLVMValueRef v, bool unsigned_)
{
    const struct qn__value *const known = qn__value_of(f, v);
    if (known && known->folded && LLVMIsATruncInst(v) &&
        LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
        LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 1)
        return qn__cast(f->u, qn__expr(f, LLVMGetOperand(v, 0)),
                        qn__type_int(f->u, LLVMGetIntTypeWidth(LLVMTypeOf(v)), unsigned_));
    return qn__expr(f, v);
}

/* ---- floats ---- */

static struct qn__expr float_operation(struct qn__function *f, LLVMValueRef in, const char *op,
                                       enum qn__prec prec)
{
    const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0)),
                          b = qn__expr(f, LLVMGetOperand(in, 1));
    return infix(f->u, a, op, b, prec, a.type);
}

/* ---- comparisons ---- */

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

static struct qn__expr compare_integers(struct qn__function *f, LLVMValueRef in, bool negate)
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
        qn__refuse(u, in, "a comparison of whole vectors");
        return a;
    }
    if (a.type->kind == QN__POINTER) {
        if (LLVMIsAConstantPointerNull(rhs))
            b = qn__spell("0", QN__PREC_POSTFIX, a.type);
        else
            b = qn__convert(f, b, qn__type_pointer(u, a.type->of, a.type->space, true, false));
        return infix(u, a, op, b, prec, t);
    }
    if (a.type->kind == QN__INT && b.type->kind == QN__INT) {
        const bool unsigned_ =
            p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntULT || p == LLVMIntULE;
        if (a.type->bits < 32 || !equality) {
            const struct qn__type *const as =
                signed_as(u, a.type, equality ? a.type->is_unsigned : unsigned_);
            if (unsigned_ && a.type->bits >= 32 && (is_unsigned(a.type) || is_unsigned(b.type)) &&
                !a.number && !b.number)
                return infix(u, a, op, b, prec, t); /* one unsigned operand makes both so */
            a = qn__convert(f, a, as);
            b = qn__convert(f, b, as);
        } else if (b.number) {
            b = number(u, b.number, a.type);
        }
    }
    return infix(u, a, op, b, prec, t);
}

static struct qn__expr negated(struct qn__unit *u, struct qn__expr e)
{
    return qn__spell(qn__text(u, "!%s", qn__wrap(u, e, QN__PREC_UNARY)), QN__PREC_UNARY,
                     qn__type_bool(u));
}

static struct qn__expr compare_floats(struct qn__function *f, LLVMValueRef in, bool negate)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = qn__type_bool(u);
    const LLVMValueRef l = LLVMGetOperand(in, 0), r = LLVMGetOperand(in, 1);
    const struct qn__expr a = qn__expr(f, l), b = qn__expr(f, r);
    if (a.type->kind == QN__VECTOR)
        qn__refuse(u, in, "a comparison of whole vectors");
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
        e = infix(u, a, op, b, equality ? QN__PREC_EQUAL : QN__PREC_RELATION, t);
    }
    return inverse ? negated(u, e) : e;
}

struct qn__expr qn__condition(struct qn__function *f, LLVMValueRef v, bool negate)
{
    struct qn__unit *const u = f->u;
    const struct qn__value *const known = qn__value_of(f, v);
    if (known && known->folded) {
        const LLVMOpcode op = LLVMGetInstructionOpcode(v);
        if (op == LLVMICmp)
            return compare_integers(f, v, negate);
        if (op == LLVMFCmp)
            return compare_floats(f, v, negate);
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
    return negate ? negated(u, e) : e;
}

/* ---- choices and conversions ---- */

static struct qn__expr choose(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef c = LLVMGetOperand(in, 0), x = LLVMGetOperand(in, 1),
                       y = LLVMGetOperand(in, 2);
    if (LLVMGetTypeKind(LLVMTypeOf(c)) != LLVMIntegerTypeKind)
        qn__refuse(u, in, "a choice by a vector of conditions");
    if (LLVMTypeOf(in) == LLVMInt1TypeInContext(u->context)) {
        const struct qn__type *const t = qn__type_bool(u);
        const bool cx = LLVMIsAConstantInt(x) != NULL, cy = LLVMIsAConstantInt(y) != NULL;
        if (cx) {
            const bool is_true = LLVMConstIntGetZExtValue(x) != 0;
            return infix(u, qn__condition(f, c, !is_true), is_true ? "||" : "&&",
                         qn__condition(f, y, false),
                         is_true ? QN__PREC_LOGICAL_OR : QN__PREC_LOGICAL_AND, t);
        }
        if (cy) {
            const bool is_true = LLVMConstIntGetZExtValue(y) != 0;
            return infix(u, qn__condition(f, c, is_true), is_true ? "||" : "&&",
                         qn__condition(f, x, false),
                         is_true ? QN__PREC_LOGICAL_OR : QN__PREC_LOGICAL_AND, t);
        }
    }
    const struct qn__expr condition = qn__condition(f, c, false);
    struct qn__expr a = qn__expr(f, x), b = qn__expr(f, y);
    const struct qn__type *t = a.type;
    if (a.number && b.type->kind == QN__INT)
        t = b.type;
    if (t->kind == QN__INT && b.type->kind == QN__INT && !b.number && !a.number && t->bits >= 32)
        t = signed_as(u, t, is_unsigned(a.type) || is_unsigned(b.type));
    if (t->kind == QN__POINTER && b.type->kind == QN__POINTER && b.type->is_const)
        t = qn__type_pointer(u, t->of, t->space, true, t->is_volatile);
    a = t->kind == QN__INT && t->bits >= 32 && !a.number ? a : qn__convert(f, a, t);
    b = t->kind == QN__INT && t->bits >= 32 && !b.number ? b : qn__convert(f, b, t);
    return qn__spell(qn__text(u, "%s ? %s : %s", qn__wrap(u, condition, QN__PREC_LOGICAL_OR),
                              qn__wrap(u, a, QN__PREC_CONDITION),
                              qn__wrap(u, b, QN__PREC_CONDITION)),
                     QN__PREC_CONDITION, t);
}

static bool is_bool_load(LLVMValueRef trunc)
{
    size_t n;
    const char *const name = LLVMGetValueName2(trunc, &n);
    return qn__starts_with(name, "tobool") || qn__starts_with(name, "loadedv");
}

static struct qn__expr truncate(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr e = qn__expr(f, LLVMGetOperand(in, 0));
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(in));
    if (bits != 1)
        return qn__cast(u, e, qn__type_int(u, bits, e.type->is_unsigned));
    const struct qn__type *const t = qn__type_bool(u);
    if (is_bool_load(in))
        return qn__convert(f, e, t);
    return qn__spell(qn__text(u, "(%s & 1) != 0", qn__wrap(u, e, QN__PREC_UNARY)), QN__PREC_EQUAL,
                     t);
}

static struct qn__expr extend(struct qn__function *f, LLVMValueRef in, bool zero)
{
    struct qn__unit *const u = f->u;
    struct qn__expr e = qn__expr(f, LLVMGetOperand(in, 0));
    if (LLVMGetTypeKind(LLVMTypeOf(in)) != LLVMIntegerTypeKind) {
        const struct qn__type *const to = qn__type_of(u, LLVMTypeOf(in), NULL, in);
        const struct qn__expr from = qn__convert(f, e, signed_as(u, e.type, zero));
        return qn__spell(
            qn__text(u, "convert_%s(%s)", qn__type_text(u, signed_as(u, to, zero)), from.text),
            QN__PREC_POSTFIX, signed_as(u, to, zero));
    }
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(in));
    if (e.type->kind == QN__INT)
        e = with_sign_of(f, LLVMGetOperand(in, 0), zero);
    if (e.type->kind == QN__BOOL) {
        if (!zero)
            return qn__spell(qn__text(u, "%s ? -1 : 0", qn__wrap(u, e, QN__PREC_LOGICAL_OR)),
                             QN__PREC_CONDITION, qn__type_int(u, 32, false));
        if (bits > 32)
            return qn__cast(u, e, qn__type_int(u, bits, true));
        return qn__spell(e.text, e.prec, qn__type_int(u, bits < 32 ? bits : 32, bits < 32));
    }
    const struct qn__expr from = qn__convert(f, e, signed_as(u, e.type, zero));
    if (bits == 32) { /* C promotes narrow integers itself; the value fits an int */
        struct qn__expr promoted = qn__spell(from.text, from.prec, qn__type_int(u, 32, false));
        promoted.loose = true;
        return promoted;
    }
    return qn__cast(u, from, qn__type_int(u, bits, zero));
}

static struct qn__expr to_float(struct qn__function *f, LLVMValueRef in, bool from_unsigned)
{
    struct qn__unit *const u = f->u;
    struct qn__expr e = qn__expr(f, LLVMGetOperand(in, 0));
    const struct qn__type *const to = qn__type_of(u, LLVMTypeOf(in), NULL, in);
    if (e.type->kind == QN__VECTOR)
        return qn__spell(qn__text(u, "convert_%s(%s)", qn__type_text(u, to),
                                  qn__convert(f, e, signed_as(u, e.type, from_unsigned)).text),
                         QN__PREC_POSTFIX, to);
    if (e.type->kind == QN__INT)
        e = qn__convert(f, e, signed_as(u, e.type, from_unsigned));
    if (e.type->kind == QN__BOOL && !from_unsigned)
        e = qn__spell(qn__text(u, "-%s", qn__wrap(u, e, QN__PREC_UNARY)), QN__PREC_UNARY,
                      qn__type_int(u, 32, false));
    return qn__cast(u, e, to);
}

static struct qn__expr to_integer(struct qn__function *f, LLVMValueRef in, bool to_unsigned)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr e = qn__expr(f, LLVMGetOperand(in, 0));
    const struct qn__type *const t = qn__type_of(u, LLVMTypeOf(in), NULL, in);
    if (t->kind == QN__BOOL)
        return qn__spell(qn__text(u, "%s != 0", qn__wrap(u, e, QN__PREC_EQUAL)), QN__PREC_EQUAL, t);
    const struct qn__type *const to = signed_as(u, t, to_unsigned);
    if (t->kind == QN__VECTOR)
        return qn__spell(qn__text(u, "convert_%s(%s)", qn__type_text(u, to), e.text),
                         QN__PREC_POSTFIX, to);
    return qn__cast(u, e, to);
}

static struct qn__expr reinterpret(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef from = LLVMGetOperand(in, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(in)) == LLVMPointerTypeKind)
        return qn__pointer_expr(f, from);
    const struct qn__type *const t = qn__type_of(u, LLVMTypeOf(in), NULL, in);
    const struct qn__expr e = qn__exact(u, qn__expr(f, from));
    return qn__spell(qn__text(u, "as_%s(%s)", qn__type_text(u, t), e.text), QN__PREC_POSTFIX, t);
}

/* ---- vectors and aggregates ---- */

static const char *component(struct qn__unit *u, unsigned i, uint64_t count)
{
    if (count <= 4)
        return qn__text(u, "%c", "xyzw"[i & 3]);
    return qn__text(u, "s%c", "0123456789abcdef"[i & 15]);
}

static struct qn__expr extract_element(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    LLVMValueRef vector = LLVMGetOperand(in, 0);
    const LLVMValueRef index = LLVMGetOperand(in, 1);
    if (!LLVMIsAConstantInt(index)) {
        qn__refuse(u, in, "an element of a vector value chosen at run time");
        return qn__constant(f, LLVMConstNull(LLVMTypeOf(in)));
    }
    const unsigned i = (unsigned)LLVMConstIntGetZExtValue(index);
    const struct qn__value *v = qn__value_of(f, vector);
    while (v && v->folded && LLVMIsAInsertElementInst(vector) &&
           LLVMIsAConstantInt(LLVMGetOperand(vector, 2))) {
        if (LLVMConstIntGetZExtValue(LLVMGetOperand(vector, 2)) == i)
            return qn__expr(f, LLVMGetOperand(vector, 1));
        vector = LLVMGetOperand(vector, 0);
        v = qn__value_of(f, vector);
    }
    const struct qn__expr e = qn__expr(f, vector);
    return qn__spell(
        qn__text(u, "%s.%s", qn__wrap(u, e, QN__PREC_POSTFIX), component(u, i, e.type->count)),
        QN__PREC_POSTFIX, e.type->of);
}

/* A chain of insertelement is one constructor: (float4)(a, b, c, d). */
static struct qn__expr insert_element(struct qn__function *f, LLVMValueRef in)
{
    enum { MOST = 16 };
    struct qn__unit *const u = f->u;
    LLVMValueRef parts[MOST] = {NULL}, v = in;
    const struct qn__type *t = qn__type_of(u, LLVMTypeOf(in), NULL, in);
    const uint64_t n = t->count <= MOST ? t->count : MOST;
    const struct qn__value *known = qn__value_of(f, in);
    do {
        const LLVMValueRef index = LLVMGetOperand(v, 2);
        if (!LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index) >= n) {
            qn__refuse(u, in, "an element of a vector value chosen at run time");
            return qn__constant(f, LLVMGetUndef(LLVMTypeOf(in)));
        }
        const uint64_t i = LLVMConstIntGetZExtValue(index);
        if (!parts[i])
            parts[i] = LLVMGetOperand(v, 1);
        v = LLVMGetOperand(v, 0);
        known = qn__value_of(f, v);
    } while (LLVMIsAInsertElementInst(v) && known && known->folded);
    const bool undefined = LLVMIsUndef(v) || LLVMIsPoison(v);
    const struct qn__expr rest = undefined ? (struct qn__expr){0} : qn__expr(f, v);
    const char *text = "";
    bool all_same = true;
    for (unsigned i = 0; i < n; i++) {
        const char *part;
        if (parts[i])
            part = qn__assignable(f, parts[i], t->of);
        else if (undefined)
            part = "0";
        else
            part = qn__text(u, "%s.%s", qn__wrap(u, rest, QN__PREC_POSTFIX), component(u, i, n));
        all_same &= parts[i] && parts[i] == parts[0];
        text = qn__text(u, "%s%s%s", text, i ? ", " : "", part);
        if (i + 1 == n && all_same)
            text = part;
    }
    return qn__spell(qn__text(u, "(%s)(%s)", qn__type_text(u, t), text), QN__PREC_UNARY, t);
}

static struct qn__expr shuffle(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0));
    const unsigned n = LLVMGetNumMaskElements(in);
    const struct qn__type *const t = qn__type_of(u, LLVMTypeOf(in), NULL, in);
    const char *text = "";
    for (unsigned i = 0; i < n; i++) {
        const int k = LLVMGetMaskValue(in, i);
        const bool second = k >= (int)a.type->count;
        const struct qn__expr from = second ? qn__expr(f, LLVMGetOperand(in, 1)) : a;
        const char *part = "0";
        if (k >= 0)
            part = qn__text(u, "%s.%s", qn__wrap(u, from, QN__PREC_POSTFIX),
                            component(u, (unsigned)k - (second ? (unsigned)a.type->count : 0),
                                      from.type->count));
        text = qn__text(u, "%s%s%s", text, i ? ", " : "", part);
    }
    return qn__spell(qn__text(u, "(%s)(%s)", qn__type_text(u, t), text), QN__PREC_UNARY, t);
}

/* Structs as values only exist between insertvalue and extractvalue: look through to the scalar.
 * NULL when it is not there, *from is then what stands in the way. */
static LLVMValueRef aggregate_part(LLVMValueRef extract, LLVMValueRef *from)
{
    enum { DEEPEST = 16 };
    unsigned path[DEEPEST], n = 0; /* last index first */
    LLVMValueRef v = extract;
    for (;;) {
        if (LLVMIsAExtractValueInst(v)) {
            const unsigned count = LLVMGetNumIndices(v);
            for (unsigned i = count; i-- > 0 && n < DEEPEST;)
                path[n++] = LLVMGetIndices(v)[i];
            v = LLVMGetOperand(v, 0);
        } else if (LLVMIsAInsertValueInst(v)) {
            const unsigned count = LLVMGetNumIndices(v);
            unsigned same = 0;
            while (same < count && same < n && LLVMGetIndices(v)[same] == path[n - 1 - same])
                same++;
            if (same == n && same < count)
                break; /* asks for more than one insertion */
            if (same == count) {
                n -= count;
                v = LLVMGetOperand(v, 1);
            } else {
                v = LLVMGetOperand(v, 0);
            }
        } else if (n && LLVMIsAConstant(v) && LLVMGetAggregateElement(v, path[n - 1])) {
            v = LLVMGetAggregateElement(v, path[--n]);
        } else {
            break;
        }
        if (n == 0 && !LLVMIsAExtractValueInst(v))
            return v;
    }
    *from = v;
    return NULL;
}

static struct qn__expr extract_value(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    LLVMValueRef v = in;
    const LLVMValueRef part = aggregate_part(in, &v);
    if (part)
        return qn__expr(f, part);
    const struct qn__value *const known = qn__value_of(f, v);
    if (LLVMIsAAtomicCmpXchgInst(v) && known && known->var) {
        const struct qn__expr old = qn__var_expr(u, known->var);
        if (LLVMGetIndices(in)[0] == 0)
            return old;
        return infix(u, old, "==", qn__expr(f, LLVMGetOperand(v, 1)), QN__PREC_EQUAL,
                     qn__type_bool(u));
    }
    qn__refuse(u, in, "a struct as a value in a way that has no OpenCL C form");
    return qn__constant(f, LLVMConstInt(LLVMInt32TypeInContext(u->context), 0, 0));
}

static struct qn__expr from_integer(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const struct qn__value *const v = qn__value_of(f, in);
    const struct qn__type *t =
        qn__type_pointer(u, qn__type_int(u, 8, true), v ? v->space : QN__GLOBAL, false, false);
    return qn__cast(u, qn__expr(f, LLVMGetOperand(in, 0)), t);
}

struct qn__expr qn__definition(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    if (LLVMTypeOf(in) == LLVMInt1TypeInContext(u->context) && LLVMIsABinaryOperator(in))
        return bool_operation(f, in);
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMAdd: return wrapping(f, in, "+", QN__PREC_ADD);
    case LLVMSub: return wrapping(f, in, "-", QN__PREC_ADD);
    case LLVMMul: return wrapping(f, in, "*", QN__PREC_MULTIPLY);
    case LLVMSDiv: return with_sign(f, in, "/", QN__PREC_MULTIPLY, false);
    case LLVMUDiv: return with_sign(f, in, "/", QN__PREC_MULTIPLY, true);
    case LLVMSRem: return with_sign(f, in, "%", QN__PREC_MULTIPLY, false);
    case LLVMURem: return with_sign(f, in, "%", QN__PREC_MULTIPLY, true);
    case LLVMAShr: return with_sign(f, in, ">>", QN__PREC_SHIFT, false);
    case LLVMLShr: return with_sign(f, in, ">>", QN__PREC_SHIFT, true);
    case LLVMShl: return shift_left(f, in);
    case LLVMAnd: return bitwise(f, in, "&", QN__PREC_AND);
    case LLVMOr: return bitwise(f, in, "|", QN__PREC_OR);
    case LLVMXor: return bitwise(f, in, "^", QN__PREC_XOR);
    case LLVMFAdd: return float_operation(f, in, "+", QN__PREC_ADD);
    case LLVMFSub: return float_operation(f, in, "-", QN__PREC_ADD);
    case LLVMFMul: return float_operation(f, in, "*", QN__PREC_MULTIPLY);
    case LLVMFDiv: return float_operation(f, in, "/", QN__PREC_MULTIPLY);
    case LLVMFRem: {
        const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0)),
                              b = qn__expr(f, LLVMGetOperand(in, 1));
        return qn__spell(qn__text(u, "fmod(%s, %s)", a.text, b.text), QN__PREC_POSTFIX, a.type);
    }
    case LLVMFNeg: {
        const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0));
        return qn__spell(
            qn__text(u, a.text[0] == '-' ? "-(%s)" : "-%s", qn__wrap(u, a, QN__PREC_UNARY)),
            QN__PREC_UNARY, a.type);
    }
    case LLVMICmp: return compare_integers(f, in, false);
    case LLVMFCmp: return compare_floats(f, in, false);
    case LLVMSelect: return choose(f, in);
    case LLVMTrunc: return truncate(f, in);
    case LLVMSExt: return extend(f, in, false);
    case LLVMZExt: return extend(f, in, true);
    case LLVMSIToFP: return to_float(f, in, false);
    case LLVMUIToFP: return to_float(f, in, true);
    case LLVMFPToSI: return to_integer(f, in, false);
    case LLVMFPToUI: return to_integer(f, in, true);
    case LLVMFPExt:
    case LLVMFPTrunc:
        return qn__cast(u, qn__expr(f, LLVMGetOperand(in, 0)),
                        qn__type_of(u, LLVMTypeOf(in), NULL, in));
    case LLVMBitCast:
    case LLVMAddrSpaceCast: return reinterpret(f, in);
    case LLVMFreeze: return qn__expr(f, LLVMGetOperand(in, 0));
    case LLVMPtrToInt:
        return qn__cast(u, qn__pointer_expr(f, LLVMGetOperand(in, 0)),
                        qn__type_int(u, LLVMGetIntTypeWidth(LLVMTypeOf(in)), true));
    case LLVMIntToPtr: return from_integer(f, in);
    case LLVMGetElementPtr: return qn__gep_expr(f, in);
    case LLVMLoad: return qn__load(f, in);
    case LLVMExtractElement: return extract_element(f, in);
    case LLVMInsertElement: return insert_element(f, in);
    case LLVMShuffleVector: return shuffle(f, in);
    case LLVMExtractValue: return extract_value(f, in);
    case LLVMCall:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return qn__call(f, in);
    default:
        qn__refuse(u, in, "an instruction the translator does not know (LLVM opcode %d)",
                   (int)LLVMGetInstructionOpcode(in));
        return qn__constant(f, LLVMGetUndef(LLVMTypeOf(in)));
    }
}

struct qn__expr qn__expr(struct qn__function *f, LLVMValueRef v)
{
    const struct qn__value *const known = qn__value_of(f, v);
    if (!known) {
        if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind &&
            !LLVMIsAConstantPointerNull(v) && !LLVMIsUndef(v))
            return qn__pointer_expr(f, v);
        return qn__constant(f, v);
    }
    if (!known->block && qn__byval_type(f->u, f->llvm, known->index))
        return qn__place_address(f, qn__place(f, v));
    if (!known->folded && known->var) {
        const struct qn__expr e = qn__var_expr(f->u, known->var);
        if (LLVMTypeOf(v) == LLVMInt1TypeInContext(f->u->context)) /* a bool parameter is a uchar */
            return qn__convert(f, e, qn__type_bool(f->u));
        return e;
    }
    if (LLVMIsAAllocaInst(v))
        return qn__pointer_expr(f, v);
    return qn__definition(f, v);
}
