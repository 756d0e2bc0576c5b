/* SPDX-License-Identifier: Apache-2.0
 *
 * Workaround for LLVM 15, PoCL 3.1's compiler (README.md): an index that a mask cuts, which grows
 * by an odd multiple from one work-item, or one iteration, to the next.
 *
 *     a[(threadIdx.x * 3) & 63]   ->   a[qn_opaque_int(threadIdx.x * 3 & 63)]
 *
 * LLVM takes the mask for an unsigned narrow integer, 3 * t of 6 bits, and for a loop that starts
 * at 0 omits the test whether it wraps. What it makes of such an index is wrong for stores as for
 * loads; so it is the index that is hidden, by a function that returns it and does not let LLVM see
 * that. A sum that does not start at 0 has its test and is right; whether it does is known only
 * when PoCL knows the size of the group, so that it is not asked here.
 *
 * What is looked at: every part of an index that is cut to the low bits, in any spelling, and by
 * how much that grows with threadIdx or with a counter of a loop. Even multiples of an index are
 * an index of fewer bits: 6 * t of 6 bits is twice 3 * t of 5. Ordinary indices (t & 31, 2 * t) are
 * multiples of 1 then, of which LLVM gets the test right. */
#include "compiler/core/diagnose.h"
#include "compiler/model/address_space.h"
#include "compiler/model/value_names.h"
#include "compiler/passes.h"

enum { DEPTH_MAX = 12, BITS_MAX = 31, WORK_ITEMS_MAX = 4096, VARIABLES_MAX = 16 };

/* By how much something grows when a variable grows by 1; not known: in some other way. */
struct growth {
    bool known;
    uint64_t by;
};

static const struct growth stands = {true, 0}, unknown = {false, 0};
/* A product with what becomes a constant when a loop is unrolled. */
static const struct growth odd_multiple = {true, 3};

static LLVMOpcode op_of(LLVMValueRef v)
{
    return LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : 0;
}

static bool is_number(LLVMValueRef v, uint64_t *out)
{
    if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
        return false;
    *out = LLVMConstIntGetZExtValue(v);
    return true;
}

/* The constant operand of a commutative operation, and the other one. */
static bool has_number(LLVMValueRef v, LLVMValueRef *other, uint64_t *out)
{
    for (unsigned i = 0; i < 2; i++)
        if (is_number(LLVMGetOperand(v, i), out)) {
            *other = LLVMGetOperand(v, 1 - i);
            return true;
        }
    return false;
}

static unsigned bits_of(uint64_t n)
{
    unsigned bits = 0;
    for (; n; n >>= 1)
        bits++;
    return bits;
}

static unsigned width_of(LLVMValueRef v)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

static bool is_cast(LLVMOpcode op)
{
    return op == LLVMZExt || op == LLVMSExt || op == LLVMTrunc || op == LLVMFreeze;
}

/* Is `high` x without its low bits: x / 64 * 64, x >> 6 << 6, x & ~63? */
static unsigned bits_cleared(LLVMValueRef high, LLVMValueRef x)
{
    uint64_t n, m;
    LLVMValueRef part;
    const LLVMOpcode op = op_of(high);
    if (op == LLVMAnd && has_number(high, &part, &n) && part == x)
        return n ? bits_of((n & -n) - 1) : 0;
    if ((op != LLVMMul && op != LLVMShl) || !has_number(high, &part, &n) ||
        LLVMGetNumOperands(part) != 2 || LLVMGetOperand(part, 0) != x ||
        !is_number(LLVMGetOperand(part, 1), &m) || n != m)
        return 0;
    const LLVMOpcode by = op_of(part);
    if (op == LLVMShl)
        return by == LLVMLShr || by == LLVMAShr ? (unsigned)n : 0;
    return (by == LLVMUDiv || by == LLVMSDiv) && !(n & (n - 1)) ? bits_of(n - 1) : 0;
}

/* To how many low bits an operation cuts, and what. 0: it is none that cuts. */
static unsigned cut_once(LLVMValueRef v, LLVMValueRef *of)
{
    uint64_t n, m;
    const LLVMOpcode op = op_of(v);
    const LLVMValueRef first = op && LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL;
    *of = first;
    switch (op) {
    case LLVMAnd: return has_number(v, of, &n) ? bits_of(n) : 0;
    case LLVMZExt: return width_of(first) <= BITS_MAX ? width_of(first) : 0;
    case LLVMURem:
    case LLVMSRem:
        return is_number(LLVMGetOperand(v, 1), &n) && !(n & (n - 1)) ? bits_of(n) - 1 : 0;
    case LLVMLShr:
        if (op_of(first) != LLVMShl || !is_number(LLVMGetOperand(v, 1), &n) ||
            !is_number(LLVMGetOperand(first, 1), &m) || m > n)
            return 0;
        *of = LLVMGetOperand(first, 0);
        return width_of(v) - (unsigned)m;
    case LLVMSub:
    case LLVMXor: return bits_cleared(LLVMGetOperand(v, 1), first);
    default: return 0;
    }
}

