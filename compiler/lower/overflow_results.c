/* SPDX-License-Identifier: Apache-2.0
 *
 * What a compiler may believe of a signed sum, difference or product that it takes not to overflow:
 * its least and its largest result, its sign, and which constants make it certain
 * (overflow_uses.c). */
#include "compiler/lower/overflow_results.h"

#include "compiler/lower/signs.h"

#include <string.h>

__extension__ typedef __int128 wide;
struct span {
    wide low, high;
    bool large; /* the sum has a constant of a quarter of all numbers or more */
};

/* Of sums, differences and products of a and b, from the least to the largest. */
static void results(wide *low, wide *high, LLVMOpcode op, struct span a, struct span b)
{
    const wide left[] = {a.low, a.high}, right[] = {b.low, b.high};
    for (int i = 0; i < 4; i++) {
        const wide x = left[i / 2], y = right[i % 2];
        const wide r = op == LLVMAdd ? x + y : op == LLVMSub ? x - y : x * y;
        *low = i == 0 || r < *low ? r : *low;
        *high = i == 0 || r > *high ? r : *high;
    }
}

/* Of a sum, difference or product: from the least to the largest result that does not overflow; low
 * is above high where there is none. False where none overflows. */
static bool without_overflow(wide *low, wide *high, struct qn__int_facts *f, LLVMValueRef v)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    if (!LLVMIsABinaryOperator(v) || LLVMGetTypeKind(t) != LLVMIntegerTypeKind)
        return false;
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(v);
    const struct qn__int_range all = qn__range_whole(LLVMGetIntTypeWidth(t), false);
    const struct qn__int_range a = qn__int_range(f, LLVMGetOperand(v, 0), false, at),
                               b = qn__int_range(f, LLVMGetOperand(v, 1), false, at);
    results(low, high, LLVMGetInstructionOpcode(v), (struct span){a.low, a.high, false},
            (struct span){b.low, b.high, false});
    if (*low >= all.low && *high <= all.high)
        return false;
    *low = *low < all.low ? all.low : *low;
    *high = *high > all.high ? all.high : *high;
    return true;
}

/* Do the results that do not overflow have more in common than their sign? */
bool qn__overflow_leaves_little(struct qn__int_facts *f, LLVMValueRef v)
{
    wide low, high;
    if (!without_overflow(&low, &high, f, v))
        return false;
    const uint64_t quarter = (uint64_t)1 << (LLVMGetIntTypeWidth(LLVMTypeOf(v)) - 2);
    return low > high || ((uint64_t)low & ~(quarter - 1)) == ((uint64_t)high & ~(quarter - 1));
}

bool qn__overflow_is_constant(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) != NULL;
}

unsigned qn__signed_note(struct qn__unit *u)
{
    return LLVMGetMDKindIDInContext(u->context, "qn.signed", 9);
}

