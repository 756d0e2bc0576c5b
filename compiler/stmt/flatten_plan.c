/* SPDX-License-Identifier: Apache-2.0
 *
 * Before flattening: what all work-items of a group agree on.
 *
 * A variable is *common* when every work-item keeps it up to date, active or not; a condition over
 * common variables is the same for all, and what stands under it keeps its shape. A jump is
 * *flagged* when only some take it. Both are found together: more flagged jumps make fewer
 * variables common, and the reverse.
 *
 * Who left a loop or block by a flagged jump, or went on to its next turn, is active again later,
 * with the values of then. So what is assigned inside and read outside is not common. */
#include "compiler/stmt/flatten_plan.h"

struct agree {
    struct qn__function *f;
    bool *common; /* per variable */
    struct qn__stmt *
        *reader; /* per variable: the innermost statement around everything that reads it */
    bool changed;
};

static bool is_common_var(void *user, const struct qn__var *v)
{
    const struct agree *const a = user;
    return a->common[v->id];
}

/* An inactive work-item may have no right to read memory, and nothing divides by what may be zero
 * for it. */
static bool is_common(const struct agree *a, const struct qn__stmt *s)
{
    return !s->flattening.is_forced && s->value &&
           !(s->value->traits & (QN__VARIES | QN__READS | QN__DIVIDES)) &&
           qn__node_each_var(s->value, is_common_var, (void *)(uintptr_t)a);
}

static bool loop_is_uniform(const struct agree *a, const struct qn__stmt *loop);

/* Do all active work-items take this jump together? Up to `top`, where it leads. */
static bool path_is_uniform(const struct agree *a, const struct qn__stmt *jump,
                            const struct qn__stmt *top)
{
    for (const struct qn__stmt *s = jump->parent; s && s != top; s = s->parent) {
        if (s->kind == QN__IF && !is_common(a, s))
            return false;
        if (s->kind == QN__SWITCH && (!is_common(a, s) || !qn__has_barrier(s)))
            return false;
        if (s->kind == QN__BLOCK && !qn__has_barrier(s))
            return false;
        if (s->kind == QN__LOOP && (!qn__has_barrier(s) || !loop_is_uniform(a, s)))
            return false;
    }
    return true;
}

static bool loop_is_uniform(const struct agree *a, const struct qn__stmt *loop)
{
    if (loop->form != QN__FOREVER)
        return is_common(a, loop);
    bool leaves = false;
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body))
        if (s->kind == QN__LEAVE && s->target == loop) {
            leaves = true;
            if (s->flattening.is_flagged || !path_is_uniform(a, s, loop))
                return false;
        }
    return leaves;
}

/* A jump that all take together would take those along who are only inactive up to a place it jumps
 * over: who continued a loop it leaves, who left a block in it. */
static bool takes_others_along(const struct qn__stmt *jump, const struct qn__stmt *target)
{
    for (const struct qn__stmt *s = jump->parent; s && s != target; s = s->parent)
        if (s->flattening.needs_flag || s->flattening.needs_iteration_flag)
            return true;
    return target && jump->kind == QN__LEAVE && target->flattening.needs_iteration_flag;
}

static bool jump_is_uniform(const struct agree *a, const struct qn__stmt *jump)
{
    const struct qn__stmt *const target = jump->kind == QN__RETURN ? NULL : jump->target;
    if (jump->flattening.is_flagged || jump->flattening.is_forced ||
        takes_others_along(jump, target) ||
        (target && target->kind == QN__LOOP && !loop_is_uniform(a, target)) ||
        (target && target->kind == QN__SWITCH && !is_common(a, target)))
        return false;
    return path_is_uniform(a, jump, target);
}

static void not_common(struct agree *a, const struct qn__var *v)
{
    a->changed |= a->common[v->id];
    a->common[v->id] = false;
}

static void note_reader(struct agree *a, struct qn__stmt *s, const struct qn__var *v)
{
    struct qn__stmt **const reader = &a->reader[v->id];
    *reader = *reader ? qn__common_ancestor(*reader, s) : s;
}

struct note {
    struct agree *a;
    struct qn__stmt *s;
};

static bool note_var(void *user, const struct qn__var *v)
{
    const struct note *const n = user;
    note_reader(n->a, n->s, v);
    return true;
}

