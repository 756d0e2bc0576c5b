/* SPDX-License-Identifier: Apache-2.0
 *
 * Before flattening: what is uniform, for active and inactive work-items alike, and which jumps set
 * flags.
 *
 * A variable is *uniform* here when every work-item keeps it up to date, active or not. A condition
 * over uniform variables is the same for all, and what is under it keeps its shape. A jump is
 * *flagged* when only some work-items take it. Both are found together: more flagged jumps make
 * fewer variables uniform, and the reverse.
 *
 * A work-item that left a loop or block by a flagged jump, or continued a loop, becomes active
 * again later, with its old values. So what is assigned inside and read outside is not uniform. */
#include "compiler/stmt/flatten_uniform.h"

struct plan {
    struct qn__function *f;
    bool *uniform; /* per variable */
    /* Per variable: the innermost statement around everything that reads it. */
    struct qn__stmt **reader;
    bool changed;
};

static bool is_uniform_var(void *user, const struct qn__var *v)
{
    const struct plan *const p = user;
    return p->uniform[v->id];
}

/* An inactive work-item may have no right to read memory, and nothing divides by what may be zero
 * for it. */
static bool is_uniform(const struct plan *p, const struct qn__stmt *s)
{
    return !s->flattening.is_forced && s->value &&
           !(s->value->traits & (QN__VARIES | QN__READS | QN__DIVIDES)) &&
           qn__node_each_var(s->value, is_uniform_var, (void *)(uintptr_t)p);
}

static bool loop_is_uniform(const struct plan *p, const struct qn__stmt *loop);

/* Do all active work-items take this jump together? Up to `top`, where it leads. */
static bool path_is_uniform(const struct plan *p, const struct qn__stmt *jump,
                            const struct qn__stmt *top)
{
    for (const struct qn__stmt *s = jump->parent; s && s != top; s = s->parent) {
        if (s->kind == QN__IF && !is_uniform(p, s))
            return false;
        if (s->kind == QN__SWITCH && (!is_uniform(p, s) || !qn__has_barrier(s)))
            return false;
        if (s->kind == QN__BLOCK && !qn__has_barrier(s))
            return false;
        if (s->kind == QN__LOOP && (!qn__has_barrier(s) || !loop_is_uniform(p, s)))
            return false;
    }
    return true;
}

static bool loop_is_uniform(const struct plan *p, const struct qn__stmt *loop)
{
    if (loop->form != QN__FOREVER)
        return is_uniform(p, loop);
    bool leaves = false;
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body))
        if (s->kind == QN__LEAVE && s->target == loop) {
            leaves = true;
            if (s->flattening.is_flagged || !path_is_uniform(p, s, loop))
                return false;
        }
    return leaves;
}

/* A jump that all work-items take together would also take those that are inactive only up to a
 * place it jumps over: those that continued a loop it leaves, or left a block inside it. */
static bool takes_inactive_along(const struct qn__stmt *jump, const struct qn__stmt *target)
{
    for (const struct qn__stmt *s = jump->parent; s && s != target; s = s->parent)
        if (s->flattening.needs_flag || s->flattening.needs_iteration_flag)
            return true;
    return target && jump->kind == QN__LEAVE && target->flattening.needs_iteration_flag;
}

static bool jump_is_uniform(const struct plan *p, const struct qn__stmt *jump)
{
    const struct qn__stmt *const target = jump->kind == QN__RETURN ? NULL : jump->target;
    if (jump->flattening.is_flagged || jump->flattening.is_forced ||
        takes_inactive_along(jump, target) ||
        (target && target->kind == QN__LOOP && !loop_is_uniform(p, target)) ||
        (target && target->kind == QN__SWITCH && !is_uniform(p, target)))
        return false;
    return path_is_uniform(p, jump, target);
}

static void exclude(struct plan *p, const struct qn__var *v)
{
    p->changed |= p->uniform[v->id];
    p->uniform[v->id] = false;
}

static void note_reader(struct plan *p, struct qn__stmt *s, const struct qn__var *v)
{
    struct qn__stmt **const reader = &p->reader[v->id];
    *reader = *reader ? qn__common_ancestor(*reader, s) : s;
}

struct note {
    struct plan *plan;
    struct qn__stmt *s;
};

static bool note_var(void *user, const struct qn__var *v)
{
    const struct note *const n = user;
    note_reader(n->plan, n->s, v);
    return true;
}

static void note_readers(struct plan *p, struct qn__stmt *s, const struct qn__node *value)
{
    qn__node_each_var(value, note_var, &(struct note){p, s});
}