/* A sum, difference or product that a compiler takes, or may yet take, not to overflow. */
static bool is_signed_operation(struct qn__int_facts *f, LLVMValueRef v)
{
    if (!LLVMIsABinaryOperator(v) || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
        return false;
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return (op == LLVMAdd || op == LLVMSub || op == LLVMMul) &&
           (LLVMGetNSW(v) || LLVMGetMetadata(v, qn__signed_note(f->u)));
}

static bool is_quarter(LLVMValueRef v)
{
    const unsigned bits = qn__overflow_is_constant(v) ? LLVMGetIntTypeWidth(LLVMTypeOf(v)) : 0;
    if (bits < 2 || bits > 64)
        return false;
    const wide n = LLVMConstIntGetSExtValue(v), quarter = (wide)1 << (bits - 2);
    return n >= quarter || n <= -quarter;
}

/* What a compiler takes a number for: of x - 2147483646 - 2 it knows that it is negative. */
static struct span believed(struct walk *w, LLVMValueRef v, LLVMBasicBlockRef at, int depth)
{
    const struct qn__int_range r = qn__int_range(w->f, v, false, at);
    struct span s = {r.low, r.high, is_quarter(v)};
    if (v == w->origin && LLVMIsACallInst(v) && r.low < 0) /* abs() */
        s.low = 0;
    if (depth == 0 || !LLVMIsABinaryOperator(v) ||
        (v != w->origin && !is_signed_operation(w->f, v)))
        return s;
    const LLVMBasicBlockRef here = LLVMGetInstructionParent(v);
    const struct span a = believed(w, LLVMGetOperand(v, 0), here, depth - 1),
                      b = believed(w, LLVMGetOperand(v, 1), here, depth - 1);
    wide low, high;
    results(&low, &high, LLVMGetInstructionOpcode(v), a, b);
    s.large = a.large || b.large;
    s.low = low > s.low ? low : s.low;
    s.high = high < s.high ? high : s.high;
    return s;
}

/* Is the sign of a value known where the operation does not overflow? What is made of a negative
 * number may be negative, too. */
bool qn__overflow_has_sign(struct walk *w, LLVMValueRef v)
{
    wide low, high;
    return qn__is_not_negative(w->f, v) ||
           (without_overflow(&low, &high, w->f, w->origin) && high < 0);
}

/* x - 2147483647 is at most 0, so that it is negated and divided as an unsigned number, and
 * (x + 2147483647) / 11 is at least 0: known where the operation does not overflow, and only there.
 * A sum of such large numbers is meant to wrap; of (x + dx + w) % w that is not taken. */
bool qn__overflow_quotient_has_sign(struct walk *w, LLVMValueRef v, LLVMValueRef by,
                                    LLVMBasicBlockRef at)
{
    const struct qn__int_range r = qn__int_range(w->f, v, false, at),
                               n = qn__int_range(w->f, by, false, at);
    const wide least = n.low > 0 ? n.low : n.high < 0 ? -(wide)n.high : 1;
    const struct span s = believed(w, v, at, SUMS);
    return s.large && ((s.high < least && r.high >= least) || (s.high <= 0 && r.high > 0) ||
                       (s.low > -least && r.low <= -least));
}

/* A constant whose highest bit is set, or what is masked with one. */
bool qn__overflow_has_highest_bit(LLVMValueRef v)
{
    if (LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAnd)
        v = LLVMGetOperand(v, qn__overflow_is_constant(LLVMGetOperand(v, 1)));
    return qn__overflow_is_constant(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64 &&
           LLVMConstIntGetSExtValue(v) < 0;
}

/* INT_MIN: the sum with it is taken for the `or`. */
bool qn__overflow_is_highest_bit(LLVMValueRef v)
{
    return qn__overflow_has_highest_bit(v) && qn__overflow_is_constant(v) &&
           (uint64_t)LLVMConstIntGetSExtValue(v) == ~(uint64_t)0
                                                        << (LLVMGetIntTypeWidth(LLVMTypeOf(v)) - 1);
}

/* All bits below the highest, or down to some bit: what the mask takes away but the sign is 0. */
bool qn__overflow_masks_sign(LLVMValueRef mask)
{
    const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(mask));
    return width > 1 && width <= 64 && LLVMConstIntGetZExtValue(mask) >> (width - 2) == 1;
}

/* x + x */
bool qn__overflow_doubles(LLVMValueRef operation)
{
    return LLVMIsABinaryOperator(operation) && LLVMGetInstructionOpcode(operation) == LLVMAdd &&
           LLVMGetOperand(operation, 0) == LLVMGetOperand(operation, 1);
}

bool qn__overflow_has_constant(LLVMValueRef operation)
{
    return qn__overflow_doubles(operation) ||
           (LLVMIsABinaryOperator(operation) &&
            (qn__overflow_is_constant(LLVMGetOperand(operation, 0)) ||
             qn__overflow_is_constant(LLVMGetOperand(operation, 1))));
}
