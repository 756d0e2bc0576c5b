/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the expressions of chat templates, from what binds least to what binds most. */
#include "engine/template_node.h"

#include <string.h>

/* The end of a list: where the next element is hung. */
static void append(struct qn__node **first, struct qn__node **last, struct qn__node *node)
{
    if (*last)
        (*last)->next = node;
    else
        *first = node;
    *last = node;
}

static qn_status wrap(struct qn__node **inout, struct qn__template_reader *r,
                      enum qn__node_kind kind)
{
    struct qn__node *node;
    QN_TRY(qn__read_node(&node, r, kind));
    node->a = *inout;
    *inout = node;
    return QN_OK;
}

/* -- primary -- */

static qn_status constant(struct qn__node **out, struct qn__template_reader *r, struct qn__value v)
{
    QN_TRY(qn__read_node(out, r, QN__NODE_CONSTANT));
    (*out)->value = v;
    r->word++;
    return QN_OK;
}

static qn_status text(struct qn__node **out, struct qn__template_reader *r)
{
    size_t n = 0;
    const struct qn__word *w = r->word;
    QN_TRY(qn__read_node(out, r, QN__NODE_CONSTANT));
    while (w->kind == QN__WORD_TEXT)
        n += w++->n;
    char *bytes = qn__arena_alloc(r->arena, n + 1, 1);
    if (!bytes)
        return qn__fail(QN_E_MEMORY, "no memory for a chat template");
    (*out)->value = QN__TEXT_OF(bytes, n);
    for (; r->word < w; bytes += r->word++->n)
        memcpy(bytes, r->word->text, r->word->n);
    return QN_OK;
}

static qn_status elements(struct qn__node *list, struct qn__template_reader *r, const char *end,
                          bool pairs)
{
    struct qn__node *last = NULL, *node;
    while (!qn__reader_sees(r, end)) {
        if (last)
            QN_TRY(qn__reader_expect(r, ","));
        if (qn__reader_sees(r, end))
            break;
        QN_TRY(qn__read_expression(&node, r));
        append(&list->items, &last, node);
        if (!pairs)
            continue;
        QN_TRY(qn__reader_expect(r, ":"));
        QN_TRY(qn__read_expression(&node, r));
        append(&list->items, &last, node);
    }
    return qn__reader_expect(r, end);
}

static qn_status in_parentheses(struct qn__node **out, struct qn__template_reader *r)
{
    if (qn__reader_takes(r, ")"))
        return qn__read_node(out, r, QN__NODE_TUPLE);
    QN_TRY(qn__read_tuple(out, r, true));
    return qn__reader_expect(r, ")");
}

static qn_status name(struct qn__node **out, struct qn__template_reader *r)
{
    const bool is_true = qn__reader_sees_name(r, "true") || qn__reader_sees_name(r, "True");
    if (is_true || qn__reader_sees_name(r, "false") || qn__reader_sees_name(r, "False"))
        return constant(out, r, QN__BOOL(is_true));
    if (qn__reader_sees_name(r, "none") || qn__reader_sees_name(r, "None"))
        return constant(out, r, QN__NONE);
    QN_TRY(qn__read_node(out, r, QN__NODE_NAME));
    return qn__reader_name(&(*out)->name, r);
}

qn_status qn__read_primary(struct qn__node **out, struct qn__template_reader *r)
{
    *out = NULL;
    switch (r->word->kind) {
    case QN__WORD_NAME: return name(out, r);
    case QN__WORD_TEXT: return text(out, r);
    case QN__WORD_INT: return constant(out, r, QN__INT(r->word->integer));
    case QN__WORD_FLOAT: return constant(out, r, QN__REAL(r->word->real));
    default: break;
    }
    if (qn__reader_takes(r, "("))
        return in_parentheses(out, r);
    const bool is_list = qn__reader_sees(r, "[");
    if (!is_list && !qn__reader_sees(r, "{"))
        return qn__reader_unexpected(r, "an expression");
    QN_TRY(qn__read_node(out, r, is_list ? QN__NODE_LIST : QN__NODE_DICT));
    r->word++;
    return elements(*out, r, is_list ? "]" : "}", !is_list);
}

