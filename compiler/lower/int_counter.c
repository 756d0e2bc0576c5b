/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers that flow around loops.
 *
 *     for (i = a; i < n; i += step)      a and more; and less than n + step after a step
 *     if (c) count++;                    as often as the loops around it run
 *
 * A loop is counted by one of its phis whose bound is known; of others it is taken that a work-item
 * does not run them 2^28 times. The step of a counter that its loop's own condition bounds is taken
 * not to overflow (docs/meaning.md). */
#include "compiler/lower/int_range.h"

#include "compiler/model/address_space.h"

enum { MOST_NODES = 24 };
#define ITERATIONS ((int64_t)1 << 28)

/* ---- a loop's counter ---- */

/* i + step or i - step, into the phi i itself: the step's operand, or NULL. */
static LLVMValueRef step_of(LLVMValueRef next, LLVMValueRef phi, bool *down)
{
    if (!LLVMIsABinaryOperator(next))
        return NULL;
    const LLVMOpcode op = LLVMGetInstructionOpcode(next);
    const LLVMValueRef a = LLVMGetOperand(next, 0), b = LLVMGetOperand(next, 1);
    *down = op == LLVMSub;
    if ((op == LLVMAdd || op == LLVMSub) && a == phi)
        return b;
    return op == LLVMAdd && b == phi ? a : NULL;
}

/* The phi that an add or sub steps, or NULL; *from: the index of the edge that it comes by. */
static LLVMValueRef stepped_phi(LLVMValueRef next, unsigned *from)
{
    bool down;
    for (unsigned k = 0; k < 2; k++) {
        const LLVMValueRef phi = LLVMGetOperand(next, k);
        if (!LLVMIsAPHINode(phi) || !step_of(next, phi, &down))
            continue;
        for (*from = 0; *from < LLVMCountIncoming(phi); ++*from)
            if (LLVMGetIncomingValue(phi, *from) == next)
                return phi;
    }
    return NULL;
}

/* Which blocks the loop with this header has, by their index; NULL: it is none. */
static const bool *loop_of(struct qn__int_facts *f, const struct qn__dom_block *header)
{
    bool *in = qn__map_get(&f->loops, header);
    if (in)
        return in;
    in = QN__NEED_ARRAY(f->u, bool, f->dominators.n);
    const struct qn__dom_block **work = NULL;
    uint32_t n = 0, capacity = 0;
    in[header->index] = true;
    for (uint32_t i = 0; i < header->n_preds; i++)
        if (qn__dom_dominates(header, header->preds[i]))
            QN__PUSH(f->u, work, n, capacity, header->preds[i]);
    while (n) {
        const struct qn__dom_block *const b = work[--n];
        if (in[b->index])
            continue;
        in[b->index] = true;
        for (uint32_t i = 0; i < b->n_preds; i++)
            QN__PUSH(f->u, work, n, capacity, b->preds[i]);
    }
    qn__map_put(f->u, &f->loops, header, in);
    return in;
}

/* Where a branch goes when its condition is `taken`: out of the loop? By way of a phi of && or ||,
 * too, whose block branches on it. */
static bool leaves(struct qn__int_facts *f, LLVMValueRef branch, bool taken, const bool *loop)
{
    const LLVMBasicBlockRef to = LLVMGetSuccessor(branch, !taken);
    const struct qn__dom_block *const at = qn__dom_of(&f->dominators, to);
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(to);
    if (!loop[at->index])
        return true;
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
        !LLVMIsAPHINode(LLVMGetCondition(end)))
        return false;
    const LLVMValueRef phi = LLVMGetCondition(end);
    for (unsigned i = 0; LLVMGetInstructionParent(phi) == to && i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef x = LLVMGetIncomingValue(phi, i);
        if (LLVMGetIncomingBlock(phi, i) != LLVMGetInstructionParent(branch) ||
            !LLVMIsAConstantInt(x))
            continue;
        const LLVMBasicBlockRef then = LLVMGetSuccessor(end, LLVMConstIntGetZExtValue(x) == 0);
        return !loop[qn__dom_of(&f->dominators, then)->index];
    }
    return false;
}

/* Of a condition that is made of `test`: is it true only if `test` is (1), false only if it is not
 * (0), or neither (-1)? */
