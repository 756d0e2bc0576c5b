/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a compiler can make something else of a signed sum, difference or product that overflowed.
 *
 * C leaves it undefined, so that a compiler may compute with more bits, move a number from one side
 * of a comparison to the other, or take it that the sum of two numbers that are not negative is not
 * negative. The low bits are right whatever it does: a mask, << and a cast to fewer bits see
 * nothing; + - * | ^, a choice, and a store, by way of what is loaded again, ask their own users in
 * turn. An overflow is seen by
 *
 *     (long long)(a + b)                 more bits
 *     a + 1 < 10, a - b < 0, a + b < a, abs(a - b)    what is decided without the sum
 *     a * 6 / 3, a * b % b, -a / 3       what takes a factor away
 *     (float)s, s / n, s % n, s >> n     where the sign of s without an overflow is known: it is
 *                                        computed as an unsigned number then
 *     (double)s > -1.0                   a comparison of floats, which becomes one of integers
 *     a + INT_MIN                        becomes a | INT_MIN; so does s ^ INT_MIN and the like, and
 *     s & INT_MAX                        s, where the sign of s without an overflow is known
 *     (a + INT_MAX) / 11, (a - INT_MAX) % 33    not negative, or not positive
 *     s itself, where few of the results of its operands do not overflow, or none: whatever looks
 *     at a bit of it may take what those have in common; so in a hash that begins with a constant,
 *     h = h * 33 + i, which a compiler may compute in advance (hashes.c), and with what is a large
 *     constant to a driver that knows the size of a block (block_size.c)
 *
 * and not by an index, a[i + 1]: NVIDIA's compiler computes addresses in 64 bits as well
 * (mul.wide), so that no program counts on its wrapping, unless a number of the sum is so large
 * that it must wrap. */
#include "compiler/lower/overflow_uses.h"

#include "base/str.h"
#include "compiler/lower/block_size.h"
#include "compiler/lower/hashes.h"
#include "compiler/lower/overflow_results.h"
#include "compiler/lower/signs.h"
#include "compiler/model/address_space.h"
#include "compiler/model/builtins.h"

#include <string.h>

static void follow(struct walk *w, LLVMValueRef v, bool is_sum)
{
    for (unsigned i = 0; i < w->n; i++)
        if (w->todo[i] == v)
            return;
    if (w->n == MOST_VALUES) {
        w->seen = true; /* perhaps */
        return;
    }
    w->is_sum[w->n] = is_sum;
    w->is_high[w->n] = w->high;
    w->todo[w->n++] = v;
}

/* ---- comparisons ---- */

/* Does an operand of the sum `v` occur in `other`, so that a compiler may take it off both? */
static bool shares(LLVMValueRef v, LLVMValueRef other, int depth)
{
    if (v == other)
        return !qn__overflow_is_constant(v);
    if (depth == 0)
        return false;
    const LLVMValueRef both[] = {v, other};
    for (unsigned k = 0; k < 2; k++)
        if (LLVMIsABinaryOperator(both[k]) || LLVMIsACastInst(both[k]))
            for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(both[k]); i++) {
                const LLVMValueRef part = LLVMGetOperand(both[k], i);
                if (shares(k ? v : part, k ? part : other, depth - 1))
                    return true;
            }
    return false;
}

/* Is the result of a comparison with that range known where the operation does not overflow? */
static bool is_decided(struct walk *w, struct qn__int_range with)
{
    const struct qn__int_range r = qn__range_without_overflow(w->f, w->origin);
    return r.high < with.low || with.high < r.low;
}

/* x * 64 == 0 is x == 0 where it does not overflow. */
static bool keeps_zero(struct walk *w)
{
    const LLVMValueRef o = w->origin;
    if (!LLVMIsABinaryOperator(o) || LLVMGetInstructionOpcode(o) != LLVMMul)
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (!qn__int_range(w->f, LLVMGetOperand(o, i), false, LLVMGetInstructionParent(o)).zero)
            return true;
    return false;
}

