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
#include "compiler/passes.h"
#include "compiler/stmt/stmt.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 6 };

static bool has_barrier(struct qn__stmt *top)
{
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top))
        if (s->is_barrier)
            return true;
    return false;
}

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

static bool assigns(struct qn__stmt *top, const struct qn__var *v)
{
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top))
        if ((s->kind == QN__ASSIGN && s->var == v) || (s->init && s->init->var == v) ||
            (s->step && s->step->var == v))
            return true;
    return false;
}

/* Does the test differ between work-items before the first turn, as far as a compiler sees? */
static bool starts_apart(struct qn__function *f, struct qn__stmt *loop)
{
    if ((loop->form != QN__WHILE && loop->form != QN__FOR) || !loop->where ||
        !LLVMIsABranchInst(loop->where) || !LLVMIsConditional(loop->where) ||
        !is_open_test(f, LLVMGetCondition(loop->where), DEPTH_MAX))
        return false;
    if (loop->varies || (loop->init && qn__differs(f, loop->init)))
        return true;
    for (const char *p = loop->text; (p = strchr(p, 1)) != NULL; p++) {
        const struct qn__var *const v = f->vars[strtoul(p + 1, NULL, 10)];
        if (v->divergent && !assigns(loop, v))
            return true;
    }
    return false;
}

/* Is it under a flag that nothing has cleared so far? LLVM drops that one. */
static bool is_still_true(const struct qn__function *f, const struct qn__stmt *guard)
{
    for (struct qn__stmt *s = f->body; s && s != guard; s = qn__walk_next(s, f->body))
        if (s->kind == QN__ASSIGN && !qn__equal(s->text, "true") &&
            qn__equal(qn__marked(f->u, qn__node_var(f->u, s->var)), guard->text))
            return false;
    return true;
}

/* Is there a condition around `s`, inside `top`, that differs between work-items? */
static bool is_apart(struct qn__function *f, struct qn__stmt *s, const struct qn__stmt *top)
{
    for (s = s->parent; s && s != top; s = s->parent)
        if (((s->kind == QN__IF || s->kind == QN__SWITCH) && qn__differs(f, s) &&
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

static void count(uint32_t *uses, const struct qn__stmt *s, int by)
{
    if (!s)
        return;
    if (s->var)
        uses[s->var->id] += (uint32_t)by;
    for (const char *p = s->text; p && (p = strchr(p, 1)) != NULL; p++)
        uses[strtoul(p + 1, NULL, 10)] += (uint32_t)by;
    count(uses, s->init, by);
    count(uses, s->step, by);
}

static void count_all(uint32_t *uses, struct qn__stmt *top, int by)
{
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top))
        count(uses, s, by);
}

/* Is it something that PoCL takes for the same in the whole group? */
static bool is_alike(const struct qn__function *f, const struct qn__stmt *set, struct qn__stmt *top)
{
    if (set->varies || set->op || strstr(set->text, qn__marked(f->u, qn__node_var(f->u, set->var))))
        return false;
    for (const char *p = set->text; (p = strchr(p, 1)) != NULL; p++) {
        const struct qn__var *const v = f->vars[strtoul(p + 1, NULL, 10)];
        if (v->divergent && !assigns(top, v))
            return false;
    }
    return true;
}

/* Does it set a variable that is read elsewhere to what every work-item would set? */
static bool sets_alike(const struct qn__function *f, struct qn__stmt *top, uint32_t *uses)
{
    bool any = false;
    count_all(uses, top, -1);
    for (struct qn__stmt *s = top; s && !any; s = qn__walk_next(s, top))
        any = s->kind == QN__ASSIGN && uses[s->var->id] && (s == top || is_alike(f, s, top));
    count_all(uses, top, 1);
    return any;
}

/* Does a barrier follow, also in the next turn of a loop around? */
static bool before_barrier(const struct qn__stmt *s)
{
    for (; s; s = s->parent) {
        if (s->kind == QN__LOOP && has_barrier(s->body))
            return true;
        for (struct qn__stmt *next = s->next; next; next = next->next)
            if (has_barrier(next))
                return true;
    }
    return false;
}

/* Has a condition of several parts some that differ between work-items and some that do not? */
static bool is_mixed(const struct qn__function *f, const char *text)
{
    bool differ = false, agree = false;
    while (text && *text) {
        const char *const a = strstr(text, " && "), *const b = strstr(text, " || ");
        const char *const end = !a || (b && b < a) ? b : a;
        const size_t n = end ? (size_t)(end - text) : strlen(text);
        struct qn__stmt part = {.text = qn__text(f->u, "%.*s", (int)n, text)};
        const bool one = qn__differs(f, &part) || strstr(part.text, "get_local_id");
        differ |= one;
        agree |= !one;
        text = end ? end + 4 : NULL;
    }
    return differ && agree;
}

/* Can it be come to by a decision of the group and by one of each work-item? */
static bool mixes(const struct qn__function *f, struct qn__stmt *top)
{
    if (top->kind == QN__IF || (top->kind == QN__ASSIGN && strstr(top->text, " ? ")))
        return is_mixed(f, top->text);
    if (top->kind != QN__BLOCK || !top->leaves)
        return false;
    for (struct qn__stmt *s = top->body; s; s = qn__walk_next(s, top->body))
        if (s->kind == QN__IF && (!qn__differs(f, s) || is_mixed(f, s->text)))
            return true;
    return false;
}

static void guard(struct qn__function *f, struct qn__stmt *s)
{
    struct qn__stmt *const when = qn__stmt_new(f, QN__IF);
    when->text = "get_local_id(0) < get_local_size(0) /* always */";
    when->not_text = "get_local_id(0) >= get_local_size(0) /* never */";
    when->varies = true;
    qn__insert_before(s, when);
    qn__remove(s);
    qn__append(when->body, s);
    qn__explain(f->u, s->where, "under a condition that is always true, for PoCL");
}

static bool is_mistaken(struct qn__function *f, struct qn__stmt *s, uint32_t *uses)
{
    if (s->kind == QN__LOOP ? !s->diverges : !mixes(f, s) || has_barrier(s))
        return false;
    if (is_apart(f, s, NULL))
        return false;
    if (s->kind == QN__LOOP && !starts_apart(f, s) && holds_a_loop_in_step(f, s))
        return true;
    return before_barrier(s) && sets_alike(f, s, uses);
}

void qn__loops_apart(struct qn__function *f)
{
    uint32_t *const uses = QN__NEED_ARRAY(f->u, uint32_t, f->n_vars);
    count_all(uses, f->body, 1);
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (is_mistaken(f, s, uses))
            guard(f, s);
}