/* The same of operations that follow each other: the fewest bits. */
static unsigned cut(LLVMValueRef v, LLVMValueRef *of)
{
    LLVMValueRef inner = v;
    unsigned bits = 0;
    for (unsigned n; (n = cut_once(inner, of)) != 0 || is_cast(op_of(inner)); inner = *of) {
        if (!n && !bits)
            return 0; /* begins with another cast */
        if (!n)
            *of = LLVMGetOperand(inner, 0);
        else if (!bits || n < bits)
            bits = n;
    }
    *of = inner;
    return bits;
}

/* A loop's counter: where it starts and what each iteration adds. One that is cut itself,
 * j = (j & 255) + 3, is one, too. */
struct counter {
    LLVMValueRef start, next;
    uint64_t step;
};

static bool is_counter(struct counter *out, LLVMValueRef phi)
{
    if (op_of(phi) != LLVMPHI || !width_of(phi) || LLVMCountIncoming(phi) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i), from;
        *out = (struct counter){.start = LLVMGetIncomingValue(phi, 1 - i), .next = next};
        while (is_cast(op_of(next)))
            next = LLVMGetOperand(next, 0);
        if ((op_of(next) != LLVMAdd && op_of(next) != LLVMSub) ||
            !has_number(next, &from, &out->step))
            continue;
        if (op_of(next) == LLVMSub)
            out->step = -out->step;
        for (LLVMValueRef of; from != phi && (is_cast(op_of(from)) || cut(from, &of));)
            from = is_cast(op_of(from)) ? LLVMGetOperand(from, 0) : of;
        if (from == phi)
            return true;
    }
    return false;
}

/* ---- how an index grows ---- */

static struct growth growth_of(struct qn__unit *u, LLVMValueRef v, LLVMValueRef variable,
                               int depth);

static struct growth times(struct growth g, uint64_t n)
{
    return g.known ? (struct growth){true, g.by * n} : unknown;
}

static struct growth plus(struct growth a, struct growth b)
{
    return a.known && b.known ? (struct growth){true, a.by + b.by} : unknown;
}

static struct growth divided(struct growth g, uint64_t n)
{
    return g.known && n && g.by % n == 0 ? (struct growth){true, g.by / n} : unknown;
}

/* Of what depends on nothing that grows. */
static struct growth if_all_stand(struct qn__unit *u, LLVMValueRef v, LLVMValueRef variable,
                                  int depth)
{
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        const struct growth g = growth_of(u, LLVMGetOperand(v, (unsigned)i), variable, depth);
        if (!g.known || g.by)
            return unknown;
    }
    return stands;
}

static struct growth growth_of_product(struct qn__unit *u, LLVMValueRef v, LLVMValueRef variable,
                                       int depth)
{
    uint64_t n;
    LLVMValueRef other;
    struct counter c;
    if (has_number(v, &other, &n))
        return times(growth_of(u, other, variable, depth), n);
    for (unsigned i = 0; i < 2; i++) {
        const struct growth g = growth_of(u, LLVMGetOperand(v, i), variable, depth);
        if (g.known && g.by && is_counter(&c, LLVMGetOperand(v, 1 - i)) &&
            LLVMGetOperand(v, 1 - i) != variable)
            return odd_multiple;
    }
    return if_all_stand(u, v, variable, depth);
}

static struct growth growth_of(struct qn__unit *u, LLVMValueRef v, LLVMValueRef variable, int depth)
{
    uint64_t n;
    LLVMValueRef of;
    struct counter c;
    if (v == variable)
        return (struct growth){true, 1};
    if (!LLVMIsAInstruction(v))
        return stands;
    if (depth-- == 0)
        return unknown;
    if (cut(v, &of))
        return growth_of(u, of, variable, depth);
    const LLVMValueRef first = LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL;
    switch (op_of(v)) {
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMFreeze: return growth_of(u, first, variable, depth);
    case LLVMAdd:
    case LLVMOr:
        return plus(growth_of(u, first, variable, depth),
                    growth_of(u, LLVMGetOperand(v, 1), variable, depth));
    case LLVMSub:
        return plus(growth_of(u, first, variable, depth),
                    times(growth_of(u, LLVMGetOperand(v, 1), variable, depth), -1ull));
    case LLVMMul: return growth_of_product(u, v, variable, depth);
    case LLVMShl:
        return is_number(LLVMGetOperand(v, 1), &n) && n < 64
                   ? times(growth_of(u, first, variable, depth), 1ull << n)
                   : if_all_stand(u, v, variable, depth);
    case LLVMAShr:
    case LLVMLShr:
        return is_number(LLVMGetOperand(v, 1), &n) && n < 64
                   ? divided(growth_of(u, first, variable, depth), 1ull << n)
                   : if_all_stand(u, v, variable, depth);
    case LLVMUDiv:
    case LLVMSDiv:
        return is_number(LLVMGetOperand(v, 1), &n)
                   ? divided(growth_of(u, first, variable, depth), n)
                   : if_all_stand(u, v, variable, depth);
    case LLVMPHI: return is_counter(&c, v) ? growth_of(u, c.start, variable, depth) : unknown;
    default: return if_all_stand(u, v, variable, depth);
    }
}

