/* SPDX-License-Identifier: Apache-2.0
 *
 * Where work-items are loops (C): a loop over the work-items of the block around each longest run
 * of statements without a barrier (loop fission).
 *
 *     a();                QN_ITEMS { a(); }
 *     for (...) {         for (...) {
 *         b();                QN_ITEMS { b(); }
 *         barrier();          QN_ITEMS { c(); }
 *         c();            }
 *     }
 *
 * What a barrier stands in is executed by the whole group: flattening saw to it, and its conditions
 * are the same for all work-items. So are jumps that all work-items take, which stay outside of the
 * loops. One that only some take is in a loop and ends it for its work-item; that no barrier
 * follows is checked, and where anything else follows flags lead around it (qn__exits_find).
 *
 * item_variables.c then decides where variables live. */
#include "compiler/core/diagnose.h"
#include "compiler/passes.h"
#include "compiler/stmt/split_collective.h"

/* Does it jump away from `s`, or out of the kernel? */
static bool is_exit(const struct qn__stmt *jump, const struct qn__stmt *s)
{
    return qn__is_jump(jump) &&
           (jump->kind == QN__RETURN || !qn__is_inside(jump->target, s) || jump == s);
}

/* Does a jump that all work-items take together lead out of this statement? */
static bool has_common_exit(struct qn__stmt *s)
{
    if (s->divergent.exit)
        return false;
    for (struct qn__stmt *i = s; i; i = qn__walk_next(i, s))
        if (is_exit(i, s))
            return true;
    return false;
}

/* Is it executed by the group, and not by each work-item? */
static bool is_common(struct qn__stmt *s)
{
    return qn__has_barrier(s) || has_common_exit(s);
}

/* ---- exits that only some take ---- */

/* May the jump, in a run of `list`, be the end of its work-item's turn? Then nothing follows the
 * run on the way to where the jump leads. */
static bool ends_turn(const struct qn__function *f, const struct qn__stmt *list,
                      const struct qn__stmt *jump)
{
    if (jump->kind == QN__RETURN)
        return list == f->body;
    const bool to_end = jump->kind == QN__CONTINUE || jump->target->kind == QN__BLOCK;
    return to_end && jump->target->body == list;
}

static bool exits_in_list(struct qn__function *f, struct qn__stmt *list);

static bool exits_below(struct qn__function *f, struct qn__stmt *s)
{
    bool found = false;
    if (s->kind == QN__SWITCH)
        for (struct qn__stmt *c = s->first; c; c = c->next)
            found |= exits_in_list(f, c);
    if (s->body)
        found |= exits_in_list(f, s->body);
    if (s->other)
        found |= exits_in_list(f, s->other);
    return found;
}

static bool exits_in_list(struct qn__function *f, struct qn__stmt *list)
{
    for (struct qn__stmt *s = list->first; s; s = s->next) {
        if (is_common(s)) {
            if (exits_below(f, s))
                return true;
            continue;
        }
        for (struct qn__stmt *i = s; i; i = qn__walk_next(i, s))
            if (is_exit(i, s) && !ends_turn(f, list, i))
                return true;
    }
    return false;
}

void qn__exits_find(struct qn__function *f)
{
    f->exits_diverge = exits_in_list(f, f->body);
}

/* ---- runs ---- */

static void refuse_exit(struct qn__function *f, const struct qn__stmt *jump)
{
    while (jump->parent && !jump->where)
        jump = jump->parent;
    qn__refuse(f->u, jump->where,
               "a jump out of a loop or switch that only some work-items of a block take, beside a "
               "barrier: C has no form for it here; use a condition instead");
}

/* A loop over the work-items that is being made. Where some leave it early, and not the kernel,
 * they leave a block in it: what follows keeps their variables. */
struct run {
    struct qn__stmt *items, *block;
};

static void enclose(struct qn__function *f, struct run *run)
{
    if (run->block)
        return;
    run->block = qn__stmt_new(f, QN__BLOCK);
    run->block->shape.once = true;
    qn__move_all(run->block->body, run->items->body);
    qn__append(run->items->body, run->block);
}

/* Jumps out of a run: the work-item's turn ends. */
static void end_turns(struct qn__function *f, struct qn__stmt *list, struct qn__stmt *s,
                      struct run *run)
{
    for (struct qn__stmt *i = s; i; i = qn__walk_next(i, s)) {
        if (!is_exit(i, s))
            continue;
        if (!ends_turn(f, list, i)) {
            refuse_exit(f, i);
        } else if (i->kind != QN__RETURN) {
            enclose(f, run);
            if (i->kind == QN__LEAVE)
                i->target->leaves--;
            i->kind = QN__LEAVE;
            i->target = run->block;
            run->block->leaves++;
        }
    }
}

static struct qn__stmt *items_before(struct qn__function *f, struct qn__stmt *at)
{
    struct qn__stmt *const run = qn__stmt_new(f, QN__ITEMS);
    qn__insert_before(at, run);
    return run;
}

static void split_list(struct qn__function *f, struct qn__stmt *list);

/* The statements on both sides of a collective, and what is left of it. */
static struct qn__stmt *split_collective(struct qn__function *f, struct qn__stmt *s)
{
    struct qn__stmt *group = NULL, *after = NULL;
    struct qn__stmt *const run =
        s->prev && s->prev->kind == QN__ITEMS ? s->prev : items_before(f, s);
    struct qn__stmt *const rest = qn__collective_split(f, s, run, &group);
    if (group)
        qn__insert_before(s, group);
    if (rest) {
        after = items_before(f, s);
        qn__remove(s);
        qn__append(after->body, rest);
    } else {
        qn__remove(s);
    }
    if (qn__is_empty(run->body))
        qn__remove(run);
    return after;
}

static void split_inside(struct qn__function *f, struct qn__stmt *s)
{
    if (s->kind == QN__SWITCH)
        for (struct qn__stmt *c = s->first; c; c = c->next)
            split_list(f, c);
    if (s->body)
        split_list(f, s->body);
    if (s->other)
        split_list(f, s->other);
}

static void split_list(struct qn__function *f, struct qn__stmt *list)
{
    struct run run = {0};
    for (struct qn__stmt *s = list->first, *next; s; s = next) {
        next = s->next;
        if (s->is_barrier && (s->kind == QN__EFFECT || s->kind == QN__ASSIGN)) {
            run = (struct run){.items = split_collective(f, s)};
        } else if (is_common(s)) {
            split_inside(f, s);
            run = (struct run){0};
        } else {
            if (!run.items)
                run.items = items_before(f, s);
            end_turns(f, list, s, &run);
            qn__remove(s);
            qn__append(run.block ? run.block->body : run.items->body, s);
        }
    }
}

static void refuse_irreducible(struct qn__function *f)
{
    struct qn__stmt *s = f->body;
    while (s && !(s->kind == QN__GOTO && s->where))
        s = qn__walk_next(s, f->body);
    qn__refuse(f->u, s ? s->where : NULL,
               "a jump into the middle of a loop, in a kernel with a barrier; write the loop "
               "without goto");
}

void qn__work_items(struct qn__function *f)
{
    if (f->has_barrier && f->is_irreducible) {
        refuse_irreducible(f);
        return;
    }
    if (f->has_barrier) {
        split_list(f, f->body);
    } else { /* irreducible flow stays whole */
        struct qn__stmt *const run = qn__stmt_new(f, QN__ITEMS);
        qn__move_all(run->body, f->body);
        qn__append(f->body, run);
    }
}
