/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions of chat templates become values. */
#include "engine/template_run.h"

#include <string.h>

qn_status qn__template_enter(struct qn__template_run *run, const struct qn__node *node)
{
    run->line = node->line;
    QN_TRY(qn__template_step(run, 1));
    if (run->depth >= QN__TEMPLATE_DEPTH_MAX)
        return qn__template_fail(run, QN_E_LIMIT, "more than %d levels deep",
                                 QN__TEMPLATE_DEPTH_MAX);
    run->depth++;
    return QN_OK;
}

void qn__template_leave(struct qn__template_run *run)
{
    run->depth--;
}

/* -- names and calls -- */

qn_status qn__callable_new(struct qn__value *out, struct qn__template_run *run,
                           struct qn__callable c)
{
    void *p;
    *out = QN__NONE;
    QN_TRY(qn__template_alloc(&p, run, 1, sizeof c));
    *out = (struct qn__value){.kind = QN__VALUE_CALLABLE, .as.callable = p};
    *out->as.callable = c;
    return QN_OK;
}

static qn_status look_up(struct qn__value *out, struct qn__template_run *run,
                         struct qn__template_text name)
{
    for (const struct qn__template_scope *s = run->scope; s; s = s->parent) {
        const struct qn__value *v = qn__dict_find_name(&s->names, name.bytes, name.n);
        QN_TRY(qn__template_step(run, s->names.n / 8));
        if (v) {
            *out = *v;
            return QN_OK;
        }
    }
    const struct qn__function_row *row = qn__function_find(name);
    if (row)
        return qn__callable_new(out, run, (struct qn__callable){.row = row, .self = QN__NONE});
    *out = QN__UNDEFINED(name.bytes, name.n);
    return QN_OK;
}

static qn_status evaluate_list(struct qn__value *out, struct qn__template_run *run,
                               const struct qn__node *items, bool is_tuple)
{
    struct qn__value v;
    QN_TRY(qn__value_new_list(out, run, 0));
    out->as.list->is_tuple = is_tuple;
    for (const struct qn__node *n = items; n; n = n->next) {
        QN_TRY(qn__evaluate(&v, run, n));
        QN_TRY(qn__list_add(run, out->as.list, v));
    }
    return QN_OK;
}

/* The arguments that a list or a dict holds. */
static qn_status spread(struct qn__template_run *run, struct qn__value_list *values,
                        struct qn__value_dict *named, const struct qn__node *node,
                        const struct qn__value *v)
{
    struct qn__value_list all;
    if (node->name.as.text.n == 1) {
        QN_TRY(qn__value_elements(&all, run, v));
        for (size_t i = 0; i < all.n; i++)
            QN_TRY(qn__list_add(run, values, all.items[i]));
        return QN_OK;
    }
    if (v->kind != QN__VALUE_DICT)
        return qn__template_fail(run, QN_E_INVALID, "** of %s", qn__value_kind_name(v));
    for (size_t i = 0; i < v->as.dict->n; i++) {
        if (v->as.dict->pairs[i].key.kind != QN__VALUE_TEXT)
            return qn__template_fail(run, QN_E_INVALID, "** of keys that are no strings");
        QN_TRY(qn__dict_set(run, named, v->as.dict->pairs[i].key, v->as.dict->pairs[i].value));
    }
    return QN_OK;
}

static qn_status evaluate_arguments(struct qn__arguments *out, struct qn__template_run *run,
                                    const struct qn__node *list)
{
    struct qn__value_list values = {0};
    struct qn__value_dict named = {0};
    struct qn__value v;
    for (const struct qn__node *n = list; n; n = n->next) {
        const bool is_plain = n->kind != QN__NODE_KEYWORD && n->kind != QN__NODE_SPREAD;
        QN_TRY(qn__evaluate(&v, run, is_plain ? n : n->a));
        if (n->kind == QN__NODE_SPREAD)
            QN_TRY(spread(run, &values, &named, n, &v));
        else
            QN_TRY(is_plain ? qn__list_add(run, &values, v)
                            : qn__dict_set(run, &named, n->name, v));
    }
    *out = (struct qn__arguments){values.items, values.n, named.pairs, named.n};
    return QN_OK;
}

/* Parameters of a macro become names in its scope. */
static qn_status bind(struct qn__template_run *run, const struct qn__callable *c,
                      struct qn__template_scope *scope, const struct qn__arguments *args)
{
    size_t place = 0, used = 0;
    struct qn__template_scope *const before = run->scope;
    run->scope = scope;
    for (const struct qn__node *p = c->node->arguments; p; p = p->next, place++) {
        struct qn__value v = QN__UNDEFINED(p->name.as.text.bytes, p->name.as.text.n);
        const struct qn__value *given = place < args->n ? &args->values[place] : NULL;
        for (size_t i = 0; i < args->n_named && !given; i++)
            if (qn__value_equal(&args->named[i].key, &p->name)) {
                given = &args->named[i].value;
                used++;
            }
        if (given)
            v = *given;
        else if (p->a)
            QN_TRY(qn__evaluate(&v, run, p->a));
        QN_TRY(qn__dict_set(run, &scope->names, p->name, v));
    }
    run->scope = before;
    if (args->n > place || used < args->n_named)
        return qn__template_fail(run, QN_E_INVALID, "'%.64s' takes other arguments", c->name);
    return QN_OK;
}

