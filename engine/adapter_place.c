/* SPDX-License-Identifier: Apache-2.0
 *
 * Adapters on the device (adapter_place.h). The plan and the addresses come from one walk over the
 * places; what lies there is computed place by place while it is uploaded. */
#include "engine/adapter_place.h"

#include <math.h>
#include <quern/stream.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN_BYTES = 256, ADAPTERS_MAX = 64 };

static uint64_t aligned(uint64_t n_bytes)
{
    return (n_bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
}

static uint32_t rank_at(const qn_session_adapter *list, uint32_t n, uint32_t place)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < list[i].adapter->n_parts; j++)
            if (list[i].adapter->parts[j].place == place)
                rank += list[i].adapter->parts[j].rank;
    return rank;
}

static qn_status check(const struct qn_model *m, const qn_session_adapter *list, uint32_t n)
{
    if (n > ADAPTERS_MAX)
        return qn__fail(QN_E_LIMIT, "%u adapters: at most %d at once", n, ADAPTERS_MAX);
    for (uint32_t i = 0; i < n; i++) {
        if (!list[i].adapter)
            return qn__fail(QN_E_INVALID, "adapter %u is NULL", i);
        if (list[i].adapter->model != m)
            return qn__fail(QN_E_INVALID, "%s was opened for another model",
                            list[i].adapter->info.path);
        if (!isfinite(list[i].scale))
            return qn__fail(QN_E_INVALID, "%s: a scale that is no number",
                            list[i].adapter->info.path);
    }
    return QN_OK;
}

static struct qn__low_rank *low_rank_of(struct qn__weights *w, const struct qn__config *c,
                                        uint32_t place)
{
    const uint32_t embedding = qn__place_of_embedding(c);
    if (place >= embedding)
        return place == embedding ? &w->embedding.low_rank : &w->head.low_rank;
    const uint32_t per_layer = embedding / c->n_layers;
    struct qn__layer *layer = &w->layers[place / per_layer];
    const size_t offset =
        (size_t)((const char *)qn__place_matrix(w, c, place) - (const char *)layer);
    return &((struct qn__matrix *)(void *)((char *)layer + offset))->low_rank;
}

qn_status qn__adapters_place(struct qn__adapters *out, struct qn__weights *w,
                             const struct qn_model *m, const qn_session_adapter *list, uint32_t n,
                             uint32_t batch, qn_addr base)
{
    const struct qn__config *c = &m->config;
    uint32_t largest = 0;
    *out = (struct qn__adapters){.list = list, .n = n};
    QN_TRY(check(m, list, n));
    for (uint32_t place = 0; n && place < qn__places_count(c); place++) {
        const uint32_t rank = rank_at(list, n, place);
        const struct qn__matrix *matrix = qn__place_matrix(&m->plan, c, place);
        if (!rank)
            continue;
        const struct qn__low_rank at = {
            .a = base + out->n_bytes,
            .b = base + out->n_bytes +
                 aligned((uint64_t)rank * sizeof(float) *
                         (place == qn__place_of_embedding(c) ? matrix->rows : matrix->n)),
            .rank = rank};
        const uint64_t outputs = place == qn__place_of_embedding(c) ? matrix->n : matrix->rows;
        out->n_bytes = at.b - base + aligned(outputs * rank * sizeof(float));
        largest = rank > largest ? rank : largest;
        if (w)
            *low_rank_of(w, c, place) = at;
    }
    out->room = base + out->n_bytes;
    out->n_bytes += aligned((uint64_t)largest * batch * sizeof(float));
    return QN_OK;
}

/* -- uploading -- */

static qn_status unpack(float **out, const struct qn__tensor *t)
{
    const uint64_t n = t->shape[0] * t->shape[1];
    *out = qn__alloc(n, sizeof **out);
    if (!*out)
        return qn__fail(QN_E_MEMORY, "tensor '%s': no memory for %llu numbers", t->name,
                        (unsigned long long)n);
    t->format->unpack(*out, t->data, n);
    for (uint64_t i = 0; i < n; i++)
        if (!isfinite((*out)[i]))
            return qn__fail(QN_E_CORRUPT, "tensor '%s': element %llu is %s", t->name,
                            (unsigned long long)i, isnan((*out)[i]) ? "NaN" : "infinite");
    return QN_OK;
}

/* The adapter's row of queries or keys that is row `row` of the model's: in each head, element i of
 * the first half and element i of the second are neighbours in one of the two orders. */
static uint32_t row_of(const struct qn_adapter *a, const struct qn__config *c, uint32_t place,
                       uint32_t row)
{
    const uint32_t head = c->head_dim, at = row % head, half = head / 2;
    const enum qn__rope_pairs theirs = a->is_peft ? QN__ROPE_NEOX : c->family->pairs;
    if (!qn__place_is_turned(c, place) || theirs == c->pairs)
        return row;
    return row - at +
           (theirs == QN__ROPE_NEOX ? at / 2 + at % 2 * half : at % half * 2 + at / half);
}

