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
#include "compiler/stmt/flatten.h"

#include <stdlib.h>
#include <string.h>

struct agree {
    struct qn__function *f;
    bool *common; /* per variable */
    struct qn__stmt *
        *reader; /* per variable: the innermost statement around everything that reads it */
    bool changed;
};

/* Nobody divides by what may be zero for an inactive work-item. */
bool qn__divides_safely(const char *text)
{
    for (const char *p = text; (p = strpbrk(p, "/%")) != NULL; p++) {
        const char *const by = p + 1 + strspn(p + 1, " ");
        if (*by < '1' || *by > '9')
            return false;
    }
    return true;
}

static bool is_common_text(const struct agree *a, const char *text)
{
    for (const char *p = text; p && (p = strchr(p, 1)) != NULL; p++) {
        const struct qn__var *const v = a->f->vars[strtoul(p + 1, NULL, 10)];
        if (!a->common[v->id])
            return false;
    }
    return qn__divides_safely(text);
}

static bool is_common(const struct agree *a, const struct qn__stmt *s)
{
    return !s->varies && !s->loads && !s->by_flags && s->text && is_common_text(a, s->text);
}

static bool loop_is_uniform(const struct agree *a, const struct qn__stmt *loop);

/* Do all active work-items take this jump together? Up to `top`, where it leads. */
static bool path_is_uniform(const struct agree *a, const struct qn__stmt *jump,
                            const struct qn__stmt *top)
{
    for (const struct qn__stmt *s = jump->parent; s && s != top; s = s->parent) {
        if (s->kind == QN__IF && !is_common(a, s))
            return false;
        if (s->kind == QN__SWITCH && (!is_common(a, s) || !s->has_barrier))
            return false;
        if (s->kind == QN__BLOCK && !s->has_barrier)
            return false;
        if (s->kind == QN__LOOP && (!s->has_barrier || !loop_is_uniform(a, s)))
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
            if (s->is_flagged || !path_is_uniform(a, s, loop))
                return false;
        }
    return leaves;
}

/* A jump that all take together would take those along who are only inactive up to a place it jumps
 * over: who continued a loop it leaves, who left a block in it. */
static bool takes_others_along(const struct qn__stmt *jump, const struct qn__stmt *target)
{
    for (const struct qn__stmt *s = jump->parent; s && s != target; s = s->parent)
        if (s->needs_flag || s->needs_turn)
            return true;
    return target && jump->kind == QN__LEAVE && target->needs_turn;
}

static bool jump_is_uniform(const struct agree *a, const struct qn__stmt *jump)
{
    const struct qn__stmt *const target = jump->kind == QN__RETURN ? NULL : jump->target;
    if (jump->is_flagged || jump->by_flags || takes_others_along(jump, target) ||
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

static unsigned depth_of(const struct qn__stmt *s)
{
    unsigned d = 0;
    for (; s->parent; s = s->parent)
        d++;
    return d;
}

static struct qn__stmt *common_ancestor(struct qn__stmt *p, struct qn__stmt *q)
{
    unsigned dp = depth_of(p), dq = depth_of(q);
    while (p != q) {
        struct qn__stmt **const deeper = dp >= dq ? &p : &q;
        *(dp >= dq ? &dp : &dq) -= 1;
        *deeper = (*deeper)->parent;
    }
    return p;
}

static void note_reader(struct agree *a, struct qn__stmt *s, const struct qn__var *v)
{
    struct qn__stmt **const reader = &a->reader[v->id];
    *reader = *reader ? common_ancestor(*reader, s) : s;
}

static void note_readers(struct agree *a, struct qn__stmt *s, const char *text)
{
    for (const char *p = text; p && (p = strchr(p, 1)) != NULL; p++)
        note_reader(a, s, a->f->vars[strtoul(p + 1, NULL, 10)]);
}

/* A loop reads what its step reads, and what it carries from turn to turn. */
static void find_readers(struct agree *a)
{
    struct qn__stmt *const top = a->f->body;
    a->reader = QN__NEED_ARRAY(a->f->u, struct qn__stmt *, a->f->n_vars);
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        if (s->kind != QN__CASE)
            note_readers(a, s, s->text);
        if (s->init)
            note_readers(a, s, s->init->text);
        if (s->step)
            note_readers(a, s, s->step->text);
        for (uint32_t i = 0; i < s->n_carries; i++)
            note_reader(a, s, s->carries[i]);
    }
}

static bool is_inside(const struct qn__stmt *s, const struct qn__stmt *outer)
{
    while (s && s != outer)
        s = s->parent;
    return s != NULL;
}

/* Is this assigned where some are not active, to be read where they are again? */
static bool outlives_leavers(const struct agree *a, const struct qn__stmt *assign)
{
    const struct qn__stmt *const reader = a->reader[assign->var->id];
    if (!reader)
        return false;
    for (const struct qn__stmt *s = assign; s->parent; s = s->parent) {
        const struct qn__stmt *const around = s->parent;
        if (around->needs_turn && s == around->body && !is_inside(reader, s))
            return true;
        if (around->needs_flag && !is_inside(reader, around))
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
        uniform = uniform && s->has_barrier && loop_is_uniform(a, s);
        if (s->init)
            strike(a, s->init, uniform);
        strike(a, s->body, uniform);
        if (s->step)
            strike(a, s->step, uniform);
        break;
    case QN__BLOCK: strike(a, s->body, uniform && s->has_barrier); break;
    case QN__SWITCH:
        for (struct qn__stmt *c = s->first; c; c = c->next)
            strike(a, c, uniform && s->has_barrier && is_common(a, s));
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

static void mark_barriers(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (s->is_barrier)
            for (struct qn__stmt *p = s; p && !p->has_barrier; p = p->parent)
                p->has_barrier = true;
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
        if (!qn__is_jump(s) || s->is_flagged || jump_is_uniform(a, s))
            continue;
        more = s->is_flagged = true;
        if (s->kind == QN__RETURN)
            *kernel_flag = true;
        else if (s->kind == QN__LEAVE)
            s->target->needs_flag = true;
        else
            s->target->needs_turn = true;
    }
    return more;
}

void qn__agree(struct qn__function *f, bool *kernel_flag)
{
    struct agree all = {.f = f}, *const a = &all;
    struct qn__stmt *const top = f->body;
    mark_barriers(f);
    find_readers(a);
    do {
        find_common(a);
    } while (flag_jumps(a, kernel_flag));
    for (struct qn__stmt *s = top; s; s = qn__walk_next(s, top)) {
        if (s->kind == QN__IF || s->kind == QN__SWITCH)
            s->is_uniform = is_common(a, s) && (s->has_barrier || assigns_common(a, s));
        else if (s->kind == QN__LOOP)
            s->is_uniform = s->has_barrier && loop_is_uniform(a, s);
        else if (s->kind == QN__ASSIGN)
            s->is_uniform = a->common[s->var->id];
        else if (qn__is_jump(s))
            s->is_uniform = !s->is_flagged;
    }
}
