/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the statements of chat templates. */
#include "engine/template_node.h"

#include <string.h>

/* `ends` are the names that end the body: "else|elif|endif". The tag that does is not passed, but
 * for its beginning. */
static qn_status read_body(struct qn__node **out, struct qn__template_reader *r, const char *ends);

static bool sees_one_of(const struct qn__template_reader *r, const char *names)
{
    for (const char *p = names; *p; p += strcspn(p, "|"), p += *p == '|')
        if (r->word->kind == QN__WORD_NAME && r->word->n == strcspn(p, "|") &&
            !memcmp(r->word->text, p, r->word->n))
            return true;
    return false;
}

static qn_status end_tag(struct qn__template_reader *r)
{
    if (r->word->kind != QN__WORD_BLOCK_END)
        return qn__reader_unexpected(r, "the end of the tag");
    r->word++;
    return QN_OK;
}

/* The rest of a tag, the body, and the name that ends it. */
static qn_status body_until(struct qn__node **out, struct qn__template_reader *r, const char *end)
{
    QN_TRY(end_tag(r));
    QN_TRY(read_body(out, r, end));
    r->word++;
    return QN_OK;
}

static qn_status read_if(struct qn__node **out, struct qn__template_reader *r)
{
    struct qn__node **hook = out;
    for (;;) {
        QN_TRY(qn__read_node(hook, r, QN__NODE_IF));
        struct qn__node *node = *hook;
        QN_TRY(qn__read_tuple(&node->a, r, false));
        QN_TRY(end_tag(r));
        QN_TRY(read_body(&node->items, r, "elif|else|endif"));
        hook = &node->otherwise;
        if (qn__reader_takes_name(r, "elif"))
            continue;
        if (qn__reader_takes_name(r, "else"))
            return body_until(hook, r, "endif");
        r->word++;
        return QN_OK;
    }
}

/* What a for or a set gives values to: names, in a tuple where there are several. */
static qn_status read_target(struct qn__node **out, struct qn__template_reader *r)
{
    struct qn__node *node, *last = NULL;
    *out = NULL;
    do {
        if (last && (qn__reader_sees_name(r, "in") || qn__reader_sees(r, "=")))
            break;
        const bool in_parentheses = qn__reader_takes(r, "(");
        QN_TRY(qn__reader_enter(r));
        if (in_parentheses) {
            QN_TRY(read_target(&node, r));
            QN_TRY(qn__reader_expect(r, ")"));
        } else {
            QN_TRY(qn__read_node(&node, r, QN__NODE_NAME));
            QN_TRY(qn__reader_name(&node->name, r));
        }
        r->depth--;
        if (!in_parentheses && qn__reader_takes(r, ".")) {
            node->kind = QN__NODE_SET_FIELD;
            node->value = node->name;
            QN_TRY(qn__reader_name(&node->name, r));
        }
        if (last) {
            last->next = node;
        } else if (qn__reader_sees(r, ",")) {
            QN_TRY(qn__read_node(out, r, QN__NODE_TUPLE));
            (*out)->items = node;
        } else {
            *out = node;
        }
        last = node;
    } while (qn__reader_takes(r, ","));
    return QN_OK;
}

static qn_status read_for(struct qn__node **out, struct qn__template_reader *r)
{
    QN_TRY(qn__read_node(out, r, QN__NODE_FOR));
    struct qn__node *node = *out;
    QN_TRY(read_target(&node->a, r));
    if (!qn__reader_takes_name(r, "in"))
        return qn__reader_unexpected(r, "'in'");
    QN_TRY(qn__read_tuple(&node->b, r, false));
    if (qn__reader_takes_name(r, "if"))
        QN_TRY(qn__read_expression(&node->c, r));
    if (qn__reader_sees_name(r, "recursive"))
        return qn__template_error(node->line, QN_E_UNSUPPORTED, "a recursive loop");
    QN_TRY(end_tag(r));
    r->loops++;
    QN_TRY(read_body(&node->items, r, "else|endfor"));
    r->loops--;
    if (qn__reader_takes_name(r, "else"))
        return body_until(&node->otherwise, r, "endfor");
    r->word++;
    return QN_OK;
}

static qn_status read_set(struct qn__node **out, struct qn__template_reader *r)
{
    QN_TRY(qn__read_node(out, r, QN__NODE_SET));
    struct qn__node *node = *out;
    QN_TRY(read_target(&node->a, r));
    if (qn__reader_takes(r, "="))
        return qn__read_tuple(&node->b, r, true);
    node->kind = QN__NODE_SET_BLOCK;
    QN_TRY(qn__read_filters(&node->b, r, false));
    return body_until(&node->items, r, "endset");
}

/* "(a, b=1)" */
static qn_status read_parameters(struct qn__node *node, struct qn__template_reader *r)
{
    struct qn__node **hook = &node->arguments;
    QN_TRY(qn__reader_expect(r, "("));
    while (!qn__reader_takes(r, ")")) {
        if (hook != &node->arguments)
            QN_TRY(qn__reader_expect(r, ","));
        QN_TRY(qn__read_node(hook, r, QN__NODE_KEYWORD));
        QN_TRY(qn__reader_name(&(*hook)->name, r));
        if (qn__reader_takes(r, "="))
            QN_TRY(qn__read_expression(&(*hook)->a, r));
        hook = &(*hook)->next;
    }
    return QN_OK;
}

static qn_status read_macro(struct qn__node **out, struct qn__template_reader *r)
{
    QN_TRY(qn__read_node(out, r, QN__NODE_MACRO));
    QN_TRY(qn__reader_name(&(*out)->name, r));
    QN_TRY(read_parameters(*out, r));
    const uint32_t loops = r->loops;
    r->loops = 0;
    QN_TRY(body_until(&(*out)->items, r, "endmacro"));
    r->loops = loops;
    return QN_OK;
}

