/* SPDX-License-Identifier: Apache-2.0
 *
 * Simplifying: the tree of structure.c, correct and clumsy, becomes what a person would write.
 *
 *     a jump to where control goes anyway          nothing
 *     if (c) { jump } else { rest }                if (c) jump; rest
 *     if (c) { leave block } rest, end of block    if (!c) { rest }
 *     a block that nothing leaves                  its statements
 *     loop { if (c) leave; rest }                  while (!c) { rest }
 *     loop { rest; if (c) leave }                  do { rest } while (!c)
 *     i = a; while (i < n) { rest; i = i + 1 }     for (i = a; i < n; i++) { rest }
 *
 *     if (c) t = a; else t = b;                    t = c ? a : b, where the source has that
 *
 * The passes repeat until nothing changes; each one is linear in the tree. */
#include "compiler/passes.h"
#include "compiler/stmt/recover_loops.h"
#include "compiler/stmt/recover_ternaries.h"

enum { PASSES = 12 };

/* Leaving this block goes on with the next iteration of the loop around it, but for assignments
 * that can be the loop's step. */
static bool leads_to_step(const struct qn__stmt *block)
{
    const struct qn__stmt *s = block->next;
    while (s && (s->kind == QN__ASSIGN || s->kind == QN__CONTINUE))
        s = s->next;
    return !s && block->parent->parent && block->parent->parent->kind == QN__LOOP;
}

/* if (c) return; and if (c) continue; stay as the source had them. */
static bool keep_as_guard(const struct qn__stmt *jump)
{
    const struct qn__stmt *const list = jump->parent, *const owner = list->parent;
    if (list->first != jump || !owner || owner->kind != QN__IF || owner->body != list ||
        qn__is_empty(owner->other))
        return false;
    return jump->kind == QN__RETURN || jump->kind == QN__CONTINUE ||
           (jump->kind == QN__LEAVE && jump->target->kind == QN__BLOCK &&
            leads_to_step(jump->target));
}

static void negate(struct qn__stmt *s)
{
    const struct qn__node *const value = s->value;
    struct qn__stmt *const body = s->body;
    s->value = s->negated;
    s->negated = value;
    s->body = s->other;
    s->other = body;
}

static void move_after(struct qn__stmt *at, struct qn__stmt *from)
{
    while (from->last) {
        struct qn__stmt *const s = from->last;
        qn__remove(s);
        qn__insert_after(at, s);
    }
}

/* if (c) { ...; leave B } rest }  ->  if (c) { ... } else { rest } } */
static bool nest_rest(struct qn__stmt *s)
{
    struct qn__stmt *const jump = s->body->last;
    if (!jump || jump->kind != QN__LEAVE || !s->next || !qn__is_empty(s->other) ||
        jump->target->kind != QN__BLOCK || !qn__falls_to(s->parent, jump))
        return false;
    if (leads_to_step(jump->target) && s->body->first == jump)
        return false; /* it will be a continue */
    while (s->next) {
        struct qn__stmt *const r = s->next;
        qn__remove(r);
        qn__append(s->other, r);
    }
    qn__drop_jump(jump);
    return true;
}

/* if (active) { a } if (active) { b }  ->  if (active) { a b }, where a leaves the flag alone */
static bool merge_guards(struct qn__stmt *s)
{
    struct qn__stmt *const next = s->next;
    if (!s->is_guard || !next || !next->is_guard || !qn__node_equal(s->value, next->value) ||
        !qn__is_empty(s->other) || !qn__is_empty(next->other) || qn__ends_in_jump(s->body))
        return false;
    for (const struct qn__stmt *w = s->body; w;
         w = qn__walk_next((struct qn__stmt *)(uintptr_t)w, s->body))
        if (w->kind == QN__ASSIGN && qn__node_is_var(s->value, w->var))
            return false;
    qn__move_all(s->body, next->body);
    qn__remove(next);
    return true;
}

static bool same_jump(const struct qn__stmt *a, const struct qn__stmt *b)
{
    return a && b && qn__is_jump(a) && a->kind == b->kind && a->target == b->target;
}

