/* SPDX-License-Identifier: Apache-2.0
 *
 * A grammar over a model's tokens (token_grammar.h).
 *
 * Tokens are sorted by their bytes once, so that those with a common beginning lie side by side and
 * the grammar walks that beginning once for all of them: where it leads nowhere, all of them are
 * passed over. What a state allows is kept for the states seen last; text within a string stays in
 * one state for long. */
#include "engine/token_grammar.h"

#include "engine/grammar_parse.h"
#include "engine/grammar_state.h"
#include "engine/json_schema.h"
#include "engine/opened_model.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 16 };

struct entry {
    const uint8_t *text;
    uint32_t n_bytes, shared; /* bytes that it has in common with the one before it */
    int32_t id;
};

struct qn_grammar {
    const qn_model *model;
    struct qn__grammar grammar;
    struct qn__grammar_states *states;
    uint32_t start, state;
    struct qn__str texts;
    struct entry *entries; /* (n_entries), by rising text; tokens without text are not among them */
    uint32_t n_entries, n_vocab, longest;
    uint32_t *ways; /* (longest + 1): the state behind so many bytes */
    struct {
        uint32_t state; /* QN__STATE_NONE: nothing is kept here */
        uint32_t *allowed;
    } kept[KEPT];
    uint32_t turn;
};

/* -- the vocabulary -- */

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    const uint32_t n = x->n_bytes < y->n_bytes ? x->n_bytes : y->n_bytes;
    const int order = memcmp(x->text, y->text, n);
    if (order)
        return order;
    if (x->n_bytes != y->n_bytes)
        return x->n_bytes < y->n_bytes ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void find_shared(qn_grammar *g)
{
    for (uint32_t i = 1; i < g->n_entries; i++) {
        const struct entry *before = &g->entries[i - 1];
        struct entry *e = &g->entries[i];
        while (e->shared < e->n_bytes && e->shared < before->n_bytes &&
               e->text[e->shared] == before->text[e->shared])
            e->shared++;
    }
}

static qn_status read_texts(qn_grammar *g)
{
    const struct qn__tokenizer *t = g->model->tokenizer;
    g->n_vocab = qn__tokenizer_facts(t)->n_vocab;
    g->entries = qn__alloc(g->n_vocab ? g->n_vocab : 1, sizeof *g->entries);
    if (!g->entries)
        return qn__fail(QN_E_MEMORY, "no memory for %u tokens", g->n_vocab);
    for (uint32_t id = 0; id < g->n_vocab; id++) {
        const size_t before = g->texts.len;
        if (qn__tokenizer_is_end(t, (int32_t)id))
            continue;
        QN_TRY(qn__tokenizer_decode(&g->texts, t, (int32_t)id, false, false));
        const uint32_t n = (uint32_t)(g->texts.len - before);
        if (n)
            g->entries[g->n_entries++] = (struct entry){.n_bytes = n, .id = (int32_t)id};
        if (n > g->longest)
            g->longest = n;
    }
    QN_TRY(qn__str_check(&g->texts));
    const char *at = g->texts.text;
    for (uint32_t i = 0; i < g->n_entries; at += g->entries[i++].n_bytes)
        g->entries[i].text = (const uint8_t *)at;
    qsort(g->entries, g->n_entries, sizeof *g->entries, compare_entries);
    find_shared(g);
    g->ways = qn__alloc(g->longest + 1, sizeof *g->ways);
    return g->ways ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a grammar");
}

/* -- making one -- */

static qn_status fill(qn_grammar *g, const char *text, size_t n_bytes, const char *root)
{
    QN_TRY(qn__grammar_parse(&g->grammar, text, n_bytes, root));
    QN_TRY(qn__grammar_states_create(&g->states, &g->grammar, &g->start));
    g->state = g->start;
    QN_TRY(read_texts(g));
    for (uint32_t i = 0; i < KEPT; i++) {
        g->kept[i].allowed = qn__alloc(g->n_vocab / 32 + 1, sizeof(uint32_t));
        if (!g->kept[i].allowed)
            return qn__fail(QN_E_MEMORY, "no memory for a grammar");
    }
    return QN_OK;
}

qn_status qn_grammar_create(qn_grammar **out, const qn_model *m, const char *text, size_t n_bytes,
                            const char *root)
{
    *out = NULL;
    qn_grammar *g = qn__alloc(1, sizeof *g);
    if (!g)
        return qn__fail(QN_E_MEMORY, "no memory for a grammar");
    memset(g, 0, sizeof *g);
    g->model = m;
    const qn_status s = fill(g, text, n_bytes, root ? root : "root");
    if (s != QN_OK) {
        struct qn__message kept;
        qn__message_save(&kept);
        qn_grammar_destroy(g);
        qn__message_restore(&kept);
        return s;
    }
    *out = g;
    return QN_OK;
}

