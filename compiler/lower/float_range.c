/* SPDX-License-Identifier: Apache-2.0
 *
 * The range of a float, as far as a few instructions and conditions before it show:
 *
 *     fmin(fmax(x, 0.0f), 255.0f)           [0, 255], whatever x is
 *     x < 0 ? 0 : x > 1 ? 1 : x             [0, 1] or NaN
 *     if (x >= 0 && x < 100) ... x ...      [0, 100)
 *     (float)pixel * 0.5f                   of an 8-bit pixel: [0, 127.5]
 *
 * Bounds are closed, and wider by a few units in the last place after each operation that rounds,
 * so that they hold with and without contraction. */
#include "compiler/lower/float_range.h"

#include "base/str.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STEPS = 8, MOST_CONDITIONS = 8 };

static const struct qn__range anything = {-INFINITY, INFINITY, true};

static struct qn__range range(LLVMValueRef v, LLVMBasicBlockRef at, int depth);

/* ---- integers ---- */

static struct qn__range whole_type(LLVMTypeRef t, bool is_signed)
{
    const int bits = (int)LLVMGetIntTypeWidth(t);
    return is_signed ? (struct qn__range){-ldexp(1, bits - 1), ldexp(1, bits - 1) - 1, false}
                     : (struct qn__range){0, ldexp(1, bits) - 1, false};
}

static struct qn__range int_constant(LLVMValueRef v, bool is_signed)
{
    const double x =
        is_signed ? (double)LLVMConstIntGetSExtValue(v) : (double)LLVMConstIntGetZExtValue(v);
    return (struct qn__range){x, x, false};
}

static struct qn__range product(struct qn__range a, struct qn__range b)
{
    const double p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    return (struct qn__range){fmin(fmin(p[0], p[1]), fmin(p[2], p[3])),
                              fmax(fmax(p[0], p[1]), fmax(p[2], p[3])), a.nan || b.nan};
}

/* Of signed or unsigned integers of up to 32 bits, whose sums and products a double holds. */
static struct qn__range int_range(LLVMValueRef v, bool is_signed, int depth)
{
    const struct qn__range all = whole_type(LLVMTypeOf(v), is_signed);
    if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64)
        return int_constant(v, is_signed);
    if (depth == 0 || !LLVMIsAInstruction(v) || all.high > UINT32_MAX)
        return all;
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    struct qn__range a, b, r;
    switch (op) {
    case LLVMZExt: return int_range(LLVMGetOperand(v, 0), false, depth - 1);
    case LLVMSExt: r = int_range(LLVMGetOperand(v, 0), true, depth - 1); break;
    case LLVMSelect:
        a = int_range(LLVMGetOperand(v, 1), is_signed, depth - 1);
        b = int_range(LLVMGetOperand(v, 2), is_signed, depth - 1);
        return (struct qn__range){fmin(a.low, b.low), fmax(a.high, b.high), false};
    case LLVMAnd:
    case LLVMLShr:
    case LLVMURem:
    case LLVMUDiv:
        if (!LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
            return all;
        a = int_range(LLVMGetOperand(v, 0), false, depth - 1);
        b = int_constant(LLVMGetOperand(v, 1), false);
        r = (struct qn__range){0, a.high, false};
        if (op == LLVMAnd)
            r.high = fmin(a.high, b.high);
        else if (op == LLVMURem && b.high > 0)
            r.high = fmin(a.high, b.high - 1);
        else if (op == LLVMLShr)
            r.high = floor(ldexp(a.high, -(int)b.high));
        else if (b.high > 0)
            r.high = floor(a.high / b.high);
        break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
        a = int_range(LLVMGetOperand(v, 0), is_signed, depth - 1);
        b = int_range(LLVMGetOperand(v, 1), is_signed, depth - 1);
        r = op == LLVMAdd   ? (struct qn__range){a.low + b.low, a.high + b.high, false}
            : op == LLVMSub ? (struct qn__range){a.low - b.high, a.high - b.low, false}
                            : product(a, b);
        break;
    default: return all;
    }
    return r.low >= all.low && r.high <= all.high ? r : all; /* else it may wrap around */
}

