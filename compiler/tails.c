/* SPDX-License-Identifier: Apache-2.0
 *
 * A barrier behind what follows the last barrier of a branch, in loops.
 *
 *     for (...) {                            for (...) {
 *         if (n > 0) {                           if (n > 0) {
 *             barrier();                             barrier();
 *             if (x[id]) y[id] = 0;                  if (x[id]) y[id] = 0;
 *         }                                          barrier();
 *     }                                          }
 *                                            }
 *
 * All work-items take the branch or none, so all reach the new one too. Without it PoCL 3.1 decides
 * the inner condition once, for the first work-item, and gives its answer to the whole group. */
#include "compiler/stmt.h"

static bool has_barrier(struct qn__stmt *top)
{
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top))
        if (s->is_barrier)
            return true;
    return false;
}

/* Does a jump lead out of this statement? Then not everybody may reach what follows. */
static bool is_left(struct qn__stmt *top)
{
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        if (s->kind == QN__RETURN || s->kind == QN__GOTO)
            return true;
        if (!qn__is_jump(s))
            continue;
        const struct qn__stmt *p = s->target;
        while (p && p != top)
            p = p->parent;
        if (!p)
            return true;
    }
    return false;
}

static void close_branch(struct qn__function *f, struct qn__stmt *list)
{
    bool follows = false;
    struct qn__stmt *s = list->last;
    for (; s && !has_barrier(s); s = s->prev) {
        if (is_left(s))
            return;
        follows = true;
    }
    if (!s || !follows)
        return;
    struct qn__stmt *const barrier = qn__stmt_new(f, QN__TEXT);
    barrier->text = "barrier(CLK_LOCAL_MEM_FENCE)";
    barrier->is_barrier = true;
    qn__append(list, barrier);
}

static bool is_in_loop(const struct qn__stmt *s)
{
    for (s = s->parent; s; s = s->parent)
        if (s->kind == QN__LOOP)
            return true;
    return false;
}

void qn__close_branches(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (s->kind == QN__IF && is_in_loop(s)) {
            close_branch(f, s->body);
            close_branch(f, s->other);
        }
}
