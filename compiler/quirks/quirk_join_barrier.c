/* SPDX-License-Identifier: Apache-2.0
 *
 * Workaround for PoCL 3.1 (README.md): a uniform path with a barrier joins another path, and a
 * branch of each work-item comes after both.
 *
 *     if (n > 0) {
 *         barrier();
 *         x = a[id];
 *     }
 *     if (x) b();
 *
 * LLVM evaluates early where it can: what it knows of x on the other path leads from there right to
 * b, or past it, and the two paths then join at both places. PoCL takes those for two ends of the
 * region after the barrier, asks the first work-item which, and lets the others follow. A barrier
 * where the paths join, which LLVM does not copy, keeps the place single:
 *
 *     if (n > 0) {
 *         ...
 *     }
 *     barrier();
 *     if (x) b();
 *
 * The same happens where the path parts from another. What a work-item has evaluated before,
 *
 *     if (x) a();
 *     if (n > 0) {
 *         if (x) b();
 *         barrier();
 *     }
 *
 * LLVM remembers, and n > 0 is then evaluated in two places. A barrier comes before it, too.
 *
 * Branches on the path, after its barrier, are in quirk_flag_paths.c. */
#include "compiler/core/diagnose.h"
#include "compiler/passes.h"
#include "compiler/stmt/divergence.h"
#include "compiler/stmt/stmt.h"

/* Is there a barrier on this path, and does it come out at its end? */
static bool rejoins(struct qn__stmt *path)
{
    return !qn__ends_in_jump(path) && qn__has_barrier(path);
}

/* May work-items of a group take different branches in here, as far as LLVM branches? */
static bool diverges(struct qn__stmt *top)
{
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        if (s->is_barrier && s->value->op != QN__OP_BARRIER)
            return true; /* what votes or shuffles */
        if (qn__is_divergent(s->value) &&
            (s->kind == QN__IF || s->kind == QN__LOOP || s->value->traits & QN__BRANCHES))
            return true;
    }
    return false;
}

/* Is there a divergent branch after `s`, before the next barrier or the end of the iteration? */
static bool diverges_after(const struct qn__stmt *s)
{
    do {
        for (struct qn__stmt *next = s->next; next; next = next->next) {
            if (diverges(next))
                return true;
            if (next->is_barrier)
                return false;
        }
        s = s->parent;
    } while (s && s->kind != QN__LOOP);
    return false;
}

/* Is there one before `s`, after the last barrier or the start of the iteration? */
static bool diverges_before(const struct qn__stmt *s)
{
    do {
        for (struct qn__stmt *before = s->prev; before; before = before->prev) {
            if (before->is_barrier)
                return false;
            if (diverges(before))
                return true;
        }
        s = s->parent;
    } while (s && s->kind != QN__LOOP);
    return false;
}

/* i < (x & 1) and the like: LLVM makes an if of a loop that runs once at most. */
static bool runs_once(const struct qn__stmt *loop)
{
    if (!loop->where || !LLVMIsABranchInst(loop->where) || !LLVMIsConditional(loop->where) ||
        !LLVMIsAICmpInst(LLVMGetCondition(loop->where)))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        const LLVMValueRef v = LLVMGetOperand(LLVMGetCondition(loop->where), i);
        if (LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAnd &&
            LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
            LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) == 1)
            return true;
    }
    return false;
}

static bool is_path(struct qn__stmt *s)
{
    return (s->kind == QN__IF && (rejoins(s->body) || rejoins(s->other))) ||
           (s->kind == QN__LOOP && runs_once(s) && rejoins(s->body));
}

/* Is there one on the path, before its barrier, or on the other path? */
static bool diverges_within(struct qn__stmt *s)
{
    struct qn__stmt *const lists[] = {s->body, s->other};
    for (int i = 0; i < 2; i++)
        for (struct qn__stmt *c = lists[i] ? lists[i]->first : NULL; c && !c->is_barrier;
             c = c->next)
            if (diverges(c))
                return true;
    return false;
}

void qn__quirk_join_barrier(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        if (!is_path(s))
            continue;
        const bool after = diverges_after(s), before = diverges_before(s) && diverges_within(s);
        if (after)
            qn__insert_after(s, qn__barrier_new(f));
        if (before)
            qn__insert_before(s, qn__barrier_new(f));
        if (after || before)
            qn__explain(f->u, s->where, "a barrier where paths join or part, for PoCL");
    }
}