/* ---- conditions ---- */

/* The range of `v` where a comparison of it had the result `taken`. */
static struct qn__range compared(struct qn__range r, LLVMValueRef v, LLVMValueRef test, bool taken,
                                 int depth)
{
    const bool second = LLVMGetOperand(test, 1) == v;
    if (LLVMGetOperand(test, 0) != v && !second)
        return r;
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(test);
    const struct qn__range with = range(LLVMGetOperand(test, !second), at, depth - 1);
    const LLVMRealPredicate p = LLVMGetFCmpPredicate(test);
    const bool ordered = p >= LLVMRealOEQ && p <= LLVMRealORD;
    if (p == LLVMRealPredicateFalse || p == LLVMRealPredicateTrue)
        return r;
    r.nan &= taken != ordered;
    bool below = p == LLVMRealOLT || p == LLVMRealOLE || p == LLVMRealULT || p == LLVMRealULE;
    bool above = p == LLVMRealOGT || p == LLVMRealOGE || p == LLVMRealUGT || p == LLVMRealUGE;
    const bool equal =
        taken ? p == LLVMRealOEQ || p == LLVMRealUEQ : p == LLVMRealONE || p == LLVMRealUNE;
    if (taken == second) { /* c < x is x > c, and so is a failed x <= c */
        const bool swap = below;
        below = above;
        above = swap;
    }
    if (with.nan && taken != ordered)
        return r; /* compared with NaN: nothing is known */
    if (below || equal)
        r.high = fmin(r.high, with.high);
    if (above || equal)
        r.low = fmax(r.low, with.low);
    return r;
}

static struct qn__range where(struct qn__range r, LLVMValueRef v, LLVMValueRef test, bool taken,
                              int depth)
{
    if (depth <= 0 || !LLVMIsAInstruction(test))
        return r;
    const LLVMOpcode op = LLVMGetInstructionOpcode(test);
    const LLVMValueRef a = LLVMGetOperand(test, 0);
    if (op == LLVMFCmp)
        return compared(r, v, test, taken, depth);
    const LLVMValueRef b = LLVMGetNumOperands(test) > 1 ? LLVMGetOperand(test, 1) : NULL;
    if (op == LLVMXor && LLVMIsAConstantInt(b) && LLVMConstIntGetZExtValue(b) == 1)
        return where(r, v, a, !taken, depth - 1);
    LLVMValueRef other = NULL; /* both had that result */
    if (op == (taken ? LLVMAnd : LLVMOr))
        other = b;
    else if (op == LLVMSelect && taken && LLVMIsAConstantInt(LLVMGetOperand(test, 2)) &&
             !LLVMConstIntGetZExtValue(LLVMGetOperand(test, 2)))
        other = b;
    else if (op == LLVMSelect && !taken && LLVMIsAConstantInt(b) && LLVMConstIntGetZExtValue(b))
        other = LLVMGetOperand(test, 2);
    if (!other)
        return r;
    return where(where(r, v, a, taken, depth - 1), v, other, taken, depth - 1);
}

/* The only block from which control comes here, or NULL. */
static LLVMBasicBlockRef only_before(LLVMBasicBlockRef bb)
{
    LLVMBasicBlockRef from = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(bb)); use;
         use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsATerminatorInst(user) || (from && from != LLVMGetInstructionParent(user)))
            return NULL;
        from = LLVMGetInstructionParent(user);
    }
    return from;
}

static struct qn__range on_edge(struct qn__range r, LLVMValueRef v, LLVMBasicBlockRef from,
                                LLVMBasicBlockRef to, int depth)
{
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
        LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
        return r;
    return where(r, v, LLVMGetCondition(end), LLVMGetSuccessor(end, 0) == to, depth);
}

/* What follows from the conditions that lead to a block. */
static struct qn__range on_path(struct qn__range r, LLVMValueRef v, LLVMBasicBlockRef at, int depth)
{
    for (int i = 0; i < MOST_CONDITIONS; i++) {
        const LLVMBasicBlockRef from = only_before(at);
        if (!from)
            break;
        r = on_edge(r, v, from, at, depth);
        at = from;
    }
    return r;
}

