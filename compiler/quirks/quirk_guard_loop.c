/* SPDX-License-Identifier: Apache-2.0
 *
 * Workaround for PoCL 3.1 (README.md): loops that it wrongly runs in lockstep, and variables that
 * it wrongly keeps once for the whole group. In a kernel with a barrier,
 *
 *     for (int i = 0; i < 4; i++) {            a work-item that broke out runs on with the others
 *         for (int k = 0; k < 3; k++) ...
 *         if (x > limit) break;
 *     }
 *     for (int j = 0; j < x; j++) r = j;       every work-item has the last one's r
 *     if (n == 0 || x[id] > 3) r = n;          the same
 *
 * PoCL does neither under a divergent condition. So such a loop or statement gets one that is
 * always true, which costs nothing:
 *
 *     if (get_local_id(0) < get_local_size(0)) for (...) ...
 *
 * What PoCL or LLVM does                                        What is asked here
 * ------------------------------------------------------------  ---------------------------------
 * PoCL puts a barrier into a loop that it takes to run equally  contains_lockstep_loop
 * often for all work-items that come to it; it does not ask
 * whether some have left a loop around it
 * it puts none under a divergent condition                      is_under_divergent_condition
 * a loop's own first test is such a condition,                  first_test_diverges
 * unless LLVM sees that it holds                                may_fail_at_first
 * LLVM drops a test of a flag that is still true                is_still_set
 * PoCL takes a variable for uniform when what it is set to is   is_taken_for_uniform
 * uniform, however often, and keeps one for the group where it  sets_taken_for_uniform
 * lives across a barrier                                        is_followed_by_barrier
 * an element of an array is one, where LLVM sees all indices    stores_taken_for_uniform
 * it does so as well where a uniform and a divergent branch     is_reached_by_both
 * lead to the same place
 */
#include "compiler/core/diagnose.h"
#include "compiler/model/builtins.h"
#include "compiler/passes.h"
#include "compiler/stmt/divergence.h"
#include "compiler/stmt/stmt.h"

enum { DEPTH_MAX = 6 };

/* The value of a loop's variable in the first iteration; anything else itself. */
static LLVMValueRef first_value(struct qn__function *f, LLVMValueRef v)
{
    const struct qn__block *const head =
        LLVMIsAPHINode(v) ? qn__block_of(f, LLVMGetInstructionParent(v)) : NULL;
    for (unsigned i = 0; head && head->is_header && i < LLVMCountIncoming(v); i++) {
        const struct qn__block *const from = qn__block_of(f, LLVMGetIncomingBlock(v, i));
        if (from && !qn__in_loop(head->loop, from))
            return LLVMGetIncomingValue(v, i);
    }
    return v;
}

static bool is_sum(LLVMValueRef v)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMAdd || op == LLVMSub || op == LLVMMul;
}

/* Does LLVM know nothing of it but its type? It knows no more of sums with it. */
static bool is_unknown(struct qn__function *f, LLVMValueRef v, int depth)
{
    v = first_value(f, v);
    if (LLVMIsAArgument(v) || LLVMIsALoadInst(v))
        return true;
    if (depth == 0 || !LLVMIsAInstruction(v))
        return false;
    if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v))
        return is_unknown(f, LLVMGetOperand(v, 0), depth - 1);
    return is_sum(v) && (is_unknown(f, LLVMGetOperand(v, 0), depth - 1) ||
                         is_unknown(f, LLVMGetOperand(v, 1), depth - 1));
}

/* May LLVM know that it is not zero? x | 1, and maybe x + 1. */
static bool may_be_known_nonzero(struct qn__function *f, LLVMValueRef v, int depth)
{
    v = first_value(f, v);
    if (LLVMIsAConstantInt(v))
        return LLVMConstIntGetZExtValue(v) != 0;
    if (!LLVMIsAInstruction(v) || LLVMIsALoadInst(v))
        return false;
    if (depth == 0)
        return true;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMShl: return may_be_known_nonzero(f, LLVMGetOperand(v, 0), depth - 1);
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
        return may_be_known_nonzero(f, LLVMGetOperand(v, 0), depth - 1) ||
               may_be_known_nonzero(f, LLVMGetOperand(v, 1), depth - 1);
    case LLVMMul:
        return may_be_known_nonzero(f, LLVMGetOperand(v, 0), depth - 1) &&
               may_be_known_nonzero(f, LLVMGetOperand(v, 1), depth - 1);
    case LLVMCall:
        return !qn__is_min_max(v) || may_be_known_nonzero(f, LLVMGetOperand(v, 0), depth - 1) ||
               may_be_known_nonzero(f, LLVMGetOperand(v, 1), depth - 1);
    case LLVMSelect:
        return may_be_known_nonzero(f, LLVMGetOperand(v, 1), depth - 1) ||
               may_be_known_nonzero(f, LLVMGetOperand(v, 2), depth - 1);
    case LLVMAnd:
    case LLVMLShr:
    case LLVMUDiv:
    case LLVMURem: return false;
    default: return true;
    }
}