/* A loop reads what its step reads, and what it carries from one iteration to the next. */
static void find_readers(struct plan *p)
{
    struct qn__stmt *const top = p->f->body;
    p->reader = QN__NEED_ARRAY(p->f->u, struct qn__stmt *, p->f->n_vars);
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        note_readers(p, s, s->value);
        if (s->init)
            note_readers(p, s, s->init->value);
        if (s->step)
            note_readers(p, s, s->step->value);
        for (uint32_t i = 0; i < s->n_carries; i++)
            note_reader(p, s, s->carries[i]);
    }
}

/* Is this assigned where some work-items are inactive, and read where they are active again? */
static bool outlives_inactivity(const struct plan *p, const struct qn__stmt *assign)
{
    const struct qn__stmt *const reader = p->reader[assign->var->id];
    if (!reader)
        return false;
    for (const struct qn__stmt *s = assign; s->parent; s = s->parent) {
        const struct qn__stmt *const around = s->parent;
        if (around->flattening.needs_iteration_flag && s == around->body &&
            !qn__is_inside(reader, s))
            return true;
        if (around->flattening.needs_flag && !qn__is_inside(reader, around))
            return true;
    }
    return false;
}

/* One round of the greatest fixed point: exclude variables that some work-item may not update. */
static void exclude_assigned(struct plan *p, struct qn__stmt *s, bool uniform)
{
    switch (s->kind) {
    case QN__LIST:
    case QN__CASE:
        for (struct qn__stmt *c = s->first; c; c = c->next)
            exclude_assigned(p, c, uniform);
        break;
    case QN__ASSIGN:
        if (!uniform || !is_uniform(p, s) || s->is_barrier || outlives_inactivity(p, s))
            exclude(p, s->var);
        break;
    case QN__IF:
        uniform = uniform && is_uniform(p, s);
        exclude_assigned(p, s->body, uniform);
        exclude_assigned(p, s->other, uniform);
        break;
    case QN__LOOP:
        uniform = uniform && qn__has_barrier(s) && loop_is_uniform(p, s);
        if (s->init)
            exclude_assigned(p, s->init, uniform);
        exclude_assigned(p, s->body, uniform);
        if (s->step)
            exclude_assigned(p, s->step, uniform);
        break;
    case QN__BLOCK: exclude_assigned(p, s->body, uniform && qn__has_barrier(s)); break;
    case QN__SWITCH:
        for (struct qn__stmt *c = s->first; c; c = c->next)
            exclude_assigned(p, c, uniform && qn__has_barrier(s) && is_uniform(p, s));
        break;
    default: break;
    }
}

static void find_uniform(struct plan *p)
{
    struct qn__function *const f = p->f;
    p->uniform = QN__NEED_ARRAY(f->u, bool, f->n_vars);
    for (uint32_t i = 0; i < f->n_vars; i++)
        p->uniform[i] = !f->vars[i]->is_memory && !f->vars[i]->is_shared;
    do {
        p->changed = false;
        exclude_assigned(p, f->body, true);
    } while (p->changed);
}

static bool assigns_uniform(const struct plan *p, struct qn__stmt *top)
{
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top))
        if (qn__is_jump(s) || (s->kind == QN__ASSIGN && p->uniform[s->var->id]))
            return true;
    return false;
}

/* Jumps that set flags: more of them make fewer loops and variables uniform, so this is repeated
 * until there are no more. */
static bool flag_jumps(struct plan *p, bool *kernel_flag)
{
    struct qn__stmt *const top = p->f->body;
    bool more = false;
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        if (!qn__is_jump(s) || s->flattening.is_flagged || jump_is_uniform(p, s))
            continue;
        more = s->flattening.is_flagged = true;
        if (s->kind == QN__RETURN)
            *kernel_flag = true;
        else if (s->kind == QN__LEAVE)
            s->target->flattening.needs_flag = true;
        else
            s->target->flattening.needs_iteration_flag = true;
    }
    return more;
}

void qn__flatten_uniform(struct qn__function *f, bool *kernel_flag)
{
    struct plan all = {.f = f}, *const p = &all;
    struct qn__stmt *const top = f->body;
    find_readers(p);
    do {
        find_uniform(p);
    } while (flag_jumps(p, kernel_flag));
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        if (s->kind == QN__IF || s->kind == QN__SWITCH)
            s->flattening.is_uniform =
                is_uniform(p, s) && (qn__has_barrier(s) || assigns_uniform(p, s));
        else if (s->kind == QN__LOOP)
            s->flattening.is_uniform = qn__has_barrier(s) && loop_is_uniform(p, s);
        else if (s->kind == QN__ASSIGN)
            s->flattening.is_uniform = p->uniform[s->var->id];
        else if (qn__is_jump(s))
            s->flattening.is_uniform = !s->flattening.is_flagged;
    }
}
