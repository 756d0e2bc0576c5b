/* SPDX-License-Identifier: Apache-2.0
 *
 * What conditions say about an integer:
 *
 *     if (d != 0) ... d ...                  not 0
 *     if (i < n) ... n ...                   more than the least that i can be
 *     if (i < w * h) ... h ...               i >= 0: the product is not 0, and so is no factor
 *     while (i < 10) ... i ...               at most 9
 *
 * A condition holds in all blocks that the edge from it dominates. */
#include "compiler/lower/int_range.h"

#include "base/str.h"

enum { MOST_CONDITIONS = 16, FACTORS = 6, MOST_FACTORS = 8 };

LLVMIntPredicate qn__predicate_inverse(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntEQ: return LLVMIntNE;
    case LLVMIntNE: return LLVMIntEQ;
    case LLVMIntUGT: return LLVMIntULE;
    case LLVMIntUGE: return LLVMIntULT;
    case LLVMIntULT: return LLVMIntUGE;
    case LLVMIntULE: return LLVMIntUGT;
    case LLVMIntSGT: return LLVMIntSLE;
    case LLVMIntSGE: return LLVMIntSLT;
    case LLVMIntSLT: return LLVMIntSGE;
    default: return LLVMIntSGT;
    }
}

LLVMIntPredicate qn__predicate_swapped(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntUGT: return LLVMIntULT;
    case LLVMIntUGE: return LLVMIntULE;
    case LLVMIntULT: return LLVMIntUGT;
    case LLVMIntULE: return LLVMIntUGE;
    case LLVMIntSGT: return LLVMIntSLT;
    case LLVMIntSGE: return LLVMIntSLE;
    case LLVMIntSLT: return LLVMIntSGT;
    case LLVMIntSLE: return LLVMIntSGE;
    default: return p;
    }
}

/* a < b ? a : b, as a call or a choice; *is_unsigned: of unsigned numbers. */
static bool is_least(LLVMValueRef v, LLVMValueRef both[2], bool *is_unsigned)
{
    size_t n;
    const LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    if (callee) {
        const char *const name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
        *is_unsigned = qn__starts_with(name, "llvm.umin.") || qn__starts_with(name, "__qn_min_u");
        both[0] = *name ? LLVMGetOperand(v, 0) : NULL;
        both[1] = *name ? LLVMGetOperand(v, 1) : NULL;
        return *is_unsigned || qn__starts_with(name, "llvm.smin.") ||
               qn__starts_with(name, "__qn_min_i");
    }
    if (!LLVMIsASelectInst(v) || !LLVMIsAICmpInst(LLVMGetOperand(v, 0)))
        return false;
    const LLVMValueRef test = LLVMGetOperand(v, 0);
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    both[0] = LLVMGetOperand(v, 1);
    both[1] = LLVMGetOperand(v, 2);
    if (LLVMGetOperand(test, 0) == both[1] && LLVMGetOperand(test, 1) == both[0])
        p = qn__predicate_swapped(p);
    else if (LLVMGetOperand(test, 0) != both[0] || LLVMGetOperand(test, 1) != both[1])
        return false;
    *is_unsigned = p == LLVMIntULT || p == LLVMIntULE;
    return *is_unsigned || p == LLVMIntSLT || p == LLVMIntSLE;
}

/* The factors of a product of products, as far as there is room: their number. */
static unsigned factors(LLVMValueRef v, LLVMValueRef *out, unsigned n)
{
    if (n < MOST_FACTORS && LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMMul)
        return factors(LLVMGetOperand(v, 1), out, factors(LLVMGetOperand(v, 0), out, n));
    if (n < MOST_FACTORS)
        out[n++] = v;
    return n;
}

/* b * (h * n), of (b * h) * n: is all of `part` in the product? If it were 0, modulo the type's
 * width, then the product were, too. */
static bool is_part(LLVMValueRef product, LLVMValueRef part)
{
    LLVMValueRef whole[MOST_FACTORS], wanted[MOST_FACTORS];
    if (LLVMTypeOf(product) != LLVMTypeOf(part))
        return false;
    const unsigned n = factors(product, whole, 0), k = factors(part, wanted, 0);
    if (k == MOST_FACTORS)
        return false;
    for (unsigned i = 0; i < k; i++) {
        unsigned at = 0;
        while (at < n && whole[at] != wanted[i])
            at++;
        if (at == n)
            return false;
        whole[at] = NULL;
    }
    return true;
}

/* Is the value v itself seen with another width, or a product with it as a factor, or the least of
 * such, so that it is not 0 unless `v` is? `above`: it is known to be more than 0 as signed, too.
 */
