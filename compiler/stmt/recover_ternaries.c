/* SPDX-License-Identifier: Apache-2.0
 *
 * The source's ?:, && and || that clang made branches of, because they read memory or call:
 *
 *     if (c) t = a; else t = b;           t = c ? a : b;
 *     if (c) t = a; else t = false;       t = c && a;
 *     if (c) t = true; else t = b;        t = c || b;
 *
 * where the flow comes together in a block that clang calls cond.end, land.end or lor.end (the
 * copies have their `arm` from there). Where only the next statement wants such a t it moves into
 * it. An if of the source stays one. */
#include "compiler/stmt/recover_ternaries.h"

enum { NODES_MAX = 80 }; /* of a choice; larger ones stay if and else */

struct choices {
    struct qn__function *f;
    uint32_t *mentions; /* per variable, in texts */
    uint32_t *assigned;
};

static bool count_mention(void *user, const struct qn__var *v)
{
    uint32_t *const mentions = user;
    mentions[v->id]++;
    return true;
}

static void count(struct choices *c)
{
    for (struct qn__stmt *s = c->f->body; s; s = qn__walk_next(s, c->f->body)) {
        const struct qn__stmt *const steps[] = {s, s->init, s->step};
        for (int i = 0; i < 3; i++)
            if (steps[i]) {
                qn__node_each_var(steps[i]->value, count_mention, c->mentions);
                if (steps[i]->kind == QN__ASSIGN)
                    c->assigned[steps[i]->var->id]++;
            }
    }
}

static struct qn__stmt *only_copy(const struct qn__stmt *list)
{
    struct qn__stmt *const s = list->first;
    return s && s == list->last && s->kind == QN__ASSIGN && s->arm && !s->is_barrier ? s : NULL;
}

static const struct qn__node *choice(struct qn__unit *u, const struct qn__stmt *s,
                                     const struct qn__node *a, const struct qn__node *b,
                                     const struct qn__type *type)
{
    const bool is_bool = type->kind == QN__BOOL;
    if (is_bool && qn__node_is_truth(b, false))
        return qn__node_and(u, s->value, a);
    if (is_bool && qn__node_is_truth(a, true))
        return qn__node_or(u, s->value, b);
    if (is_bool && qn__node_is_truth(a, false))
        return qn__node_and(u, s->negated, b);
    if (is_bool && qn__node_is_truth(b, true))
        return qn__node_or(u, s->negated, a);
    const struct qn__node *const all[] = {s->value, a, b};
    return qn__node_new(u, QN__OP_CHOOSE, type, 3, all);
}

/* The if becomes one assignment, or NULL. */
static struct qn__stmt *make_choice(struct qn__function *f, struct qn__stmt *s)
{
    struct qn__stmt *const a = only_copy(s->body), *const b = only_copy(s->other);
    if (!a || !b || a->var != b->var || qn__node_size(a->arm) + qn__node_size(b->arm) > NODES_MAX)
        return NULL;
    struct qn__stmt *const out =
        qn__assign_new(f, a->var, choice(f->u, s, a->arm, b->arm, a->var->type));
    out->arm = out->value;
    out->is_arm_exact = a->is_arm_exact && b->is_arm_exact;
    out->is_copy = true;
    out->where = a->where ? a->where : s->where;
    qn__insert_before(s, out);
    qn__remove(s);
    return out;
}

/* t = c ? a : b; x[i] = t;  ->  x[i] = c ? a : b; */
static void move_into_next(struct choices *c, struct qn__stmt *s)
{
    struct qn__unit *const u = c->f->u;
    struct qn__stmt *const next = s->next;
    const struct qn__var *const v = s->var;
    const bool plain = v->type->kind != QN__INT || s->is_arm_exact;
    if (v->is_named || v->is_argument || v->is_memory || v->is_shared || !next || !plain ||
        c->mentions[v->id] != 1 || c->assigned[v->id] != 2 || next->is_barrier || next->update ||
        (next->kind != QN__EFFECT && next->kind != QN__ASSIGN))
        return;
    if (!qn__node_mentions(next->value, v) || next->value->traits & QN__REPEATS ||
        qn__node_size(s->value) + qn__node_size(next->value) > NODES_MAX)
        return;
    next->value = qn__node_replace(u, next->value, v, s->value);
    next->arm = NULL;
    qn__remove(s);
}

static void in_list(struct choices *c, struct qn__stmt *list)
{
    for (struct qn__stmt *s = list->first, *next; s; s = next) {
        next = s->next;
        if (s->body)
            in_list(c, s->body);
        if (s->other)
            in_list(c, s->other);
        if (s->kind == QN__SWITCH)
            for (struct qn__stmt *k = s->first; k; k = k->next)
                in_list(c, k);
        struct qn__stmt *const made = s->kind == QN__IF ? make_choice(c->f, s) : NULL;
        if (made)
            move_into_next(c, made);
    }
}

void qn__recover_ternaries(struct qn__function *f)
{
    struct choices c = {.f = f};
    c.mentions = QN__NEED_ARRAY(f->u, uint32_t, f->n_vars);
    c.assigned = QN__NEED_ARRAY(f->u, uint32_t, f->n_vars);
    count(&c);
    in_list(&c, f->body);
}
