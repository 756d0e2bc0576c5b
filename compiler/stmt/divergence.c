/* SPDX-License-Identifier: Apache-2.0
 *
 * Divergence: which variables may differ between the work-items of a group, and whether every
 * barrier is reached by all of them.
 *
 * An abstract run over the statement tree, repeated until nothing changes. A variable diverges when
 * it is assigned something that differs (a thread index, an atomic's result, another such variable)
 * or is assigned where control has diverged: under such a condition, in a loop that work-items
 * leave after different numbers of iterations, and after a jump that only some take, up to where
 * the jump leads.
 *
 * OpenCL leaves a barrier that only some work-items reach undefined, and drivers crash on it; so it
 * is refused here unless flattening made it reachable for all. */
#include "compiler/stmt/divergence.h"
#include "compiler/core/diagnose.h"
#include "compiler/lang/language.h"
#include "compiler/passes.h"
#include "compiler/stmt/stmt.h"

struct analysis {
    struct qn__function *f;
    bool changed;
    bool last; /* nothing changes any more: look at the barriers */
    bool report, diverges;
};

static bool is_uniform(void *user, const struct qn__var *v)
{
    (void)user;
    return !v->divergent;
}

bool qn__is_divergent(const struct qn__node *value)
{
    return value && (value->traits & QN__VARIES || !qn__node_each_var(value, is_uniform, NULL));
}

static bool is_elsewhere(void *user, const struct qn__var *v)
{
    (void)user;
    return !v->is_memory || v->is_shared;
}

/* Is it an address of what each work-item has in a place of its own? Where work-items are loops it
 * differs between them. */
static bool is_own_address(const struct qn__function *f, const struct qn__var *v,
                           const struct qn__node *value)
{
    return f->u->language->in_loops && v->type->kind == QN__POINTER &&
           !qn__node_each_var(value, is_elsewhere, NULL);
}

static void set(struct analysis *a, bool *flag)
{
    a->changed |= !*flag;
    *flag = true;
}

/* A jump that only some work-items take: what comes after it, up to its target, diverges, and so
 * does every loop it leaves. Those that continue a loop meet the others at its next iteration. */
static void jump_diverges(struct analysis *a, struct qn__stmt *jump)
{
    const struct qn__stmt *const target = jump->kind == QN__RETURN ? NULL : jump->target;
    for (struct qn__stmt *s = jump; s && s != target; s = s->parent) {
        set(a, &s->divergent.exit);
        if (s->kind == QN__LOOP)
            set(a, &s->divergent.iterations);
    }
    if (target && target->kind == QN__LOOP && jump->kind == QN__LEAVE)
        set(a, &jump->target->divergent.iterations);
}

static void run_list(struct analysis *a, struct qn__stmt *list, bool divergent);

static void refuse_barrier(struct analysis *a, const struct qn__stmt *s)
{
    qn__refuse(
        a->f->u, s->where,
        "this barrier is reached under control flow that differs between the work-items of a "
        "group; OpenCL requires every work-item to reach it: take it out of the branch");
}

/* Irreducible flow can't be flattened: it has no structure to do it on. */
static void goto_diverges(struct analysis *a, const struct qn__stmt *s)
{
    a->diverges = true;
    while (s->parent && !s->where)
        s = s->parent;
    if (a->report)
        qn__refuse(a->f->u, s->where,
                   "a jump into the middle of a loop that only some work-items of a group take, in "
                   "a kernel with a barrier; write the loop without goto");
}

static void run_loop(struct analysis *a, struct qn__stmt *s, bool divergent)
{
    if (s->init)
        run_list(a, s->init, divergent);
    if (!s->is_vote && qn__is_divergent(s->value))
        set(a, &s->divergent.iterations);
    run_list(a, s->body, divergent || s->divergent.iterations);
    if (s->step)
        run_list(a, s->step, divergent || s->divergent.iterations);
}

static void run_one(struct analysis *a, struct qn__stmt *s, bool divergent)
{
    switch (s->kind) {
    case QN__ASSIGN:
        if (divergent || (!s->is_vote && qn__is_divergent(s->value)) ||
            is_own_address(a->f, s->var, s->value))
            set(a, &s->var->divergent);
        break;
    case QN__IF: {
        const bool d = divergent || qn__is_divergent(s->value);
        run_list(a, s->body, d);
        run_list(a, s->other, d);
        break;
    }
    case QN__SWITCH: {
        const bool d = divergent || qn__is_divergent(s->value);
        for (struct qn__stmt *c = s->first; c; c = c->next)
            run_list(a, c, d);
        break;
    }
    case QN__LOOP: run_loop(a, s, divergent); break;
    case QN__BLOCK: run_list(a, s->body, divergent); break;
    case QN__LEAVE:
    case QN__CONTINUE:
    case QN__RETURN:
        if (divergent)
            jump_diverges(a, s);
        break;
    case QN__GOTO:
        if (divergent && a->last)
            goto_diverges(a, s);
        break;
    default: break;
    }
    if (a->last && s->is_barrier && divergent) {
        a->diverges = true;
        if (a->report)
            refuse_barrier(a, s);
    }
}

static void run_list(struct analysis *a, struct qn__stmt *list, bool divergent)
{
    if (list->kind != QN__LIST && list->kind != QN__CASE) {
        run_one(a, list, divergent); /* a for's init or step */
        return;
    }
    for (struct qn__stmt *s = list->first; s; s = s->next) {
        run_one(a, s, divergent);
        divergent |= s->divergent.exit;
    }
}

/* What an earlier run found, before the tree was rewritten. */
static void forget(struct qn__function *f)
{
    for (uint32_t i = 0; i < f->n_vars; i++)
        f->vars[i]->divergent = false;
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        s->divergent.iterations = s->divergent.exit = false;
}

static bool barriers_diverge(struct qn__function *f, bool report)
{
    struct analysis a = {.f = f, .changed = true, .report = report};
    forget(f);
    while (a.changed) {
        a.changed = false;
        run_list(&a, f->body, false);
    }
    a.last = true;
    run_list(&a, f->body, false);
    return a.diverges;
}

/* Are all collectives the hardware's own? None then asks who is active. */
static bool is_native(struct qn__function *f)
{
    if (!qn__profile_can(f->u->profile, QN__CAN_ptx))
        return false;
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (s->is_barrier && s->value->traits & QN__ASKS_ACTIVE)
            return false;
    return true;
}

void qn__divergence_find(struct qn__function *f)
{
    f->barriers_diverge = barriers_diverge(f, false);
    f->barriers_native = is_native(f);
    if (f->barriers_native && f->barriers_diverge)
        qn__explain(f->u, NULL, "barriers under divergent control flow: as in the source");
}

void qn__barriers_check(struct qn__function *f)
{
    barriers_diverge(f, true);
}
