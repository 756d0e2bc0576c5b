/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements of chat templates: what they write, and which names they give values to. A loop's
 * body, a macro and a block that becomes a text have scopes of their own; if has none. */
#include "engine/template_run.h"

#include <string.h>

qn_status qn__scope_new(struct qn__template_scope **out, struct qn__template_run *run,
                        struct qn__template_scope *parent)
{
    void *p;
    *out = NULL;
    QN_TRY(qn__template_alloc(&p, run, 1, sizeof **out));
    *out = p;
    (*out)->parent = parent;
    return QN_OK;
}

qn_status qn__capture(struct qn__value *out, struct qn__template_run *run,
                      const struct qn__node *body, struct qn__template_scope *scope)
{
    struct qn__text_builder b = {0}, *const outer = run->out;
    struct qn__template_scope *const before = run->scope;
    enum qn__template_flow flow;
    run->out = &b;
    run->scope = scope;
    const qn_status s = qn__execute(&flow, run, body);
    run->out = outer;
    run->scope = before;
    *out = qn__builder_value(&b);
    return s;
}

/* Give `v` to a name, or its elements to the names of a tuple. */
static qn_status assign(struct qn__template_run *run, const struct qn__node *target,
                        const struct qn__value *v)
{
    if (target->kind == QN__NODE_NAME)
        return qn__dict_set(run, &run->scope->names, target->name, *v);
    if (target->kind == QN__NODE_SET_FIELD) {
        const struct qn__node name = {
            .kind = QN__NODE_NAME, .line = target->line, .name = target->value};
        struct qn__value space;
        QN_TRY(qn__evaluate(&space, run, &name));
        if (space.kind != QN__VALUE_NAMESPACE)
            return qn__template_fail(run, QN_E_INVALID,
                                     "a field of %s is set: only those of a "
                                     "namespace can be",
                                     qn__value_kind_name(&space));
        return qn__dict_set(run, space.as.dict, target->name, *v);
    }
    struct qn__value_list elements;
    size_t n = 0;
    QN_TRY(qn__template_enter(run, target));
    QN_TRY(qn__value_elements(&elements, run, v));
    for (const struct qn__node *t = target->items; t; t = t->next, n++)
        if (n < elements.n)
            QN_TRY(assign(run, t, &elements.items[n]));
    if (n != elements.n)
        return qn__template_fail(run, QN_E_INVALID, "%zu values for %zu names", elements.n, n);
    qn__template_leave(run);
    return QN_OK;
}

/* -- loops -- */

/* The elements for which the loop's condition holds. */
static qn_status select_items(struct qn__value_list *out, struct qn__template_run *run,
                              const struct qn__node *node, const struct qn__value_list *all)
{
    struct qn__template_scope *const before = run->scope;
    *out = (struct qn__value_list){0};
    for (size_t i = 0; i < all->n; i++) {
        struct qn__value holds;
        QN_TRY(qn__scope_new(&run->scope, run, before));
        QN_TRY(assign(run, node->a, &all->items[i]));
        QN_TRY(qn__evaluate(&holds, run, node->c));
        run->scope = before;
        if (qn__value_is_true(&holds))
            QN_TRY(qn__list_add(run, out, all->items[i]));
    }
    return QN_OK;
}

static qn_status execute_for(enum qn__template_flow *flow, struct qn__template_run *run,
                             const struct qn__node *node)
{
    struct qn__value over;
    struct qn__value_list items, chosen;
    struct qn__template_scope *const before = run->scope;
    void *p;
    QN_TRY(qn__evaluate(&over, run, node->b));
    run->line = node->line;
    QN_TRY(qn__value_elements(&items, run, &over));
    if (node->c) {
        QN_TRY(select_items(&chosen, run, node, &items));
        items = chosen;
    }
    QN_TRY(qn__template_alloc(&p, run, 1, sizeof(struct qn__template_loop)));
    struct qn__template_loop *loop = p;
    *loop = (struct qn__template_loop){.items = items.items, .n = items.n};
    for (size_t i = 0; i < items.n && *flow != QN__FLOW_BREAK; i++) {
        loop->index = i;
        QN_TRY(qn__scope_new(&run->scope, run, before));
        QN_TRY(qn__dict_set(run, &run->scope->names, QN__TEXT_LITERAL("loop"),
                            (struct qn__value){.kind = QN__VALUE_LOOP, .as.loop = loop}));
        QN_TRY(assign(run, node->a, &items.items[i]));
        QN_TRY(qn__execute(flow, run, node->items));
    }
    *flow = QN__FLOW_ON;
    run->scope = before;
    if (items.n || !node->otherwise)
        return QN_OK;
    QN_TRY(qn__scope_new(&run->scope, run, before));
    QN_TRY(qn__execute(flow, run, node->otherwise));
    run->scope = before;
    return QN_OK;
}

/* -- the others -- */

static qn_status execute_if(enum qn__template_flow *flow, struct qn__template_run *run,
                            const struct qn__node *node)
{
    struct qn__value v;
    for (;;) {
        QN_TRY(qn__evaluate(&v, run, node->a));
        if (qn__value_is_true(&v))
            return qn__execute(flow, run, node->items);
        if (!node->otherwise || node->otherwise->kind != QN__NODE_IF || node->otherwise->next)
            return qn__execute(flow, run, node->otherwise);
        node = node->otherwise; /* elif, or an if alone under else: the same */
    }
}

