/* SPDX-License-Identifier: Apache-2.0
 *
 * Tidying: the tree of structure.c, correct and clumsy, becomes what a person would write.
 *
 *     a jump to where control goes anyway          nothing
 *     if (c) { jump } else { rest }                if (c) jump; rest
 *     if (c) { leave block } rest, end of block    if (!c) { rest }
 *     a block that nothing leaves                  its statements
 *     loop { if (c) leave; rest }                  while (!c) { rest }
 *     loop { rest; if (c) leave }                  do { rest } while (!c)
 *     i = a; while (i < n) { rest; i = i + 1 }     for (i = a; i < n; i++) { rest }
 *
 * The passes repeat until nothing changes; each one is linear in the tree. */
#include "compiler/stmt.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES = 12 };

static void drop_jump(struct qn__stmt *s)
{
    if (s->kind == QN__LEAVE)
        s->target->leaves--;
    qn__remove(s);
}

/* Does control that comes out of the end of `list` reach what this jump jumps to? */
static bool falls_to(const struct qn__stmt *list, const struct qn__stmt *jump)
{
    for (;;) {
        const struct qn__stmt *const owner = list->parent;
        if (!owner)
            return jump->kind == QN__RETURN;
        if (list->falls_through)
            return false;
        if (owner->kind == QN__BLOCK && jump->kind == QN__LEAVE && jump->target == owner)
            return true;
        if (owner->kind == QN__LOOP)
            return jump->kind == QN__CONTINUE && jump->target == owner;
        if (owner->next)
            return false;
        list = owner->parent;
    }
}

/* Leaving this block goes on with the next turn of the loop around it, but for assignments that can
 * be the loop's step. */
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

static bool is_jump(const struct qn__stmt *s)
{
    return s->kind == QN__LEAVE || s->kind == QN__CONTINUE || s->kind == QN__RETURN;
}

static void negate(struct qn__stmt *s)
{
    const char *const text = s->text;
    struct qn__stmt *const body = s->body;
    s->text = s->not_text;
    s->not_text = text;
    s->body = s->other;
    s->other = body;
}

static void move_behind(struct qn__stmt *at, struct qn__stmt *from)
{
    while (from->last) {
        struct qn__stmt *const s = from->last;
        qn__remove(s);
        if (at->next)
            qn__insert_before(at->next, s);
        else
            qn__append(at->parent, s);
    }
}

/* if (c) { ...; leave B } rest }  ->  if (c) { ... } else { rest } } */
static bool nest_rest(struct qn__stmt *s)
{
    struct qn__stmt *const jump = s->body->last;
    if (!jump || jump->kind != QN__LEAVE || !s->next || !qn__is_empty(s->other) ||
        jump->target->kind != QN__BLOCK || !falls_to(s->parent, jump))
        return false;
    if (leads_to_step(jump->target) && s->body->first == jump)
        return false; /* it will be a continue */
    while (s->next) {
        struct qn__stmt *const r = s->next;
        qn__remove(r);
        qn__append(s->other, r);
    }
    drop_jump(jump);
    return true;
}

/* if (active) { a } if (active) { b }  ->  if (active) { a b }, where a leaves the flag alone */
static bool merge_guards(struct qn__stmt *s)
{
    struct qn__stmt *const next = s->next;
    if (!s->is_guard || !next || !next->is_guard || !qn__equal(s->text, next->text) ||
        !qn__is_empty(s->other) || !qn__is_empty(next->other) || qn__ends_in_jump(s->body))
        return false;
    for (const struct qn__stmt *w = s->body; w;
         w = qn__walk_next((struct qn__stmt *)(uintptr_t)w, s->body))
        if (w->kind == QN__ASSIGN && strtoul(s->text + 1, NULL, 10) == w->var->id)
            return false;
    qn__move_all(s->body, next->body);
    qn__remove(next);
    return true;
}

static bool tidy_if(struct qn__stmt *s)
{
    if (merge_guards(s))
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
        move_behind(s, s->other);
        return true;
    }
    if (!qn__is_empty(s->other) && s->other->first == s->other->last && is_jump(s->other->first)) {
        negate(s);
        move_behind(s, s->other);
        return true;
    }
    return nest_rest(s);
}

/* The copies an edge makes on the only way out of a loop go behind the loop:
 *     block { loop { ...; i = 0; leave block } }  ->  block { loop { ...; leave loop } i = 0 } */
static bool move_exit_copies(struct qn__stmt *block)
{
    struct qn__stmt *const loop = block->body->first;
    if (!loop || loop->kind != QN__LOOP || loop != block->body->last || block->leaves != 1)
        return false;
    struct qn__stmt *exit = loop->body;
    while (exit && !(exit->kind == QN__LEAVE && exit->target == block))
        exit = qn__walk_next(exit, loop->body);
    if (!exit || !exit->prev || !exit->prev->is_copy)
        return false;
    struct qn__stmt *at = loop;
    while (exit->prev && exit->prev->is_copy) {
        struct qn__stmt *const copy = exit->prev;
        qn__remove(copy);
        if (at->next)
            qn__insert_before(at->next, copy);
        else
            qn__append(block->body, copy);
    }
    exit->target = loop;
    loop->leaves++;
    block->leaves--;
    return true;
}

