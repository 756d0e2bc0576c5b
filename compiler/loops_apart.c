/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops that PoCL runs in step where it must not. In a kernel with a barrier, PoCL 3.1 takes a loop
 * of as many turns for each work-item and puts a barrier of its own into it. It asks whether all of
 * them come to the loop, but not whether some have left a loop around it by then:
 *
 *     for (int i = 0; i < 4; i++) {            who has left turns on with the others
 *         for (int k = 0; k < 3; k++) ...
 *         if (x > limit) break;
 *     }
 *
 * Under a condition that differs between work-items it puts none. So such a loop gets one that is
 * always true, which costs nothing:
 *
 *     if (get_local_id(0) < get_local_size(0)) for (...) ...
 *
 * A loop needs none where its own test, the first time, is a condition that differs.
 *
 * The same condition mends a loop that does nothing but set a variable to what every work-item
 * would set, as in `for (int j = 0; j < n; j++) r = j;` before a barrier: all had the last one's r.
 */
#include "compiler/stmt.h"

#include <stdlib.h>
#include <string.h>

static bool differs(const struct qn__function *f, const char *text)
{
    for (const char *p = text; p && (p = strchr(p, 1)) != NULL; p++)
        if (f->vars[strtoul(p + 1, NULL, 10)]->divergent)
            return true;
    return false;
}

static bool assigns(const struct qn__stmt *loop, const struct qn__var *v)
{
    if (loop->step && loop->step->var == v)
        return true;
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body))
        if ((s->kind == QN__ASSIGN && s->var == v) || (s->init && s->init->var == v) ||
            (s->step && s->step->var == v))
            return true;
    return false;
}

/* Does the test differ between work-items before the first turn, as far as a compiler sees? */
static bool starts_apart(const struct qn__function *f, const struct qn__stmt *loop)
{
    if (loop->form != QN__WHILE && loop->form != QN__FOR)
        return false;
    if (loop->varies || (loop->init && (loop->init->varies || differs(f, loop->init->text))))
        return true;
    for (const char *p = loop->text; (p = strchr(p, 1)) != NULL; p++) {
        const struct qn__var *const v = f->vars[strtoul(p + 1, NULL, 10)];
        if (v->divergent && !assigns(loop, v))
            return true;
    }
    return false;
}

/* Is there a condition around `s`, inside `top`, that differs between work-items? */
static bool is_apart(const struct qn__function *f, const struct qn__stmt *s,
                     const struct qn__stmt *top)
{
    for (s = s->parent; s && s != top; s = s->parent)
        if (((s->kind == QN__IF || s->kind == QN__SWITCH) && (s->varies || differs(f, s->text))) ||
            (s->kind == QN__LOOP && starts_apart(f, s)))
            return true;
    return false;
}

/* Is there a loop inside that all who come to it may turn equally often? */
static bool holds_a_loop_in_step(const struct qn__function *f, const struct qn__stmt *loop)
{
    for (struct qn__stmt *s = loop->body; s; s = qn__walk_next(s, loop->body))
        if (s->kind == QN__LOOP && !starts_apart(f, s) && !is_apart(f, s, loop))
            return true;
    return false;
}

/* Does it compute nothing from what it has computed, and use no memory? */
static bool only_sets(const struct qn__function *f, const struct qn__stmt *loop)
{
    bool sets = false;
    for (struct qn__stmt *s = loop->body->first; s; s = s->next) {
        if (s->kind != QN__ASSIGN || s->loads)
            return false;
        sets |= !s->op && !strstr(s->text, qn__var_expr(f->u, s->var).text);
    }
    return sets;
}

static void guard(struct qn__function *f, struct qn__stmt *loop)
{
    struct qn__stmt *const when = qn__stmt_new(f, QN__IF);
    when->text = "get_local_id(0) < get_local_size(0) /* always */";
    when->not_text = "get_local_id(0) >= get_local_size(0) /* never */";
    when->varies = true;
    qn__insert_before(loop, when);
    qn__remove(loop);
    qn__append(when->body, loop);
    qn__explain(f->u, loop->where, "a loop under a condition that is always true, for PoCL");
}

void qn__loops_apart(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (s->kind == QN__LOOP && s->diverges && !is_apart(f, s, NULL) &&
            (only_sets(f, s) || (!starts_apart(f, s) && holds_a_loop_in_step(f, s))))
            guard(f, s);
}
