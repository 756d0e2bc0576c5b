/* SPDX-License-Identifier: Apache-2.0
 *
 * Streamed layers on their way to the device (layer_stream.h). */
#include "engine/layer_stream.h"

#include "engine/weight_upload.h"

#include <stdlib.h>
#include <string.h>

struct streamed {
    uint32_t layer;
    unsigned char *kept; /* in `host`; NULL: loaded from the file */
};

struct slot {
    qn_event *arrived, *left;     /* the copy into it; the kernels that read it */
    const struct streamed *holds; /* or will, when the copy has arrived; NULL: not known */
};

struct qn__layer_stream {
    const struct qn__weights *weights;
    qn_device *dev;
    struct qn__layer_source source;
    qn_stream *copies;
    unsigned char *host;
    struct streamed *layers; /* (residency.n_streamed) */
    struct slot slots[QN__SLOTS];
};

static struct streamed *find(const struct qn__layer_stream *ls, uint32_t layer)
{
    const struct qn__residency *r = &ls->weights->residency;
    return ls->layers + qn__residency_number(r, layer);
}

static struct slot *slot_of(struct qn__layer_stream *ls, const struct streamed *k)
{
    return ls->slots + (k - ls->layers) % QN__SLOTS;
}

static qn_status create(struct qn__layer_stream *ls)
{
    const struct qn__weights *w = ls->weights;
    const struct qn__residency *r = &w->residency;
    uint64_t at = 0;
    ls->layers = qn__alloc(r->n_streamed, sizeof *ls->layers);
    if (!ls->layers)
        return qn__fail(QN_E_MEMORY, "no memory for %u layers", r->n_streamed);
    if (!ls->source.from_file)
        QN_TRY(
            qn_memory_alloc_host((void **)&ls->host, ls->dev, qn__residency_streamed_bytes(r, w)));
    for (uint32_t i = 0; i < r->n_layers; i++)
        if (qn__residency_is_streamed(r, i)) {
            *find(ls, i) = (struct streamed){i, ls->host ? ls->host + at : NULL};
            at += w->layers[i].n_bytes;
        }
    QN_TRY(qn_stream_create(&ls->copies, ls->dev, NULL));
    for (uint32_t i = 0; i < qn__residency_slots(r); i++) {
        QN_TRY(qn_event_create(&ls->slots[i].arrived, ls->dev));
        QN_TRY(qn_event_create(&ls->slots[i].left, ls->dev));
    }
    return qn_memory_fill(ls->dev, w->base, 0, 1,
                          qn__residency_slots(r) * r->slot_bytes + r->scratch_bytes, NULL);
}

qn_status qn__layer_stream_create(struct qn__layer_stream **out, const struct qn__weights *w,
                                  qn_device *dev, const struct qn__layer_source *source)
{
    *out = NULL;
    if (!w->residency.n_streamed)
        return QN_OK;
    struct qn__layer_stream *ls = qn__alloc(1, sizeof *ls);
    if (!ls)
        return qn__fail(QN_E_MEMORY, "no memory to stream layers");
    memset(ls, 0, sizeof *ls);
    ls->weights = w;
    ls->dev = dev;
    ls->source = *source;
    const qn_status s = create(ls);
    if (s == QN_OK) {
        *out = ls;
        return QN_OK;
    }
    struct qn__message said;
    qn__message_save(&said);
    qn__layer_stream_destroy(ls);
    qn__message_restore(&said);
    return s;
}

void qn__layer_stream_destroy(struct qn__layer_stream *ls)
{
    if (!ls)
        return;
    qn_stream_destroy(ls->copies);
    for (uint32_t i = 0; i < QN__SLOTS; i++) {
        qn_event_destroy(ls->slots[i].arrived);
        qn_event_destroy(ls->slots[i].left);
    }
    qn_memory_free_host(ls->dev, ls->host);
    free(ls->layers);
    free(ls);
}

qn_status qn__layer_stream_fill(struct qn__layer_stream *ls)
{
    for (uint32_t i = 0; ls && ls->host && i < ls->weights->residency.n_streamed; i++) {
        const struct streamed *s = ls->layers + i;
        const struct qn__layer *l = &ls->weights->layers[s->layer];
        QN_TRY(ls->source.load(ls->source.payload, s->layer, ls->copies));
        QN_TRY(qn_memory_download(ls->dev, s->kept, l->addr, l->n_bytes, ls->copies));
        QN_TRY(qn_stream_sync(ls->copies));
    }
    return QN_OK;
}

static const struct streamed *behind(const struct qn__layer_stream *ls, const struct streamed *s)
{
    return s + 1 < ls->layers + ls->weights->residency.n_streamed ? s + 1 : ls->layers;
}

static qn_status bring(struct qn__layer_stream *ls, const struct streamed *s)
{
    const struct qn__layer *l = &ls->weights->layers[s->layer];
    if (s->kept)
        return qn_memory_upload(ls->dev, l->addr, s->kept, l->n_bytes, ls->copies);
    qn__weights_will_need(ls->weights, behind(ls, s)->layer);
    return ls->source.load(ls->source.payload, s->layer, ls->copies);
}

/* Queue a layer's way into its slot, behind what reads the slot now. */
static qn_status fetch(struct qn__layer_stream *ls, const struct streamed *s)
{
    struct slot *slot = slot_of(ls, s);
    slot->holds = NULL;
    QN_TRY(qn_stream_wait(ls->copies, slot->left));
    QN_TRY(bring(ls, s));
    QN_TRY(qn_event_record(slot->arrived, ls->copies));
    slot->holds = s;
    return QN_OK;
}

qn_status qn__layer_stream_enter(struct qn__layer_stream *ls, uint32_t layer, qn_stream *stream)
{
    if (!ls || !qn__residency_is_streamed(&ls->weights->residency, layer))
        return QN_OK;
    const struct streamed *s = find(ls, layer);
    struct slot *slot = slot_of(ls, s);
    if (slot->holds != s) { /* at first, and after a pass that did not end */
        QN_TRY(qn_event_record(slot->left, stream));
        QN_TRY(fetch(ls, s));
    }
    return qn_stream_wait(stream, slot->arrived);
}

/* What this layer computes is queued; meanwhile the next one comes into the other slot. */
qn_status qn__layer_stream_leave(struct qn__layer_stream *ls, uint32_t layer, qn_stream *stream)
{
    if (!ls || !qn__residency_is_streamed(&ls->weights->residency, layer))
        return QN_OK;
    const struct streamed *s = find(ls, layer), *next = behind(ls, s);
    QN_TRY(qn_event_record(slot_of(ls, s)->left, stream));
    return slot_of(ls, next)->holds == next ? QN_OK : fetch(ls, next);
}