static int implies(LLVMValueRef condition, LLVMValueRef test)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(condition);
    bool is_and = op == LLVMAnd, is_or = op == LLVMOr;
    if (op == LLVMSelect) {
        const LLVMValueRef yes = LLVMGetOperand(condition, 1), no = LLVMGetOperand(condition, 2);
        is_and = LLVMIsAConstantInt(no) && LLVMIsNull(no);
        is_or = LLVMIsAConstantInt(yes) && !LLVMIsNull(yes);
    } else if (op == LLVMPHI) {
        is_and = is_or = true;
        for (unsigned i = 0; i < LLVMCountIncoming(condition); i++) {
            const LLVMValueRef x = LLVMGetIncomingValue(condition, i);
            is_and &= x == test || (LLVMIsAConstantInt(x) && LLVMIsNull(x));
            is_or &= x == test || (LLVMIsAConstantInt(x) && !LLVMIsNull(x));
        }
    }
    return is_and ? 1 : is_or ? 0 : -1;
}

/* Does another iteration mean that `test` was true (1) or false (0)? -1: neither. */
static int stays_if(struct qn__int_facts *f, LLVMValueRef test, const bool *loop, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(test); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsABranchInst(user)) {
            const bool yes = leaves(f, user, true, loop), no = leaves(f, user, false, loop);
            if (yes != no)
                return no;
        } else if (depth &&
                   (LLVMIsASelectInst(user) || LLVMIsABinaryOperator(user) ||
                    LLVMIsAPHINode(user)) &&
                   LLVMTypeOf(user) == LLVMTypeOf(test)) {
            const int all = stays_if(f, user, loop, depth - 1);
            if (all >= 0 && all == implies(user, test))
                return all;
        }
    }
    return -1;
}

/* The operand with which each iteration of the phi's loop compares `v`, or NULL; for another
 * iteration `v *p operand` holds. */
static LLVMValueRef bound_by(struct qn__int_facts *f, LLVMValueRef v, LLVMValueRef phi,
                             LLVMIntPredicate *p)
{
    const struct qn__dom_block *const header =
        qn__dom_of(&f->dominators, LLVMGetInstructionParent(phi));
    const bool *const loop = header ? loop_of(f, header) : NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use && loop; use = LLVMGetNextUse(use)) {
        const LLVMValueRef test = LLVMGetUser(use);
        if (LLVMIsASExtInst(test) || LLVMIsAZExtInst(test)) {
            const LLVMValueRef other = bound_by(f, test, phi, p);
            if (other)
                return other;
        }
        if (!LLVMIsAICmpInst(test))
            continue;
        const struct qn__dom_block *const at =
            qn__dom_of(&f->dominators, LLVMGetInstructionParent(test));
        const int stays = at && loop[at->index] ? stays_if(f, test, loop, 2) : -1;
        bool always = stays >= 0;
        for (uint32_t i = 0; i < header->n_preds; i++)
            always &= !qn__dom_dominates(header, header->preds[i]) ||
                      qn__dom_dominates(at, header->preds[i]);
        if (!always)
            continue;
        *p = LLVMGetICmpPredicate(test);
        *p = stays ? *p : qn__predicate_inverse(*p);
        const bool first = LLVMGetOperand(test, 0) == v;
        *p = first ? *p : qn__predicate_swapped(*p);
        return LLVMGetOperand(test, first);
    }
    return NULL;
}

/* Is it the same in all iterations? */
static bool is_fixed(struct qn__int_facts *f, LLVMValueRef v, LLVMValueRef phi)
{
    if (!LLVMIsAInstruction(v))
        return true;
    unsigned axis;
    if (LLVMIsALoadInst(v) && qn__work_item(f->u, v, &axis))
        return true;
    const struct qn__dom_block *const header =
                                          qn__dom_of(&f->dominators, LLVMGetInstructionParent(phi)),
                                      *const at =
                                          qn__dom_of(&f->dominators, LLVMGetInstructionParent(v));
    if (!header || !at || !loop_of(f, header)[at->index])
        return true;
    if (LLVMIsACastInst(v) || LLVMIsABinaryOperator(v)) {
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
            if (!is_fixed(f, LLVMGetOperand(v, i), phi))
                return false;
        return true;
    }
    return false;
}

