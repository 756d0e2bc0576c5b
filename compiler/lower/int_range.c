/* SPDX-License-Identifier: Apache-2.0
 *
 * The range of an integer, as far as a few instructions and conditions before it show. A sum or
 * product that leaves its type's range wraps, and can be anything, whatever LLVM's flags say.
 *
 *     threadIdx.x                           [0, 1023]
 *     blockIdx.x * blockDim.x, as an int    [0, 2^28]: docs/meaning.md
 *     x & 255, (unsigned char)x             [0, 255]
 *     x % 10, of an int                     [-9, 9]
 *
 * Conditions are int_condition.c's, loops int_counter.c's. */
#include "compiler/lower/int_range.h"

#include "base/str.h"
#include "compiler/model/address_space.h"

#include <string.h>

enum { STEPS = 600 };

struct qn__int_range qn__range_make(int64_t low, int64_t high)
{
    return (struct qn__int_range){low, high, low <= 0 && high >= 0, low <= -1 && high >= -1};
}

struct qn__int_range qn__range_whole(unsigned bits, bool is_unsigned)
{
    if (bits >= 64)
        return qn__range_make(is_unsigned ? 0 : INT64_MIN, INT64_MAX);
    const int64_t one = 1;
    return is_unsigned ? qn__range_make(0, (one << bits) - 1)
                       : qn__range_make(-(one << (bits - 1)), (one << (bits - 1)) - 1);
}

static struct qn__int_range join(struct qn__int_range a, struct qn__int_range b)
{
    return (struct qn__int_range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high,
                                  a.zero || b.zero, a.minus_one || b.minus_one};
}

/* Read with the other sign: the same where it fits. */
static struct qn__int_range within(struct qn__int_range r, struct qn__int_range all)
{
    const bool open = r.high == INT64_MAX && all.low < 0; /* may be more */
    if (r.low >= all.low && r.high <= all.high && !open)
        return r;
    all.zero = r.zero;
    return all;
}

/* ---- arithmetic ---- */

static bool exact(LLVMOpcode op, int64_t a, int64_t b, int64_t *out)
{
    return op == LLVMAdd   ? !__builtin_add_overflow(a, b, out)
           : op == LLVMSub ? !__builtin_sub_overflow(a, b, out)
                           : !__builtin_mul_overflow(a, b, out);
}

/* False: some result does not fit in 64 bits. */
static bool combined(LLVMOpcode op, struct qn__int_range a, struct qn__int_range b,
                     struct qn__int_range *out)
{
    int64_t x[4];
    if (op == LLVMSub) {
        if (!exact(op, a.low, b.high, &x[0]) || !exact(op, a.high, b.low, &x[1]))
            return false;
        *out = qn__range_make(x[0], x[1]);
        return true;
    }
    if (!exact(op, a.low, b.low, &x[0]) || !exact(op, a.high, b.high, &x[1]))
        return false;
    *out = qn__range_make(x[0] < x[1] ? x[0] : x[1], x[0] < x[1] ? x[1] : x[0]);
    if (op == LLVMAdd)
        return true;
    if (!exact(op, a.low, b.high, &x[2]) || !exact(op, a.high, b.low, &x[3]))
        return false;
    *out = join(*out, join(qn__range_make(x[2], x[2]), qn__range_make(x[3], x[3])));
    *out = qn__range_make(out->low, out->high);
    out->zero = a.zero || b.zero;
    return true;
}

/* blockIdx.x * blockDim.x, or gridDim.x * blockDim.x: no more than the work-items of an axis. */
static bool counts_work_items(struct qn__int_facts *f, LLVMValueRef v)
{
    unsigned axis;
    bool by_size = false, by_group = false;
    if (LLVMGetInstructionOpcode(v) != LLVMMul)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        const LLVMValueRef x = LLVMGetOperand(v, i);
        const enum qn__work_item what =
            LLVMIsALoadInst(x) ? qn__work_item(f->u, x, &axis) : QN__NO_WORK_ITEM;
        by_size |= what == QN__LOCAL_SIZE;
        by_group |= what == QN__GROUP_ID || what == QN__NUM_GROUPS;
    }
    return by_size && by_group;
}