static qn_status call_macro(struct qn__value *out, struct qn__template_run *run,
                            const struct qn__callable *c, const struct qn__arguments *args)
{
    struct qn__template_scope *scope;
    QN_TRY(qn__scope_new(&scope, run, c->scope));
    QN_TRY(bind(run, c, scope, args));
    if (c->caller.kind == QN__VALUE_CALLABLE)
        QN_TRY(qn__dict_set(run, &scope->names, QN__TEXT_LITERAL("caller"), c->caller));
    return qn__capture(out, run, c->node->items, scope);
}

qn_status qn__call(struct qn__value *out, struct qn__template_run *run,
                   const struct qn__value *callee, const struct qn__arguments *args)
{
    *out = QN__NONE;
    if (callee->kind == QN__VALUE_UNDEFINED)
        return qn__template_fail_undefined(run, callee);
    if (callee->kind != QN__VALUE_CALLABLE)
        return qn__template_fail(run, QN_E_INVALID, "%s cannot be called",
                                 qn__value_kind_name(callee));
    const struct qn__callable *c = callee->as.callable;
    return c->row ? qn__row_call(out, run, c->row, &c->self, args) : call_macro(out, run, c, args);
}

static qn_status evaluate_call(struct qn__value *out, struct qn__template_run *run,
                               const struct qn__node *node)
{
    struct qn__value callee;
    struct qn__arguments args;
    QN_TRY(qn__evaluate(&callee, run, node->a));
    QN_TRY(evaluate_arguments(&args, run, node->arguments));
    run->line = node->line;
    return qn__call(out, run, &callee, &args);
}

/* -- the other expressions -- */

static qn_status evaluate_dict(struct qn__value *out, struct qn__template_run *run,
                               const struct qn__node *node)
{
    struct qn__value key, value;
    QN_TRY(qn__value_new_dict(out, run));
    for (const struct qn__node *n = node->items; n; n = n->next->next) {
        QN_TRY(qn__evaluate(&key, run, n));
        QN_TRY(qn__evaluate(&value, run, n->next));
        QN_TRY(qn__dict_set(run, out->as.dict, key, value));
    }
    return QN_OK;
}

static qn_status evaluate_subscript(struct qn__value *out, struct qn__template_run *run,
                                    const struct qn__node *node)
{
    struct qn__value of, values[3];
    const struct qn__value *parts[3] = {NULL, NULL, NULL};
    QN_TRY(qn__evaluate(&of, run, node->a));
    if (node->b->kind != QN__NODE_SLICE) {
        QN_TRY(qn__evaluate(&values[0], run, node->b));
        run->line = node->line;
        return qn__get_item(out, run, &of, &values[0]);
    }
    const struct qn__node *const nodes[3] = {node->b->a, node->b->b, node->b->c};
    for (int i = 0; i < 3; i++)
        if (nodes[i]) {
            QN_TRY(qn__evaluate(&values[i], run, nodes[i]));
            parts[i] = values[i].kind == QN__VALUE_NONE ? NULL : &values[i];
        }
    run->line = node->line;
    return qn__get_slice(out, run, &of, parts);
}

static qn_status compare_once(bool *out, struct qn__template_run *run, const char *op,
                              const struct qn__value *a, const struct qn__value *b)
{
    int order;
    QN_TRY(qn__template_step(run, 1));
    if (!strcmp(op, "==") || !strcmp(op, "!=")) {
        *out = qn__value_equal(a, b) == (*op == '=');
        return QN_OK;
    }
    if (!strcmp(op, "in") || !strcmp(op, "not in")) {
        QN_TRY(qn__value_contains(out, run, b, a));
        *out = *out == (*op == 'i');
        return QN_OK;
    }
    QN_TRY(qn__value_compare(&order, run, a, b));
    *out = *op == '<' ? order < 0 : order > 0;
    if (op[1] == '=' && order == 0)
        *out = true;
    return QN_OK;
}

static qn_status evaluate_compare(struct qn__value *out, struct qn__template_run *run,
                                  const struct qn__node *node)
{
    struct qn__value left, right;
    bool holds = true;
    QN_TRY(qn__evaluate(&left, run, node->a));
    for (const struct qn__node *n = node->items; n && holds; n = n->next) {
        QN_TRY(qn__evaluate(&right, run, n->a));
        run->line = node->line;
        QN_TRY(compare_once(&holds, run, n->name.as.text.bytes, &left, &right));
        left = right;
    }
    *out = QN__BOOL(holds);
    return QN_OK;
}

