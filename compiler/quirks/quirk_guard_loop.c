/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops that PoCL runs in step where it must not. In a kernel with a barrier, PoCL 3.1 takes a loop
 * of as many turns for each work-item and puts a barrier of its own into it. It asks whether all of
 * them come to the loop, but not whether some have left a loop around it by then:
 *
 *     for (int i = 0; i < 4; i++) {            who has left turns on with the others
 *         for (int k = 0; k < 3; k++) ...
 *         if (x > limit) break;
 *     }
 *
 * Under a condition that differs between work-items it puts none. So such a loop gets one that is
 * always true, which costs nothing:
 *
 *     if (get_local_id(0) < get_local_size(0)) for (...) ...
 *
 * A loop needs none where its own test, the first time, is a condition that differs, unless LLVM
 * sees that it holds.
 *
 * The same condition mends a loop that sets a variable to what every work-item would set, as in
 * `for (int j = 0; j < n; j++) r = j;` before a barrier: PoCL takes r for the same in the whole
 * group, and all had the last one's. It does so behind a decision of the group and one of each
 * work-item that lead to the same place, too: `if (n == 0 || x[id] > 3) r = n;`. */
#include "compiler/core/diagnose.h"
#include "compiler/model/builtins.h"
#include "compiler/passes.h"
#include "compiler/stmt/divergence.h"
#include "compiler/stmt/stmt.h"

enum { DEPTH_MAX = 6 };

/* What a variable of a loop begins with; anything else itself. */
static LLVMValueRef beginning(struct qn__function *f, LLVMValueRef v)
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

/* Is nothing known of it but its type? Sums with such a value are no better known. */
static bool is_open(struct qn__function *f, LLVMValueRef v, int depth)
{
    v = beginning(f, v);
    if (LLVMIsAArgument(v) || LLVMIsALoadInst(v))
        return true;
    if (depth == 0 || !LLVMIsAInstruction(v))
        return false;
    if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v))
        return is_open(f, LLVMGetOperand(v, 0), depth - 1);
    return is_sum(v) && (is_open(f, LLVMGetOperand(v, 0), depth - 1) ||
                         is_open(f, LLVMGetOperand(v, 1), depth - 1));
}

/* May it be known not to be zero? x | 1, and x + 1 or not. */
static bool is_raised(struct qn__function *f, LLVMValueRef v, int depth)
{
    v = beginning(f, v);
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
    case LLVMShl: return is_raised(f, LLVMGetOperand(v, 0), depth - 1);
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
        return is_raised(f, LLVMGetOperand(v, 0), depth - 1) ||
               is_raised(f, LLVMGetOperand(v, 1), depth - 1);
    case LLVMMul:
        return is_raised(f, LLVMGetOperand(v, 0), depth - 1) &&
               is_raised(f, LLVMGetOperand(v, 1), depth - 1);
    case LLVMCall:
        return !qn__is_min_max(v) || is_raised(f, LLVMGetOperand(v, 0), depth - 1) ||
               is_raised(f, LLVMGetOperand(v, 1), depth - 1);
    case LLVMSelect:
        return is_raised(f, LLVMGetOperand(v, 1), depth - 1) ||
               is_raised(f, LLVMGetOperand(v, 2), depth - 1);
    case LLVMAnd:
    case LLVMLShr:
    case LLVMUDiv:
    case LLVMURem: return false;
    default: return true;
    }
}

static bool is_open_pair(struct qn__function *f, LLVMValueRef a, LLVMValueRef b)
{
    return is_open(f, a, DEPTH_MAX) || is_open(f, b, DEPTH_MAX) ||
           !(is_raised(f, a, DEPTH_MAX) || is_raised(f, b, DEPTH_MAX));
}

/* May a test fail the first time, as far as a compiler sees? (x & 1) + 1 > 0 may not. */
static bool is_open_test(struct qn__function *f, LLVMValueRef test, int depth)
{
    if (depth == 0 || !LLVMIsAInstruction(test))
        return false;
    if (LLVMIsAICmpInst(test) &&
        (LLVMGetICmpPredicate(test) == LLVMIntULE || LLVMGetICmpPredicate(test) == LLVMIntUGE))
        return false; /* 0u <= n */
    if (LLVMIsAICmpInst(test) || LLVMIsAFCmpInst(test))
        return is_open_pair(f, LLVMGetOperand(test, 0), LLVMGetOperand(test, 1));
    const LLVMOpcode op = LLVMGetInstructionOpcode(test);
    if (op != LLVMAnd && op != LLVMOr && op != LLVMXor && op != LLVMSelect)
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(test); i++)
        if (is_open_test(f, LLVMGetOperand(test, i), depth - 1))
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

/* Does it mention a variable that differs between work-items and that nothing in here sets? */
static bool differs_before(const struct qn__node *value, struct qn__stmt *top)
{
    return !qn__node_each_var(value, is_uniform_or_assigned, top);
}