/* CUDA's limits, but of an axis' groups and work-items, which may be more: a program that keeps
 * their numbers, or those of their elements, in an int has no more of them. */
enum { GROUP_ITEMS = 1024, GROUP_DEPTH = 64, GRID_SIDE = 65535, GROUPS = 1 << 20, ITEMS = 1 << 28 };

static struct qn__int_range of_sum(struct qn__int_facts *f, LLVMValueRef v, LLVMOpcode op,
                                   struct qn__int_range all, bool is_unsigned, int depth)
{
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(v);
    if (!is_unsigned && counts_work_items(f, v))
        return qn__range_make(0, ITEMS);
    const struct qn__int_range a = qn__range_at(f, LLVMGetOperand(v, 0), is_unsigned, at,
                                                depth - 1),
                               b = qn__range_at(f, LLVMGetOperand(v, 1), is_unsigned, at,
                                                depth - 1);
    struct qn__int_range r;
    const bool open = is_unsigned && (a.high == INT64_MAX || b.high == INT64_MAX);
    if (!open && combined(op, a, b, &r) && r.low >= all.low && r.high <= all.high)
        return r;
    return all;
}

static int64_t largest(struct qn__int_range r)
{
    return r.low == INT64_MIN ? INT64_MAX : -r.low > r.high ? -r.low : r.high;
}

static struct qn__int_range of_quotient(struct qn__int_range a, struct qn__int_range b,
                                        struct qn__int_range all)
{
    if (b.zero || b.low <= 0 || b.high < b.low) /* no divisor at all: the division is never made */
        return all;
    return qn__range_make(a.low >= 0 ? a.low / b.high : a.low / b.low,
                          a.high >= 0 ? a.high / b.low : a.high / b.high);
}

static struct qn__int_range of_remainder(struct qn__int_range a, struct qn__int_range b,
                                         struct qn__int_range all)
{
    if (b.zero || (b.low <= 0 && b.high >= 0 && b.zero))
        return all;
    const int64_t most = largest(b) - 1;
    return qn__range_make(a.low >= 0      ? 0
                          : a.low > -most ? a.low
                                          : -most,
                          a.high <= 0     ? 0
                          : a.high < most ? a.high
                                          : most);
}

static struct qn__int_range of_division(struct qn__int_facts *f, LLVMValueRef v, bool is_quotient,
                                        bool is_unsigned, int depth)
{
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(v);
    const struct qn__int_range a = qn__range_at(f, LLVMGetOperand(v, 0), is_unsigned, at,
                                                depth - 1),
                               b = qn__range_at(f, LLVMGetOperand(v, 1), is_unsigned, at,
                                                depth - 1);
    const struct qn__int_range all =
        qn__range_whole(LLVMGetIntTypeWidth(LLVMTypeOf(v)), is_unsigned);
    if (is_unsigned && (a.high == INT64_MAX || b.high == INT64_MAX))
        return is_quotient || b.high == INT64_MAX ? all : of_remainder(a, b, all);
    return is_quotient ? of_quotient(a, b, all) : of_remainder(a, b, all);
}

/* The next number of only ones. */
static int64_t ones_above(int64_t x)
{
    int64_t m = 0;
    while (m < x)
        m = m * 2 + 1;
    return m;
}