static bool is_growth(LLVMValueRef v)
{
    if (!LLVMIsABinaryOperator(v) || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return false;
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    const uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    return (op == LLVMMul && n >= 2 && n <= 64) || (op == LLVMShl && n >= 1 && n <= 6);
}

static int64_t growth(LLVMValueRef v)
{
    const uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    return LLVMGetInstructionOpcode(v) == LLVMMul ? (int64_t)n : (int64_t)1 << n;
}

/* Do steps that are `by` lead to where `phi p bound` fails? */
static bool leads_out(LLVMIntPredicate p, struct qn__int_range by)
{
    switch (p) {
    case LLVMIntEQ: return false;
    case LLVMIntNE: return by.low >= -1 && by.high <= 1;
    case LLVMIntSLT:
    case LLVMIntSLE:
    case LLVMIntULT:
    case LLVMIntULE: return by.high > 0;
    default: return by.low < 0;
    }
}

bool qn__is_bounded_step(struct qn__int_facts *f, LLVMValueRef operation)
{
    unsigned from;
    bool down = false;
    LLVMIntPredicate p;
    if (is_growth(operation) && LLVMIsAPHINode(LLVMGetOperand(operation, 0))) {
        const LLVMValueRef grown = LLVMGetOperand(operation, 0);
        return bound_by(f, grown, grown, &p) && leads_out(p, qn__range_make(1, 1));
    }
    const LLVMValueRef phi = stepped_phi(operation, &from);
    const LLVMValueRef step = phi ? step_of(operation, phi, &down) : NULL;
    if (!step || !is_fixed(f, step, phi))
        return false;
    LLVMValueRef bound = bound_by(f, phi, phi, &p);
    if (!bound)
        bound = bound_by(f, operation, phi, &p);
    if (!bound)
        return false;
    struct qn__int_range by =
        qn__range_at(f, step, false, LLVMGetInstructionParent(operation), QN__RANGE_DEPTH / 2);
    if (down) /* as a distance: no more than its direction counts */
        by = qn__range_make(by.high == INT64_MAX ? INT64_MIN : -by.high,
                            by.low == INT64_MIN ? INT64_MAX : -by.low);
    return leads_out(p, by);
}

static bool is_halving(LLVMValueRef v)
{
    if (!LLVMIsABinaryOperator(v) || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return false;
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    const uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    return ((op == LLVMLShr || op == LLVMAShr) && n >= 1) ||
           ((op == LLVMUDiv || op == LLVMSDiv) && n >= 2 && n <= INT32_MAX);
}

static int64_t digits(int64_t x)
{
    int64_t n = 0;
    for (; x > 0; x /= 2)
        n++;
    return n;
}

/* How often a loop runs that counts with `phi`, which goes from `start` to `next`, at most. */
static int64_t counted(struct qn__int_facts *f, LLVMValueRef phi, LLVMValueRef start,
                       LLVMValueRef next, int depth)
{
    bool down = false;
    LLVMIntPredicate p;
    const LLVMBasicBlockRef header = LLVMGetInstructionParent(phi);
    const LLVMValueRef step = step_of(next, phi, &down);
    const bool halves = is_halving(next) && LLVMGetOperand(next, 0) == phi,
               grows = is_growth(next) && LLVMGetOperand(next, 0) == phi;
    if (down || (!step && !halves && !grows))
        return ITERATIONS;
    LLVMValueRef end = bound_by(f, phi, phi, &p);
    end = end ? end : bound_by(f, next, phi, &p);
    if (!end || p == LLVMIntEQ)
        return ITERATIONS;
    const bool is_unsigned = p == LLVMIntULT || p == LLVMIntULE || p == LLVMIntUGT;
    const bool upwards = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntULT || p == LLVMIntULE;
    const struct qn__int_range a = qn__range_at(f, start, is_unsigned, header, depth - 1),
                               b = qn__range_at(f, end, is_unsigned, header, depth - 1);
    if (halves)
        return (p == LLVMIntSGT || p == LLVMIntUGT || p == LLVMIntNE) && b.low >= 0
                   ? digits(a.high) + 1
                   : ITERATIONS;
    if (b.high >= UINT32_MAX || !(upwards || (step && p == LLVMIntNE)))
        return ITERATIONS;
    if (grows)
        return a.low >= 1 ? digits(b.high) + 1 : ITERATIONS;
    const struct qn__int_range s = qn__range_at(f, step, is_unsigned, header, depth - 1);
    int64_t distance;
    if (s.low < 1 || (p == LLVMIntNE && s.high > 1) ||
        __builtin_sub_overflow(b.high, a.low, &distance) || distance < 0)
        return ITERATIONS;
    return distance / s.low + 2;
}

/* How often the loop with this header runs at most. */
static int64_t iterations(struct qn__int_facts *f, LLVMBasicBlockRef header, int depth)
{
    int64_t least = ITERATIONS;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        if (LLVMCountIncoming(phi) != 2 || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind)
            continue;
        for (unsigned i = 0; i < 2; i++) {
            const int64_t n = counted(f, phi, LLVMGetIncomingValue(phi, 1 - i),
                                      LLVMGetIncomingValue(phi, i), depth);
            least = n < least ? n : least;
        }
    }
    return least;
}

/* ---- all that flows into a phi ---- */

struct flow {
    LLVMValueRef nodes[MOST_NODES];
    unsigned n;
    struct qn__int_range from; /* of what comes from outside */
    bool is_empty, is_known;
    int64_t up, down; /* of all the sums in one iteration of the innermost loop, at most */
    int64_t factor;   /* of all the products */
    int64_t times;
};

static void take(struct flow *w, struct qn__int_range r)
{
    if (w->is_empty) {
        w->from = r;
    } else {
        w->from.low = r.low < w->from.low ? r.low : w->from.low;
        w->from.high = r.high > w->from.high ? r.high : w->from.high;
        w->from.zero |= r.zero;
        w->from.minus_one |= r.minus_one;
    }
    w->is_empty = false;
}

static bool is_node(LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v))
        return false;
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMPHI || op == LLVMSelect || op == LLVMAdd || op == LLVMSub || is_growth(v);
}

