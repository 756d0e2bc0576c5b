/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops of the statement tree: while, do and for recovered from loops that run for ever and are
 * left, and jumps turned into break and continue (simplify.c calls these between its passes). */
#include "compiler/stmt/recover_loops.h"

void qn__move_copies_after(struct qn__stmt *loop, struct qn__stmt *exit)
{
    while (exit->prev && exit->prev->is_copy) {
        struct qn__stmt *const copy = exit->prev;
        qn__remove(copy);
        qn__insert_after(loop, copy);
    }
}

/* Is this jump a break out of `loop` (or a switch)? Also when it names an outer statement, as long
 * as control that comes out of the loop goes there by itself. */
static bool is_break(const struct qn__stmt *loop, const struct qn__stmt *jump)
{
    if (jump->kind == QN__LEAVE && jump->target == loop)
        return true;
    return jump->kind != QN__RETURN && !loop->next && qn__falls_to(loop->parent, jump);
}

/* A loop that is only left for one place further out: it breaks, and the jump follows it. So do the
 * copies of its edge, where there is no other.
 *     loop { ...; i = 0; leave block; ... }  ->  loop { ...; leave loop; ... } i = 0; leave block
 */
static bool hoist_exit(struct qn__function *f, struct qn__stmt *loop)
{
    struct qn__stmt *first = NULL;
    uint32_t n = 0;
    if (loop->form != QN__FOREVER || loop->leaves)
        return false;
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body)) {
        if (s->kind != QN__LEAVE && s->kind != QN__CONTINUE)
            continue;
        if (qn__is_inside(s->target, loop))
            continue;
        if (first && (first->kind != s->kind || first->target != s->target))
            return false;
        first = first ? first : s;
        n++;
    }
    if (!first || (first->kind == QN__LEAVE && is_break(loop, first)))
        return false;
    struct qn__stmt *const out = qn__stmt_new(f, first->kind);
    struct qn__stmt *const target = first->target;
    out->target = target;
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body))
        if (s->kind == out->kind && s->target == target) {
            target->leaves -= s->kind == QN__LEAVE;
            s->kind = QN__LEAVE;
            s->target = loop;
            loop->leaves++;
        }
    target->leaves += out->kind == QN__LEAVE;
    qn__insert_after(loop, out);
    if (n == 1)
        qn__move_copies_after(loop, first);
    return true;
}

static bool is_exit_test(const struct qn__stmt *s, const struct qn__stmt *loop)
{
    return s && s->kind == QN__IF && qn__is_empty(s->other) && s->body->first &&
           s->body->first == s->body->last && qn__is_jump(s->body->first) &&
           (is_break(loop, s->body->first) || (s->body->first->kind == QN__RETURN && !loop->next &&
                                               qn__falls_to(loop->parent, s->body->first)));
}

static void take_test(struct qn__stmt *loop, struct qn__stmt *test, enum qn__loop_form form)
{
    loop->form = form;
    loop->value = test->negated;
    loop->where = test->where;
    qn__drop_jump(test->body->first);
    qn__remove(test);
}

/* The assignment of v among those directly before the loop that may move down to it. */
static struct qn__stmt *find_init(struct qn__stmt *loop, const struct qn__var *v)
{
    struct qn__stmt *at = loop;
    while (!at->prev && at->parent->parent && at->parent->parent->kind == QN__BLOCK)
        at = at->parent->parent;
    for (struct qn__stmt *s = at->prev; s && s->kind == QN__ASSIGN; s = s->prev) {
        if (!qn__assigns(s, v)) {
            if (qn__node_mentions(s->value, v))
                return NULL;
            continue;
        }
        if (s->is_barrier)
            return NULL;
        for (struct qn__stmt *later = s->next; later && later != at; later = later->next)
            if (qn__node_mentions(s->value, later->var))
                return NULL;
        return s;
    }
    return NULL;
}

/* A for's continue takes the step as well: so each one there is must have taken it. */
static bool continues_step(const struct qn__stmt *loop, const struct qn__stmt *step)
{
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body))
        if (s->kind == QN__CONTINUE && s->target == loop &&
            !(qn__assigns(s->prev, step->var) && qn__node_equal(s->prev->value, step->value)))
            return false;
    return true;
}

