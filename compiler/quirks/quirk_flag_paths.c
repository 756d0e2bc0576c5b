/* SPDX-License-Identifier: Apache-2.0
 *
 * Workaround for PoCL 3.1 and 5.0 (README.md): a uniform path with a barrier, and branches of each
 * work-item after the barrier.
 *
 *     if (n > 0) {
 *         barrier();
 *         if (x[id]) { if (k) a(); else b(); }
 *     }
 *
 * PoCL runs what is between two barriers as a loop over the work-items. Where control may leave
 * such a region at several places, it asks the first work-item which, and lets the others follow.
 * When LLVM has moved branches about, it takes regions after a conditional barrier for such ones:
 * then `k` here, or even `x[id]`, is evaluated once for the whole group. So these ifs and jumps are
 * flattened although they are uniform, and every work-item reaches every barrier.
 *
 * Such a path is a branch of an if, or what follows a uniform jump: `if (n == 0) return;` begins
 * one that leads to the end of the kernel, `continue` one to the end of the iteration. Outside a
 * loop one nested branch is safe; inside a loop none is. Flags add one. */
#include "compiler/core/diagnose.h"
#include "compiler/passes.h"
#include "compiler/stmt/stmt.h"

struct paths {
    struct qn__function *f;
    unsigned limit; /* of branches inside one another outside of a loop; inside one less */
    bool any;
};

/* Does this jump lead out of `top`, or to the next iteration where that is a loop? */
static bool leads_out(const struct qn__stmt *jump, const struct qn__stmt *top)
{
    if (jump->kind == QN__GOTO || jump->kind == QN__RETURN)
        return true;
    if (!qn__is_jump(jump))
        return false;
    return jump->target == top || !qn__is_inside(jump->target, top);
}

/* May it become a branch? Library functions have some. */
static bool has_branch(const struct qn__node *value)
{
    return value && value->traits & (QN__BRANCHES | QN__CALLS | QN__REPEATS);
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* How deep are branches nested in this statement? A jump out of `top` is one more. */
static unsigned branch_depth(struct qn__stmt *s, const struct qn__stmt *top)
{
    unsigned n = 0;
    if (s->kind == QN__LIST) {
        for (struct qn__stmt *c = s->first; c; c = c->next)
            n = larger(n, branch_depth(c, top));
        return n;
    }
    if (s->body)
        n = branch_depth(s->body, top);
    if (s->other)
        n = larger(n, branch_depth(s->other, top));
    return n + (s->kind == QN__IF || s->kind == QN__LOOP) + has_branch(s->value) +
           leads_out(s, top);
}

/* The last statement of the list with a barrier in it. */
static struct qn__stmt *last_barrier(const struct qn__stmt *list)
{
    struct qn__stmt *s = list->last;
    while (s && !qn__has_barrier(s))
        s = s->prev;
    return s;
}

/* How deep are branches nested after the last barrier of a list? 0: nothing comes after it; else
 * one more. LLVM may merge barriers that end both branches of an if into one after it: with
 * `merged`, what comes before such a barrier. */
static unsigned depth_after_barrier(const struct qn__stmt *list, const struct qn__stmt *top,
                                    bool merged)
{
    unsigned n = 0;
    struct qn__stmt *s = list->last;
    if (merged && s && qn__is_jump(s))
        s = s->prev;
    if (merged && s && s->is_barrier && s->kind == QN__EFFECT)
        s = s->prev;
    for (; s && !qn__has_barrier(s); s = s->prev)
        n = larger(n, 1 + branch_depth(s, top));
    if (s && s->kind == QN__BLOCK)
        n = larger(n, depth_after_barrier(s->body, top, merged));
    if (s && s->kind == QN__IF)
        n = larger(n, larger(depth_after_barrier(s->body, top, merged),
                             depth_after_barrier(s->other, top, merged)));
    return n;
}

static bool is_in_loop(const struct qn__stmt *s)
{
    for (s = s->parent; s; s = s->parent)
        if (s->kind == QN__LOOP)
            return true;
    return false;
}

static bool is_too_deep(const struct paths *p, const struct qn__stmt *list, bool merged)
{
    const struct qn__stmt *const top = list->parent ? list->parent : list;
    const unsigned limit = p->limit - is_in_loop(list);
    return depth_after_barrier(list, top, merged) > limit;
}

/* Without structure there are no flags. */
static void warn_once(const struct paths *p, const struct qn__stmt *s)
{
    if (p->any || !p->f->is_irreducible)
        return;
    while (s->parent && !s->where)
        s = s->parent;
    qn__warn(p->f->u, s->where,
             "a barrier on this path, decisions of each work-item after it, and a jump into the "
             "middle of a loop in the same kernel: PoCL may decide for the whole group; write the "
             "loop without goto");
}

static void mark(struct paths *p, struct qn__stmt *s)
{
    warn_once(p, s);
    p->any |= !s->flattening.is_forced;
    s->flattening.is_forced = true;
}

/* A branch with a barrier, of an if whose condition is uniform. */
static void mark_if(struct paths *p, struct qn__stmt *s)
{
    const bool in_body = qn__has_barrier(s->body), in_other = qn__has_barrier(s->other);
    if ((in_body && is_too_deep(p, s->body, in_other)) ||
        (in_other && is_too_deep(p, s->other, in_body)))
        mark(p, s);
}

/* The jumps before the last barrier of a kernel, a block or an iteration of a loop. */
static void mark_jumps(struct paths *p, struct qn__stmt *list)
{
    const struct qn__stmt *const owner = list->parent ? list->parent : list;
    struct qn__stmt *const last = last_barrier(list);
    if (!last || !is_too_deep(p, list, true))
        return;
    for (struct qn__stmt *child = list->first; child && child->prev != last; child = child->next)
        for (struct qn__stmt *s = child; s; s = qn__walk_next(s, child)) {
            const bool ends = owner->kind == QN__LOOP
                                  ? s->kind == QN__CONTINUE && s->target == owner
                                  : qn__is_jump(s) && leads_out(s, owner);
            if (ends)
                mark(p, s);
        }
}

static bool mark_all(struct paths *p)
{
    p->any = false;
    for (struct qn__stmt *s = p->f->body; s; s = qn__walk_next(s, p->f->body)) {
        if (s->kind == QN__IF)
            mark_if(p, s);
        else if (s->kind == QN__LIST && !(s->parent && s->parent->kind == QN__IF))
            mark_jumps(p, s);
    }
    return p->any;
}

void qn__quirk_flag_paths(struct qn__function *f)
{
    const bool has_flags = f->barriers_diverge;
    struct paths p = {.f = f, .limit = has_flags ? 1 : 2};
    f->by_flags = mark_all(&p);
    if (f->by_flags && !has_flags) {
        p.limit = 1;
        mark_all(&p);
    }
}
