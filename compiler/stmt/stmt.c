/* SPDX-License-Identifier: Apache-2.0
 *
 * The statement tree: making and moving statements (stmt.h). */
#include "compiler/stmt/stmt.h"

struct qn__stmt *qn__stmt_new(struct qn__function *f, enum qn__stmt_kind kind)
{
    struct qn__stmt *const s = QN__NEED(f->u, struct qn__stmt);
    s->kind = kind;
    if (kind == QN__IF || kind == QN__LOOP || kind == QN__BLOCK) {
        s->body = qn__stmt_new(f, QN__LIST);
        s->body->parent = s;
    }
    if (kind == QN__IF) {
        s->other = qn__stmt_new(f, QN__LIST);
        s->other->parent = s;
    }
    return s;
}

void qn__append(struct qn__stmt *list, struct qn__stmt *s)
{
    s->parent = list;
    s->next = NULL;
    s->prev = list->last;
    if (list->last)
        list->last->next = s;
    else
        list->first = s;
    list->last = s;
}

void qn__insert_before(struct qn__stmt *at, struct qn__stmt *s)
{
    struct qn__stmt *const list = at->parent;
    s->parent = list;
    s->next = at;
    s->prev = at->prev;
    if (at->prev)
        at->prev->next = s;
    else
        list->first = s;
    at->prev = s;
}

void qn__remove(struct qn__stmt *s)
{
    struct qn__stmt *const list = s->parent;
    if (s->prev)
        s->prev->next = s->next;
    else
        list->first = s->next;
    if (s->next)
        s->next->prev = s->prev;
    else
        list->last = s->prev;
    s->next = s->prev = s->parent = NULL;
}

void qn__move_all(struct qn__stmt *to, struct qn__stmt *from)
{
    while (from->first) {
        struct qn__stmt *const s = from->first;
        qn__remove(s);
        qn__append(to, s);
    }
}

bool qn__is_empty(const struct qn__stmt *list)
{
    return list->first == NULL;
}

bool qn__is_jump(const struct qn__stmt *s)
{
    return s->kind == QN__LEAVE || s->kind == QN__CONTINUE || s->kind == QN__RETURN;
}

bool qn__ends_in_jump(const struct qn__stmt *list)
{
    const struct qn__stmt *const s = list->last;
    if (!s)
        return false;
    switch (s->kind) {
    case QN__LEAVE:
    case QN__CONTINUE:
    case QN__RETURN:
    case QN__GOTO: return true;
    case QN__IF: return qn__ends_in_jump(s->body) && qn__ends_in_jump(s->other);
    default: return false;
    }
}

/* Children in the order they are printed. */
static struct qn__stmt *first_child(struct qn__stmt *s)
{
    if (s->kind == QN__LIST || s->kind == QN__CASE || s->kind == QN__SWITCH)
        return s->first;
    return s->body;
}

struct qn__stmt *qn__walk_next(struct qn__stmt *s, const struct qn__stmt *top)
{
    struct qn__stmt *const child = first_child(s);
    if (child)
        return child;
    while (s != top) {
        struct qn__stmt *const p = s->parent;
        if (p->kind == QN__IF && s == p->body)
            return p->other;
        if ((p->kind == QN__LIST || p->kind == QN__CASE || p->kind == QN__SWITCH) && s->next)
            return s->next;
        s = p;
    }
    return NULL;
}