static struct qn__int_range of_bits(struct qn__int_facts *f, LLVMValueRef v, LLVMOpcode op,
                                    bool is_unsigned, struct qn__int_range all, int depth)
{
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(v);
    const struct qn__int_range a = qn__range_at(f, LLVMGetOperand(v, 0), is_unsigned, at,
                                                depth - 1),
                               b = qn__range_at(f, LLVMGetOperand(v, 1), is_unsigned, at,
                                                depth - 1);
    if (op == LLVMXor && !is_unsigned && b.low == -1 && b.high == -1)
        return qn__range_make(-1 - a.high, -1 - a.low);
    if (op == LLVMAnd && (a.low >= 0 || b.low >= 0)) {
        const int64_t most = a.low < 0         ? b.high
                             : b.low < 0       ? a.high
                             : a.high < b.high ? a.high
                                               : b.high;
        return qn__range_make(0, most);
    }
    if (op != LLVMAnd && a.low >= 0 && b.low >= 0) {
        const int64_t most = ones_above(a.high > b.high ? a.high : b.high);
        all = qn__range_make(0, most);
    }
    if (op == LLVMOr) {
        all.zero = a.zero && b.zero;
        if (a.low >= 0 && b.low >= 0)
            all.low = a.low > b.low ? a.low : b.low;
    }
    return all;
}

static struct qn__int_range of_shift(struct qn__int_facts *f, LLVMValueRef v, LLVMOpcode op,
                                     bool is_unsigned, struct qn__int_range all, int depth)
{
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(v);
    const bool sign = op == LLVMAShr || (op == LLVMShl && !is_unsigned);
    const struct qn__int_range a = qn__range_at(f, LLVMGetOperand(v, 0), !sign, at, depth - 1),
                               n = qn__range_at(f, LLVMGetOperand(v, 1), true, at, depth - 1);
    struct qn__int_range r;
    if (n.high > 62)
        return op == LLVMLShr && a.high < INT64_MAX ? within(qn__range_make(0, a.high), all) : all;
    if (op == LLVMShl)
        return combined(LLVMMul, a, qn__range_make((int64_t)1 << n.low, (int64_t)1 << n.high),
                        &r) &&
                       r.low >= all.low && r.high <= all.high && a.high < INT64_MAX
                   ? r
                   : all;
    if (a.high == INT64_MAX && !sign)
        return n.low > 0 ? within(qn__range_make(0, (int64_t)(UINT64_MAX >> n.low)), all) : all;
    r = qn__range_make(a.low < 0 ? a.low >> n.low : a.low >> n.high,
                       a.high < 0 ? a.high >> n.high : a.high >> n.low);
    return within(r, all);
}

/* ---- calls ---- */

static struct qn__int_range chosen(bool least, struct qn__int_range a, struct qn__int_range b)
{
    struct qn__int_range r =
        least ? qn__range_make(a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high)
              : qn__range_make(a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high);
    r.zero &= a.zero || b.zero;
    return r;
}

enum function { OTHER, LEAST, MOST, ABSOLUTE, COUNT, QUOTIENT, REMAINDER };

/* What a call does; *is_unsigned: with operands of that sign. */
static enum function function_of(LLVMValueRef call, bool *is_unsigned)
{
    static const struct {
        const char *prefix;
        enum function is;
        bool is_unsigned;
    } all[] = {
        {"llvm.smin.", LEAST, false},
        {"llvm.umin.", LEAST, true},
        {"llvm.smax.", MOST, false},
        {"llvm.umax.", MOST, true},
        {"__qn_min_i", LEAST, false},
        {"__qn_min_u", LEAST, true},
        {"__qn_max_i", MOST, false},
        {"__qn_max_u", MOST, true},
        {"__qn_abs_", ABSOLUTE, false},
        {"llvm.abs.", ABSOLUTE, false},
        {"llvm.ctpop.", COUNT, true},
        {"llvm.ctlz.", COUNT, true},
        {"llvm.cttz.", COUNT, true},
        {"__popc", COUNT, true},
        {"__clz", COUNT, true},
        {"__ffs", COUNT, true},
        {"__qn_ir_div_i", QUOTIENT, false},
        {"__qn_ir_div_u", QUOTIENT, true},
        {"__qn_ir_rem_i", REMAINDER, false},
        {"__qn_ir_rem_u", REMAINDER, true},
    };
    const LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
        return OTHER;
    const char *const name = LLVMGetValueName2(callee, &n);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__starts_with(name, all[i].prefix)) {
            *is_unsigned = all[i].is_unsigned;
            return all[i].is;
        }
    return OTHER;
}

