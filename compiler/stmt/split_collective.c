/* SPDX-License-Identifier: Apache-2.0
 *
 * Warp operations and barriers with a result, where work-items are loops: each work-item leaves
 * what the others read in an array, and reads theirs in the next loop.
 *
 *     sum += __shfl_xor_sync(~0u, sum, 16);
 *
 *     QN_ITEMS { ...; value_at[qn_i] = sum; }
 *     QN_ITEMS { sum += value_at[qn_lane_xor(16, 32, qn_i, qn_n)]; ... }
 *
 * The forms of builtins.def name what is read of all work-items with an @. */
#include "compiler/stmt/split_collective.h"

#include "compiler/lang/form.h"
#include "compiler/stmt/frame.h"

#include <string.h>

/* The collective in a statement's value. */
static const struct qn__node *collective_in(struct qn__unit *u, const struct qn__node *n)
{
    if (n->op == QN__OP_BUILTIN && qn__form_of(u, n->builtin)->reads_all)
        return n;
    for (uint32_t i = 0; i < n->n; i++) {
        const struct qn__node *const found = collective_in(u, n->operands[i]);
        if (found)
            return found;
    }
    return NULL;
}

static const struct qn__node *with_collective(struct qn__unit *u, const struct qn__node *n,
                                              const struct qn__node *old,
                                              const struct qn__node *new)
{
    if (n == old)
        return new;
    const struct qn__node **const operands = QN__NEED_ARRAY(u, const struct qn__node *, n->n + 1);
    for (uint32_t i = 0; i < n->n; i++)
        operands[i] = with_collective(u, n->operands[i], old, new);
    struct qn__node copy = *n;
    copy.operands = operands;
    return qn__node_make(u, copy);
}

/* An array of that type. The next operation's arrays are others, because its work-items write while
 * those of this one still read; between more of them lies the end of a loop. */
static struct qn__var *lanes(struct qn__function *f, const char *wish, const struct qn__type *type)
{
    enum { IN_TURN = 4 }; /* an operation reads at most two */
    for (uint32_t i = 0; i < f->n_lanes; i++) {
        struct qn__lanes *const l = &f->lanes[i];
        if (l->type != type)
            continue;
        l->next = (l->next + 1) % IN_TURN;
        if (!l->arrays[l->next])
            l->arrays[l->next] = qn__frame_array(f, wish, type);
        return l->arrays[l->next];
    }
    const struct qn__lanes first = {.type = type, .arrays = {qn__frame_array(f, wish, type)}};
    QN__PUSH(f->u, f->lanes, f->n_lanes, f->lanes_capacity, first);
    return first.arrays[0];
}

/* Where the source's work-items wait for one another, or read what others left in the array. */
static void meet(struct qn__function *f, struct qn__stmt *s, enum qn__sync sync,
                 const struct qn__var *array)
{
    struct qn__unit *const u = f->u;
    struct qn__stmt *const here = qn__stmt_new(f, QN__EFFECT);
    const struct qn__node *const operand = array ? qn__node_var(u, array) : NULL;
    struct qn__node n = *qn__node_new(u, QN__OP_SYNC, qn__type_void(u), array != NULL, &operand);
    n.sync = sync;
    here->value = qn__node_make(u, n);
    here->where = s->where;
    qn__insert_before(s, here);
}

/* Not those that flattening adds. */
static void meet_at_barrier(struct qn__function *f, struct qn__stmt *s)
{
    const struct qn__builtin *const b = s->value->builtin;
    if (b && strcmp(b->name, "__qn_grid_sync") == 0)
        meet(f, s, QN__SYNC_GRID, NULL);
    else if (b)
        meet(f, s, b->traits == QN__BARRIER ? QN__SYNC_GROUP : QN__SYNC_WARP, NULL);
    else if (s->where) /* lanes in step */
        meet(f, s, QN__SYNC_WARP, NULL);
}

static bool is_constant(const struct qn__node *n)
{
    return n->op == QN__OP_NUMBER || n->op == QN__OP_TRUTH || n->op == QN__OP_REAL;
}

struct qn__stmt *qn__collective_split(struct qn__function *f, struct qn__stmt *s,
                                      struct qn__stmt *before, struct qn__stmt **group)
{
    struct qn__unit *const u = f->u;
    const struct qn__node *const all_active =
        qn__node_replace(u, s->value, NULL, qn__node_truth(u, true));
    const struct qn__node *const old = collective_in(u, all_active);
    *group = NULL;
    s->is_barrier = false;
    if (!old) {
        meet_at_barrier(f, s);
        return NULL;
    }
    const struct qn__form *const form = qn__form_of(u, old->builtin);
    const struct qn__node **const operands = QN__NEED_ARRAY(u, const struct qn__node *, old->n + 1);
    uint32_t next = 0;
    for (const struct qn__form_part *p = form->parts; p < form->parts + form->n; p++) {
        if (p->kind == QN__FORM_TEXT || p->kind == QN__FORM_SPACE)
            continue;
        const struct qn__node *const operand = old->operands[next];
        if (p->kind == QN__FORM_LANES) {
            const bool truth = operand->type->kind == QN__BOOL;
            const struct qn__var *const array = lanes(f, truth ? "says" : "value", operand->type);
            qn__append(before->body, qn__frame_store(f, array, operand));
            meet(f, s,
                 old->builtin->traits == QN__BARRIER ? QN__SYNC_SHARE_GROUP : QN__SYNC_SHARE_WARP,
                 array);
            operands[next++] = qn__node_var(u, array);
        } else if (is_constant(operand) || operand->op == QN__OP_VARIABLE) {
            operands[next++] = operand;
        } else {
            struct qn__var *const v = qn__var_new(f, "argument", operand->type);
            v->divergent = true;
            qn__append(before->body, qn__assign_new(f, v, operand));
            operands[next++] = qn__node_var(u, v);
        }
    }
    struct qn__node copy = *old;
    copy.operands = operands;
    copy.traits = QN__CALLS | QN__VARIES | QN__READS;
    const struct qn__node *new = qn__node_make(u, copy);
    if (s->kind == QN__EFFECT)
        return NULL;                           /* nobody asks for the result */
    if (old->builtin->traits == QN__BARRIER) { /* the same for all */
        struct qn__var *const result = qn__var_new(f, "result", old->type);
        *group = qn__assign_new(f, result, new);
        new = qn__node_var(u, result);
    }
    s->value = with_collective(u, all_active, old, new);
    if (s->update) {
        const struct qn__node *const update =
            qn__node_replace(u, s->update, NULL, qn__node_truth(u, true));
        const struct qn__node *const in_update = collective_in(u, update);
        s->update = in_update ? with_collective(u, update, in_update, new) : NULL;
    }
    s->arm = NULL;
    return s;
}