static bool has_factor(LLVMValueRef product, LLVMValueRef v, bool above, int depth)
{
    LLVMValueRef both[2];
    bool is_unsigned;
    if (product == v)
        return true;
    if (depth == 0 || !LLVMIsAInstruction(product))
        return false;
    switch (LLVMGetInstructionOpcode(product)) {
    case LLVMMul:
        return is_part(product, v) || has_factor(LLVMGetOperand(product, 0), v, false, depth - 1) ||
               has_factor(LLVMGetOperand(product, 1), v, false, depth - 1);
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMShl: return has_factor(LLVMGetOperand(product, 0), v, false, depth - 1);
    case LLVMCall:
    case LLVMSelect:
        return is_least(product, both, &is_unsigned) && (is_unsigned || above) &&
               (has_factor(both[0], v, above, depth - 1) ||
                has_factor(both[1], v, above, depth - 1));
    default: return false;
    }
}

static bool is_unsigned_order(LLVMIntPredicate p)
{
    return p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntULT || p == LLVMIntULE;
}

static int64_t more(int64_t x)
{
    return x < INT64_MAX ? x + 1 : x;
}

static int64_t less(int64_t x)
{
    return x > INT64_MIN ? x - 1 : x;
}

static struct qn__int_range without(struct qn__int_range r, int64_t c)
{
    r.low = r.low == c ? more(r.low) : r.low;
    r.high = r.high == c ? less(r.high) : r.high;
    r.zero &= c != 0;
    r.minus_one &= c != -1;
    return r;
}

/* How a predicate bounds its first operand. */
struct order {
    bool above, below, strict, is_unsigned;
};

static struct order order_of(LLVMIntPredicate p)
{
    struct order o = {.is_unsigned = is_unsigned_order(p)};
    o.above = p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE;
    o.below = !o.above && p != LLVMIntEQ && p != LLVMIntNE;
    o.strict = p == LLVMIntUGT || p == LLVMIntULT || p == LLVMIntSGT || p == LLVMIntSLT;
    return o;
}

/* A comparison of the other sign than the range is asked for. */
static struct qn__int_range ordered_otherwise(struct qn__int_range r, unsigned bits, struct order o,
                                              struct qn__int_range with)
{
    const int64_t top = qn__range_whole(bits, false).high;
    if (o.is_unsigned && o.above && (o.strict || with.low > 0))
        r.zero = false;
    if (o.is_unsigned && o.below && with.high <= top && with.high < INT64_MAX) {
        r.low = r.low < 0 ? 0 : r.low; /* else it would be a large one */
        r.high = with.high - o.strict < r.high ? with.high - o.strict : r.high;
    }
    if (!o.is_unsigned && o.above && with.low + o.strict >= 0) {
        r.low = with.low + o.strict > r.low ? with.low + o.strict : r.low;
        r.high = r.high > top ? top : r.high;
    }
    return r;
}

/* `r`, of which `v p with` is known. */
static struct qn__int_range ordered(struct qn__int_range r, LLVMIntPredicate p,
                                    struct qn__int_range with)
{
    struct order o = order_of(p);
    if (p == LLVMIntNE)
        return with.low == with.high ? without(r, with.low) : r;
    if (p == LLVMIntEQ) {
        o.above = o.below = true;
        r.zero &= with.zero;
        r.minus_one &= with.minus_one;
    }
    if (o.above && with.low >= r.low)
        r.low = o.strict ? more(with.low) : with.low;
    if (o.below && with.high <= r.high)
        r.high = o.strict ? less(with.high) : with.high;
    return r;
}

/* Does `product p with` say that no factor is 0? */
static bool excludes_zero(LLVMIntPredicate p, struct qn__int_range with)
{
    switch (p) {
    case LLVMIntNE: return with.low == 0 && with.high == 0;
    case LLVMIntEQ: return !with.zero;
    case LLVMIntUGT: return true;
    case LLVMIntSGT: return with.low >= 0;
    case LLVMIntUGE:
    case LLVMIntSGE: return with.low > 0;
    case LLVMIntSLT: return with.high <= 0;
    case LLVMIntSLE: return with.high < 0;
    default: return false;
    }
}