/* if (a) { if (b) { x } jump } jump  ->  if (a && b) { x } jump */
static bool merge_conditions(struct qn__unit *u, struct qn__stmt *s)
{
    struct qn__stmt *const inner = s->body->first;
    if (!inner || inner->kind != QN__IF || !qn__is_empty(s->other) || !qn__is_empty(inner->other) ||
        !inner->next || inner->next != s->body->last || !same_jump(inner->next, s->next))
        return false;
    s->value = qn__node_and(u, s->value, inner->value);
    s->negated = qn__node_not(u, s->value);
    qn__drop_jump(inner->next);
    qn__remove(inner);
    qn__move_all(s->body, inner->body);
    return true;
}

/* if (c) { continue } break, at the end of an iteration  ->  if (!c) { break } */
static bool invert_exit(struct qn__stmt *s)
{
    struct qn__stmt *const jump = s->body->first, *const last = s->next;
    if (!jump || jump != s->body->last || !qn__is_jump(jump) || !qn__is_empty(s->other) || !last ||
        last->next || !qn__is_jump(last) || !qn__falls_to(s->parent, jump))
        return false;
    qn__drop_jump(jump);
    qn__remove(last);
    qn__append(s->other, last);
    negate(s);
    return true;
}

static bool simplify_if(struct qn__unit *u, struct qn__stmt *s)
{
    if (merge_guards(s) || merge_conditions(u, s) || invert_exit(s))
        return true;
    if (qn__is_empty(s->body) && qn__is_empty(s->other)) {
        qn__remove(s);
        return true;
    }
    if (qn__is_empty(s->body)) {
        negate(s);
        return true;
    }
    if (!qn__is_empty(s->other) && qn__ends_in_jump(s->body)) {
        move_after(s, s->other);
        return true;
    }
    if (!qn__is_empty(s->other) && s->other->first == s->other->last &&
        qn__is_jump(s->other->first)) {
        negate(s);
        move_after(s, s->other);
        return true;
    }
    return nest_rest(s);
}

/* The copies an edge makes on the only way out of a loop go after the loop:
 *     block { loop { ...; i = 0; leave block } }  ->  block { loop { ...; leave loop } i = 0 } */
static bool move_exit_copies(struct qn__stmt *block)
{
    struct qn__stmt *const loop = block->body->first;
    if (!loop || loop->kind != QN__LOOP || loop != block->body->last || block->leaves != 1)
        return false;
    if (loop->form != QN__FOREVER || loop->leaves)
        return false; /* it also ends by itself, without the copies */
    struct qn__stmt *exit = loop->body;
    while (exit && !(exit->kind == QN__LEAVE && exit->target == block))
        exit = qn__walk_next(exit, loop->body);
    if (!exit || !exit->prev || !exit->prev->is_copy)
        return false;
    qn__move_copies_after(loop, exit);
    exit->target = loop;
    loop->leaves++;
    block->leaves--;
    return true;
}

/* Does a case jump further than the end of this block? Then what follows the switch is a case's
 * own. */
static bool leaves_outer(struct qn__stmt *sw, const struct qn__stmt *block)
{
    for (struct qn__stmt *s = sw; s; s = qn__walk_next(s, sw))
        if (s->kind == QN__LEAVE && s->target != block && s->target != sw &&
            s->target->kind == QN__BLOCK)
            return true;
    return false;
}

/* block { switch (v) { case 1: a; leave block  case 2: leave block  ... } } b
 *     ->  switch (v) { case 1: a; (falls through)  case 2: b  ... }
 * where b is reached from the case that only leaves, and from at most one other. */
static bool make_fall_through(struct qn__stmt *block)
{
    struct qn__stmt *const sw = block->body->last;
    struct qn__stmt *label = NULL, *faller = NULL;
    if (!sw || sw->kind != QN__SWITCH || sw->leaves || !block->next)
        return false; /* a break, too, goes on with what follows the block */
    uint32_t seen = 0;
    const bool jumps_far = leaves_outer(sw, block);
    bool avoided = jumps_far; /* where every case goes on with b, it stays after the switch */
    for (struct qn__stmt *c = sw->first; c; c = c->next) {
        struct qn__stmt *const last = c->last;
        const bool leaves = last && last->kind == QN__LEAVE && last->target == block;
        seen += leaves;
        if ((leaves && last == c->first) || (!last && (!c->is_default || jumps_far))) {
            if (label)
                return false;
            label = c;
        } else if (leaves || (!qn__ends_in_jump(c) && !c->falls_through)) {
            if (faller)
                return false;
            faller = c;
        } else {
            avoided |= !c->falls_through;
        }
    }
    if (!label || !avoided || block->leaves != seen ||
        (faller && faller->prev && faller->prev->falls_through && label->prev != faller))
        return false;
    if (label->falls_through ||
        (label->prev && label->prev->falls_through && label->prev != faller))
        return false;
    if (label->last) {
        qn__remove(label->last);
        block->leaves--;
    }
    if (faller) {
        if (faller->last && faller->last->kind == QN__LEAVE && faller->last->target == block) {
            qn__remove(faller->last);
            block->leaves--;
        }
        faller->falls_through = true;
        qn__remove(label);
        qn__insert_after(faller, label);
    }
    while (block->next) {
        struct qn__stmt *const rest = block->next;
        qn__remove(rest);
        qn__append(label, rest);
    }
    return true;
}

