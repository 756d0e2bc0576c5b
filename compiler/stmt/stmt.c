/* SPDX-License-Identifier: Apache-2.0
 *
 * The statement tree: making and moving statements (stmt.h). */
#include "compiler/stmt/stmt.h"

struct qn__stmt *qn__stmt_new(struct qn__function *f, enum qn__stmt_kind kind)
{
    struct qn__stmt *const s = QN__NEED(f->u, struct qn__stmt);
    s->kind = kind;
    if (kind == QN__IF || kind == QN__LOOP || kind == QN__BLOCK || kind == QN__ITEMS) {
        s->body = qn__stmt_new(f, QN__LIST);
        s->body->parent = s;
    }
    if (kind == QN__IF) {
        s->other = qn__stmt_new(f, QN__LIST);
        s->other->parent = s;
    }
    return s;
}

struct qn__stmt *qn__assign_new(struct qn__function *f, struct qn__var *var,
                                const struct qn__node *value)
{
    struct qn__stmt *const s = qn__stmt_new(f, QN__ASSIGN);
    s->var = var;
    s->value = value;
    return s;
}

struct qn__stmt *qn__barrier_new(struct qn__function *f)
{
    struct qn__stmt *const s = qn__stmt_new(f, QN__EFFECT);
    s->value = qn__node_barrier(f->u, false);
    s->is_barrier = true;
    return s;
}

struct qn__stmt *qn__add_effect(struct qn__function *f, struct qn__stmt *list,
                                const struct qn__node *value, LLVMValueRef where)
{
    struct qn__stmt *const s = qn__stmt_new(f, QN__EFFECT);
    s->value = value;
    s->where = where;
    qn__append(list, s);
    return s;
}

struct qn__stmt *qn__add_assign(struct qn__function *f, struct qn__stmt *list, struct qn__var *var,
                                const struct qn__node *value, LLVMValueRef where)
{
    struct qn__stmt *const s = qn__assign_new(f, var, value);
    s->where = where;
    qn__append(list, s);
    return s;
}

struct qn__stmt *qn__case_test(struct qn__function *f, const struct qn__stmt *c,
                               const struct qn__node *selector)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const truth = qn__type_bool(u);
    struct qn__stmt *const test = qn__stmt_new(f, QN__IF);
    for (uint32_t i = 0; i < c->n_labels; i++) {
        const struct qn__node *const is =
            qn__node_binary(u, QN__OP_EQUAL, truth, selector, c->labels[i]);
        const struct qn__node *const is_not =
            qn__node_binary(u, QN__OP_NOT_EQUAL, truth, selector, c->labels[i]);
        test->value = i ? qn__node_or(u, test->value, is) : is;
        test->negated = i ? qn__node_and(u, test->negated, is_not) : is_not;
    }
    return test;
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

void qn__insert_after(struct qn__stmt *at, struct qn__stmt *s)
{
    if (at->next)
        qn__insert_before(at->next, s);
    else
        qn__append(at->parent, s);
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

bool qn__is_inside(const struct qn__stmt *s, const struct qn__stmt *outer)
{
    while (s && s != outer)
        s = s->parent;
    return s != NULL;
}

struct qn__stmt *qn__items_around(const struct qn__stmt *s)
{
    struct qn__stmt *p = s->parent;
    while (p && p->kind != QN__ITEMS)
        p = p->parent;
    return p;
}

bool qn__has_barrier(const struct qn__stmt *top)
{
    for (struct qn__stmt *s = (struct qn__stmt *)(uintptr_t)top; s; s = qn__walk_next(s, top))
        if (s->is_barrier)
            return true;
    return false;
}

bool qn__assigns(const struct qn__stmt *s, const struct qn__var *v)
{
    return s && s->kind == QN__ASSIGN && s->var == v;
}

static unsigned depth_of(const struct qn__stmt *s)
{
    unsigned d = 0;
    for (; s->parent; s = s->parent)
        d++;
    return d;
}

struct qn__stmt *qn__common_ancestor(struct qn__stmt *a, struct qn__stmt *b)
{
    unsigned depth_a = depth_of(a), depth_b = depth_of(b);
    while (a != b) {
        if (depth_a >= depth_b) {
            a = a->parent;
            depth_a--;
        } else {
            b = b->parent;
            depth_b--;
        }
    }
    return a;
}

void qn__drop_jump(struct qn__stmt *s)
{
    if (s->kind == QN__LEAVE)
        s->target->leaves--;
    qn__remove(s);
}

bool qn__falls_to(const struct qn__stmt *list, const struct qn__stmt *jump)
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

void qn__unwrap(struct qn__stmt *block)
{
    while (block->body->first) {
        struct qn__stmt *const s = block->body->first;
        qn__remove(s);
        qn__insert_before(block, s);
    }
    qn__remove(block);
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