static struct qn__int_range compared(struct qn__int_facts *f, struct qn__int_range r,
                                     LLVMValueRef v, bool is_unsigned, LLVMValueRef test,
                                     bool taken, int depth)
{
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    p = taken ? p : qn__predicate_inverse(p);
    for (unsigned i = 0; i < 2; i++, p = qn__predicate_swapped(p)) {
        const LLVMValueRef a = LLVMGetOperand(test, i), b = LLVMGetOperand(test, 1 - i);
        const bool above = p == LLVMIntSGT || p == LLVMIntSGE;
        if (!has_factor(a, v, above, FACTORS) ||
            LLVMGetTypeKind(LLVMTypeOf(b)) != LLVMIntegerTypeKind ||
            LLVMGetIntTypeWidth(LLVMTypeOf(b)) > 64)
            continue;
        const bool as_unsigned =
            is_unsigned_order(p) || (is_unsigned && (p == LLVMIntEQ || p == LLVMIntNE));
        const struct qn__int_range with =
            qn__range_at(f, b, as_unsigned, LLVMGetInstructionParent(test), depth - 1);
        const bool wider = a != v && LLVMGetOperand(a, 0) == v &&
                           (is_unsigned ? LLVMIsAZExtInst(a) : LLVMIsASExtInst(a));
        const bool order = p != LLVMIntEQ && p != LLVMIntNE;
        if (a == v && order && is_unsigned_order(p) != is_unsigned)
            r = ordered_otherwise(r, LLVMGetIntTypeWidth(LLVMTypeOf(v)), order_of(p), with);
        else if (a == v || (wider && (is_unsigned || !is_unsigned_order(p))))
            r = ordered(r, p, with);
        else if (excludes_zero(p, with))
            r.zero = false;
    }
    return r;
}

/* a && b before its blocks are one: the only edge by which the phi can be `taken`, or -1. */
static int only_edge(LLVMValueRef phi, bool taken)
{
    int only = -1;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef x = LLVMGetIncomingValue(phi, i);
        if (LLVMIsAConstantInt(x) && (LLVMConstIntGetZExtValue(x) != 0) != taken)
            continue;
        if (only >= 0)
            return -1;
        only = (int)i;
    }
    return only;
}

struct qn__int_range qn__range_where(struct qn__int_facts *f, struct qn__int_range r,
                                     LLVMValueRef v, bool is_unsigned, LLVMValueRef test,
                                     bool taken, int depth)
{
    if (depth <= 0 || !LLVMIsAInstruction(test))
        return r;
    const LLVMOpcode op = LLVMGetInstructionOpcode(test);
    if (op == LLVMICmp)
        return compared(f, r, v, is_unsigned, test, taken, depth);
    if (op == LLVMPHI) {
        const int edge = only_edge(test, taken);
        if (edge < 0)
            return r;
        r = qn__range_where(f, r, v, is_unsigned, LLVMGetIncomingValue(test, (unsigned)edge), taken,
                            depth - 1);
        return qn__range_on_path(f, r, v, is_unsigned, LLVMGetIncomingBlock(test, (unsigned)edge),
                                 depth - 1);
    }
    if (op != LLVMXor && op != LLVMAnd && op != LLVMOr && op != LLVMSelect)
        return r;
    const LLVMValueRef a = LLVMGetOperand(test, 0), b = LLVMGetOperand(test, 1);
    if (op == LLVMXor)
        return LLVMIsAConstantInt(b) && LLVMConstIntGetZExtValue(b)
                   ? qn__range_where(f, r, v, is_unsigned, a, !taken, depth - 1)
                   : r;
    LLVMValueRef other = NULL; /* both had that result */
    if (op == (taken ? LLVMAnd : LLVMOr))
        other = b;
    else if (op == LLVMSelect && taken && LLVMIsNull(LLVMGetOperand(test, 2)))
        other = b;
    else if (op == LLVMSelect && !taken && LLVMIsAConstantInt(b) && !LLVMIsNull(b))
        other = LLVMGetOperand(test, 2);
    if (!other)
        return r;
    r = qn__range_where(f, r, v, is_unsigned, a, taken, depth - 1);
    return qn__range_where(f, r, v, is_unsigned, other, taken, depth - 1);
}

/* Does control come to `to` from its dominator by this edge alone, or from blocks that `to`
 * dominates, a loop's? */
static bool is_only_way(const struct qn__dom_block *from, const struct qn__dom_block *to)
{
    unsigned edges = 0;
    for (uint32_t i = 0; i < to->n_preds; i++) {
        edges += to->preds[i] == from;
        if (to->preds[i] != from && !qn__dom_dominates(to, to->preds[i]))
            return false;
    }
    return edges == 1;
}

struct qn__int_range qn__range_on_path(struct qn__int_facts *f, struct qn__int_range r,
                                       LLVMValueRef v, bool is_unsigned, LLVMBasicBlockRef block,
                                       int depth)
{
    const struct qn__dom_block *at = qn__dom_of(&f->dominators, block);
    for (int i = 0; at && at->index && i < MOST_CONDITIONS; i++, at = at->idom) {
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(at->idom->llvm);
        if (LLVMIsABranchInst(end) && LLVMIsConditional(end) && is_only_way(at->idom, at))
            r = qn__range_where(f, r, v, is_unsigned, LLVMGetCondition(end),
                                LLVMGetSuccessor(end, 0) == at->llvm, depth);
        if (LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == at->idom->llvm)
            break;
    }
    return r;
}