static struct qn__int_range of_call(struct qn__int_facts *f, LLVMValueRef v,
                                    struct qn__int_range all, int depth)
{
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(v);
    bool is_unsigned = false;
    const enum function is = function_of(v, &is_unsigned);
    struct qn__int_range a;
    switch (is) {
    case LEAST:
    case MOST:
        a = qn__range_at(f, LLVMGetOperand(v, 0), is_unsigned, at, depth - 1);
        return within(chosen(is == LEAST, a,
                             qn__range_at(f, LLVMGetOperand(v, 1), is_unsigned, at, depth - 1)),
                      all);
    case ABSOLUTE:
        a = qn__range_at(f, LLVMGetOperand(v, 0), false, at, depth - 1);
        if (a.low == qn__range_whole(LLVMGetIntTypeWidth(LLVMTypeOf(v)), false).low)
            return all;
        return within((struct qn__int_range){a.low > 0 ? a.low : 0, largest(a), a.zero, false},
                      all);
    case COUNT: return within(qn__range_make(0, 64), all);
    case QUOTIENT:
    case REMAINDER: return within(of_division(f, v, is == QUOTIENT, is_unsigned, depth), all);
    default: return all;
    }
}

static struct qn__int_range of_work_item(enum qn__work_item what, unsigned axis)
{
    switch (what) {
    case QN__LOCAL_ID: return qn__range_make(0, (axis == 2 ? GROUP_DEPTH : GROUP_ITEMS) - 1);
    case QN__LOCAL_SIZE: return qn__range_make(1, axis == 2 ? GROUP_DEPTH : GROUP_ITEMS);
    case QN__GROUP_ID: return qn__range_make(0, (axis ? GRID_SIDE : GROUPS) - 1);
    default: return qn__range_make(1, axis ? GRID_SIDE : GROUPS);
    }
}

/* ---- instructions ---- */

static struct qn__int_range of_instruction(struct qn__int_facts *f, LLVMValueRef v,
                                           bool is_unsigned, LLVMBasicBlockRef at, int depth)
{
    const struct qn__int_range all =
        qn__range_whole(LLVMGetIntTypeWidth(LLVMTypeOf(v)), is_unsigned);
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    const LLVMValueRef a = LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL;
    unsigned axis;
    switch (op) {
    case LLVMLoad: {
        const enum qn__work_item what = qn__work_item(f->u, v, &axis);
        return what ? of_work_item(what, axis) : all;
    }
    case LLVMPHI: return qn__range_of_phi(f, v, is_unsigned, depth);
    case LLVMSelect: {
        const LLVMValueRef x = LLVMGetOperand(v, 1), y = LLVMGetOperand(v, 2);
        return join(qn__range_where(f, qn__range_at(f, x, is_unsigned, at, depth - 1), x,
                                    is_unsigned, a, true, depth - 1),
                    qn__range_where(f, qn__range_at(f, y, is_unsigned, at, depth - 1), y,
                                    is_unsigned, a, false, depth - 1));
    }
    case LLVMFreeze: return qn__range_at(f, a, is_unsigned, at, depth - 1);
    case LLVMZExt: return qn__range_at(f, a, true, at, depth - 1);
    case LLVMSExt: return within(qn__range_at(f, a, false, at, depth - 1), all);
    case LLVMTrunc: {
        struct qn__int_range r = within(qn__range_at(f, a, is_unsigned, at, depth - 1), all);
        r.zero |= r.low <= 0 && r.high >= 0;
        return r;
    }
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: return of_sum(f, v, op, all, is_unsigned, depth);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: return of_bits(f, v, op, is_unsigned, all, depth);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return of_shift(f, v, op, is_unsigned, all, depth);
    case LLVMUDiv:
    case LLVMURem: return within(of_division(f, v, op == LLVMUDiv, true, depth), all);
    case LLVMSDiv:
    case LLVMSRem: return within(of_division(f, v, op == LLVMSDiv, false, depth), all);
    case LLVMCall: return of_call(f, v, all, depth);
    default: return all;
    }
}