/* Does the test differ between work-items before the first turn, as far as a compiler sees? */
static bool starts_apart(struct qn__function *f, struct qn__stmt *loop)
{
    if ((loop->form != QN__WHILE && loop->form != QN__FOR) || !loop->where ||
        !LLVMIsABranchInst(loop->where) || !LLVMIsConditional(loop->where) ||
        !is_open_test(f, LLVMGetCondition(loop->where), DEPTH_MAX))
        return false;
    return loop->value->traits & QN__VARIES ||
           (loop->init && qn__is_divergent(loop->init->value)) || differs_before(loop->value, loop);
}

/* Is it under a flag that nothing has cleared so far? LLVM drops that one. */
static bool is_still_true(const struct qn__function *f, const struct qn__stmt *guard)
{
    for (struct qn__stmt *s = f->body; s && s != guard; s = qn__walk_next(s, f->body))
        if (s->kind == QN__ASSIGN && !qn__node_is_truth(s->value, true) &&
            qn__node_is_var(guard->value, s->var))
            return false;
    return true;
}

/* Is there a condition around `s`, inside `top`, that differs between work-items? */
static bool is_apart(struct qn__function *f, struct qn__stmt *s, const struct qn__stmt *top)
{
    for (s = s->parent; s && s != top; s = s->parent)
        if (((s->kind == QN__IF || s->kind == QN__SWITCH) && qn__is_divergent(s->value) &&
             !(s->is_guard && is_still_true(f, s))) ||
            (s->kind == QN__LOOP && starts_apart(f, s)))
            return true;
    return false;
}

/* Is there a loop inside that all who come to it may turn equally often? */
static bool holds_a_loop_in_step(struct qn__function *f, const struct qn__stmt *loop)
{
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body))
        if (s->kind == QN__LOOP && !starts_apart(f, s) && !is_apart(f, s, loop))
            return true;
    return false;
}

/* ---- Variables set in a loop and read behind it ---- */

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

/* Is it something that PoCL takes for the same in the whole group? */
static bool is_alike(const struct qn__stmt *set, struct qn__stmt *top)
{
    return !(set->value->traits & QN__VARIES) && !set->update &&
           !qn__node_mentions(set->value, set->var) && !differs_before(set->value, top);
}

/* Does it set a variable that is read elsewhere to what every work-item would set? */
static bool sets_alike(struct qn__stmt *top, uint32_t *uses)
{
    bool any = false;
    count_all(uses, top, -1);
    for (struct qn__stmt *s = top; s && !any; s = qn__walk_next(s, top))
        any = s->kind == QN__ASSIGN && uses[s->var->id] && (s == top || is_alike(s, top));
    count_all(uses, top, 1);
    return any;
}

/* Does a barrier follow, also in the next turn of a loop around? */
static bool before_barrier(const struct qn__stmt *s)
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

/* Of the parts that && and || join in a value. */
struct parts {
    bool differs;                  /* the part at hand */
    bool some_differ, some_do_not; /* those before */
};

static void end_part(struct parts *p)
{
    p->some_differ |= p->differs;
    p->some_do_not |= !p->differs;
    p->differs = false;
}

static void look_at_parts(struct parts *p, const struct qn__node *n)
{
    p->differs |= (n->op == QN__OP_VARIABLE && n->var->divergent) ||
                  (n->op == QN__OP_WORK_ITEM && n->traits & QN__NAMES_WORK_ITEM);
    for (uint32_t i = 0; i < n->n; i++) {
        look_at_parts(p, n->operands[i]);
        if (i == 0 && (n->op == QN__OP_LOGICAL_AND || n->op == QN__OP_LOGICAL_OR))
            end_part(p);
    }
}

/* Has a condition of several parts some that differ between work-items and some that do not? */
static bool is_mixed(const struct qn__node *value)
{
    struct parts p = {0};
    look_at_parts(&p, value);
    end_part(&p);
    return p.some_differ && p.some_do_not;
}

/* Can it be come to by a decision of the group and by one of each work-item? */
static bool mixes(struct qn__stmt *top)
{
    if (top->kind == QN__IF || (top->kind == QN__ASSIGN && top->value->traits & QN__CHOOSES))
        return is_mixed(top->value);
    if (top->kind != QN__BLOCK || !top->leaves)
        return false;
    for (struct qn__stmt *s = top->body; s; s = qn__walk_next(s, top->body))
        if (s->kind == QN__IF && (!qn__is_divergent(s->value) || is_mixed(s->value)))
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

static bool is_mistaken(struct qn__function *f, struct qn__stmt *s, uint32_t *uses)
{
    if (s->kind == QN__LOOP ? !s->divergent.iterations : !mixes(s) || qn__has_barrier(s))
        return false;
    if (is_apart(f, s, NULL))
        return false;
    if (s->kind == QN__LOOP && !starts_apart(f, s) && holds_a_loop_in_step(f, s))
        return true;
    return before_barrier(s) && sets_alike(s, uses);
}

void qn__quirk_guard_loop(struct qn__function *f)
{
    uint32_t *const uses = QN__NEED_ARRAY(f->u, uint32_t, f->n_vars);
    count_all(uses, f->body, 1);
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (is_mistaken(f, s, uses))
            guard(f, s);
}
