/* SPDX-License-Identifier: Apache-2.0
 *
 * What reading expressions and statements of a chat template have in common. */
#include "engine/template_node.h"

#include <string.h>

enum { READ_DEPTH_MAX = 200 };

qn_status qn__read_node(struct qn__node **out, struct qn__template_reader *r,
                        enum qn__node_kind kind)
{
    *out = QN__ARENA_NEW(r->arena, struct qn__node);
    if (!*out)
        return qn__fail(QN_E_MEMORY, "no memory for a chat template");
    (*out)->kind = kind;
    (*out)->line = r->word->line;
    return QN_OK;
}

qn_status qn__reader_enter(struct qn__template_reader *r)
{
    if (r->depth >= READ_DEPTH_MAX)
        return qn__template_error(r->word->line, QN_E_LIMIT, "more than %d levels deep",
                                  READ_DEPTH_MAX);
    r->depth++;
    return QN_OK;
}

static bool is_word(const struct qn__word *w, enum qn__word_kind kind, const char *text)
{
    return w->kind == kind && w->n == strlen(text) && !memcmp(w->text, text, w->n);
}

bool qn__reader_sees(const struct qn__template_reader *r, const char *op)
{
    return is_word(r->word, QN__WORD_OPERATOR, op);
}

bool qn__reader_sees_name(const struct qn__template_reader *r, const char *name)
{
    return is_word(r->word, QN__WORD_NAME, name);
}

bool qn__reader_takes(struct qn__template_reader *r, const char *op)
{
    const bool sees = qn__reader_sees(r, op);
    r->word += sees;
    return sees;
}

bool qn__reader_takes_name(struct qn__template_reader *r, const char *name)
{
    const bool sees = qn__reader_sees_name(r, name);
    r->word += sees;
    return sees;
}

qn_status qn__reader_unexpected(const struct qn__template_reader *r, const char *wanted)
{
    const struct qn__word *w = r->word;
    switch (w->kind) {
    case QN__WORD_NAME:
    case QN__WORD_OPERATOR:
        return qn__template_error(w->line, QN_E_INVALID, "'%.*s' where %s is expected",
                                  w->n < 40 ? (int)w->n : 40, w->text, wanted);
    case QN__WORD_TEXT:
    case QN__WORD_INT:
    case QN__WORD_FLOAT:
        return qn__template_error(w->line, QN_E_INVALID, "a constant where %s is expected", wanted);
    case QN__WORD_END:
        return qn__template_error(w->line, QN_E_INVALID, "the template ends where %s is expected",
                                  wanted);
    default:
        return qn__template_error(w->line, QN_E_INVALID, "the tag ends where %s is expected",
                                  wanted);
    }
}

qn_status qn__reader_expect(struct qn__template_reader *r, const char *op)
{
    char wanted[16] = "'";
    if (qn__reader_takes(r, op))
        return QN_OK;
    strncat(wanted, op, 8);
    strncat(wanted, "'", 2);
    return qn__reader_unexpected(r, wanted);
}

qn_status qn__reader_name(struct qn__value *out, struct qn__template_reader *r)
{
    if (r->word->kind != QN__WORD_NAME)
        return qn__reader_unexpected(r, "a name");
    *out = QN__TEXT_OF(r->word->text, r->word->n);
    r->word++;
    return QN_OK;
}