static void compare(struct walk *w, LLVMValueRef v, bool is_sum, LLVMValueRef other, bool equality)
{
    const LLVMValueRef o = w->origin;
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(o);
    const struct qn__int_range with = qn__int_range(w->f, other, false, at);
    const bool multiplies = LLVMIsABinaryOperator(o) && LLVMGetInstructionOpcode(o) == LLVMMul &&
                            qn__overflow_has_constant(o);
    const bool sign_counts = with.high <= 0 || qn__is_not_negative(w->f, other);
    if ((v == o && is_decided(w, with)) || (sign_counts && qn__is_not_negative(w->f, v)))
        w->seen = true; /* decided, or made a comparison of unsigned numbers */
    else if (equality)
        w->seen |= is_sum && qn__overflow_is_constant(other) && (multiplies || keeps_zero(w));
    else if (shares(v, other, 3))
        w->seen = true;
    else if (qn__overflow_is_constant(other) && is_sum)
        w->seen |= LLVMIsACallInst(o) || qn__overflow_has_constant(o) ||
                   (LLVMGetInstructionOpcode(o) == LLVMSub && with.low >= -1 && with.high <= 1);
}

/* ---- memory ---- */

/* Are two types the same bits, as int and float are? */
static bool same_bits(LLVMTypeRef a, LLVMTypeRef b)
{
    const LLVMTypeRef t[] = {a, b};
    unsigned bits[2] = {0};
    if (a == b)
        return true;
    for (unsigned i = 0; i < 2; i++) {
        const LLVMTypeKind kind = LLVMGetTypeKind(t[i]);
        bits[i] = kind == LLVMIntegerTypeKind  ? LLVMGetIntTypeWidth(t[i])
                  : kind == LLVMFloatTypeKind  ? 32
                  : kind == LLVMDoubleTypeKind ? 64
                                               : i + 1;
    }
    return bits[0] == bits[1];
}

/* What is loaded from the object that a value is stored to: a compiler may forward the one to the
 * other. */
static void follow_loads(struct walk *w, LLVMValueRef store)
{
    LLVMValueRef places[MOST_VALUES] = {qn__memory_root(LLVMGetOperand(store, 1))};
    const LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(store, 0));
    const LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(store));
    unsigned n = 1;
    for (unsigned i = 0; i < n; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(places[i]); use; use = LLVMGetNextUse(use)) {
            const LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsALoadInst(user) && same_bits(LLVMTypeOf(user), t) &&
                LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
                follow(w, user, false);
            else if ((LLVMIsAGetElementPtrInst(user) || LLVMIsACastInst(user) ||
                      LLVMIsAConstantExpr(user)) &&
                     n < MOST_VALUES)
                places[n++] = user;
        }
}

/* ---- users ---- */

/* Is it used for addresses alone? */
static bool is_index(LLVMValueRef v, int depth)
{
    if (depth == 0)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            return false;
        const LLVMOpcode op = LLVMGetInstructionOpcode(user);
        if (op == LLVMGetElementPtr || op == LLVMIntToPtr)
            continue;
        if ((op != LLVMAdd && op != LLVMSub && op != LLVMMul && op != LLVMShl) ||
            !is_index(user, depth - 1))
            return false;
    }
    return true;
}

static uint64_t common_factor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static uint64_t magnitude(LLVMValueRef constant)
{
    const int64_t n = (int64_t)LLVMConstIntGetSExtValue(constant);
    return n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
}

static bool is_minus_one(LLVMValueRef v)
{
    return qn__overflow_is_constant(v) && LLVMConstIntGetSExtValue(v) == -1;
}

/* -x, x * -1 */
static bool negates(LLVMValueRef operation)
{
    if (!LLVMIsABinaryOperator(operation))
        return false;
    const LLVMValueRef a = LLVMGetOperand(operation, 0), b = LLVMGetOperand(operation, 1);
    const LLVMOpcode op = LLVMGetInstructionOpcode(operation);
    return (op == LLVMSub && LLVMIsNull(a)) ||
           (op == LLVMMul && (is_minus_one(a) || is_minus_one(b)));
}

