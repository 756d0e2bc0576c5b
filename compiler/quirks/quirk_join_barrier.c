/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a path with a barrier joins another. A group takes it or not, and what stands behind both
 * is decided by each work-item:
 *
 *     if (n > 0) {
 *         barrier();
 *         x = a[id];
 *     }
 *     if (x) b();
 *
 * LLVM decides early where it can: what it knows of x on the other path leads from there right to
 * b, or past it, and the two paths then join at both places. PoCL 3.1 takes those for two ends of
 * what stands behind the barrier, asks the first work-item which, and lets the others follow. A
 * barrier where the paths join, which LLVM does not copy, keeps them together:
 *
 *     if (n > 0) {
 *         ...
 *     }
 *     barrier();
 *     if (x) b();
 *
 * The same where it parts from another: what a work-item has decided before,
 *
 *     if (x) a();
 *     if (n > 0) {
 *         if (x) b();
 *         barrier();
 *     }
 *
 * LLVM remembers, and n > 0 is then asked in two places. A barrier stands before it, too.
 *
 * Decisions inside the path, behind its barrier, are in quirk_flag_paths.c. */
#include "compiler/core/diagnose.h"
#include "compiler/passes.h"
#include "compiler/stmt/divergence.h"
#include "compiler/stmt/stmt.h"

/* Is there a barrier on this path, and does it come out at its end? */
static bool joins(struct qn__stmt *path)
{
    return !qn__ends_in_jump(path) && qn__has_barrier(path);
}

/* May work-items of a group go different ways in here, as far as LLVM makes ways of it? */
static bool decides(struct qn__stmt *top)
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

/* Is anything decided behind `s`, before the next barrier or the end of the turn? */
static bool decides_behind(const struct qn__stmt *s)
{
    do {
        for (struct qn__stmt *next = s->next; next; next = next->next) {
            if (decides(next))
                return true;
            if (next->is_barrier)
                return false;
        }
        s = s->parent;
    } while (s && s->kind != QN__LOOP);
    return false;
}

/* Is anything decided before `s`, since the last barrier or the turn's begin? */
static bool decides_ahead(const struct qn__stmt *s)
{
    do {
        for (struct qn__stmt *before = s->prev; before; before = before->prev) {
            if (before->is_barrier)
                return false;
            if (decides(before))
                return true;
        }
        s = s->parent;
    } while (s && s->kind != QN__LOOP);
    return false;
}

/* i < (x & 1) and the like: LLVM makes an if of a loop that turns once at most. */
static bool turns_once(const struct qn__stmt *loop)
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
    return (s->kind == QN__IF && (joins(s->body) || joins(s->other))) ||
           (s->kind == QN__LOOP && turns_once(s) && joins(s->body));
}

/* And on the path, before its barrier, or on the other? */
static bool decides_within(struct qn__stmt *s)
{
    struct qn__stmt *const lists[] = {s->body, s->other};
    for (int i = 0; i < 2; i++)
        for (struct qn__stmt *c = lists[i] ? lists[i]->first : NULL; c && !c->is_barrier;
             c = c->next)
            if (decides(c))
                return true;
    return false;
}

void qn__quirk_join_barrier(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        if (!is_path(s))
            continue;
        const bool behind = decides_behind(s), ahead = decides_ahead(s) && decides_within(s);
        if (behind)
            qn__insert_after(s, qn__barrier_new(f));
        if (ahead)
            qn__insert_before(s, qn__barrier_new(f));
        if (behind || ahead)
            qn__explain(f->u, s->where, "a barrier where paths join or part, for PoCL");
    }
}