/* One adapter's share of the two stacks, from rank `first` of all on. */
static void add_part(float *a_all, float *b_all, uint32_t first, const struct qn__low_rank *at,
                     const struct qn_model *m, const qn_session_adapter *s,
                     const struct qn__adapter_part *p, const float *a, const float *b)
{
    const struct qn__config *c = &m->config;
    const struct qn__matrix *matrix = qn__place_matrix(&m->plan, c, p->place);
    const bool is_embedding = p->place == qn__place_of_embedding(c);
    const uint32_t n_in = is_embedding ? matrix->rows : matrix->n;
    const uint32_t n_out = is_embedding ? matrix->n : matrix->rows;
    const float scale = s->scale * p->scale * (is_embedding ? c->embedding_scale : 1.0f);
    const bool by_token = is_embedding && !s->adapter->is_peft;
    for (uint32_t r = 0; r < p->rank; r++)
        for (uint32_t i = 0; i < n_in; i++) {
            const float value = by_token ? a[(uint64_t)i * p->rank + r] : a[(uint64_t)r * n_in + i];
            a_all[is_embedding ? (uint64_t)i * at->rank + first + r
                               : (uint64_t)(first + r) * n_in + i] = value;
        }
    for (uint32_t i = 0; i < n_out; i++) {
        const uint64_t row = p->first_row + row_of(s->adapter, c, p->place, i);
        for (uint32_t r = 0; r < p->rank; r++)
            b_all[(uint64_t)i * at->rank + first + r] = scale * b[row * p->rank + r];
    }
}

static qn_status fill(float *a_all, float *b_all, uint32_t place, const struct qn__low_rank *at,
                      const struct qn_model *m, const struct qn__adapters *list)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < list->n; i++)
        for (uint32_t j = 0; j < list->list[i].adapter->n_parts; j++) {
            const struct qn__adapter_part *p = &list->list[i].adapter->parts[j];
            float *a = NULL, *b = NULL;
            if (p->place != place)
                continue;
            qn_status s = unpack(&a, p->a);
            if (s == QN_OK)
                s = unpack(&b, p->b);
            if (s == QN_OK)
                add_part(a_all, b_all, first, at, m, &list->list[i], p, a, b);
            free(a);
            free(b);
            if (s != QN_OK)
                return qn__fail_prefix(s, "%s", list->list[i].adapter->info.path);
            first += p->rank;
        }
    return QN_OK;
}

static qn_status upload_place(uint32_t place, const struct qn__low_rank *at,
                              const struct qn_model *m, const struct qn__adapters *list,
                              qn_device *dev, qn_stream *stream)
{
    const struct qn__matrix *matrix = qn__place_matrix(&m->plan, &m->config, place);
    const bool is_embedding = place == qn__place_of_embedding(&m->config);
    const uint64_t n_a = (uint64_t)at->rank * (is_embedding ? matrix->rows : matrix->n);
    const uint64_t n_b = (uint64_t)at->rank * (is_embedding ? matrix->n : matrix->rows);
    float *a = qn__alloc(n_a, sizeof *a), *b = qn__alloc(n_b, sizeof *b);
    qn_status s = a && b ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for an adapter");
    if (s == QN_OK)
        s = fill(a, b, place, at, m, list);
    if (s == QN_OK)
        s = qn_memory_upload(dev, at->a, a, n_a * sizeof *a, stream);
    if (s == QN_OK)
        s = qn_memory_upload(dev, at->b, b, n_b * sizeof *b, stream);
    if (s == QN_OK)
        s = qn_stream_sync(stream);
    free(a);
    free(b);
    return s;
}

qn_status qn__adapters_upload(const struct qn__adapters *a, const struct qn__weights *w,
                              const struct qn_model *m, qn_device *dev, qn_stream *stream)
{
    for (uint32_t place = 0; a->n && place < qn__places_count(&m->config); place++) {
        const struct qn__low_rank *at = &qn__place_matrix(w, &m->config, place)->low_rank;
        if (at->rank)
            QN_TRY(upload_place(place, at, m, a, dev, stream));
    }
    return QN_OK;
}

void qn__adapters_identify(unsigned char out[QN__HASH_BYTES], const struct qn__adapters *a)
{
    struct qn__hash h;
    memset(out, 0, QN__HASH_BYTES);
    if (!a->n)
        return;
    qn__hash_init(&h);
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t j = 0; j < a->list[i].adapter->n_parts; j++) {
            const struct qn__adapter_part *p = &a->list[i].adapter->parts[j];
            const float scale = a->list[i].scale * p->scale;
            const uint32_t numbers[] = {p->place, p->rank, p->first_row};
            qn__hash_add(&h, &scale, sizeof scale);
            qn__hash_add(&h, numbers, sizeof numbers);
            qn__hash_add(&h, p->a->data, p->a->bytes);
            qn__hash_add(&h, p->b->data, p->b->bytes);
        }
    qn__hash_finish(&h, out);
}
