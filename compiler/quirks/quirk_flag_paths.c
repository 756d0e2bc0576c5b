/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths with a barrier that a whole group takes or not, and decisions behind the barrier:
 *
 *     if (n > 0) {
 *         barrier();
 *         if (x[id]) { if (k) a(); else b(); }
 *     }
 *
 * PoCL runs what stands between two barriers as a loop over the work-items. Where a group may come
 * out of such a piece at several places, it asks the first work-item which, and lets the others
 * follow. It takes some pieces behind a conditional barrier for such ones, when LLVM has moved
 * their branches about: then `k` here, or even `x[id]`, is decided once for the group. So these go
 * by flags, as if the work-items did not agree, and every barrier is reached by all.
 *
 * Such a path is a branch of an if, or what follows a jump that all take together: `if (n == 0)
 * return;` begins one that leads to the end of the kernel, `continue` one to the end of the turn.
 * One decision by itself does no harm outside of a loop, none does not in one; flags make one
 * more. */
#include "compiler/core/diagnose.h"
#include "compiler/passes.h"
#include "compiler/stmt/stmt.h"

struct paths {
    struct qn__function *f;
    unsigned limit; /* decisions inside one another that are too many; in a loop one less */
    bool any;
};

/* Does this jump lead out of `top`, or to the next turn where that is a loop? */
static bool leads_out(const struct qn__stmt *jump, const struct qn__stmt *top)
{
    if (jump->kind == QN__GOTO || jump->kind == QN__RETURN)
        return true;
    if (!qn__is_jump(jump))
        return false;
    return jump->target == top || !qn__is_inside(jump->target, top);
}

static bool branches(const struct qn__node *value)
{
    return value && value->traits & (QN__BRANCHES | QN__CALLS | QN__REPEATS);
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* How many decisions stand inside one another in this statement? A jump out of `top` is one more.
 */
static unsigned decisions(struct qn__stmt *s, const struct qn__stmt *top)
{
    unsigned n = 0;
    if (s->kind == QN__LIST) {
        for (struct qn__stmt *c = s->first; c; c = c->next)
            n = larger(n, decisions(c, top));
        return n;
    }
    if (s->body)
        n = decisions(s->body, top);
    if (s->other)
        n = larger(n, decisions(s->other, top));
    return n + (s->kind == QN__IF || s->kind == QN__LOOP) + branches(s->value) + leads_out(s, top);
}

/* The last statement of the list with a barrier in it. */
static struct qn__stmt *last_barrier(const struct qn__stmt *list)
{
    struct qn__stmt *s = list->last;
    while (s && !qn__has_barrier(s))
        s = s->prev;
    return s;
}

/* What stands behind the last barrier of a list: 0 for nothing, else one more than the decisions
 * inside one another. LLVM may join barriers that end both branches of an if into one behind it:
 * with `joined`, what stands before such a one. */
static unsigned weight_behind(const struct qn__stmt *list, const struct qn__stmt *top, bool joined)
{
    unsigned n = 0;
    struct qn__stmt *s = list->last;
    if (joined && s && qn__is_jump(s))
        s = s->prev;
    if (joined && s && s->is_barrier && s->kind == QN__EFFECT)
        s = s->prev;
    for (; s && !qn__has_barrier(s); s = s->prev)
        n = larger(n, 1 + decisions(s, top));
    if (s && s->kind == QN__BLOCK)
        n = larger(n, weight_behind(s->body, top, joined));
    if (s && s->kind == QN__IF)
        n = larger(
            n, larger(weight_behind(s->body, top, joined), weight_behind(s->other, top, joined)));
    return n;
}

static bool is_in_loop(const struct qn__stmt *s)
{
    for (s = s->parent; s; s = s->parent)
        if (s->kind == QN__LOOP)
            return true;
    return false;
}

static bool is_too_much(const struct paths *p, const struct qn__stmt *list, bool joined)
{
    const struct qn__stmt *const top = list->parent ? list->parent : list;
    const unsigned limit = p->limit - is_in_loop(list);
    return weight_behind(list, top, joined) > limit;
}

/* Without structure there are no flags. */
static void warn_once(const struct paths *p, const struct qn__stmt *s)
{
    if (p->any || !p->f->is_irreducible)
        return;
    while (s->parent && !s->where)
        s = s->parent;
    qn__warn(p->f->u, s->where,
             "a barrier on this path, decisions of each work-item behind it, and a jump into the "
             "middle of a loop in the same kernel: PoCL may decide for the whole group; write the "
             "loop without goto");
}

static void mark(struct paths *p, struct qn__stmt *s)
{
    warn_once(p, s);
    p->any |= !s->flattening.is_forced;
    s->flattening.is_forced = true;
}

/* A branch with a barrier, of an if that all work-items decide alike. */
static void look_at_if(struct paths *p, struct qn__stmt *s)
{
    const bool in_body = qn__has_barrier(s->body), in_other = qn__has_barrier(s->other);
    if ((in_body && is_too_much(p, s->body, in_other)) ||
        (in_other && is_too_much(p, s->other, in_body)))
        mark(p, s);
}

/* The jumps in front of a list's last barrier, of a kernel, a block or a turn of a loop. */
static void look_at_jumps(struct paths *p, struct qn__stmt *list)
{
    const struct qn__stmt *const owner = list->parent ? list->parent : list;
    struct qn__stmt *const last = last_barrier(list);
    if (!last || !is_too_much(p, list, true))
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

static bool look(struct paths *p)
{
    p->any = false;
    for (struct qn__stmt *s = p->f->body; s; s = qn__walk_next(s, p->f->body)) {
        if (s->kind == QN__IF)
            look_at_if(p, s);
        else if (s->kind == QN__LIST && !(s->parent && s->parent->kind == QN__IF))
            look_at_jumps(p, s);
    }
    return p->any;
}

void qn__quirk_flag_paths(struct qn__function *f)
{
    const bool has_flags = f->barriers_diverge;
    struct paths p = {.f = f, .limit = has_flags ? 1 : 2};
    f->by_flags = look(&p);
    if (f->by_flags && !has_flags) {
        p.limit = 1;
        look(&p);
    }
}