/* -- behind a primary -- */

static qn_status slice_part(struct qn__node **out, struct qn__template_reader *r)
{
    *out = NULL;
    if (qn__reader_sees(r, ":") || qn__reader_sees(r, "]"))
        return QN_OK;
    return qn__read_expression(out, r);
}

static qn_status subscript(struct qn__node *node, struct qn__template_reader *r)
{
    struct qn__node *slice;
    QN_TRY(slice_part(&node->b, r));
    if (!qn__reader_takes(r, ":")) {
        if (!node->b)
            return qn__reader_unexpected(r, "an expression");
        return qn__reader_expect(r, "]");
    }
    QN_TRY(qn__read_node(&slice, r, QN__NODE_SLICE));
    slice->a = node->b;
    node->b = slice;
    QN_TRY(slice_part(&slice->b, r));
    if (qn__reader_takes(r, ":"))
        QN_TRY(slice_part(&slice->c, r));
    return qn__reader_expect(r, "]");
}

static qn_status arguments(struct qn__node *call, struct qn__template_reader *r)
{
    struct qn__node *last = NULL, *node;
    while (!qn__reader_sees(r, ")")) {
        if (last)
            QN_TRY(qn__reader_expect(r, ","));
        if (qn__reader_sees(r, ")"))
            break;
        const bool is_named = r->word->kind == QN__WORD_NAME &&
                              r->word[1].kind == QN__WORD_OPERATOR && r->word[1].n == 1 &&
                              *r->word[1].text == '=';
        if (qn__reader_sees(r, "*") || qn__reader_sees(r, "**")) {
            QN_TRY(qn__read_node(&node, r, QN__NODE_SPREAD));
            node->name = QN__TEXT_OF(r->word->text, r->word->n);
            r->word++;
            QN_TRY(qn__read_expression(&node->a, r));
        } else if (is_named) {
            QN_TRY(qn__read_node(&node, r, QN__NODE_KEYWORD));
            QN_TRY(qn__reader_name(&node->name, r));
            r->word++;
            QN_TRY(qn__read_expression(&node->a, r));
        } else if (last && (last->kind == QN__NODE_KEYWORD || last->kind == QN__NODE_SPREAD)) {
            return qn__reader_unexpected(r, "an argument with its name");
        } else {
            QN_TRY(qn__read_expression(&node, r));
        }
        append(&call->arguments, &last, node);
    }
    return qn__reader_expect(r, ")");
}

qn_status qn__read_postfix(struct qn__node **inout, struct qn__template_reader *r)
{
    for (;;) {
        if (qn__reader_takes(r, ".")) {
            const bool is_number = r->word->kind == QN__WORD_INT;
            QN_TRY(wrap(inout, r, is_number ? QN__NODE_SUBSCRIPT : QN__NODE_ATTRIBUTE));
            if (is_number)
                QN_TRY(constant(&(*inout)->b, r, QN__INT(r->word->integer)));
            else
                QN_TRY(qn__reader_name(&(*inout)->name, r));
        } else if (qn__reader_takes(r, "[")) {
            QN_TRY(wrap(inout, r, QN__NODE_SUBSCRIPT));
            QN_TRY(subscript(*inout, r));
        } else if (qn__reader_takes(r, "(")) {
            QN_TRY(wrap(inout, r, QN__NODE_CALL));
            QN_TRY(arguments(*inout, r));
        } else {
            return QN_OK;
        }
    }
}

static qn_status filter(struct qn__node **inout, struct qn__template_reader *r)
{
    QN_TRY(wrap(inout, r, QN__NODE_FILTER));
    QN_TRY(qn__reader_name(&(*inout)->name, r));
    return qn__reader_takes(r, "(") ? arguments(*inout, r) : QN_OK;
}

qn_status qn__read_filters(struct qn__node **inout, struct qn__template_reader *r, bool first)
{
    while (first || qn__reader_takes(r, "|")) {
        QN_TRY(filter(inout, r));
        first = false;
    }
    return QN_OK;
}

