/* SPDX-License-Identifier: Apache-2.0
 *
 * SentencePiece's BPE: a text is characters, spaces among them as "▁", and of all neighbours that
 * together are a token, the pair whose token has the best score is joined. What is no token in the
 * end becomes byte tokens ("<0x0A>"). */
#include "engine/spm.h"

#include "engine/merge.h"
#include "engine/utf8.h"

#include <stdio.h>
#include <string.h>

void qn__spm_init(struct qn__spm *out, const struct qn__vocabulary *v, enum qn__space_prefix prefix)
{
    *out = (struct qn__spm){.vocabulary = v, .prefix = prefix};
    for (uint32_t byte = 0; byte < 256; byte++) {
        char text[8];
        snprintf(text, sizeof text, "<0x%02X>", byte);
        const int32_t id = qn__vocabulary_find(v, text, strlen(text));
        out->bytes[byte] = id >= 0 && v->tokens[id].type == QN__TOKEN_BYTE ? id : -1;
    }
}

bool qn__spm_adds_space(const struct qn__spm *s, const char *text, size_t n_bytes, bool is_first)
{
    const size_t n_mark = strlen(QN__SPACE_MARK);
    if (s->prefix == QN__SPACE_NEVER || s->prefix == QN__SPACE_ALWAYS)
        return s->prefix == QN__SPACE_ALWAYS;
    const bool has_one =
        n_bytes && (text[0] == ' ' || (n_bytes >= n_mark && !memcmp(text, QN__SPACE_MARK, n_mark)));
    return !has_one && (is_first || s->prefix == QN__SPACE_MISSING);
}

qn_status qn__spm_mark_spaces(struct qn__str *out, const char *text, size_t n_bytes, bool add_space)
{
    if (n_bytes && add_space)
        qn__str_add(out, QN__SPACE_MARK);
    for (size_t i = 0; i < n_bytes;) {
        const char *space = memchr(text + i, ' ', n_bytes - i);
        const size_t n = space ? (size_t)(space - text) - i : n_bytes - i;
        qn__str_add_bytes(out, text + i, n);
        if (space)
            qn__str_add(out, QN__SPACE_MARK);
        i += n + 1;
    }
    return qn__str_check(out);
}

qn_status qn__spm_add_bytes(struct qn__token_list *out, const struct qn__spm *s, const char *text,
                            size_t n_bytes, int32_t unknown)
{
    for (size_t i = 0; i < n_bytes; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (s->bytes[byte] >= 0) {
            QN_TRY(qn__token_list_add(out, s->bytes[byte]));
            continue;
        }
        if (unknown < 0)
            return qn__fail(QN_E_UNSUPPORTED,
                            "the vocabulary has no token for the byte 0x%02x, and none for what is "
                            "unknown",
                            byte);
        return qn__token_list_add(out, unknown); /* one for the whole character */
    }
    return QN_OK;
}

static bool is_text_token(const struct qn__vocabulary_token *t)
{
    return t->type == QN__TOKEN_NORMAL || t->type == QN__TOKEN_USER;
}

/* Scores as numbers that are smaller for better scores. */
static uint32_t priority_of(float score)
{
    const float plain = score + 0.0f; /* there is but one zero */
    uint32_t bits;
    memcpy(&bits, &plain, sizeof bits);
    return bits & 0x80000000 ? bits : ~bits & 0x7fffffff;
}

static bool may_join(uint32_t *priority, int32_t *id, const void *context, const char *text,
                     const struct qn__symbol *a, const struct qn__symbol *b)
{
    const struct qn__vocabulary *v = context;
    if (a->n_bytes + b->n_bytes > v->longest_bytes)
        return false;
    *id = qn__vocabulary_find(v, text + a->start, a->n_bytes + b->n_bytes);
    if (*id < 0 || !is_text_token(&v->tokens[*id]))
        return false;
    *priority = priority_of(v->tokens[*id].score);
    return true;
}

static qn_status split(struct qn__merge_space *m, const struct qn__vocabulary *v, const char *text,
                       size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes;) {
        const uint32_t valid = qn__utf8_bytes(text + i, n_bytes - i), n = valid ? valid : 1;
        const int32_t id = qn__vocabulary_find(v, text + i, n);
        QN_TRY(qn__merge_add_symbol(m, (uint32_t)i, n,
                                    id >= 0 && is_text_token(&v->tokens[id]) ? id : -1));
        i += n;
    }
    return QN_OK;
}

qn_status qn__spm_encode(struct qn__token_list *out, const struct qn__spm *s, const char *marked,
                         size_t n_bytes, int32_t unknown)
{
    struct qn__merge_space space = {0};
    qn_status status = split(&space, s->vocabulary, marked, n_bytes);
    if (status == QN_OK)
        status = qn__merge_run(&space, may_join, s->vocabulary, marked);
    for (int32_t i = space.n_symbols ? 0 : -1; i >= 0 && status == QN_OK;
         i = space.symbols[i].next) {
        const struct qn__symbol *symbol = &space.symbols[i];
        status = symbol->id >= 0
                     ? qn__token_list_add(out, symbol->id)
                     : qn__spm_add_bytes(out, s, marked + symbol->start, symbol->n_bytes, unknown);
    }
    qn__merge_release(&space);
    return status;
}

void qn__spm_decode(struct qn__str *out, const struct qn__vocabulary_token *t, bool is_first)
{
    unsigned byte;
    if (t->type == QN__TOKEN_BYTE && t->n_bytes == 6 && sscanf(t->text, "<0x%2x>", &byte) == 1) {
        qn__str_add_char(out, (char)byte);
        return;
    }
    const size_t mark = strlen(QN__SPACE_MARK);
    for (uint32_t i = 0; i < t->n_bytes;) {
        const bool is_space =
            t->n_bytes - i >= mark && memcmp(t->text + i, QN__SPACE_MARK, mark) == 0;
        if (!is_space)
            qn__str_add_char(out, t->text[i]);
        else if (!is_first || i > 0)
            qn__str_add_char(out, ' ');
        i += is_space ? (uint32_t)mark : 1;
    }
}