static qn_status evaluate_concat(struct qn__value *out, struct qn__template_run *run,
                                 const struct qn__node *node)
{
    struct qn__text_builder b = {0};
    struct qn__value v;
    for (const struct qn__node *n = node->items; n; n = n->next) {
        QN_TRY(qn__evaluate(&v, run, n));
        QN_TRY(qn__print(run, &b, &v));
    }
    *out = qn__builder_value(&b);
    return QN_OK;
}

static qn_status evaluate_sign(struct qn__value *out, struct qn__template_run *run,
                               const struct qn__node *node)
{
    struct qn__value v;
    QN_TRY(qn__evaluate(&v, run, node->a));
    const struct qn__value zero = QN__INT(0);
    return qn__binary(out, run, node->kind == QN__NODE_NEGATE ? "-" : "+", &zero, &v);
}

/* What and, or, not and a condition decide by. */
static qn_status evaluate_choice(struct qn__value *out, struct qn__template_run *run,
                                 const struct qn__node *node)
{
    QN_TRY(qn__evaluate(out, run, node->a));
    const bool is_true = qn__value_is_true(out);
    switch (node->kind) {
    case QN__NODE_NOT: *out = QN__BOOL(!is_true); return QN_OK;
    case QN__NODE_AND: return is_true ? qn__evaluate(out, run, node->b) : QN_OK;
    case QN__NODE_OR: return is_true ? QN_OK : qn__evaluate(out, run, node->b);
    default: break;
    }
    if (is_true)
        return qn__evaluate(out, run, node->b);
    if (node->c)
        return qn__evaluate(out, run, node->c);
    *out = QN__UNDEFINED("a condition without else", 24);
    return QN_OK;
}

/* A filter or test with its arguments. */
static qn_status evaluate_applied(struct qn__value *out, struct qn__template_run *run,
                                  const struct qn__node *node)
{
    struct qn__value of;
    struct qn__arguments args;
    QN_TRY(qn__evaluate(&of, run, node->a));
    QN_TRY(evaluate_arguments(&args, run, node->arguments));
    run->line = node->line;
    if (node->kind == QN__NODE_FILTER)
        return qn__filter_call(out, run, node->name.as.text, &of, &args);
    bool holds;
    QN_TRY(qn__test_call(&holds, run, node->name.as.text, &of, &args));
    *out = QN__BOOL(holds);
    return QN_OK;
}

static qn_status evaluate_operands(struct qn__value *out, struct qn__template_run *run,
                                   const struct qn__node *node)
{
    struct qn__value a, b;
    QN_TRY(qn__evaluate(&a, run, node->a));
    QN_TRY(qn__evaluate(&b, run, node->b));
    run->line = node->line;
    return qn__binary(out, run, node->name.as.text.bytes, &a, &b);
}

static qn_status evaluate_kind(struct qn__value *out, struct qn__template_run *run,
                               const struct qn__node *node)
{
    struct qn__value v;
    switch (node->kind) {
    case QN__NODE_CONSTANT: *out = node->value; return QN_OK;
    case QN__NODE_NAME: return look_up(out, run, node->name.as.text);
    case QN__NODE_LIST:
    case QN__NODE_TUPLE: return evaluate_list(out, run, node->items, node->kind == QN__NODE_TUPLE);
    case QN__NODE_DICT: return evaluate_dict(out, run, node);
    case QN__NODE_ATTRIBUTE:
        QN_TRY(qn__evaluate(&v, run, node->a));
        run->line = node->line;
        return qn__get_attribute(out, run, &v, node->name.as.text);
    case QN__NODE_SUBSCRIPT: return evaluate_subscript(out, run, node);
    case QN__NODE_CALL: return evaluate_call(out, run, node);
    case QN__NODE_FILTER:
    case QN__NODE_TEST: return evaluate_applied(out, run, node);
    case QN__NODE_NOT:
    case QN__NODE_AND:
    case QN__NODE_OR:
    case QN__NODE_CONDITION: return evaluate_choice(out, run, node);
    case QN__NODE_NEGATE:
    case QN__NODE_PLUS: return evaluate_sign(out, run, node);
    case QN__NODE_BINARY: return evaluate_operands(out, run, node);
    case QN__NODE_CONCAT: return evaluate_concat(out, run, node);
    case QN__NODE_COMPARE: return evaluate_compare(out, run, node);
    default: return qn__template_fail(run, QN_E_INVALID, "node %d is no expression", node->kind);
    }
}

qn_status qn__evaluate(struct qn__value *out, struct qn__template_run *run,
                       const struct qn__node *node)
{
    *out = QN__NONE;
    QN_TRY(qn__template_enter(run, node));
    QN_TRY(evaluate_kind(out, run, node));
    qn__template_leave(run);
    return QN_OK;
}