/* x * 6 / 3, x * n % n, x * 4 >> 2, (x + x) >> 2, -x / 3: may a compiler take the factor away? */
static bool takes_factor(struct walk *w, LLVMOpcode op, LLVMValueRef by)
{
    const LLVMValueRef o = w->origin;
    const bool shifts = op == LLVMAShr || op == LLVMLShr;
    if (negates(o))
        return !shifts;
    if (qn__overflow_doubles(o))
        return qn__overflow_is_constant(by) && (shifts || magnitude(by) % 2 == 0);
    if (!LLVMIsABinaryOperator(o) || LLVMGetInstructionOpcode(o) != LLVMMul)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        const LLVMValueRef factor = LLVMGetOperand(o, i);
        if (!qn__overflow_is_constant(factor) || !qn__overflow_is_constant(by)) {
            if (shares(factor, by, 2))
                return true;
            continue;
        }
        const uint64_t n = magnitude(by);
        const uint64_t divisor = !shifts ? n : n < 63 ? (uint64_t)1 << n : 0;
        if (common_factor(magnitude(factor), divisor) > 1)
            return true;
    }
    return false;
}

static void divide(struct walk *w, LLVMValueRef v, bool is_sum, LLVMValueRef user, LLVMOpcode op)
{
    w->seen |= qn__overflow_has_sign(w, v);
    if (LLVMGetOperand(user, 0) == v) {
        w->seen |= is_sum && takes_factor(w, op, LLVMGetOperand(user, 1));
        w->seen |= (op == LLVMSDiv || op == LLVMSRem) &&
                   qn__overflow_quotient_has_sign(w, v, LLVMGetOperand(user, 1),
                                                  LLVMGetInstructionParent(user));
        if (op == LLVMAShr) { /* which has the same sign */
            w->high = true;
            follow(w, user, is_sum);
        }
    } else if (LLVMIsACallInst(user))
        w->seen |= is_sum && keeps_zero(w); /* it is tested */
}

static void use_by_call(struct walk *w, LLVMValueRef v, bool is_sum, LLVMValueRef call)
{
    static const char *const wider[] = {"__mul",    "__umul", "__hadd", "__uhadd",  "__rhadd",
                                        "__urhadd", "__sad",  "__usad", "__qn_abs", "llvm.abs."};
    /* of all bits, so that the sign is one of them */
    static const char *const bits[] = {"__clz",       "__popc",     "__brev",
                                       "__byte_perm", "llvm.ctlz.", "llvm.ctpop.",
                                       "llvm.bswap.", "llvm.fsh",   "llvm.bitreverse."};
    size_t n;
    const LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *const name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
    if (qn__is_noop_call(name))
        return;
    if (strstr(name, "_as_")) { /* __int_as_float: the same bits */
        follow(w, call, is_sum);
    } else if (qn__is_min_max(call) || qn__starts_with(name, "__qn_min_") ||
               qn__starts_with(name, "__qn_max_")) {
        compare(w, v, is_sum, LLVMGetOperand(call, LLVMGetOperand(call, 0) == v), false);
        follow(w, call, false);
    } else if (qn__starts_with(name, "__qn_ir_div_") || qn__starts_with(name, "__qn_ir_rem_")) {
        divide(w, v, is_sum, call, LLVMSDiv);
    } else if (strstr(name, "2float") || strstr(name, "2double")) {
        w->seen |= qn__overflow_has_sign(w, v);
    }
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++)
        w->seen |= qn__starts_with(name, wider[i]);
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        w->seen |= qn__starts_with(name, bits[i]) && qn__overflow_has_sign(w, v);
}

/* Is a number compared as a float, and not with itself, which asks whether it is NaN? */
static bool is_compared(LLVMValueRef number)
{
    for (LLVMUseRef use = LLVMGetFirstUse(number); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAFCmpInst(user) && LLVMGetOperand(user, 0) != LLVMGetOperand(user, 1))
            return true;
    }
    return false;
}

