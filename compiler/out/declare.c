/* SPDX-License-Identifier: Apache-2.0
 *
 * Scopes: each variable is declared where it is first assigned when everything that mentions it is
 * in the same list or below, else in the innermost list around all mentions; a for's variable in
 * the for itself. Names come last, outermost scope first: two loops may both have an i, but no name
 * hides another.
 *
 * What keeps its value from one iteration of a loop to the next is declared outside of it: local
 * arrays, because LLVM's alloca does, and variables of phis in the loop's head. Where control flow
 * is irreducible and a goto may lead anywhere, everything is declared at the top. */
#include "compiler/passes.h"
#include "compiler/stmt/stmt.h"

struct scope_info {
    struct qn__stmt *common; /* innermost list around every mention so far */
    struct qn__stmt *first;  /* first statement that mentions it, */
    struct qn__stmt *last;   /* and the last */
};

/* The list a mention at statement s counts for: a loop's or an if's own text belongs to the list
 * around it. */
static struct qn__stmt *list_of(struct qn__stmt *s)
{
    struct qn__stmt *list = s->parent;
    while (list && list->kind != QN__LIST && list->kind != QN__CASE)
        list = list->parent;
    return list;
}

static struct qn__stmt *common_list(struct qn__stmt *a, struct qn__stmt *b)
{
    a = qn__common_ancestor(a, b);
    /* a case is a jump target: nothing is declared between the labels of a switch */
    while (a->kind != QN__LIST)
        a = a->parent;
    return a;
}

static void mention(struct scope_info *info, struct qn__stmt *s, const struct qn__var *v)
{
    struct scope_info *const i = &info[v->id];
    struct qn__stmt *const list = list_of(s);
    i->common = i->common                ? common_list(i->common, list)
                : list->kind == QN__LIST ? list
                                         : common_list(list, list->parent);
    if (!i->first)
        i->first = s;
    i->last = s;
}

struct mentions {
    struct scope_info *info;
    struct qn__stmt *at;
};

static bool mention_var(void *user, const struct qn__var *v)
{
    const struct mentions *const m = user;
    mention(m->info, m->at, v);
    return true;
}

static void mentions_in(struct scope_info *info, struct qn__stmt *at, const struct qn__node *value)
{
    qn__node_each_var(value, mention_var, &(struct mentions){info, at});
}

static void collect(struct qn__function *f, struct scope_info *info)
{
    for (struct qn__stmt *s = f->body; s; s = qn__walk_next(s, f->body)) {
        if (s->init) {
            mention(info, s, s->init->var);
            mentions_in(info, s, s->init->value);
        }
        for (uint32_t i = 0; i < s->n_carries; i++)
            if (!qn__assigns(s->init, s->carries[i]))
                mention(info, s, s->carries[i]);
        if (s->kind == QN__ASSIGN)
            mention(info, s, s->var);
        mentions_in(info, s, s->value);
        if (s->step) {
            mention(info, s, s->step->var);
            mentions_in(info, s, s->step->value);
        }
    }
}

/* The ancestor of s that stands directly in `list`. */
static struct qn__stmt *child_of(struct qn__stmt *s, const struct qn__stmt *list)
{
    while (s->parent != list)
        s = s->parent;
    return s;
}

/* What a variable holds that some path, or a work-item that is not active, leaves unassigned. C has
 * no such reads: its compilers take the path for impossible. */
static const struct qn__node *zero(struct qn__unit *u, const struct qn__type *t)
{
    const struct qn__node *const number = qn__node_number(u, 0, qn__type_int(u, 32, false));
    if (t->kind == QN__STRUCT || t->kind == QN__ARRAY)
        return qn__node_unary(u, QN__OP_AGGREGATE, t, number);
    return t->kind == QN__BOOL ? qn__node_truth(u, false) : number;
}

static void declare_before(struct qn__function *f, struct qn__stmt *at, struct qn__var *v)
{
    struct qn__stmt *const d = qn__stmt_new(f, QN__DECLARE);
    d->var = v;
    if (!v->is_memory && (v->starts_undefined || f->is_flattened || f->is_irreducible))
        d->value = zero(f->u, v->type);
    qn__insert_before(at, d);
}