/* ---- floats ---- */

/* Room for what the operation's rounding adds. */
static struct qn__range rounded(LLVMTypeRef t, struct qn__range r)
{
    enum { ULPS = 4 }; /* a division of -use_fast_math has 2 */
    const double part =
        ULPS * (LLVMGetTypeKind(t) == LLVMFloatTypeKind ? FLT_EPSILON : DBL_EPSILON);
    const double most = LLVMGetTypeKind(t) == LLVMFloatTypeKind ? FLT_MAX : DBL_MAX;
    r.low -= fabs(r.low) * part;
    r.high += fabs(r.high) * part;
    if (r.low < -most)
        r.low = -INFINITY;
    if (r.high > most)
        r.high = INFINITY;
    return r;
}

/* An integer as a float: exact as long as the type has digits for it. */
static struct qn__range converted(LLVMTypeRef t, struct qn__range r)
{
    const bool is_float = LLVMGetTypeKind(t) == LLVMFloatTypeKind;
    const double most = ldexp(1, is_float ? FLT_MANT_DIG : DBL_MANT_DIG);
    return r.low >= -most && r.high <= most ? r : rounded(t, r);
}

static bool is_finite(struct qn__range r)
{
    return isfinite(r.low) && isfinite(r.high);
}

static struct qn__range sum(struct qn__range a, struct qn__range b)
{
    return is_finite(a) && is_finite(b)
               ? (struct qn__range){a.low + b.low, a.high + b.high, a.nan || b.nan}
               : anything;
}

static struct qn__range negated(struct qn__range r)
{
    return (struct qn__range){-r.high, -r.low, r.nan};
}

/* Of two numbers the smaller one; of a number and NaN the number. */
static struct qn__range least(struct qn__range a, struct qn__range b)
{
    double high = fmin(a.high, b.high);
    if (a.nan)
        high = b.high;
    if (b.nan)
        high = fmax(high, a.high);
    return (struct qn__range){fmin(a.low, b.low), high, a.nan && b.nan};
}

static struct qn__range either(struct qn__range a, struct qn__range b)
{
    return (struct qn__range){fmin(a.low, b.low), fmax(a.high, b.high), a.nan || b.nan};
}

static struct qn__range operation(LLVMOpcode op, struct qn__range a, struct qn__range b)
{
    switch (op) {
    case LLVMFAdd: return sum(a, b);
    case LLVMFSub: return sum(a, negated(b));
    case LLVMFMul: return is_finite(a) && is_finite(b) ? product(a, b) : anything;
    default: /* a quotient */
        if (!is_finite(a) || !is_finite(b) || (b.low < FLT_MIN && b.high > -FLT_MIN))
            return anything;
        b = (struct qn__range){1 / b.high, 1 / b.low, b.nan};
        return is_finite(b) ? product(a, b) : anything;
    }
}

enum function { OTHER, MINIMUM, MAXIMUM, ABSOLUTE, ROOT, STEP, CLAMPED, FUSED };

/* fminf, fmin and llvm.minnum.f32 are one. */
static enum function function_of(LLVMValueRef call)
{
    static const struct {
        const char *name;
        enum function is;
    } all[] = {
        {"fmin", MINIMUM},  {"minnum", MINIMUM}, {"fmax", MAXIMUM},       {"maxnum", MAXIMUM},
        {"fabs", ABSOLUTE}, {"sqrt", ROOT},      {"floor", STEP},         {"ceil", STEP},
        {"trunc", STEP},    {"rint", STEP},      {"nearbyint", STEP},     {"round", STEP},
        {"fma", FUSED},     {"fmuladd", FUSED},  {"__saturate", CLAMPED},
    };
    const LLVMValueRef f = LLVMGetCalledValue(call);
    size_t n;
    const char *name = LLVMIsAFunction(f) && LLVMIsDeclaration(f) ? LLVMGetValueName2(f, &n) : "";
    const bool intrinsic = qn__starts_with(name, "llvm.");
    name += intrinsic ? strlen("llvm.") : 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!qn__starts_with(name, all[i].name))
            continue;
        const char *const rest = name + strlen(all[i].name);
        if (intrinsic ? *rest == '.' : *rest == 0 || qn__equal(rest, "f"))
            return all[i].is;
    }
    return OTHER;
}