static void note_readers(struct agree *a, struct qn__stmt *s, const struct qn__node *value)
{
    qn__node_each_var(value, note_var, &(struct note){a, s});
}

/* A loop reads what its step reads, and what it carries from turn to turn. */
static void find_readers(struct agree *a)
{
    struct qn__stmt *const top = a->f->body;
    a->reader = QN__NEED_ARRAY(a->f->u, struct qn__stmt *, a->f->n_vars);
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        note_readers(a, s, s->value);
        if (s->init)
            note_readers(a, s, s->init->value);
        if (s->step)
            note_readers(a, s, s->step->value);
        for (uint32_t i = 0; i < s->n_carries; i++)
            note_reader(a, s, s->carries[i]);
    }
}

/* Is this assigned where some are not active, to be read where they are again? */
static bool outlives_leavers(const struct agree *a, const struct qn__stmt *assign)
{
    const struct qn__stmt *const reader = a->reader[assign->var->id];
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

/* One round of the greatest fixed point: strike variables out that some work-item may miss. */
static void strike(struct agree *a, struct qn__stmt *s, bool uniform)
{
    switch (s->kind) {
    case QN__LIST:
    case QN__CASE:
        for (struct qn__stmt *c = s->first; c; c = c->next)
            strike(a, c, uniform);
        break;
    case QN__ASSIGN:
        if (!uniform || !is_common(a, s) || s->is_barrier || outlives_leavers(a, s))
            not_common(a, s->var);
        break;
    case QN__IF:
        uniform = uniform && is_common(a, s);
        strike(a, s->body, uniform);
        strike(a, s->other, uniform);
        break;
    case QN__LOOP:
        uniform = uniform && qn__has_barrier(s) && loop_is_uniform(a, s);
        if (s->init)
            strike(a, s->init, uniform);
        strike(a, s->body, uniform);
        if (s->step)
            strike(a, s->step, uniform);
        break;
    case QN__BLOCK: strike(a, s->body, uniform && qn__has_barrier(s)); break;
    case QN__SWITCH:
        for (struct qn__stmt *c = s->first; c; c = c->next)
            strike(a, c, uniform && qn__has_barrier(s) && is_common(a, s));
        break;
    default: break;
    }
}

static void find_common(struct agree *a)
{
    struct qn__function *const f = a->f;
    a->common = QN__NEED_ARRAY(f->u, bool, f->n_vars);
    for (uint32_t i = 0; i < f->n_vars; i++)
        a->common[i] = !f->vars[i]->is_memory && !f->vars[i]->is_shared;
    do {
        a->changed = false;
        strike(a, f->body, true);
    } while (a->changed);
}

/* Decisions first, while the tree is whole: rewriting moves statements about. */
static bool assigns_common(const struct agree *a, struct qn__stmt *top)
{
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top))
        if (qn__is_jump(s) || (s->kind == QN__ASSIGN && a->common[s->var->id]))
            return true;
    return false;
}

/* Jumps that go by flags: more of them make fewer loops uniform and fewer variables common, so this
 * is repeated until there are no more. */
static bool flag_jumps(struct agree *a, bool *kernel_flag)
{
    struct qn__stmt *const top = a->f->body;
    bool more = false;
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        if (!qn__is_jump(s) || s->flattening.is_flagged || jump_is_uniform(a, s))
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

void qn__flatten_plan(struct qn__function *f, bool *kernel_flag)
{
    struct agree all = {.f = f}, *const a = &all;
    struct qn__stmt *const top = f->body;
    find_readers(a);
    do {
        find_common(a);
    } while (flag_jumps(a, kernel_flag));
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        if (s->kind == QN__IF || s->kind == QN__SWITCH)
            s->flattening.is_uniform =
                is_common(a, s) && (qn__has_barrier(s) || assigns_common(a, s));
        else if (s->kind == QN__LOOP)
            s->flattening.is_uniform = qn__has_barrier(s) && loop_is_uniform(a, s);
        else if (s->kind == QN__ASSIGN)
            s->flattening.is_uniform = a->common[s->var->id];
        else if (qn__is_jump(s))
            s->flattening.is_uniform = !s->flattening.is_flagged;
    }
}