static bool may_differ_at_first(struct qn__function *f, LLVMValueRef a, LLVMValueRef b)
{
    return is_unknown(f, a, DEPTH_MAX) || is_unknown(f, b, DEPTH_MAX) ||
           !(may_be_known_nonzero(f, a, DEPTH_MAX) || may_be_known_nonzero(f, b, DEPTH_MAX));
}

/* May a test fail the first time, as far as LLVM sees? (x & 1) + 1 > 0 may not. */
static bool may_fail_at_first(struct qn__function *f, LLVMValueRef test, int depth)
{
    if (depth == 0 || !LLVMIsAInstruction(test))
        return false;
    if (LLVMIsAICmpInst(test) &&
        (LLVMGetICmpPredicate(test) == LLVMIntULE || LLVMGetICmpPredicate(test) == LLVMIntUGE))
        return false; /* 0u <= n */
    if (LLVMIsAICmpInst(test) || LLVMIsAFCmpInst(test))
        return may_differ_at_first(f, LLVMGetOperand(test, 0), LLVMGetOperand(test, 1));
    const LLVMOpcode op = LLVMGetInstructionOpcode(test);
    if (op != LLVMAnd && op != LLVMOr && op != LLVMXor && op != LLVMSelect)
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(test); i++)
        if (may_fail_at_first(f, LLVMGetOperand(test, i), depth - 1))
            return true;
    return false;
}

static bool assigns_in(struct qn__stmt *top, const struct qn__var *v)
{
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top))
        if (qn__assigns(s, v) || qn__assigns(s->init, v) || qn__assigns(s->step, v))
            return true;
    return false;
}

static bool is_uniform_or_assigned(void *user, const struct qn__var *v)
{
    return !v->divergent || assigns_in(user, v);
}

/* Does it mention a divergent variable that nothing in `top` sets? */
static bool mentions_divergent(const struct qn__node *value, struct qn__stmt *top)
{
    return !qn__node_each_var(value, is_uniform_or_assigned, top);
}

/* Does the test diverge before the first iteration, as far as LLVM sees? */
static bool first_test_diverges(struct qn__function *f, struct qn__stmt *loop)
{
    if ((loop->form != QN__WHILE && loop->form != QN__FOR) || !loop->where ||
        !LLVMIsABranchInst(loop->where) || !LLVMIsConditional(loop->where) ||
        !may_fail_at_first(f, LLVMGetCondition(loop->where), DEPTH_MAX))
        return false;
    return loop->value->traits & QN__VARIES ||
           (loop->init && qn__is_divergent(loop->init->value)) ||
           mentions_divergent(loop->value, loop);
}

/* Has nothing cleared the flag of this guard so far? */
static bool is_still_set(const struct qn__function *f, const struct qn__stmt *guard)
{
    for (struct qn__stmt *s = f->body; s && s != guard; s = qn__walk_next(s, f->body))
        if (s->kind == QN__ASSIGN && !qn__node_is_truth(s->value, true) &&
            qn__node_is_var(guard->value, s->var))
            return false;
    return true;
}

/* Is there a divergent condition around `s`, inside `top`? */
static bool is_under_divergent_condition(struct qn__function *f, struct qn__stmt *s,
                                         const struct qn__stmt *top)
{
    for (s = s->parent; s && s != top; s = s->parent)
        if (((s->kind == QN__IF || s->kind == QN__SWITCH) && qn__is_divergent(s->value) &&
             !(s->is_guard && is_still_set(f, s))) ||
            (s->kind == QN__LOOP && first_test_diverges(f, s)))
            return true;
    return false;
}

/* Is there a loop inside that may run equally often for all work-items that come to it? */
static bool contains_lockstep_loop(struct qn__function *f, const struct qn__stmt *loop)
{
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body))
        if (s->kind == QN__LOOP && !first_test_diverges(f, s) &&
            !is_under_divergent_condition(f, s, loop))
            return true;
    return false;
}

/* ---- variables that are set in a loop and read after it ---- */

struct counter {
    uint32_t *uses; /* per variable */
    uint32_t by;
};

static bool count_var(void *user, const struct qn__var *v)
{
    const struct counter *const c = user;
    c->uses[v->id] += c->by;
    return true;
}

static void count(struct counter *c, const struct qn__stmt *s)
{
    if (!s)
        return;
    if (s->var)
        count_var(c, s->var);
    qn__node_each_var(s->value, count_var, c);
    count(c, s->init);
    count(c, s->step);
}

static void count_all(uint32_t *uses, struct qn__stmt *top, int by)
{
    struct counter c = {uses, (uint32_t)by};
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top))
        count(&c, s);
}

/* Is it set to something that looks uniform, unless one sees how often? */
static bool is_taken_for_uniform(const struct qn__stmt *set, struct qn__stmt *top)
{
    return !(set->value->traits & QN__VARIES) && !set->update &&
           !qn__node_mentions(set->value, set->var) && !mentions_divergent(set->value, top);
}