/* Does a case jump further than behind this block? Then what follows the switch is a case's own. */
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
    if (!sw || sw->kind != QN__SWITCH || !block->next)
        return false;
    uint32_t seen = 0;
    const bool jumps_far = leaves_outer(sw, block);
    for (struct qn__stmt *c = sw->first; c; c = c->next) {
        struct qn__stmt *const last = c->last;
        const bool leaves = last && last->kind == QN__LEAVE && last->target == block;
        seen += leaves;
        if ((leaves && last == c->first) || (!last && (c->text[0] != 'd' || jumps_far))) {
            if (label)
                return false;
            label = c;
        } else if (leaves || (!qn__ends_in_jump(c) && !c->falls_through)) {
            if (faller)
                return false;
            faller = c;
        }
    }
    if (!label || block->leaves != seen ||
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
        if (faller->next)
            qn__insert_before(faller->next, label);
        else
            qn__append(sw, label);
    }
    while (block->next) {
        struct qn__stmt *const rest = block->next;
        qn__remove(rest);
        qn__append(label, rest);
    }
    return true;
}

static bool tidy_block(struct qn__stmt *s)
{
    if (move_exit_copies(s) || make_fall_through(s))
        return true;
    if (s->leaves)
        return false;
    while (s->body->first) {
        struct qn__stmt *const inner = s->body->first;
        qn__remove(inner);
        qn__insert_before(s, inner);
    }
    qn__remove(s);
    return true;
}

/* Behind a jump nothing runs. */
static bool cut_dead(struct qn__stmt *list)
{
    bool changed = false;
    for (struct qn__stmt *s = list->first; s; s = s->next)
        if (is_jump(s) || s->kind == QN__GOTO)
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

static bool is_break(const struct qn__stmt *loop, const struct qn__stmt *jump);

/* A loop that is only left for one place further out: it breaks, and the jump follows it.
 *     loop { ...; leave block; ... }  ->  loop { ...; leave loop; ... } leave block */
static bool hoist_exit(struct qn__function *f, struct qn__stmt *loop)
{
    struct qn__stmt *first = NULL;
    if (loop->form != QN__FOREVER || loop->leaves)
        return false;
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body)) {
        if (s->kind != QN__LEAVE && s->kind != QN__CONTINUE)
            continue;
        const struct qn__stmt *p = s->target;
        while (p && p != loop)
            p = p->parent;
        if (p)
            continue; /* stays inside */
        if (first && (first->kind != s->kind || first->target != s->target))
            return false;
        first = first ? first : s;
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
    if (loop->next)
        qn__insert_before(loop->next, out);
    else
        qn__append(loop->parent, out);
    return true;
}

static bool tidy_list(struct qn__stmt *list);

static bool tidy_children(struct qn__stmt *s)
{
    bool changed = false;
    if (s->body)
        changed |= tidy_list(s->body);
    if (s->other)
        changed |= tidy_list(s->other);
    for (struct qn__stmt *c = s->kind == QN__SWITCH ? s->first : NULL; c; c = c->next)
        changed |= tidy_list(c);
    return changed;
}

static bool tidy_list(struct qn__stmt *list)
{
    bool changed = cut_dead(list);
    for (struct qn__stmt *s = list->first, *next; s; s = next) {
        next = s->next;
        changed |= tidy_children(s);
        if (is_jump(s) && !s->next && falls_to(list, s) && !keep_as_guard(s)) {
            drop_jump(s);
            changed = true;
        } else if (s->kind == QN__IF) {
            changed |= tidy_if(s);
            if (s->parent == list)
                next = s->next; /* what followed may have moved into it */
        } else if (s->kind == QN__BLOCK) {
            changed |= tidy_block(s);
        }
    }
    return changed;
}

/* ---- loops ---- */

/* Is this jump a break out of `loop` (or a switch)? Also when it names an outer statement, as long
 * as control that comes out of the loop goes there by itself. */
static bool is_break(const struct qn__stmt *loop, const struct qn__stmt *jump)
{
    if (jump->kind == QN__LEAVE && jump->target == loop)
        return true;
    return jump->kind != QN__RETURN && !loop->next && falls_to(loop->parent, jump);
}

static bool is_exit_test(const struct qn__stmt *s, const struct qn__stmt *loop)
{
    return s && s->kind == QN__IF && qn__is_empty(s->other) && s->body->first &&
           s->body->first == s->body->last && is_jump(s->body->first) &&
           (is_break(loop, s->body->first) || (s->body->first->kind == QN__RETURN && !loop->next &&
                                               falls_to(loop->parent, s->body->first)));
}

static void take_test(struct qn__stmt *loop, struct qn__stmt *test, enum qn__loop_form form)
{
    loop->form = form;
    loop->text = test->not_text;
    loop->varies = test->varies;
    loop->loads = test->loads;
    loop->where = test->where;
    drop_jump(test->body->first);
    qn__remove(test);
}