qn_status qn_grammar_create_json(qn_grammar **out, const qn_model *m, const char *schema,
                                 size_t n_bytes)
{
    struct qn__str text = {0};
    *out = NULL;
    qn_status s = qn__json_schema_grammar(&text, schema, n_bytes);
    if (s == QN_OK)
        s = qn_grammar_create(out, m, text.text, text.len, NULL);
    qn__str_release(&text);
    return s;
}

void qn_grammar_destroy(qn_grammar *g)
{
    if (!g)
        return;
    qn__grammar_states_destroy(g->states);
    qn__grammar_release(&g->grammar);
    qn__str_release(&g->texts);
    for (uint32_t i = 0; i < KEPT; i++)
        free(g->kept[i].allowed);
    free(g->entries);
    free(g->ways);
    free(g);
}

void qn_grammar_reset(qn_grammar *g)
{
    g->state = g->start;
}

bool qn_grammar_is_complete(const qn_grammar *g)
{
    return qn__grammar_may_end(g->states, g->state);
}

/* -- tokens -- */

static qn_status walk(uint32_t *out, qn_grammar *g, const char *text, size_t n_bytes)
{
    *out = g->state;
    for (size_t i = 0; i < n_bytes && *out != QN__STATE_NONE; i++)
        QN_TRY(qn__grammar_step(out, g->states, *out, (uint8_t)text[i]));
    return QN_OK;
}

static qn_status not_allowed(const qn_grammar *g, int32_t id)
{
    return qn__fail(QN_E_NOT_FOUND, "token %d: the grammar has no such text here%s", id,
                    qn_grammar_is_complete(g) ? ", but the text may end" : "");
}

static qn_status move_to(qn_grammar *g, uint32_t state)
{
    uint32_t start = g->start;
    bool changed;
    g->state = state;
    QN_TRY(qn__grammar_tidy(g->states, &g->state, &changed));
    if (!changed)
        return QN_OK;
    for (uint32_t i = 0; i < KEPT; i++)
        g->kept[i].state = QN__STATE_NONE;
    /* the beginning was forgotten, too: it is made again, before what comes now */
    QN_TRY(qn__grammar_begin(&start, g->states));
    g->start = start;
    return QN_OK;
}

qn_status qn_grammar_accept(qn_grammar *g, int32_t id)
{
    struct qn__str text = {0};
    uint32_t next = QN__STATE_NONE;
    if (qn__tokenizer_is_end(g->model->tokenizer, id))
        return qn_grammar_is_complete(g) ? QN_OK : not_allowed(g, id);
    qn_status s = qn__tokenizer_decode(&text, g->model->tokenizer, id, false, false);
    if (s == QN_OK)
        s = qn__str_check(&text);
    if (s == QN_OK && text.len)
        s = walk(&next, g, text.text, text.len);
    qn__str_release(&text);
    QN_TRY(s);
    return next == QN__STATE_NONE ? not_allowed(g, id) : move_to(g, next);
}

/* All tokens, in order of their texts. */
static qn_status find_allowed(uint32_t *allowed, qn_grammar *g)
{
    uint32_t alive = 0; /* so many bytes of the token before lead somewhere */
    memset(allowed, 0, (g->n_vocab / 32 + 1) * sizeof *allowed);
    g->ways[0] = g->state;
    for (uint32_t i = 0; i < g->n_entries; i++) {
        const struct entry *e = &g->entries[i];
        uint32_t n = e->shared;
        if (n > alive)
            continue; /* it shares what led nowhere */
        for (; n < e->n_bytes; n++) {
            QN_TRY(qn__grammar_step(&g->ways[n + 1], g->states, g->ways[n], e->text[n]));
            if (g->ways[n + 1] == QN__STATE_NONE)
                break;
        }
        alive = n;
        if (n == e->n_bytes)
            allowed[e->id / 32] |= 1u << e->id % 32;
    }
    for (uint32_t id = 0; qn_grammar_is_complete(g) && id < g->n_vocab; id++)
        if (qn__tokenizer_is_end(g->model->tokenizer, (int32_t)id))
            allowed[id / 32] |= 1u << id % 32;
    return QN_OK;
}

qn_status qn__grammar_allowed(const uint32_t **allowed, uint32_t *n, qn_grammar *g)
{
    *n = g->n_vocab;
    for (uint32_t i = 0; i < KEPT; i++)
        if (g->kept[i].state == g->state) {
            *allowed = g->kept[i].allowed;
            return QN_OK;
        }
    const uint32_t turn = g->turn++ % KEPT;
    g->kept[turn].state = QN__STATE_NONE;
    QN_TRY(find_allowed(g->kept[turn].allowed, g));
    g->kept[turn].state = g->state;
    *allowed = g->kept[turn].allowed;
    return QN_OK;
}