static void follow(struct flow *w, LLVMValueRef v)
{
    for (unsigned i = 0; i < w->n; i++)
        if (w->nodes[i] == v)
            return;
    if (w->n == MOST_NODES)
        w->is_known = false;
    else
        w->nodes[w->n++] = v;
}

/* A value that comes by an edge or as the arm of a choice. */
static void arrive(struct qn__int_facts *f, struct flow *w, LLVMValueRef v, bool is_unsigned,
                   LLVMBasicBlockRef at, int depth)
{
    if (is_node(v))
        follow(w, v);
    else
        take(w, qn__range_at(f, v, is_unsigned, at, depth - 1));
}

static void add_step(struct qn__int_facts *f, struct flow *w, LLVMValueRef in, bool is_unsigned,
                     int depth)
{
    const bool second = !is_node(LLVMGetOperand(in, 0)) &&
                        LLVMGetInstructionOpcode(in) == LLVMAdd && is_node(LLVMGetOperand(in, 1));
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(in);
    const struct qn__int_range by =
        qn__range_at(f, LLVMGetOperand(in, !second), is_unsigned, at, depth - 1);
    const bool minus = LLVMGetInstructionOpcode(in) == LLVMSub;
    arrive(f, w, LLVMGetOperand(in, second), is_unsigned, at, depth);
    if (by.low < -ITERATIONS || by.high > ITERATIONS) {
        w->is_known = false;
        return;
    }
    const int64_t up = minus ? -by.low : by.high, down = minus ? -by.high : by.low;
    w->up += up > 0 ? up : 0;
    w->down += down < 0 ? down : 0;
}

static void visit(struct qn__int_facts *f, struct flow *w, LLVMValueRef v, bool is_unsigned,
                  int depth)
{
    const LLVMBasicBlockRef bb = LLVMGetInstructionParent(v);
    if (LLVMIsASelectInst(v)) {
        arrive(f, w, LLVMGetOperand(v, 1), is_unsigned, bb, depth);
        arrive(f, w, LLVMGetOperand(v, 2), is_unsigned, bb, depth);
        return;
    }
    if (is_growth(v)) {
        w->factor *= growth(v);
        w->is_known &= w->factor <= ITERATIONS;
        arrive(f, w, LLVMGetOperand(v, 0), is_unsigned, bb, depth);
        return;
    }
    if (!LLVMIsAPHINode(v)) {
        add_step(f, w, v, is_unsigned, depth);
        return;
    }
    const struct qn__dom_block *const at = qn__dom_of(&f->dominators, bb);
    bool is_header = false;
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
        const LLVMBasicBlockRef from = LLVMGetIncomingBlock(v, i);
        const struct qn__dom_block *const edge = qn__dom_of(&f->dominators, from);
        is_header |= at && edge && qn__dom_dominates(at, edge);
        if (edge)
            arrive(f, w, LLVMGetIncomingValue(v, i), is_unsigned, from, depth);
    }
    if (is_header) {
        const int64_t n = iterations(f, bb, depth - 1);
        w->times = w->times > ITERATIONS / n ? ITERATIONS : w->times * n;
    }
}