static const char *token(struct qn__function *f, const struct qn__var *v)
{
    return qn__var_expr(f->u, v).text;
}

static bool assigns(const struct qn__stmt *s, const struct qn__var *v)
{
    return s->kind == QN__ASSIGN && s->var == v;
}

/* The assignment of v among those directly before the loop that may move down to it. */
static struct qn__stmt *find_init(struct qn__function *f, struct qn__stmt *loop,
                                  const struct qn__var *v)
{
    struct qn__stmt *at = loop;
    while (!at->prev && at->parent->parent && at->parent->parent->kind == QN__BLOCK)
        at = at->parent->parent;
    for (struct qn__stmt *s = at->prev; s && s->kind == QN__ASSIGN; s = s->prev) {
        if (!assigns(s, v)) {
            if (strstr(s->text, token(f, v)))
                return NULL;
            continue;
        }
        for (struct qn__stmt *later = s->next; later && later != at; later = later->next)
            if (strstr(s->text, token(f, later->var)))
                return NULL;
        return s;
    }
    return NULL;
}

/* while with a variable that the test reads, the last statement steps and something before sets */
static void make_for(struct qn__function *f, struct qn__stmt *loop)
{
    struct qn__stmt *const last = loop->body->last;
    if (!last || last->kind != QN__ASSIGN || !strstr(loop->text, token(f, last->var)) ||
        !strstr(last->text, token(f, last->var)))
        return;
    struct qn__stmt *const before = last->prev;
    const bool other_steps = before && before->kind == QN__ASSIGN && before->prev &&
                             before->prev->kind == QN__BLOCK && before->prev->leaves;
    if (other_steps)
        return;
    struct qn__stmt *const init = find_init(f, loop, last->var);
    if (!init && !(before && before->kind == QN__BLOCK && before->leaves))
        return;
    loop->form = QN__FOR;
    loop->init = init;
    if (init)
        qn__remove(init);
    loop->step = last;
    qn__remove(last);
    if (before && before->kind == QN__BLOCK && before->leaves) {
        for (struct qn__stmt *s = before->body; s; s = qn__walk_next(s, before->body))
            if (s->kind == QN__LEAVE && s->target == before) {
                s->kind = QN__CONTINUE;
                s->target = loop;
                before->leaves--;
            }
        tidy_block(before);
    }
    if (init)
        init->parent = loop;
    last->parent = loop;
}

static void shape_loops(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        if (s->kind != QN__LOOP || s->form != QN__FOREVER)
            continue;
        if (is_exit_test(s->body->first, s)) {
            take_test(s, s->body->first, QN__WHILE);
            make_for(f, s);
        } else if (is_exit_test(s->body->last, s)) {
            bool continues = false; /* C's continue would run the test */
            for (struct qn__stmt *w = s->body; w; w = qn__walk_next(w, s->body))
                continues |= w->kind == QN__CONTINUE && w->target == s;
            if (!continues)
                take_test(s, s->body->last, QN__DO);
        }
    }
}

/* Does the end of this block end a turn of the loop? */
static bool falls_to_turn(const struct qn__stmt *block, const struct qn__stmt *loop)
{
    const struct qn__stmt turn = {.kind = QN__CONTINUE,
                                  .target = (struct qn__stmt *)(uintptr_t)loop};
    return falls_to(block->parent, &turn);
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
static void retarget(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        if (s->kind != QN__LEAVE && s->kind != QN__CONTINUE)
            continue;
        struct qn__stmt *const around = innermost(s, true), *const loop = innermost(s, false);
        if (s->target == around || (s->kind == QN__CONTINUE && s->target == loop))
            continue;
        const bool next_turn = loop && loop->form != QN__DO && s->kind == QN__LEAVE &&
                               s->target->kind == QN__BLOCK && !s->target->next &&
                               falls_to_turn(s->target, loop);
        if (around && is_break(around, s)) {
            s->target->leaves -= s->kind == QN__LEAVE;
            s->kind = QN__LEAVE;
            s->target = around;
            around->leaves++;
        } else if (next_turn) {
            s->target->leaves--;
            s->kind = QN__CONTINUE;
            s->target = loop;
        }
    }
}

static bool hoist_exits(struct qn__function *f)
{
    bool changed = false;
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (s->kind == QN__LOOP)
            changed |= hoist_exit(f, s);
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
               !(p->kind == QN__BLOCK && p->once))
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
        s->once = is_once(s);
}

void qn__tidy(struct qn__function *f)
{
    for (int i = 0; i < PASSES && tidy_list(f->body); i++)
        ;
    if (hoist_exits(f))
        for (int i = 0; i < PASSES && tidy_list(f->body); i++)
            ;
    shape_loops(f);
    retarget(f);
    for (int i = 0; i < PASSES && tidy_list(f->body); i++)
        ;
    shape_loops(f);
    retarget(f);
    for (int i = 0; i < PASSES && tidy_list(f->body); i++)
        ;
    find_once(f->body);
}