/* ---- which are taken wrongly ---- */

struct variables {
    LLVMValueRef items[VARIABLES_MAX];
    unsigned n;
};

/* threadIdx and counters of loops that a value is computed from. */
static void find_variables(struct qn__unit *u, struct variables *out, LLVMValueRef v, int depth)
{
    unsigned axis;
    struct counter c;
    const bool counts = is_counter(&c, v);
    if (!LLVMIsAInstruction(v) || depth == 0)
        return;
    if (counts || (LLVMIsALoadInst(v) && qn__work_item(u, v, &axis) == QN__LOCAL_ID))
        for (unsigned i = 0; i <= out->n; i++) {
            if (i == out->n && out->n < VARIABLES_MAX)
                out->items[out->n++] = v;
            if (out->items[i] == v)
                break;
        }
    if (counts)
        find_variables(u, out, c.start, depth - 1);
    else if (LLVMIsABinaryOperator(v) || is_cast(op_of(v)))
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
            find_variables(u, out, LLVMGetOperand(v, i), depth - 1);
}

/* Is `of`, cut to so many bits, an index whose wrapping LLVM overlooks? */
static bool is_overlooked(struct qn__unit *u, LLVMValueRef of, unsigned bits)
{
    struct variables all = {.n = 0};
    find_variables(u, &all, of, DEPTH_MAX);
    for (unsigned i = 0; i < all.n; i++) {
        struct counter c = {.step = 1};
        const bool counts = is_counter(&c, all.items[i]);
        const struct growth g = growth_of(u, of, all.items[i], DEPTH_MAX);
        uint64_t by = g.by * c.step & ((1ull << bits) - 1);
        unsigned n = bits;
        if (!g.known || !by)
            continue;
        for (; by % 2 == 0 && width_of(all.items[i]) > BITS_MAX; by /= 2)
            n--;
        if (by > 1 && by < 1ull << (n - 1) && (counts || by * (WORK_ITEMS_MAX - 1) >> n))
            return true;
    }
    return false;
}

/* ---- hiding ---- */

/* Is it printed as an unsigned number? */
static bool is_unsigned(LLVMValueRef v)
{
    const LLVMOpcode op = op_of(v);
    bool is = op == LLVMURem || op == LLVMLShr || (op == LLVMZExt && width_of(v) == 64);
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        is |= op_of(LLVMGetUser(use)) == LLVMZExt;
    return is;
}

/* Puts qn_opaque_int(v) into the place of v. */
static void hide(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef v)
{
    size_t n;
    const LLVMTypeRef own = LLVMTypeOf(v);
    const bool is_long = width_of(v) == 64;
    const LLVMTypeRef t = is_long ? own : LLVMInt32TypeInContext(u->context);
    const LLVMTypeRef type = LLVMFunctionType(t, (LLVMTypeRef[]){t}, 1, false);
    const char *const name =
        qn__text(u, "__qn_opaque_%c%d", is_unsigned(v) ? 'u' : 'i', is_long ? 64 : 32);
    const char *const kept = qn__text(u, "%s", LLVMGetValueName2(v, &n));
    LLVMValueRef f = LLVMGetNamedFunction(u->module, name);
    if (!f)
        f = LLVMAddFunction(u->module, name, type);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(v));
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(v));
    const LLVMValueRef wide = LLVMBuildZExt(b, v, t, "");
    const LLVMValueRef call = LLVMBuildCall2(b, type, f, (LLVMValueRef[]){wide}, 1, "");
    const LLVMValueRef by = LLVMBuildTrunc(b, call, own, "");
    LLVMReplaceAllUsesWith(v, by);
    LLVMSetOperand(wide == v ? call : wide, 0, v);
    LLVMSetValueName2(v, "", 0);
    LLVMSetValueName2(by, kept, n);
    qn__explain(u, v, "an index whose mask LLVM 15 forgets: hidden from it");
}

/* Hides the parts of an index that are overlooked. */
static void hide_in(struct qn__unit *u, LLVMBuilderRef b, struct qn__map *seen, LLVMValueRef v)
{
    LLVMValueRef of;
    if (!(LLVMIsABinaryOperator(v) || is_cast(op_of(v)) || LLVMIsASelectInst(v)) ||
        qn__map_get(seen, v))
        return;
    qn__map_put(u, seen, v, v);
    const unsigned bits = cut(v, &of);
    if (bits && bits <= BITS_MAX && is_overlooked(u, of, bits)) {
        hide(u, b, v);
        return;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        hide_in(u, b, seen, LLVMGetOperand(v, i));
}

qn_status qn__quirk_masked_index(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    struct qn__map seen = {0};
    struct counter c;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in;
                 in = LLVMGetNextInstruction(in)) {
                if (is_counter(&c, in) && width_of(in) > BITS_MAX)
                    hide_in(u, b, &seen, c.next);
                for (unsigned i = 1;
                     LLVMIsAGetElementPtrInst(in) && i < (unsigned)LLVMGetNumOperands(in); i++)
                    hide_in(u, b, &seen, LLVMGetOperand(in, i));
            }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