static bool begins_argument(const struct qn__template_reader *r)
{
    static const char *const no[] = {"else", "or", "and", "is", "if", "in", "not"};
    switch (r->word->kind) {
    case QN__WORD_NAME:
        for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
            if (qn__reader_sees_name(r, no[i]))
                return false;
        return true;
    case QN__WORD_TEXT:
    case QN__WORD_INT:
    case QN__WORD_FLOAT: return true;
    default: return qn__reader_sees(r, "[") || qn__reader_sees(r, "{");
    }
}

static qn_status test(struct qn__node **inout, struct qn__template_reader *r)
{
    const bool negated = qn__reader_takes_name(r, "not");
    QN_TRY(wrap(inout, r, QN__NODE_TEST));
    struct qn__node *node = *inout;
    QN_TRY(qn__reader_name(&node->name, r));
    if (qn__reader_takes(r, "(")) {
        QN_TRY(arguments(node, r));
    } else if (begins_argument(r)) {
        QN_TRY(qn__read_primary(&node->arguments, r));
        QN_TRY(qn__read_postfix(&node->arguments, r));
    }
    return negated ? wrap(inout, r, QN__NODE_NOT) : QN_OK;
}

static qn_status filters_and_tests(struct qn__node **inout, struct qn__template_reader *r)
{
    for (;;) {
        if (qn__reader_sees(r, "|")) {
            QN_TRY(qn__read_filters(inout, r, false));
        } else if (qn__reader_takes_name(r, "is")) {
            QN_TRY(test(inout, r));
        } else if (qn__reader_takes(r, "(")) {
            QN_TRY(wrap(inout, r, QN__NODE_CALL));
            QN_TRY(arguments(*inout, r));
        } else {
            return QN_OK;
        }
    }
}

/* -- operators -- */

static qn_status unary(struct qn__node **out, struct qn__template_reader *r, bool with_filters)
{
    const bool negates = qn__reader_sees(r, "-");
    QN_TRY(qn__reader_enter(r));
    if (negates || qn__reader_sees(r, "+")) {
        r->word++;
        QN_TRY(unary(out, r, false));
        QN_TRY(wrap(out, r, negates ? QN__NODE_NEGATE : QN__NODE_PLUS));
    } else {
        QN_TRY(qn__read_primary(out, r));
    }
    QN_TRY(qn__read_postfix(out, r));
    if (with_filters)
        QN_TRY(filters_and_tests(out, r));
    r->depth--;
    return QN_OK;
}

typedef qn_status reader_of(struct qn__node **out, struct qn__template_reader *r);

/* One of a level's operators, each of which takes what the next level reads on both sides. */
static qn_status binary(struct qn__node **out, struct qn__template_reader *r,
                        const char *const *operators, reader_of *operand)
{
    QN_TRY(operand(out, r));
    for (const char *const *op = operators; *op;) {
        if (!qn__reader_sees(r, *op)) {
            op++;
            continue;
        }
        QN_TRY(wrap(out, r, QN__NODE_BINARY));
        (*out)->name = QN__TEXT_OF(*op, strlen(*op));
        r->word++;
        QN_TRY(operand(&(*out)->b, r));
        op = operators;
    }
    return QN_OK;
}

static qn_status whole_unary(struct qn__node **out, struct qn__template_reader *r)
{
    return unary(out, r, true);
}

static qn_status power(struct qn__node **out, struct qn__template_reader *r)
{
    static const char *const operators[] = {"**", NULL};
    return binary(out, r, operators, whole_unary);
}

static qn_status product(struct qn__node **out, struct qn__template_reader *r)
{
    static const char *const operators[] = {"*", "/", "//", "%", NULL};
    return binary(out, r, operators, power);
}

static qn_status concatenation(struct qn__node **out, struct qn__template_reader *r)
{
    struct qn__node *first, *last = NULL, *node;
    QN_TRY(product(&first, r));
    *out = first;
    if (!qn__reader_sees(r, "~"))
        return QN_OK;
    QN_TRY(qn__read_node(out, r, QN__NODE_CONCAT));
    append(&(*out)->items, &last, first);
    while (qn__reader_takes(r, "~")) {
        QN_TRY(product(&node, r));
        append(&(*out)->items, &last, node);
    }
    return QN_OK;
}