static void use(struct walk *w, LLVMValueRef v, bool is_sum, LLVMValueRef user)
{
    enum { DEPTH = 6 };
    const LLVMOpcode op = LLVMGetInstructionOpcode(user);
    switch (op) {
    case LLVMSExt: w->seen |= w->index_counts || !is_index(user, DEPTH); break;
    case LLVMZExt:
        w->seen |= qn__is_not_negative(w->f, v) && (w->index_counts || !is_index(user, DEPTH));
        break;
    case LLVMSIToFP:
    case LLVMUIToFP: w->seen |= qn__overflow_has_sign(w, v) || (is_sum && is_compared(user)); break;
    case LLVMAShr:
    case LLVMLShr:
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem: divide(w, v, is_sum, user, op); break;
    case LLVMICmp: {
        const LLVMIntPredicate p = LLVMGetICmpPredicate(user);
        compare(w, v, is_sum, LLVMGetOperand(user, LLVMGetOperand(user, 0) == v),
                p == LLVMIntEQ || p == LLVMIntNE);
        break;
    }
    case LLVMSwitch: w->seen |= qn__overflow_has_sign(w, v) || (is_sum && v != w->origin); break;
    case LLVMAnd: {
        const LLVMValueRef mask = LLVMGetOperand(user, LLVMGetOperand(user, 0) == v);
        if (!w->high && qn__overflow_is_constant(mask) &&
            (int64_t)LLVMConstIntGetSExtValue(mask) >= 0) {
            w->seen |= qn__overflow_masks_sign(mask) && qn__overflow_has_sign(w, v);
            break; /* else low bits alone */
        }
        w->seen |= qn__overflow_is_constant(mask) && qn__overflow_has_sign(w, v);
        follow(w, user, false);
        break;
    }
    case LLVMBitCast: follow(w, user, is_sum); break;
    case LLVMTrunc:
        if (w->high)
            follow(w, user, is_sum);
        break;
    case LLVMSelect:
        if (LLVMGetOperand(user, 0) != v)
            follow(w, user, false);
        break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMXor:
        w->seen |=
            op != LLVMMul &&
            qn__overflow_has_highest_bit(LLVMGetOperand(user, LLVMGetOperand(user, 0) == v)) &&
            qn__overflow_has_sign(w, v);
        follow(w, user, op != LLVMXor && is_sum && qn__overflow_has_constant(user));
        break;
    case LLVMPHI:
    case LLVMOr:
    case LLVMFreeze:
    case LLVMInsertElement:
    case LLVMExtractElement:
    case LLVMShuffleVector:
    case LLVMInsertValue:
    case LLVMExtractValue: follow(w, user, false); break;
    case LLVMStore:
        if (LLVMGetOperand(user, 0) == v)
            follow_loads(w, user);
        break;
    case LLVMCall: use_by_call(w, v, is_sum, user); break;
    default: break; /* low bits alone: a cast to fewer, <<, and what does not compute */
    }
}

static bool is_large(LLVMValueRef v)
{
    if (!qn__overflow_is_constant(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 32)
        return false;
    const int64_t n = (int64_t)LLVMConstIntGetSExtValue(v);
    return n >= LARGE || n <= -LARGE;
}

bool qn__overflow_is_seen(struct qn__int_facts *f, LLVMValueRef v)
{
    if (qn__overflow_leaves_little(f, v) || qn__is_of_hash(v) || qn__is_large_of_block(f, v))
        return true;
    struct walk w = {.f = f, .origin = v, .todo = {v}, .is_sum = {true}, .n = 1};
    for (unsigned i = 0; i < 2 && LLVMIsABinaryOperator(v); i++) {
        w.index_counts |= is_large(LLVMGetOperand(v, i));
        w.seen |= qn__overflow_is_highest_bit(LLVMGetOperand(v, i));
    }
    for (unsigned i = 0; i < w.n && !w.seen; i++)
        for (LLVMUseRef u = LLVMGetFirstUse(w.todo[i]); u && !w.seen; u = LLVMGetNextUse(u)) {
            w.high = w.is_high[i];
            use(&w, w.todo[i], w.is_sum[i], LLVMGetUser(u));
        }
    return w.seen;
}