/* A counter: no less than its start, and no more than its own bound allows. */
static struct qn__int_range kept(struct qn__int_facts *f, LLVMValueRef phi, struct qn__int_range r,
                                 const struct flow *w, bool is_unsigned)
{
    const struct qn__int_range all =
        qn__range_whole(LLVMGetIntTypeWidth(LLVMTypeOf(phi)), is_unsigned);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        bool down;
        const bool grows = is_growth(next) && LLVMGetOperand(next, 0) == phi && w->from.low >= 0;
        if ((!grows && !step_of(next, phi, &down)) || !qn__is_bounded_step(f, next))
            continue;
        if (w->down == 0 && (w->factor == 1 || grows) && w->from.low > r.low)
            r = (struct qn__int_range){w->from.low, all.high, w->from.low <= 0, w->from.low <= -1};
        else if (w->up == 0 && w->factor == 1 && w->from.high < r.high)
            r.high = w->from.high;
    }
    return r;
}

/* Looked at while the phi itself is taken to be in a range. */
static void open_phi(struct qn__int_facts *f, LLVMValueRef phi, struct qn__int_range range)
{
    f->open[f->n_open].phi = phi;
    f->open[f->n_open++].range = range;
}

/* All the products together. INT64_MAX: too large to matter. */
static int64_t power(int64_t factor, int64_t times)
{
    int64_t x = 1;
    for (; factor > 1 && times > 0; times--)
        if (times > 64 || __builtin_mul_overflow(x, factor, &x))
            return INT64_MAX;
    return x;
}

static struct qn__int_range by_sums(struct qn__int_facts *f, LLVMValueRef phi, bool is_unsigned,
                                    struct qn__int_range all, int depth)
{
    struct flow w = {
        .nodes = {phi}, .n = 1, .is_empty = true, .is_known = true, .factor = 1, .times = 1};
    for (unsigned i = 0; i < w.n && w.is_known; i++)
        visit(f, &w, w.nodes[i], is_unsigned, depth);
    if (!w.is_known || w.is_empty)
        return all;
    if (w.up == 0 && w.down == 0 && w.factor == 1)
        return w.from;
    int64_t low, high;
    const int64_t factor = power(w.factor, w.times);
    const bool wraps = w.up > INT64_MAX / ITERATIONS || -w.down > INT64_MAX / ITERATIONS ||
                       (factor > 1 && (w.from.low < 0 || w.down)) ||
                       __builtin_add_overflow(w.from.low, w.down * w.times, &low) ||
                       __builtin_add_overflow(w.from.high, w.up * w.times, &high) ||
                       __builtin_mul_overflow(high, factor, &high) || low < all.low ||
                       high > all.high;
    return kept(f, phi, wraps ? all : qn__range_make(low, high), &w, is_unsigned);
}

/* for (d = 1; d < 128; d *= 2), for (s = n; s > 0; s >>= 1): not negative, if it is not as long as
 * it was not in the iteration before. */
static struct qn__int_range by_induction(struct qn__int_facts *f, LLVMValueRef phi,
                                         struct qn__int_range all, int depth)
{
    struct qn__int_range r = qn__range_make(0, all.high);
    int64_t low = INT64_MAX, high = 0;
    open_phi(f, phi, r);
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && low >= 0; i++) {
        const struct qn__int_range x = qn__range_at(f, LLVMGetIncomingValue(phi, i), false,
                                                    LLVMGetIncomingBlock(phi, i), depth - 1);
        low = x.low < low ? x.low : low;
        high = x.high > high ? x.high : high;
    }
    f->n_open--;
    return low >= 0 ? qn__range_make(low, high) : all;
}

struct qn__int_range qn__range_of_phi(struct qn__int_facts *f, LLVMValueRef phi, bool is_unsigned,
                                      int depth)
{
    const struct qn__int_range all =
        qn__range_whole(LLVMGetIntTypeWidth(LLVMTypeOf(phi)), is_unsigned);
    for (unsigned i = f->n_open; i-- > 0;)
        if (f->open[i].phi == phi)
            return f->open[i].range.high <= all.high ? f->open[i].range : all;
    if (f->n_open + 1 >= sizeof f->open / sizeof *f->open)
        return all;
    open_phi(f, phi, all);
    const struct qn__int_range r = by_sums(f, phi, is_unsigned, all, depth);
    f->n_open--;
    if (is_unsigned || r.low >= 0)
        return r;
    const struct qn__int_range s = by_induction(f, phi, all, depth);
    return s.low >= 0 ? s : r;
}
