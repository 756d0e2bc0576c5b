/* SPDX-License-Identifier: Apache-2.0
 *
 * Streamed layers on their way to the device (layer_stream.h). */
#include "engine/layer_stream.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct kept {
    uint32_t layer;
    unsigned char *bytes; /* in `host` */
};

struct slot {
    qn_event *arrived, *left; /* the copy into it; the kernels that read it */
    const struct kept *holds; /* or will, when the copy has arrived; NULL: not known */
};

struct qn__layer_stream {
    const struct qn__weights *weights;
    qn_device *dev;
    qn_stream *copies;
    unsigned char *host;
    struct kept *kept; /* (residency.n_streamed) */
    struct slot slots[QN__SLOTS];
};

static struct kept *find(const struct qn__layer_stream *ls, uint32_t layer)
{
    const struct qn__residency *r = &ls->weights->residency;
    return ls->kept + qn__residency_number(r, layer);
}

static struct slot *slot_of(struct qn__layer_stream *ls, const struct kept *k)
{
    return ls->slots + (k - ls->kept) % QN__SLOTS;
}

static qn_status create(struct qn__layer_stream *ls)
{
    const struct qn__weights *w = ls->weights;
    const struct qn__residency *r = &w->residency;
    uint64_t at = 0;
    ls->kept = qn__alloc(r->n_streamed, sizeof *ls->kept);
    if (!ls->kept)
        return qn__fail(QN_E_MEMORY, "no memory for %u layers", r->n_streamed);
    for (uint32_t i = 0; i < r->n_layers; i++)
        at += qn__residency_is_streamed(r, i) ? w->layers[i].n_bytes : 0;
    QN_TRY(qn_memory_alloc_host((void **)&ls->host, ls->dev, at));
    at = 0;
    for (uint32_t i = 0; i < r->n_layers; i++)
        if (qn__residency_is_streamed(r, i)) {
            *find(ls, i) = (struct kept){i, ls->host + at};
            at += w->layers[i].n_bytes;
        }
    QN_TRY(qn_stream_create(&ls->copies, ls->dev, NULL));
    for (uint32_t i = 0; i < qn__residency_slots(r); i++) {
        QN_TRY(qn_event_create(&ls->slots[i].arrived, ls->dev));
        QN_TRY(qn_event_create(&ls->slots[i].left, ls->dev));
    }
    return qn_memory_fill(ls->dev, w->base, 0, 1, qn__residency_slots(r) * r->slot_bytes, NULL);
}

qn_status qn__layer_stream_create(struct qn__layer_stream **out, const struct qn__weights *w,
                                  qn_device *dev)
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
    free(ls->kept);
    free(ls);
}

qn_status qn__layer_stream_keep(struct qn__layer_stream *ls, uint32_t layer, qn_stream *stream)
{
    const struct qn__layer *l = &ls->weights->layers[layer];
    QN_TRY(qn_memory_download(ls->dev, find(ls, layer)->bytes, l->addr, l->n_bytes, stream));
    return qn_stream_sync(stream);
}

/* Queue the copy of a layer into its slot, behind what reads the slot now. */
static qn_status fetch(struct qn__layer_stream *ls, const struct kept *k)
{
    struct slot *slot = slot_of(ls, k);
    const struct qn__layer *l = &ls->weights->layers[k->layer];
    slot->holds = NULL;
    QN_TRY(qn_stream_wait(ls->copies, slot->left));
    QN_TRY(qn_memory_upload(ls->dev, l->addr, k->bytes, l->n_bytes, ls->copies));
    QN_TRY(qn_event_record(slot->arrived, ls->copies));
    slot->holds = k;
    return QN_OK;
}

qn_status qn__layer_stream_enter(struct qn__layer_stream *ls, uint32_t layer, qn_stream *stream)
{
    if (!ls || !qn__residency_is_streamed(&ls->weights->residency, layer))
        return QN_OK;
    const struct kept *k = find(ls, layer);
    struct slot *slot = slot_of(ls, k);
    if (slot->holds != k) { /* at first, and after a pass that did not end */
        QN_TRY(qn_event_record(slot->left, stream));
        QN_TRY(fetch(ls, k));
    }
    return qn_stream_wait(stream, slot->arrived);
}

qn_status qn__layer_stream_leave(struct qn__layer_stream *ls, uint32_t layer, qn_stream *stream)
{
    if (!ls || !qn__residency_is_streamed(&ls->weights->residency, layer))
        return QN_OK;
    const struct kept *k = find(ls, layer), *const end =
                                                ls->kept + ls->weights->residency.n_streamed;
    const struct kept *next =
        k + QN__SLOTS < end ? k + QN__SLOTS : ls->kept + (k - ls->kept) % QN__SLOTS;
    QN_TRY(qn_event_record(slot_of(ls, k)->left, stream));
    return slot_of(ls, k)->holds == next ? QN_OK : fetch(ls, next);
}