static qn_status sum(struct qn__node **out, struct qn__template_reader *r)
{
    static const char *const operators[] = {"+", "-", NULL};
    return binary(out, r, operators, concatenation);
}

/* The comparison that stands here, or NULL; passes it. */
static const char *comparison(struct qn__template_reader *r)
{
    static const char *const operators[] = {"==", "!=", "<=", ">=", "<", ">"};
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (qn__reader_takes(r, operators[i]))
            return operators[i];
    if (qn__reader_takes_name(r, "in"))
        return "in";
    if (!qn__reader_sees_name(r, "not") || r->word[1].kind != QN__WORD_NAME || r->word[1].n != 2 ||
        memcmp(r->word[1].text, "in", 2) != 0)
        return NULL;
    r->word += 2;
    return "not in";
}

static qn_status compare(struct qn__node **out, struct qn__template_reader *r)
{
    struct qn__node *last = NULL;
    const char *op;
    QN_TRY(sum(out, r));
    if (!(op = comparison(r)))
        return QN_OK;
    QN_TRY(wrap(out, r, QN__NODE_COMPARE));
    do {
        struct qn__node *operand;
        QN_TRY(qn__read_node(&operand, r, QN__NODE_OPERAND));
        operand->name = QN__TEXT_OF(op, strlen(op));
        QN_TRY(sum(&operand->a, r));
        append(&(*out)->items, &last, operand);
    } while ((op = comparison(r)));
    return QN_OK;
}

static qn_status negation(struct qn__node **out, struct qn__template_reader *r)
{
    if (!qn__reader_takes_name(r, "not"))
        return compare(out, r);
    QN_TRY(qn__reader_enter(r));
    QN_TRY(negation(out, r));
    r->depth--;
    return wrap(out, r, QN__NODE_NOT);
}

static qn_status conjunction(struct qn__node **out, struct qn__template_reader *r)
{
    QN_TRY(negation(out, r));
    while (qn__reader_takes_name(r, "and")) {
        QN_TRY(wrap(out, r, QN__NODE_AND));
        QN_TRY(negation(&(*out)->b, r));
    }
    return QN_OK;
}

qn_status qn__read_or(struct qn__node **out, struct qn__template_reader *r)
{
    QN_TRY(conjunction(out, r));
    while (qn__reader_takes_name(r, "or")) {
        QN_TRY(wrap(out, r, QN__NODE_OR));
        QN_TRY(conjunction(&(*out)->b, r));
    }
    return QN_OK;
}

qn_status qn__read_expression(struct qn__node **out, struct qn__template_reader *r)
{
    struct qn__node *chosen;
    QN_TRY(qn__reader_enter(r));
    QN_TRY(qn__read_or(out, r));
    while (qn__reader_takes_name(r, "if")) {
        chosen = *out;
        QN_TRY(qn__read_node(out, r, QN__NODE_CONDITION));
        (*out)->b = chosen;
        QN_TRY(qn__read_or(&(*out)->a, r));
        if (qn__reader_takes_name(r, "else"))
            QN_TRY(qn__read_expression(&(*out)->c, r));
    }
    r->depth--;
    return QN_OK;
}

static bool ends_tuple(const struct qn__template_reader *r)
{
    return r->word->kind == QN__WORD_OUTPUT_END || r->word->kind == QN__WORD_BLOCK_END ||
           qn__reader_sees(r, ")");
}

qn_status qn__read_tuple(struct qn__node **out, struct qn__template_reader *r, bool conditions)
{
    struct qn__node *last = NULL, *node;
    QN_TRY(conditions ? qn__read_expression(out, r) : qn__read_or(out, r));
    if (!qn__reader_sees(r, ","))
        return QN_OK;
    node = *out;
    QN_TRY(qn__read_node(out, r, QN__NODE_TUPLE));
    append(&(*out)->items, &last, node);
    while (qn__reader_takes(r, ",") && !ends_tuple(r)) {
        QN_TRY(conditions ? qn__read_expression(&node, r) : qn__read_or(&node, r));
        append(&(*out)->items, &last, node);
    }
    return QN_OK;
}