static struct qn__range of_call(LLVMValueRef call, LLVMBasicBlockRef at, int depth)
{
    const enum function f = function_of(call);
    if (f == OTHER)
        return anything;
    if (f == CLAMPED)
        return (struct qn__range){0, 1, false};
    const LLVMTypeRef t = LLVMTypeOf(call);
    const struct qn__range a = range(LLVMGetOperand(call, 0), at, depth - 1);
    const bool two = f == MINIMUM || f == MAXIMUM || f == FUSED;
    const struct qn__range b = two ? range(LLVMGetOperand(call, 1), at, depth - 1) : a;
    switch (f) {
    case MINIMUM: return least(a, b);
    case MAXIMUM: return negated(least(negated(a), negated(b)));
    case ABSOLUTE:
        return (struct qn__range){fmax(0, fmax(a.low, -a.high)), fmax(a.high, -a.low), a.nan};
    case ROOT: return rounded(t, (struct qn__range){0, sqrt(fmax(a.high, 0)), a.nan || a.low < 0});
    case STEP: return (struct qn__range){floor(a.low), ceil(a.high), a.nan};
    default:
        return rounded(
            t, sum(operation(LLVMFMul, a, b), range(LLVMGetOperand(call, 2), at, depth - 1)));
    }
}

static struct qn__range of_phi(LLVMValueRef v, int depth)
{
    const LLVMBasicBlockRef bb = LLVMGetInstructionParent(v);
    struct qn__range r = {INFINITY, -INFINITY, false};
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
        const LLVMValueRef x = LLVMGetIncomingValue(v, i);
        const LLVMBasicBlockRef from = LLVMGetIncomingBlock(v, i);
        r = either(r, on_edge(range(x, from, depth - 1), x, from, bb, depth - 1));
    }
    return r;
}

static struct qn__range of_instruction(LLVMValueRef v, LLVMBasicBlockRef at, int depth)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    const LLVMTypeRef t = LLVMTypeOf(v);
    if (op == LLVMPHI)
        return of_phi(v, depth);
    if (op == LLVMCall)
        return of_call(v, at, depth);
    const LLVMValueRef a = LLVMGetNumOperands(v) > 0 ? LLVMGetOperand(v, 0) : NULL;
    const LLVMValueRef b = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    switch (op) {
    case LLVMUIToFP:
    case LLVMSIToFP: return converted(t, int_range(a, op == LLVMSIToFP, depth - 1));
    case LLVMFPExt: return range(a, at, depth - 1);
    case LLVMFPTrunc: return rounded(t, range(a, at, depth - 1));
    case LLVMFNeg: return negated(range(a, at, depth - 1));
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
        return rounded(t, operation(op, range(a, at, depth - 1), range(b, at, depth - 1)));
    case LLVMSelect: {
        const LLVMValueRef c = LLVMGetOperand(v, 2);
        return either(where(range(b, at, depth - 1), b, a, true, depth - 1),
                      where(range(c, at, depth - 1), c, a, false, depth - 1));
    }
    default: return anything;
    }
}

static struct qn__range range(LLVMValueRef v, LLVMBasicBlockRef at, int depth)
{
    LLVMBool loses;
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
        return anything;
    if (LLVMIsAConstantFP(v)) {
        const double x = LLVMConstRealGetDouble(v, &loses);
        return isnan(x) ? anything : (struct qn__range){x, x, false};
    }
    if (depth <= 0)
        return anything;
    return on_path(LLVMIsAInstruction(v) ? of_instruction(v, at, depth) : anything, v, at, depth);
}

struct qn__range qn__float_range(LLVMValueRef v, LLVMBasicBlockRef at)
{
    return range(v, at, STEPS);
}