static bool simplify_block(struct qn__stmt *s)
{
    if (move_exit_copies(s) || make_fall_through(s))
        return true;
    if (s->leaves)
        return false;
    qn__unwrap(s);
    return true;
}

/* Nothing after a jump runs. */
static bool cut_dead(struct qn__stmt *list)
{
    bool changed = false;
    for (struct qn__stmt *s = list->first; s; s = s->next)
        if (qn__is_jump(s) || s->kind == QN__GOTO)
            while (s->next && s->next->kind != QN__LABEL) {
                struct qn__stmt *const dead = s->next;
                for (struct qn__stmt *w = dead; w; w = qn__walk_next(w, dead))
                    if (w->kind == QN__LEAVE)
                        w->target->leaves--;
                qn__remove(dead);
                changed = true;
            }
    return changed;
}

static bool simplify_list(struct qn__unit *u, struct qn__stmt *list);

static bool simplify_children(struct qn__unit *u, struct qn__stmt *s)
{
    bool changed = false;
    if (s->body)
        changed |= simplify_list(u, s->body);
    if (s->other)
        changed |= simplify_list(u, s->other);
    for (struct qn__stmt *c = s->kind == QN__SWITCH ? s->first : NULL; c; c = c->next)
        changed |= simplify_list(u, c);
    return changed;
}

static bool simplify_list(struct qn__unit *u, struct qn__stmt *list)
{
    bool changed = cut_dead(list);
    for (struct qn__stmt *s = list->first, *next; s; s = next) {
        next = s->next;
        changed |= simplify_children(u, s);
        if (qn__is_jump(s) && !s->next && qn__falls_to(list, s) && !keep_as_guard(s)) {
            qn__drop_jump(s);
            changed = true;
        } else if (s->kind == QN__IF) {
            changed |= simplify_if(u, s);
            if (s->parent == list)
                next = s->next; /* what followed may have moved into it */
        } else if (s->kind == QN__BLOCK) {
            changed |= simplify_block(s);
        }
    }
    return changed;
}

/* Can the block be do { } while (false), left by break? Its leaves stand in no loop or switch of
 * it, and nothing in it continues or breaks a loop around it. */
static bool is_once(struct qn__stmt *block)
{
    for (struct qn__stmt *s = block->body; s; s = qn__walk_next(s, block->body)) {
        if (s->kind != QN__LEAVE && s->kind != QN__CONTINUE)
            continue;
        const struct qn__stmt *p = s->parent;
        while (p != block && p->kind != QN__LOOP && p->kind != QN__SWITCH &&
               !(p->kind == QN__BLOCK && p->shape.once))
            p = p->parent;
        if (s->target == block ? p != block : p == block)
            return false;
    }
    return true;
}

static void find_once(struct qn__stmt *s)
{
    if (s->body)
        find_once(s->body);
    if (s->other)
        find_once(s->other);
    for (struct qn__stmt *c = s->first; c; c = c->next)
        find_once(c);
    if (s->kind == QN__BLOCK)
        s->shape.once = is_once(s);
}

static void run_passes(struct qn__function *f)
{
    for (int i = 0; i < PASSES && simplify_list(f->u, f->body); i++)
        ;
}

void qn__simplify(struct qn__function *f)
{
    run_passes(f);
    if (qn__hoist_exits(f))
        run_passes(f);
    for (int i = 0; i < 2; i++) { /* a loop found may make an outer one plain */
        qn__shape_loops(f);
        qn__retarget_jumps(f);
        run_passes(f);
    }
    qn__recover_ternaries(f);
    run_passes(f);
    find_once(f->body);
}