static void drop_steps_of_continues(struct qn__stmt *loop)
{
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body))
        if (s->kind == QN__CONTINUE && s->target == loop)
            qn__remove(s->prev);
}

/* while with a variable that the test reads, the last statement steps and something before sets.
 * Neither of the two may hold a barrier: flattening looks for those in lists. */
static void make_for(struct qn__stmt *loop)
{
    struct qn__stmt *const last = loop->body->last;
    if (!last || last->kind != QN__ASSIGN || last->is_barrier ||
        !qn__node_mentions(loop->value, last->var) || !qn__node_mentions(last->value, last->var))
        return;
    struct qn__stmt *const before = last->prev;
    const bool other_steps = before && before->kind == QN__ASSIGN && before->prev &&
                             before->prev->kind == QN__BLOCK && before->prev->leaves;
    if (other_steps || !continues_step(loop, last))
        return;
    struct qn__stmt *const init = find_init(loop, last->var);
    if (!init && !loop->is_for && !(before && before->kind == QN__BLOCK && before->leaves))
        return;
    loop->form = QN__FOR;
    loop->init = init;
    if (init)
        qn__remove(init);
    loop->step = last;
    qn__remove(last);
    drop_steps_of_continues(loop);
    if (before && before->kind == QN__BLOCK && before->leaves) {
        for (struct qn__stmt *s = before->body; s; s = qn__walk_next(s, before->body))
            if (s->kind == QN__LEAVE && s->target == before) {
                s->kind = QN__CONTINUE;
                s->target = loop;
                before->leaves--;
            }
        if (!before->leaves)
            qn__unwrap(before);
    }
    if (init)
        init->parent = loop;
    last->parent = loop;
}

void qn__shape_loops(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        if (s->kind != QN__LOOP || s->form != QN__FOREVER)
            continue;
        if (is_exit_test(s->body->first, s)) {
            take_test(s, s->body->first, QN__WHILE);
            make_for(s);
        } else if (is_exit_test(s->body->last, s)) {
            bool continues = false; /* C's continue would run the test */
            for (struct qn__stmt *w = s->body; w; w = qn__walk_next(w, s->body))
                continues |= w->kind == QN__CONTINUE && w->target == s;
            if (!continues)
                take_test(s, s->body->last, QN__DO);
        }
    }
}

/* Does the end of this block end an iteration of the loop? */
static bool ends_iteration(const struct qn__stmt *block, const struct qn__stmt *loop)
{
    const struct qn__stmt next = {.kind = QN__CONTINUE,
                                  .target = (struct qn__stmt *)(uintptr_t)loop};
    return qn__falls_to(block->parent, &next);
}

/* The innermost loop around a statement, or also switch. */
static struct qn__stmt *innermost(const struct qn__stmt *s, bool switches)
{
    for (struct qn__stmt *p = s->parent; p; p = p->parent)
        if (p->kind == QN__LOOP || (switches && p->kind == QN__SWITCH))
            return p;
    return NULL;
}

/* Jumps that break and continue can say name the loop they stand in; blocks lose their leaves. */
void qn__retarget_jumps(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        if (s->kind != QN__LEAVE && s->kind != QN__CONTINUE)
            continue;
        struct qn__stmt *const around = innermost(s, true), *const loop = innermost(s, false);
        if (s->target == around || (s->kind == QN__CONTINUE && s->target == loop))
            continue;
        const bool is_continue = loop && loop->form != QN__DO && s->kind == QN__LEAVE &&
                                 s->target->kind == QN__BLOCK && !s->target->next &&
                                 ends_iteration(s->target, loop);
        if (around && is_break(around, s)) {
            s->target->leaves -= s->kind == QN__LEAVE;
            s->kind = QN__LEAVE;
            s->target = around;
            around->leaves++;
        } else if (is_continue) {
            s->target->leaves--;
            s->kind = QN__CONTINUE;
            s->target = loop;
        }
    }
}

bool qn__hoist_exits(struct qn__function *f)
{
    bool changed = false;
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (s->kind == QN__LOOP)
            changed |= hoist_exit(f, s);
    return changed;
}