struct qn__int_range qn__range_at(struct qn__int_facts *f, LLVMValueRef v, bool is_unsigned,
                                  LLVMBasicBlockRef at, int depth)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
        return qn__range_whole(64, is_unsigned);
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    const struct qn__int_range all = qn__range_whole(bits, is_unsigned);
    if (LLVMIsAConstantInt(v) && bits <= 64) {
        const int64_t n = is_unsigned ? (int64_t)LLVMConstIntGetZExtValue(v)
                                      : (int64_t)LLVMConstIntGetSExtValue(v);
        if (is_unsigned && n < 0)
            return (struct qn__int_range){0, INT64_MAX, false, false};
        return qn__range_make(n, n);
    }
    if (depth <= 0 || f->steps == 0 || LLVMIsConstant(v) || bits > 64)
        return all;
    f->steps--;
    struct qn__int_range r = all;
    if (LLVMIsAInstruction(v))
        r = of_instruction(f, v, is_unsigned, at, depth);
    r = qn__range_on_path(f, r, v, is_unsigned, at, depth);
    r.zero &= r.low <= 0 && r.high >= 0;
    r.minus_one &= r.low <= -1 && r.high >= -1;
    return r;
}

/* ---- questions ---- */

struct qn__int_facts *qn__int_facts_of(struct qn__unit *u, struct qn__map *known,
                                       LLVMValueRef function)
{
    struct qn__int_facts *f = qn__map_get(known, function);
    if (f)
        return f;
    f = QN__NEED(u, struct qn__int_facts);
    f->u = u;
    qn__dominators_find(u, function, &f->dominators);
    qn__map_put(u, known, function, f);
    return f;
}

struct qn__int_range qn__int_range(struct qn__int_facts *f, LLVMValueRef v, bool is_unsigned,
                                   LLVMBasicBlockRef at)
{
    f->steps = STEPS;
    return qn__range_at(f, v, is_unsigned, at, QN__RANGE_DEPTH);
}

bool qn__may_overflow(struct qn__int_facts *f, LLVMValueRef in)
{
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(in);
    struct qn__int_range r;
    if (LLVMGetTypeKind(LLVMTypeOf(in)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(in)) > 64)
        return true;
    const struct qn__int_range all = qn__range_whole(LLVMGetIntTypeWidth(LLVMTypeOf(in)), false),
                               a = qn__int_range(f, LLVMGetOperand(in, 0), false, at),
                               b = qn__int_range(f, LLVMGetOperand(in, 1), false, at);
    if (combined(LLVMGetInstructionOpcode(in), a, b, &r) && r.low >= all.low && r.high <= all.high)
        return false;
    f->steps = STEPS;
    return !qn__is_bounded_step(f, in);
}

struct qn__int_range qn__range_without_overflow(struct qn__int_facts *f, LLVMValueRef in)
{
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(in);
    const struct qn__int_range all = qn__range_whole(LLVMGetIntTypeWidth(LLVMTypeOf(in)), false);
    if (LLVMIsACallInst(in)) /* abs() */
        return qn__range_make(0, all.high);
    const struct qn__int_range a = qn__int_range(f, LLVMGetOperand(in, 0), false, at),
                               b = qn__int_range(f, LLVMGetOperand(in, 1), false, at);
    struct qn__int_range r;
    const bool square =
        LLVMGetInstructionOpcode(in) == LLVMMul && LLVMGetOperand(in, 0) == LLVMGetOperand(in, 1);
    if (square && (a.low < -INT32_MAX || a.high > INT32_MAX))
        return qn__range_make(0, all.high);
    if (!combined(LLVMGetInstructionOpcode(in), a, b, &r))
        return all;
    r.low = square && r.low < 0 ? 0 : r.low < all.low ? all.low : r.low;
    r.high = r.high > all.high ? all.high : r.high;
    return r;
}