static void declare(struct qn__function *f, struct qn__var *v, const struct scope_info *info)
{
    struct qn__stmt *list = info->common;
    if (f->is_irreducible) {
        struct qn__stmt *const top = f->body->first;
        v->scope = top->kind == QN__ITEMS ? top->body : f->body;
        declare_before(f, v->scope->first, v);
        return;
    }
    if (v->is_memory)
        for (struct qn__stmt *p = list; p && p->kind != QN__ITEMS; p = p->parent)
            if (p->kind == QN__LOOP)
                list = list_of(p);
    while (list->kind != QN__LIST)
        list = list->parent;
    v->scope = list;
    struct qn__stmt *const first = info->first, *const at = child_of(first, list);
    if (first == at && qn__assigns(first, v) && !qn__node_mentions(first->value, v)) {
        first->shape.declares = true;
        return;
    }
    if (first == at && qn__assigns(first->init, v) && child_of(info->last, list) == at &&
        !qn__node_mentions(first->init->value, v)) {
        first->init->shape.declares = true; /* nothing after the for mentions it */
        v->scope = first->body;
        return;
    }
    declare_before(f, at, v);
}

/* ---- names ---- */

struct name {
    const char *text;
    uint32_t active; /* variables of this name in the scopes around */
    uint32_t next_suffix;
};

struct var_list {
    struct qn__var **items;
    uint32_t n, capacity;
};

struct names {
    struct qn__function *f;
    struct name *slots; /* hash table */
    uint32_t n, capacity;
    struct qn__map vars_of; /* list -> struct var_list */
};

static struct name *name_slot(struct names *n, const char *text)
{
    uint32_t i = qn__name_hash(text) & (n->capacity - 1);
    while (n->slots[i].text && !qn__equal(n->slots[i].text, text))
        i = (i + 1) & (n->capacity - 1);
    return &n->slots[i];
}

static struct name *name_entry(struct names *n, const char *text)
{
    if (n->n * 2 >= n->capacity) {
        struct names larger = *n;
        larger.capacity = n->capacity ? n->capacity * 2 : 64;
        larger.slots = QN__NEED_ARRAY(n->f->u, struct name, larger.capacity);
        for (uint32_t i = 0; i < n->capacity; i++)
            if (n->slots[i].text)
                *name_slot(&larger, n->slots[i].text) = n->slots[i];
        *n = larger;
    }
    struct name *const e = name_slot(n, text);
    n->n += !e->text;
    e->text = text;
    return e;
}

static void name_var(struct names *n, struct qn__var *v)
{
    const char *name = v->name ? v->name : v->wish;
    while (!v->name && name_entry(n, name)->active)
        name = qn__text(n->f->u, "%s_%u", v->wish, (unsigned)++name_entry(n, v->wish)->next_suffix);
    v->name = name;
    name_entry(n, name)->active++;
}

/* Variables of one scope, in declaration order; then the scopes below. */
static void name_scope(struct names *n, struct qn__stmt *list)
{
    struct var_list *const own = qn__map_get(&n->vars_of, list);
    for (uint32_t i = 0; own && i < own->n; i++)
        name_var(n, own->items[i]);
    for (struct qn__stmt *s = list->first; s; s = s->next) {
        if (s->body)
            name_scope(n, s->body);
        if (s->other)
            name_scope(n, s->other);
        for (struct qn__stmt *c = s->kind == QN__SWITCH ? s->first : NULL; c; c = c->next)
            name_scope(n, c);
    }
    for (uint32_t i = 0; own && i < own->n; i++) {
        struct name *const wish = name_entry(n, own->items[i]->wish);
        name_entry(n, own->items[i]->name)->active--;
        if (!wish->active)
            wish->next_suffix = 0;
    }
}

static void add_to_scope(struct names *n, struct qn__var *v)
{
    struct qn__unit *const u = n->f->u;
    struct var_list *own = qn__map_get(&n->vars_of, v->scope);
    if (!own) {
        own = QN__NEED(u, struct var_list);
        qn__map_put(u, &n->vars_of, v->scope, own);
    }
    QN__PUSH(u, own->items, own->n, own->capacity, v);
}

void qn__declare(struct qn__function *f)
{
    struct scope_info *const info = QN__NEED_ARRAY(f->u, struct scope_info, f->n_vars);
    struct names names = {.f = f};
    collect(f, info);
    for (uint32_t i = 0; i < f->n_vars; i++) {
        struct qn__var *const v = f->vars[i];
        if (v->is_argument || v->is_shared)
            name_var(&names, v);
        else if (info[i].common)
            declare(f, v, &info[i]);
    }
    for (uint32_t i = 0; i < f->n_vars; i++)
        if (f->vars[i]->scope)
            add_to_scope(&names, f->vars[i]);
    name_scope(&names, f->body);
}
