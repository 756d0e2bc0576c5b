/* SPDX-License-Identifier: Apache-2.0
 *
 * Several texts in one session, and results of more than the last position (quern/model.h).
 *
 * Each sequence has its own part of the cache, one after the other. A batch is one step for all of
 * them: every matrix is read once, and only attention goes sequence by sequence. */
#include "engine/session_sample.h"

#include <stdlib.h>

static uint32_t past_of(const qn_session *s, uint32_t sequence)
{
    return sequence ? s->past[sequence] : s->info.n_past;
}

static void set_past(qn_session *s, uint32_t sequence, uint32_t n)
{
    if (sequence)
        s->past[sequence] = n;
    else
        s->info.n_past = n;
}

uint32_t qn_session_get_past(const qn_session *s, uint32_t sequence)
{
    return sequence < s->info.plan.sequences ? past_of(s, sequence) : 0;
}

static qn_status check_sequence(const qn_session *s, uint32_t sequence)
{
    if (sequence < s->info.plan.sequences)
        return QN_OK;
    return qn__fail(QN_E_INVALID, "sequence %u: the session has %u", sequence,
                    s->info.plan.sequences);
}

static qn_status check_item(const qn_session *s, const qn_batch_item *item)
{
    QN_TRY(check_sequence(s, item->sequence));
    const uint32_t n_vocab = s->model->config.n_vocab;
    const uint32_t left = s->info.plan.context - past_of(s, item->sequence);
    if (item->n == 0)
        return qn__fail(QN_E_INVALID, "sequence %u: no tokens to feed", item->sequence);
    if (item->n > left)
        return qn__fail(QN_E_LIMIT,
                        "sequence %u: %u tokens do not fit: the context of %u has %u left",
                        item->sequence, item->n, s->info.plan.context, left);
    if (item->n_rows > item->n)
        return qn__fail(QN_E_INVALID, "sequence %u: %u rows of %u tokens", item->sequence,
                        item->n_rows, item->n);
    for (uint32_t i = 0; i < item->n; i++)
        if (item->ids[i] < 0 || (uint32_t)item->ids[i] >= n_vocab)
            return qn__fail(QN_E_INVALID, "token %d: the vocabulary has 0 to %u", item->ids[i],
                            n_vocab - 1);
    return QN_OK;
}

static qn_status check_items(const qn_session *s, const qn_batch_item *items, uint32_t n)
{
    const qn_session_plan *p = &s->info.plan;
    uint64_t n_tokens = 0, n_rows = 0;
    if (n == 0)
        return qn__fail(QN_E_INVALID, "no tokens to feed");
    for (uint32_t i = 0; i < n; i++) {
        QN_TRY(check_item(s, &items[i]));
        for (uint32_t j = 0; j < i; j++)
            if (items[j].sequence == items[i].sequence)
                return qn__fail(QN_E_INVALID, "sequence %u is there twice", items[i].sequence);
        n_tokens += items[i].n;
        n_rows += items[i].n_rows;
    }
    if (n_tokens > p->batch)
        return qn__fail(QN_E_LIMIT, "%llu tokens: a batch has room for %u",
                        (unsigned long long)n_tokens, p->batch);
    if (n_rows > p->rows)
        return qn__fail(QN_E_LIMIT, "%llu rows: the session has room for %u",
                        (unsigned long long)n_rows, p->rows);
    return QN_OK;
}

/* Into the pinned arrays; a span for each item. */
static void stage(qn_session *s, struct qn__queued *q, struct qn__span *spans,
                  const qn_batch_item *items, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const qn_batch_item *item = &items[i];
        const uint32_t past = past_of(s, item->sequence);
        spans[i] = (struct qn__span){
            .first = q->n, .n = item->n, .cache_offset = item->sequence * s->cache.n_bytes};
        for (uint32_t j = 0; j < item->n; j++) {
            s->ids[q->n + j] = item->ids[j];
            s->pos[q->n + j] = (int32_t)(past + j);
        }
        for (uint32_t j = item->n - item->n_rows; j < item->n; j++)
            s->rows.tokens[q->n_rows++] = (int32_t)(q->n + j);
        q->n += item->n;
    }
}

