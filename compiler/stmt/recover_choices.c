/* SPDX-License-Identifier: Apache-2.0
 *
 * The source's ?:, && and || that clang made branches of, because they read memory or call:
 *
 *     if (c) t = a; else t = b;           t = c ? a : b;
 *     if (c) t = a; else t = false;       t = c && a;
 *     if (c) t = true; else t = b;        t = c || b;
 *
 * where the flow comes together in a block that clang calls cond.end, land.end or lor.end (the
 * copies have their `part` from there). Where only the next statement wants such a t it moves into
 * it. An if of the source stays one. */
#include "compiler/stmt/simplify.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 400 }; /* bytes of text; longer ones stay if and else */

struct choices {
    struct qn__function *f;
    uint32_t *mentions; /* per variable, in texts */
    uint32_t *assigned;
};

static void count_text(struct choices *c, const char *text)
{
    for (const char *p = text; p && (p = strchr(p, 1)) != NULL; p++)
        c->mentions[strtoul(p + 1, NULL, 10)]++;
}

static void count(struct choices *c)
{
    for (struct qn__stmt *s = c->f->body; s; s = qn__walk_next(s, c->f->body)) {
        const struct qn__stmt *const steps[] = {s, s->init, s->step};
        for (int i = 0; i < 3; i++)
            if (steps[i] && (i > 0 || s->kind != QN__CASE)) {
                count_text(c, steps[i]->text);
                if (steps[i]->kind == QN__ASSIGN)
                    c->assigned[steps[i]->var->id]++;
            }
    }
}

static struct qn__stmt *only_copy(const struct qn__stmt *list)
{
    struct qn__stmt *const s = list->first;
    return s && s == list->last && s->kind == QN__ASSIGN && s->part && !s->is_barrier ? s : NULL;
}

static const char *in_parentheses(struct qn__unit *u, const char *text, bool of_and)
{
    const bool weak = strstr(text, " ? ") || (of_and && strstr(text, " || "));
    return weak ? qn__text(u, "(%s)", text) : text;
}

static const char *choice_text(struct qn__unit *u, const struct qn__stmt *s, const char *a,
                               const char *b, bool is_bool)
{
    if (is_bool && qn__equal(b, "false"))
        return qn__text(u, "%s && %s", in_parentheses(u, s->text, true),
                        in_parentheses(u, a, true));
    if (is_bool && qn__equal(a, "true"))
        return qn__text(u, "%s || %s", in_parentheses(u, s->text, false),
                        in_parentheses(u, b, false));
    if (is_bool && qn__equal(a, "false"))
        return qn__text(u, "%s && %s", in_parentheses(u, s->not_text, true),
                        in_parentheses(u, b, true));
    if (is_bool && qn__equal(b, "true"))
        return qn__text(u, "%s || %s", in_parentheses(u, s->not_text, false),
                        in_parentheses(u, a, false));
    return qn__text(u, "%s ? %s : %s", in_parentheses(u, s->text, false), a, b);
}

/* The if becomes one assignment, or NULL. */
static struct qn__stmt *make_choice(struct qn__function *f, struct qn__stmt *s)
{
    struct qn__stmt *const a = only_copy(s->body), *const b = only_copy(s->other);
    if (!a || !b || a->var != b->var || strlen(a->part) + strlen(b->part) > LONGEST)
        return NULL;
    struct qn__stmt *const out = qn__stmt_new(f, QN__ASSIGN);
    out->var = a->var;
    out->text = choice_text(f->u, s, a->part, b->part, a->var->type->kind == QN__BOOL);
    out->part = out->text;
    out->part_exact = a->part_exact && b->part_exact;
    out->is_copy = true;
    out->varies = s->varies || a->varies || b->varies;
    out->loads = s->loads || a->loads || b->loads;
    out->where = a->where ? a->where : s->where;
    qn__insert_before(s, out);
    qn__remove(s);
    return out;
}

static const char *with(struct qn__unit *u, const char *text, const char *token, const char *value)
{
    const char *const at = text ? strstr(text, token) : NULL;
    return at ? qn__text(u, "%.*s%s%s", (int)(at - text), text, value, at + strlen(token)) : text;
}

/* t = c ? a : b; x[i] = t;  ->  x[i] = c ? a : b; */
static void move_into_next(struct choices *c, struct qn__stmt *s)
{
    struct qn__unit *const u = c->f->u;
    struct qn__stmt *const next = s->next;
    const struct qn__var *const v = s->var;
    const bool plain = v->type->kind != QN__INT || s->part_exact;
    if (v->is_named || v->is_argument || v->is_memory || v->is_shared || !next || !plain ||
        c->mentions[v->id] != 1 || c->assigned[v->id] != 2 || next->is_barrier || next->op ||
        (next->kind != QN__TEXT && next->kind != QN__ASSIGN))
        return;
    const char *const token = qn__marked(u, qn__node_var(u, v));
    const char *const at = strstr(next->text, token);
    if (!at || strchr(next->text, '\n') || strlen(s->text) + strlen(next->text) > LONGEST)
        return;
    const bool whole = !at[strlen(token)] &&
                       (at == next->text || (at - next->text > 3 && memcmp(at - 3, " = ", 3) == 0));
    next->text = with(u, next->text, token, whole ? s->text : qn__text(u, "(%s)", s->text));
    next->part = NULL;
    next->varies |= s->varies;
    next->loads |= s->loads;
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
        struct qn__stmt *const choice = s->kind == QN__IF ? make_choice(c->f, s) : NULL;
        if (choice)
            move_into_next(c, choice);
    }
}

void qn__make_choices(struct qn__function *f)
{
    struct choices c = {.f = f};
    c.mentions = QN__NEED_ARRAY(f->u, uint32_t, f->n_vars);
    c.assigned = QN__NEED_ARRAY(f->u, uint32_t, f->n_vars);
    count(&c);
    in_list(&c, f->body);
}
