/* SPDX-License-Identifier: Apache-2.0
 *
 * A switch as a chain of ifs, in kernels with a barrier.
 *
 *     switch (v) {                        do {
 *     case 1: a(); break;                     if (v == 1) {
 *     default: b();                               a();
 *     }                                       } else {
 *                                                 b();
 *                                             }
 *                                         } while (false);    (where a or b breaks in the middle)
 *
 * PoCL 3.1 miscompiles switches there: cases run for values that are not theirs, or not at all.
 * A case that falls through sets `falls` for the next one. */
#include "compiler/passes.h"
#include "compiler/stmt/stmt.h"

#include <string.h>

struct qn__stmt *qn__case_test(struct qn__function *f, const struct qn__stmt *c,
                               const char *selector)
{
    struct qn__unit *const u = f->u;
    struct qn__stmt *const test = qn__stmt_new(f, QN__IF);
    const char *text = "", *not_text = "";
    uint32_t n = 0;
    for (const char *p = c->text; *p; n++) {
        const int length = (int)strcspn(p, "\n");
        text = qn__text(u, "%s%s%s == %.*s", text, n ? " || " : "", selector, length, p);
        not_text = qn__text(u, "%s%s%s != %.*s", not_text, n ? " && " : "", selector, length, p);
        p += length + (p[length] == '\n');
    }
    test->text = text;
    test->not_text = not_text;
    return test;
}

static bool falls_anywhere(const struct qn__stmt *sw)
{
    for (const struct qn__stmt *c = sw->first; c; c = c->next)
        if (c->falls_through)
            return true;
    return false;
}

static struct qn__stmt *assign(struct qn__function *f, struct qn__var *var, const char *text)
{
    struct qn__stmt *const s = qn__stmt_new(f, QN__ASSIGN);
    s->var = var;
    s->text = text;
    return s;
}

/* The selector in a variable of its own, unless it is one and no case comes after another. */
static const char *selector_of(struct qn__function *f, struct qn__stmt *list, struct qn__stmt *sw,
                               bool falls)
{
    const char *const end = strchr(sw->text, 2);
    if (!falls && sw->text[0] == 1 && end && !end[1])
        return sw->text;
    struct qn__var *const var = qn__var_new(f, "selector", sw->value_type);
    struct qn__stmt *const s = assign(f, var, sw->text);
    s->varies = sw->varies;
    s->loads = sw->loads;
    qn__append(list, s);
    return qn__marked(f->u, qn__node_var(f->u, var));
}

/* Breaks out of the switch leave the block instead. */
static void retarget(struct qn__stmt *sw, struct qn__stmt *block)
{
    for (struct qn__stmt *s = sw; s; s = qn__walk_next(s, sw))
        if (s->kind == QN__LEAVE && s->target == sw) {
            s->target = block;
            sw->leaves--;
            block->leaves++;
        }
}

static struct qn__stmt *default_of(struct qn__stmt *sw)
{
    struct qn__stmt *c = sw->first;
    while (c && !c->is_default)
        c = c->next;
    return c;
}

/* if (v == 1) { } else if (v == 2) { } else { } */
static void chain(struct qn__function *f, struct qn__stmt *list, struct qn__stmt *sw,
                  const char *selector)
{
    struct qn__stmt *const rest = default_of(sw);
    for (struct qn__stmt *c = sw->first; c; c = c->next) {
        if (c == rest)
            continue;
        struct qn__stmt *const test = qn__case_test(f, c, selector);
        test->where = sw->where;
        qn__append(list, test);
        qn__move_all(test->body, c);
        list = test->other;
    }
    if (rest)
        qn__move_all(list, rest);
}

/* falls = false; if (v == 1) { ...; falls = true; } if (falls || v == 2) { ... } */
static void row(struct qn__function *f, struct qn__stmt *list, struct qn__stmt *sw,
                const char *selector)
{
    struct qn__unit *const u = f->u;
    struct qn__var *const falls = qn__var_new(f, "falls", qn__type_bool(u));
    const char *const fell = qn__marked(u, qn__node_var(u, falls));
    const char *none = ""; /* no case has the value */
    for (struct qn__stmt *c = sw->first; c; c = c->next)
        if (*c->text && !c->is_default)
            none = qn__text(u, "%s%s%s", none, *none ? " && " : "",
                            qn__case_test(f, c, selector)->not_text);
    qn__append(list, assign(f, falls, "false"));
    for (struct qn__stmt *c = sw->first; c; c = c->next) {
        struct qn__stmt *const test = qn__case_test(f, c, selector);
        if (c->is_default)
            test->text = *none ? none : "true";
        if (c->prev && c->prev->falls_through)
            test->text = c->is_default ? qn__text(u, "%s || (%s)", fell, test->text)
                                       : qn__text(u, "%s || %s", fell, test->text);
        test->not_text = qn__text(u, "!(%s)", test->text);
        test->where = sw->where;
        qn__append(list, test);
        const bool ends = qn__ends_in_jump(c);
        const bool sets = c->falls_through || (c->prev && c->prev->falls_through);
        qn__move_all(test->body, c);
        if (sets && !ends)
            qn__append(test->body, assign(f, falls, c->falls_through ? "true" : "false"));
    }
}

static struct qn__stmt *make_ifs(struct qn__function *f, struct qn__stmt *sw)
{
    struct qn__stmt *const block = qn__stmt_new(f, QN__BLOCK);
    const bool falls = falls_anywhere(sw);
    qn__insert_before(sw, block);
    qn__remove(sw);
    retarget(sw, block);
    const char *const selector = selector_of(f, block->body, sw, falls);
    if (falls)
        row(f, block->body, sw, selector);
    else
        chain(f, block->body, sw, selector);
    return block;
}

void qn__switches_to_ifs(struct qn__function *f)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body))
        if (s->kind == QN__SWITCH)
            s = make_ifs(f, s);
}