static qn_status read_call(struct qn__node **out, struct qn__template_reader *r)
{
    QN_TRY(qn__read_node(out, r, QN__NODE_CALL_BLOCK));
    struct qn__node *node = *out;
    if (qn__reader_sees(r, "("))
        QN_TRY(read_parameters(node, r));
    QN_TRY(qn__read_expression(&node->a, r));
    if (node->a->kind != QN__NODE_CALL)
        return qn__template_error(node->line, QN_E_INVALID, "a call block without a call");
    const uint32_t loops = r->loops;
    r->loops = 0;
    QN_TRY(body_until(&node->items, r, "endcall"));
    r->loops = loops;
    return QN_OK;
}

static qn_status read_filter_block(struct qn__node **out, struct qn__template_reader *r)
{
    QN_TRY(qn__read_node(out, r, QN__NODE_FILTER_BLOCK));
    QN_TRY(qn__read_filters(&(*out)->a, r, true));
    return body_until(&(*out)->items, r, "endfilter");
}

static qn_status read_with(struct qn__node **out, struct qn__template_reader *r)
{
    QN_TRY(qn__read_node(out, r, QN__NODE_WITH));
    struct qn__node **hook = &(*out)->arguments;
    while (r->word->kind != QN__WORD_BLOCK_END) {
        if (hook != &(*out)->arguments)
            QN_TRY(qn__reader_expect(r, ","));
        QN_TRY(qn__read_node(hook, r, QN__NODE_KEYWORD));
        QN_TRY(qn__reader_name(&(*hook)->name, r));
        QN_TRY(qn__reader_expect(r, "="));
        QN_TRY(qn__read_expression(&(*hook)->a, r));
        hook = &(*hook)->next;
    }
    return body_until(&(*out)->items, r, "endwith");
}

/* transformers marks what the assistant says by such blocks; what they write is their body. */
static qn_status read_generation(struct qn__node **out, struct qn__template_reader *r)
{
    QN_TRY(qn__read_node(out, r, QN__NODE_WITH));
    return body_until(&(*out)->items, r, "endgeneration");
}

static qn_status read_jump(struct qn__node **out, struct qn__template_reader *r, bool is_break)
{
    QN_TRY(qn__read_node(out, r, is_break ? QN__NODE_BREAK : QN__NODE_CONTINUE));
    if (!r->loops)
        return qn__template_error((*out)->line, QN_E_INVALID, "%s outside of a loop",
                                  is_break ? "break" : "continue");
    return QN_OK;
}

static qn_status read_statement(struct qn__node **out, struct qn__template_reader *r)
{
    const struct qn__word *w = r->word;
    if (qn__reader_takes_name(r, "if"))
        return read_if(out, r);
    if (qn__reader_takes_name(r, "for"))
        return read_for(out, r);
    if (qn__reader_takes_name(r, "set"))
        return read_set(out, r);
    if (qn__reader_takes_name(r, "macro"))
        return read_macro(out, r);
    if (qn__reader_takes_name(r, "call"))
        return read_call(out, r);
    if (qn__reader_takes_name(r, "filter"))
        return read_filter_block(out, r);
    if (qn__reader_takes_name(r, "with"))
        return read_with(out, r);
    if (qn__reader_takes_name(r, "generation"))
        return read_generation(out, r);
    if (qn__reader_takes_name(r, "break"))
        return read_jump(out, r, true);
    if (qn__reader_takes_name(r, "continue"))
        return read_jump(out, r, false);
    if (w->kind != QN__WORD_NAME)
        return qn__reader_unexpected(r, "a statement");
    return qn__template_error(w->line, QN_E_UNSUPPORTED, "the statement '%.*s'",
                              w->n < 40 ? (int)w->n : 40, w->text);
}

static qn_status read_output(struct qn__node **out, struct qn__template_reader *r)
{
    QN_TRY(qn__read_node(out, r, QN__NODE_OUTPUT));
    QN_TRY(qn__read_tuple(&(*out)->a, r, true));
    if (r->word->kind != QN__WORD_OUTPUT_END)
        return qn__reader_unexpected(r, "'}}'");
    r->word++;
    return QN_OK;
}

static qn_status read_body(struct qn__node **out, struct qn__template_reader *r, const char *ends)
{
    struct qn__node **hook = out;
    *out = NULL;
    QN_TRY(qn__reader_enter(r));
    for (; r->word->kind != QN__WORD_END; hook = &(*hook)->next) {
        if (r->word->kind == QN__WORD_DATA) {
            QN_TRY(qn__read_node(hook, r, QN__NODE_DATA));
            (*hook)->value = QN__TEXT_OF(r->word->text, r->word->n);
            r->word++;
        } else if (r->word->kind == QN__WORD_OUTPUT_BEGIN) {
            r->word++;
            QN_TRY(read_output(hook, r));
        } else {
            r->word++; /* a block's begin: nothing else stands between tags */
            if (sees_one_of(r, ends)) {
                r->depth--;
                return QN_OK;
            }
            QN_TRY(read_statement(hook, r));
            QN_TRY(end_tag(r));
        }
    }
    if (*ends)
        return qn__template_error(r->word->line, QN_E_INVALID, "the template ends without %s",
                                  strrchr(ends, '|') ? strrchr(ends, '|') + 1 : ends);
    r->depth--;
    return QN_OK;
}

qn_status qn__read_template(struct qn__node **out, struct qn__arena *arena,
                            const struct qn__words *words)
{
    struct qn__template_reader r = {.arena = arena, .word = words->items};
    return read_body(out, &r, "");
}