/* The chain of filters, with what the innermost one gets in its place. */
static qn_status apply_filters(struct qn__value *out, struct qn__template_run *run,
                               const struct qn__node *filters, const struct qn__value *v)
{
    struct qn__node constant = {.kind = QN__NODE_CONSTANT, .line = run->line, .value = *v};
    struct qn__node copy;
    if (!filters) {
        *out = *v;
        return QN_OK;
    }
    QN_TRY(qn__template_enter(run, filters));
    copy = *filters;
    if (filters->a) {
        QN_TRY(apply_filters(&constant.value, run, filters->a, v));
        constant.line = filters->line;
    }
    copy.a = &constant;
    QN_TRY(qn__evaluate(out, run, &copy));
    qn__template_leave(run);
    return QN_OK;
}

static qn_status execute_captured(struct qn__template_run *run, const struct qn__node *node)
{
    struct qn__template_scope *scope;
    struct qn__value text, v;
    QN_TRY(qn__scope_new(&scope, run, run->scope));
    QN_TRY(qn__capture(&text, run, node->items, scope));
    const bool is_set = node->kind == QN__NODE_SET_BLOCK;
    QN_TRY(apply_filters(&v, run, is_set ? node->b : node->a, &text));
    return is_set ? assign(run, node->a, &v) : qn__print(run, run->out, &v);
}

static qn_status execute_call(struct qn__template_run *run, const struct qn__node *node)
{
    struct qn__value macro, caller, written;
    QN_TRY(qn__evaluate(&macro, run, node->a->a));
    if (macro.kind != QN__VALUE_CALLABLE || !macro.as.callable->node)
        return qn__template_fail(run, QN_E_INVALID, "a call block calls %s, which is no macro",
                                 qn__value_kind_name(&macro));
    QN_TRY(qn__callable_new(
        &caller, run, (struct qn__callable){.name = "caller", .node = node, .scope = run->scope}));
    struct qn__callable with_caller = *macro.as.callable;
    with_caller.caller = caller;
    QN_TRY(qn__callable_new(&macro, run, with_caller));
    struct qn__node callee = {.kind = QN__NODE_CONSTANT, .line = node->line, .value = macro};
    struct qn__node call = *node->a;
    call.a = &callee;
    QN_TRY(qn__evaluate(&written, run, &call));
    return qn__print(run, run->out, &written);
}

static qn_status execute_with(enum qn__template_flow *flow, struct qn__template_run *run,
                              const struct qn__node *node)
{
    struct qn__template_scope *const before = run->scope, *scope;
    struct qn__value v;
    QN_TRY(qn__scope_new(&scope, run, before));
    for (const struct qn__node *n = node->arguments; n; n = n->next) {
        QN_TRY(qn__evaluate(&v, run, n->a));
        QN_TRY(qn__dict_set(run, &scope->names, n->name, v));
    }
    run->scope = scope;
    QN_TRY(qn__execute(flow, run, node->items));
    run->scope = before;
    return QN_OK;
}

static qn_status execute_macro(struct qn__template_run *run, const struct qn__node *node)
{
    struct qn__value v;
    void *name; /* with a zero at its end */
    QN_TRY(qn__template_alloc(&name, run, node->name.as.text.n + 1, 1));
    memcpy(name, node->name.as.text.bytes, node->name.as.text.n);
    QN_TRY(qn__callable_new(
        &v, run, (struct qn__callable){.name = name, .node = node, .scope = run->scope}));
    return qn__dict_set(run, &run->scope->names, node->name, v);
}

static qn_status execute_one(enum qn__template_flow *flow, struct qn__template_run *run,
                             const struct qn__node *node)
{
    struct qn__value v;
    switch (node->kind) {
    case QN__NODE_DATA: return qn__builder_add(run, run->out, node->value.as.text);
    case QN__NODE_OUTPUT:
        QN_TRY(qn__evaluate(&v, run, node->a));
        return qn__print(run, run->out, &v);
    case QN__NODE_IF: return execute_if(flow, run, node);
    case QN__NODE_FOR: return execute_for(flow, run, node);
    case QN__NODE_SET:
        QN_TRY(qn__evaluate(&v, run, node->b));
        run->line = node->line;
        return assign(run, node->a, &v);
    case QN__NODE_SET_BLOCK:
    case QN__NODE_FILTER_BLOCK: return execute_captured(run, node);
    case QN__NODE_MACRO: return execute_macro(run, node);
    case QN__NODE_CALL_BLOCK: return execute_call(run, node);
    case QN__NODE_WITH: return execute_with(flow, run, node);
    case QN__NODE_BREAK: *flow = QN__FLOW_BREAK; return QN_OK;
    case QN__NODE_CONTINUE: *flow = QN__FLOW_CONTINUE; return QN_OK;
    default: return qn__template_fail(run, QN_E_INVALID, "node %d is no statement", node->kind);
    }
}

qn_status qn__execute(enum qn__template_flow *flow, struct qn__template_run *run,
                      const struct qn__node *body)
{
    *flow = QN__FLOW_ON;
    for (const struct qn__node *n = body; n && *flow == QN__FLOW_ON; n = n->next) {
        QN_TRY(qn__template_enter(run, n));
        QN_TRY(execute_one(flow, run, n));
        qn__template_leave(run);
    }
    return QN_OK;
}
