/* SPDX-License-Identifier: Apache-2.0
 *
 * SentencePiece's unigram model: of all ways to cut a text into tokens, the one whose scores (log
 * probabilities) have the largest sum, by Viterbi over the ends of characters. A character that no
 * token covers costs more than any token. */
#include "engine/unigram.h"

#include "base/arena.h"
#include "engine/utf8.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const double UNKNOWN_PENALTY = 10; /* below the worst token, as SentencePiece has it */

/* The best way to reach one place in the text. */
struct way {
    double score;
    uint32_t from; /* the place before its last token */
    uint32_t to;   /* on the best way of all: the place after the next token */
    int32_t id;    /* of that token; -1: a character that is none */
};

static bool may_appear(const struct qn__vocabulary_token *t)
{
    return t->type == QN__TOKEN_NORMAL || t->type == QN__TOKEN_USER;
}

static double worst_score(const struct qn__vocabulary *v)
{
    double worst = 0;
    for (uint32_t i = 0; i < v->n; i++)
        if (may_appear(&v->tokens[i]) && v->tokens[i].score < worst)
            worst = v->tokens[i].score;
    return worst;
}

static void improve(struct way *ways, uint32_t from, uint32_t to, double score, int32_t id)
{
    if (ways[from].score + score > ways[to].score)
        ways[to] = (struct way){.score = ways[from].score + score, .from = from, .id = id};
}

/* Every token that begins at `from`. */
static void look_ahead(struct way *ways, const struct qn__vocabulary *v, const char *text,
                       uint32_t n_bytes, uint32_t from, double unknown_score)
{
    const uint32_t valid = qn__utf8_bytes(text + from, n_bytes - from);
    uint32_t to = from + (valid ? valid : 1);
    improve(ways, from, to, unknown_score, -1);
    for (;;) {
        const int32_t id = qn__vocabulary_find(v, text + from, to - from);
        if (id >= 0 && may_appear(&v->tokens[id]))
            improve(ways, from, to, (double)v->tokens[id].score, id);
        const uint32_t more = qn__utf8_bytes(text + to, n_bytes - to);
        if (!more || to + more - from > v->longest_bytes)
            break;
        to += more;
    }
}

qn_status qn__unigram_encode(struct qn__token_list *out, const struct qn__spm *s,
                             const char *marked, size_t n_bytes, int32_t unknown)
{
    const uint32_t n = (uint32_t)n_bytes;
    struct way *ways = qn__alloc(n_bytes + 1, sizeof *ways);
    if (!ways)
        return qn__fail(QN_E_MEMORY, "no memory for a text of %zu bytes", n_bytes);
    const double unknown_score = worst_score(s->vocabulary) - UNKNOWN_PENALTY;
    for (uint32_t i = 1; i <= n; i++)
        ways[i].score = -DBL_MAX;
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || ways[i].score > -DBL_MAX)
            look_ahead(ways, s->vocabulary, marked, n, i, unknown_score);

    for (uint32_t at = n; at > 0; at = ways[at].from)
        ways[ways[at].from].to = at;
    qn_status status = QN_OK;
    for (uint32_t at = 0, to; at < n && status == QN_OK; at = to) {
        to = ways[at].to;
        status = ways[to].id >= 0 ? qn__token_list_add(out, ways[to].id)
                                  : qn__spm_add_bytes(out, s, marked + at, to - at, unknown);
    }
    free(ways);
    return status;
}