qn_status qn_session_feed_batch(qn_session *s, const qn_batch_item *items, uint32_t n, int kind)
{
    const struct qn__config *c = &s->model->config;
    struct qn__queued q = {.ids = s->ids, .pos = s->pos, .wants_states = kind == QN_ROWS_STATES};
    if (kind != QN_ROWS_LOGITS && kind != QN_ROWS_STATES)
        return qn__fail(QN_E_INVALID, "rows of kind %d: logits or states", kind);
    QN_TRY(check_items(s, items, n));
    struct qn__span *spans = qn__alloc(n, sizeof *spans);
    if (!spans)
        return qn__fail(QN_E_MEMORY, "no memory for %u sequences", n);
    qn_status status = qn_stream_sync(s->stream); /* what is staged may still be read */
    s->has_logits = s->logits_here = false;
    s->rows.n = 0;
    if (status == QN_OK) {
        stage(s, &q, spans, items, n);
        q.spans = spans;
        q.n_spans = n;
        s->batch_queued = true;
        status = qn__session_queue(s, &q);
    }
    free(spans);
    QN_TRY(status);
    for (uint32_t i = 0; i < n; i++)
        set_past(s, items[i].sequence, past_of(s, items[i].sequence) + items[i].n);
    s->rows.n = q.n_rows;
    s->rows.width = q.wants_states ? c->dim : c->n_vocab;
    s->rows.at = q.wants_states ? s->activations.normed : s->activations.row_logits;
    for (uint32_t i = 0; i < q.n_rows; i++)
        s->rows.here[i] = false;
    return QN_OK;
}

static qn_status check_row(const qn_session *s, uint32_t row)
{
    if (row < s->rows.n)
        return QN_OK;
    return qn__fail(QN_E_INVALID, "row %u: the last feed of a batch left %u", row, s->rows.n);
}

qn_status qn_session_row(qn_session *s, uint32_t row, const float **out)
{
    *out = NULL;
    QN_TRY(check_row(s, row));
    const uint64_t first = (uint64_t)row * s->rows.width;
    if (!s->rows.here[row]) {
        QN_TRY(qn_memory_download(s->dev, s->rows.results + first,
                                  s->rows.at + first * sizeof(float), s->rows.width * sizeof(float),
                                  s->stream));
        QN_TRY(qn_stream_sync(s->stream));
        s->rows.here[row] = true;
    }
    *out = s->rows.results + first;
    return QN_OK;
}

qn_status qn_session_sample_row(int32_t *out, qn_session *s, uint32_t row, qn_sampler *sampler)
{
    const uint64_t first = (uint64_t)row * s->rows.width;
    const float *logits;
    bool done;
    *out = -1;
    QN_TRY(check_row(s, row));
    if (s->rows.at != s->activations.row_logits)
        return qn__fail(QN_E_INVALID, "row %u is a state: there is nothing to choose from", row);
    QN_TRY(qn__session_choose_there(out, &done, s, sampler, s->rows.at + first * sizeof(float)));
    if (done)
        return QN_OK;
    QN_TRY(qn_session_row(s, row, &logits));
    return qn_sampler_choose(out, sampler, logits, s->rows.width);
}

qn_status qn_session_rewind_sequence(qn_session *s, uint32_t sequence, uint32_t n_keep)
{
    QN_TRY(check_sequence(s, sequence));
    if (sequence == 0)
        return qn_session_rewind(s, n_keep);
    if (n_keep > s->past[sequence])
        return qn__fail(QN_E_INVALID, "sequence %u: %u positions to keep, and %u there are",
                        sequence, n_keep, s->past[sequence]);
    s->past[sequence] = n_keep;
    return QN_OK;
}