/* The same of a constant element of a private array, or a member, which LLVM makes a variable. */
static bool stores_taken_for_uniform(const struct qn__stmt *s, struct qn__stmt *top,
                                     const uint32_t *uses)
{
    if (s->kind != QN__EFFECT || s->value->op != QN__OP_ASSIGN)
        return false;
    const struct qn__node *to = s->value->operands[0], *const value = s->value->operands[1];
    while ((to->op == QN__OP_SUBSCRIPT && to->operands[1]->op == QN__OP_NUMBER) ||
           to->op == QN__OP_MEMBER)
        to = to->operands[0];
    return to->op == QN__OP_VARIABLE && to->var->is_memory && !to->var->is_shared &&
           uses[to->var->id] && !(value->traits & QN__VARIES) &&
           !qn__node_mentions(value, to->var) && !mentions_divergent(value, top);
}

/* Does it set a variable that is read elsewhere to what looks uniform? */
static bool sets_taken_for_uniform(struct qn__stmt *top, uint32_t *uses)
{
    bool any = false;
    count_all(uses, top, -1);
    for (struct qn__stmt *s = top; s && !any; s = qn__walk_next(s, top))
        any = (s->kind == QN__ASSIGN && uses[s->var->id] &&
               (s == top || is_taken_for_uniform(s, top))) ||
              stores_taken_for_uniform(s, top, uses);
    count_all(uses, top, 1);
    return any;
}

/* Does a barrier follow, also in the next iteration of a loop around it? */
static bool is_followed_by_barrier(const struct qn__stmt *s)
{
    for (; s; s = s->parent) {
        if (s->kind == QN__LOOP && qn__has_barrier(s->body))
            return true;
        for (struct qn__stmt *next = s->next; next; next = next->next)
            if (qn__has_barrier(next))
                return true;
    }
    return false;
}

/* The parts of a condition that && and || join: is one divergent, is one uniform? */
struct parts {
    bool is_divergent; /* the part at hand */
    bool any_divergent, any_uniform;
};

static void end_part(struct parts *p)
{
    p->any_divergent |= p->is_divergent;
    p->any_uniform |= !p->is_divergent;
    p->is_divergent = false;
}

static void look_at_parts(struct parts *p, const struct qn__node *n)
{
    p->is_divergent |= (n->op == QN__OP_VARIABLE && n->var->divergent) ||
                       (n->op == QN__OP_WORK_ITEM && n->traits & QN__NAMES_WORK_ITEM);
    for (uint32_t i = 0; i < n->n; i++) {
        look_at_parts(p, n->operands[i]);
        if (i == 0 && (n->op == QN__OP_LOGICAL_AND || n->op == QN__OP_LOGICAL_OR))
            end_part(p);
    }
}

/* Does a condition have both a uniform and a divergent part? */
static bool has_both_parts(const struct qn__node *value)
{
    struct parts p = {0};
    look_at_parts(&p, value);
    end_part(&p);
    return p.any_divergent && p.any_uniform;
}

/* Can both a uniform and a divergent branch reach it? */
static bool is_reached_by_both(struct qn__stmt *top)
{
    if (top->kind == QN__IF || (top->kind == QN__ASSIGN && top->value->traits & QN__CHOOSES))
        return has_both_parts(top->value);
    if (top->kind != QN__BLOCK || !top->leaves)
        return false;
    for (struct qn__stmt *s = top->body; s; s = qn__walk_next(s, top->body))
        if (s->kind == QN__IF && (!qn__is_divergent(s->value) || has_both_parts(s->value)))
            return true;
    return false;
}

static void guard(struct qn__function *f, struct qn__stmt *s)
{
    struct qn__unit *const u = f->u;
    struct qn__stmt *const when = qn__stmt_new(f, QN__IF);
    const struct qn__node *const id = qn__node_work_item(u, QN__LOCAL_ID, 0),
                                 *const size = qn__node_work_item(u, QN__LOCAL_SIZE, 0);
    when->value = qn__node_binary(u, QN__OP_LESS, qn__type_bool(u), id, size);
    when->negated = qn__node_not(u, when->value);
    when->remark = "always";
    qn__insert_before(s, when);
    qn__remove(s);
    qn__append(when->body, s);
    qn__explain(u, s->where, "under a condition that is always true, for PoCL");
}

static bool needs_guard(struct qn__function *f, struct qn__stmt *s, uint32_t *uses)
{
    if (s->kind == QN__LOOP ? !s->divergent.iterations
                            : !is_reached_by_both(s) || qn__has_barrier(s))
        return false;
    if (is_under_divergent_condition(f, s, NULL))
        return false;
    if (s->kind == QN__LOOP && !first_test_diverges(f, s) && contains_lockstep_loop(f, s))
        return true;
    return is_followed_by_barrier(s) && sets_taken_for_uniform(s, uses);
}

void qn__quirk_guard_loop(struct qn__function *f)
{
    uint32_t *const uses = QN__NEED_ARRAY(f->u, uint32_t, f->n_vars);
    count_all(uses, f->body, 1);
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (needs_guard(f, s, uses))
            guard(f, s);
}
