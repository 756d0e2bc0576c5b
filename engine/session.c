/* SPDX-License-Identifier: Apache-2.0
 *
 * A model on a device (quern/model.h): three allocations, one stream, the kernels, and the feeding
 * of tokens.
 *
 * A prompt goes through in batches, launch by launch. A single token is recorded once as a graph
 * and replayed from then on: its number and position are read from pinned memory by the copies the
 * graph begins with, so nothing in it changes from token to token. Where the driver has no graphs
 * the runtime queues the same work again. */
#include "engine/session.h"

#include "base/file.h"
#include "engine/bandwidth.h"
#include "engine/session_plan.h"
#include "engine/weight_tiles.h"
#include "kernels/phase.h"

#include <stdlib.h>
#include <string.h>

/* -- creating -- */

static qn_status allocate(qn_addr *out, qn_session *s, uint64_t bytes)
{
    s->info.n_allocations++;
    return qn_memory_alloc(out, s->dev, bytes);
}

/* One piece of pinned memory for all that is staged for experts. */
static qn_status allocate_pairs(qn_session *s, uint64_t n)
{
    if (n == 0)
        return QN_OK;
    QN_TRY(qn_memory_alloc_host((void **)&s->pairs.picks, s->dev, 3 * n * sizeof(int32_t)));
    s->pairs.tokens = s->pairs.picks + n;
    s->pairs.places = s->pairs.tokens + n;
    return QN_OK;
}

/* Weights of a streamed layer, or of all that stays, brought to the device and put in tiles. */
static qn_status load_part(void *session, uint32_t layer, qn_stream *stream)
{
    qn_session *s = session;
    struct qn__step step = qn__session_step(s, 1);
    const struct qn__residency *r = &s->weights.residency;
    /* a layer comes while another is computed, whose products have that room */
    const qn_addr scratch = r->scratch_bytes
                                ? s->weights.base + qn__residency_slots(r) * r->slot_bytes
                                : s->activations.products.stored;
    step.stream = s->upload.stream = stream;
    QN_TRY(qn__model_file_check_unchanged(s->model->file));
    QN_TRY(qn__weights_upload(&s->weights, layer, &s->upload));
    return qn__weight_tiles_turn(&s->weights, layer, &s->model->config, &step, s->dev, scratch);
}

static qn_status place_weights(qn_session *s, const struct qn__session_sizes *z)
{
    const struct qn_model *m = s->model;
    const qn_session_plan *p = &s->info.plan;
    const struct qn__layer_source source = {
        .load = load_part, .payload = s, .from_file = p->streams_from_file};
    const struct qn__residency residency = qn__session_residency(m, z, p);
    QN_TRY(qn__weights_place(&s->weights, &m->config, m->file, z->context, z->in_dot_tiles,
                             &residency, s->weights_memory));
    return qn__layer_stream_create(&s->streamed, &s->weights, s->dev, &source);
}

static qn_status allocate_all(qn_session *s, const struct qn__session_sizes *z)
{
    const struct qn__config *c = &s->model->config;
    const qn_session_plan *p = &s->info.plan;
    s->cache_layers = qn__alloc(c->n_layers, sizeof *s->cache_layers);
    if (!s->cache_layers)
        return qn__fail(QN_E_MEMORY, "no memory for %u layers", c->n_layers);
    QN_TRY(allocate(&s->weights_memory, s, p->weights_bytes));
    s->past = qn__alloc(z->sequences, sizeof *s->past);
    s->rows.here = qn__alloc(z->rows ? z->rows : 1, sizeof *s->rows.here);
    if (!s->past || !s->rows.here)
        return qn__fail(QN_E_MEMORY, "no memory for %u sequences", z->sequences);
    memset(s->past, 0, z->sequences * sizeof *s->past);
    QN_TRY(allocate(&s->cache_memory, s, p->cache_bytes));
    QN_TRY(allocate(&s->activations_memory, s, p->activations_bytes));
    QN_TRY(place_weights(s, z));
    QN_TRY(
        qn__cache_place(&s->cache, s->cache_layers, c, z->cache_type, z->context, s->cache_memory));
    qn__activations_place(&s->activations, c, z->batch, z->splits, z->has_library, z->has_tiles,
                          z->in_dot_tiles, z->rows, s->activations_memory);
    if (z->n_adapters)
        QN_TRY(allocate(&s->adapters_memory, s, p->adapters_bytes));
    QN_TRY(qn__adapters_place(&s->adapters, &s->weights, s->model, z->adapters, z->n_adapters,
                              z->batch, s->adapters_memory));
    qn__adapters_identify(s->adapters_identity, &s->adapters);
    s->info.not_fused =
        z->n_adapters          ? "adapters add to products"
        : c->family->has_sinks ? "the family's attention has sinks"
        : c->family->is_latent
            ? "keys and values come from a latent vector, in two products"
            : "they were not asked for, or the device is not sm_80 or later through CUDA "
              "(QUERN_FORCE_FUSED=1)";
    if (z->has_tiles)
        qn__weight_tiles_choose(&s->weights, c, s->device, &s->info.not_fused);
    for (uint32_t i = 0; i < c->n_layers; i++)
        s->info.on_tensor_cores |= s->weights.layers[i].q.has_product;
    for (uint32_t i = 0; i < c->n_layers && qn__starts_early(s->device); i++)
        s->info.begins_early |= s->weights.layers[i].q.has_phase;
    QN_TRY(allocate_pairs(s, (uint64_t)z->batch * c->n_used));
    if (z->rows) {
        const uint64_t width = c->n_vocab > c->dim ? c->n_vocab : c->dim;
        QN_TRY(qn_memory_alloc_host((void **)&s->rows.tokens, s->dev,
                                    z->rows * sizeof *s->rows.tokens));
        QN_TRY(qn_memory_alloc_host((void **)&s->rows.results, s->dev,
                                    z->rows * width * sizeof *s->rows.results));
    }
    QN_TRY(qn_memory_alloc_host((void **)&s->staged, s->dev, 2 * sizeof *s->staged));
    QN_TRY(qn_memory_alloc_host((void **)&s->ids, s->dev, z->batch * sizeof *s->ids));
    QN_TRY(qn_memory_alloc_host((void **)&s->pos, s->dev, z->batch * sizeof *s->pos));
    QN_TRY(qn_memory_alloc_host((void **)&s->logits, s->dev, c->n_vocab * sizeof *s->logits));
    QN_TRY(qn_memory_alloc_host((void **)&s->choice, s->dev, sizeof *s->choice));
    return qn_memory_alloc_host((void **)&s->shortlist, s->dev, sizeof *s->shortlist);
}

static qn_status open_library(qn_session *s, const qn_session_options *o)
{
    if (!s->activations.blas_work)
        return QN_OK;
    QN_TRY(qn__blas_open(&s->blas, s->stream, s->activations.blas_work));
    s->activations.products.blas = s->blas;
    s->activations.products.f16_by_library = o && o->library;
    s->info.library = qn__blas_name(s->blas);
    return QN_OK;
}

static qn_status build_and_load(qn_session *s, const qn_session_options *o)
{
    const double start = qn__now_ms();
    QN_TRY(qn__kernels_build(&s->kernels, s->dev, &s->model->config, &s->weights, s->cache_type,
                             s->blas != NULL, s->has_shortlist, s->has_tensor,
                             o ? o->kernels_progress : NULL, o ? o->payload : NULL));
    const double built = qn__now_ms();
    s->upload =
        (struct qn__upload){.dev = s->dev,
                            .progress = o ? o->weights_progress : NULL,
                            .payload = o ? o->payload : NULL,
                            .total = s->info.plan.weights_bytes + s->info.plan.streamed_bytes};
    QN_TRY(qn__layer_stream_fill(s->streamed));
    QN_TRY(load_part(s, QN__STAYS, s->stream));
    s->upload.progress = NULL;
    QN_TRY(qn__adapters_upload(&s->adapters, &s->weights, s->model, s->dev, s->stream));
    s->adapters.list = NULL; /* the caller's, and read */
    QN_TRY(qn_memory_fill(s->dev, s->activations.attention.tickets, 0, sizeof(uint32_t),
                          s->model->config.n_kv_heads, s->stream));
    QN_TRY(qn_stream_sync(s->stream));
    s->info.n_kernel_files = s->kernels.n_modules;
    s->info.n_kernels_built = s->kernels.n_compiled;
    s->info.build_ms = built - start;
    s->info.load_ms = qn__now_ms() - built;
    return QN_OK;
}

static qn_status create(qn_session *s, const qn_session_options *o)
{
    struct qn__session_sizes z;
    if (o && o->as_alone && s->device->device_class != QN_DEVICE_CPU)
        return qn__fail(QN_E_UNSUPPORTED, "as_alone: %s is no CPU", s->device->id);
    QN_TRY(qn__session_choose_sizes(&z, s->model, s->dev, o));
    QN_TRY(qn__session_plan(&s->info.plan, s->model, &z, s->dev));
    QN_TRY(qn__session_check_fit(&s->info.plan));
    s->cache_type = z.cache_type;
    s->has_tensor = z.has_tensor;
    /* copies of a stream of their own are no part of a graph */
    s->no_graph = (o && o->no_graph) || s->info.plan.streamed_layers;
    s->as_alone = o && o->as_alone;
    s->has_shortlist = s->device->device_class != QN_DEVICE_CPU || (o && o->shortlist_on_cpu);
    s->prompt_progress = o ? o->prompt_progress : NULL;
    s->payload = o ? o->payload : NULL;
    QN_TRY(qn_stream_create(&s->stream, s->dev, NULL));
    QN_TRY(allocate_all(s, &z));
    QN_TRY(open_library(s, o));
    return build_and_load(s, o);
}

qn_status qn_session_create(qn_session **out, const qn_model *m, qn_device *dev,
                            const qn_session_options *options)
{
    *out = NULL;
    qn_session *s = qn__alloc(1, sizeof *s);
    if (!s)
        return qn__fail(QN_E_MEMORY, "no memory for a session");
    memset(s, 0, sizeof *s);
    s->info.library = s->info.not_fused = "";
    s->model = m;
    s->dev = dev;
    s->device = qn_device_get_info(dev);
    const qn_status status = create(s, options);
    if (status != QN_OK) {
        struct qn__message kept;
        qn__message_save(&kept);
        qn_session_destroy(s);
        qn__message_restore(&kept);
        return status;
    }
    *out = s;
    return QN_OK;
}

void qn_session_destroy(qn_session *s)
{
    if (!s)
        return;
    qn_graph_destroy(s->token_graph);
    if (s->stream) {
        const qn_status fault = qn_stream_sync(s->stream); /* said where it was caused */
        (void)fault;
    }
    qn__blas_close(s->blas);
    qn_stream_destroy(s->stream);
    qn__layer_stream_destroy(s->streamed);
    qn__kernels_release(&s->kernels);
    qn__weights_release(&s->weights);
    free(s->cache_layers);
    free(s->past);
    free(s->rows.here);
    void *pinned[] = {s->staged,    s->ids,         s->pos,         s->logits,      s->choice,
                      s->shortlist, s->pairs.picks, s->rows.tokens, s->rows.results};
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++)
        qn_memory_free_host(s->dev, pinned[i]);
    qn_memory_free(s->dev, s->weights_memory);
    qn_memory_free(s->dev, s->cache_memory);
    qn_memory_free(s->dev, s->activations_memory);
    qn_memory_free(s->dev, s->adapters_memory);
    free(s);
}

const qn_session_info *qn_session_get_info(const qn_session *s)
{
    return &s->info;
}

/* -- feeding -- */

struct qn__step qn__session_step(const qn_session *s, uint32_t n_tokens)
{
    return (struct qn__step){.stream = s->stream,
                             .device = s->device,
                             .config = &s->model->config,
                             .kernels = &s->kernels,
                             .products = &s->activations.products,
                             .quantised = &s->activations.quantised,
                             .ready_rooms = s->activations.ready,
                             .low_rank_room = s->adapters.room,
                             .n_tokens = n_tokens};
}

qn_status qn__session_queue(qn_session *s, const struct qn__queued *q)
{
    struct qn__activations a = s->activations;
    const struct qn__forward f = {.config = &s->model->config,
                                  .weights = &s->weights,
                                  .cache = &s->cache,
                                  .activations = &a,
                                  .dev = s->dev,
                                  .pairs = &s->pairs,
                                  .streamed = s->streamed,
                                  .spans = q->spans,
                                  .n_spans = q->n_spans};
    struct qn__step step = qn__session_step(s, q->n);
    step.one_by_one = q->spans && s->as_alone;
    const uint64_t bytes = q->n * sizeof *q->ids;
    if (q->ids == s->staged) {
        a.ids = a.single;
        a.pos = a.single + sizeof *q->ids;
        QN_TRY(qn_memory_upload(s->dev, a.single, s->staged, 2 * sizeof *s->staged, s->stream));
    } else {
        QN_TRY(qn_memory_upload(s->dev, a.ids, q->ids, bytes, s->stream));
        QN_TRY(qn_memory_upload(s->dev, a.pos, q->pos, bytes, s->stream));
    }
    if (q->n_rows)
        QN_TRY(qn_memory_upload(s->dev, s->activations.row_tokens, s->rows.tokens,
                                q->n_rows * sizeof *s->rows.tokens, s->stream));
    QN_TRY(qn__forward_queue(&f, &step, q->wants_logits));
    if (q->wants_logits)
        QN_TRY(qn_memory_download(s->dev, s->choice, a.choice, sizeof *s->choice, s->stream));
    if (q->n == 1)
        s->info.launches_per_token = step.n_launches;
    return q->n_rows ? qn__forward_queue_rows(&f, &step, q->n_rows, !q->wants_states) : QN_OK;
}

static qn_status queue_step(qn_session *s, const int32_t *ids, const int32_t *pos, uint32_t n,
                            bool wants_logits)
{
    const struct qn__queued q = {.ids = ids, .pos = pos, .n = n, .wants_logits = wants_logits};
    return qn__session_queue(s, &q);
}

static qn_status record_token(qn_session *s)
{
    QN_TRY(qn_stream_capture_begin(s->stream));
    const qn_status queued = queue_step(s, &s->staged[0], &s->staged[1], 1, true);
    struct qn__message kept;
    qn__message_save(&kept);
    const qn_status ended = qn_stream_capture_end(&s->token_graph, s->stream);
    if (queued != QN_OK) {
        qn__message_restore(&kept);
        return queued;
    }
    QN_TRY(ended);
    s->info.uses_graph = qn_graph_get_is_native(s->token_graph);
    return QN_OK;
}

static qn_status feed_one(qn_session *s, int32_t id)
{
    s->staged[0] = id;
    s->staged[1] = (int32_t)s->info.n_past;
    if (!s->no_graph && !s->token_graph)
        QN_TRY(record_token(s));
    QN_TRY(s->no_graph ? queue_step(s, &s->staged[0], &s->staged[1], 1, true)
                       : qn_graph_launch(s->token_graph, s->stream));
    s->info.n_past++;
    return QN_OK;
}

/* Between two batches: what is staged has been read, and the caller may want no more. */
static qn_status go_on(qn_session *s, uint32_t done, uint32_t total)
{
    QN_TRY(qn_stream_sync(s->stream));
    if (!s->prompt_progress || s->prompt_progress(done, total, s->payload))
        return QN_OK;
    return qn__fail(QN_E_NOT_READY, "stopped after %u of %u tokens", done, total);
}

/* Counts what is in the cache, also where it ends early. */
static qn_status feed_many(qn_session *s, const int32_t *ids, uint32_t n)
{
    for (uint32_t at = 0; at < n; at += s->info.plan.batch) {
        const uint32_t m = n - at < s->info.plan.batch ? n - at : s->info.plan.batch;
        if (at > 0)
            QN_TRY(go_on(s, at, n));
        for (uint32_t i = 0; i < m; i++) {
            s->ids[i] = ids[at + i];
            s->pos[i] = (int32_t)(s->info.n_past + i);
        }
        QN_TRY(queue_step(s, s->ids, s->pos, m, at + m == n));
        s->info.n_past += m;
    }
    return QN_OK;
}

qn_status qn_session_feed(qn_session *s, const int32_t *ids, uint32_t n)
{
    const uint32_t left = s->info.plan.context - s->info.n_past;
    if (n == 0)
        return qn__fail(QN_E_INVALID, "no tokens to feed");
    if (n > left)
        return qn__fail(QN_E_LIMIT, "%u tokens do not fit: the context of %u has %u left", n,
                        s->info.plan.context, left);
    for (uint32_t i = 0; i < n; i++)
        if (ids[i] < 0 || (uint32_t)ids[i] >= s->model->config.n_vocab)
            return qn__fail(QN_E_INVALID, "token %d: the vocabulary has 0 to %u", ids[i],
                            s->model->config.n_vocab - 1);
    if ((s->has_logits && !s->logits_here && !s->waited) || s->batch_queued)
        QN_TRY(qn_stream_sync(s->stream)); /* what is staged may still be read */
    s->has_logits = s->logits_here = s->batch_queued = s->waited = false;
    s->rows.n = 0;
    QN_TRY(n == 1 ? feed_one(s, ids[0]) : feed_many(s, ids, n));
    s->has_logits = true;
    return QN_OK;
}

qn_status qn_session_rewind(qn_session *s, uint32_t n_keep)
{
    if (n_keep > s->info.n_past)
        return qn__fail(QN_E_INVALID, "%u positions to keep, and %u there are", n_keep,
                        s->info.n_past);
    s->info.n_past = n_keep;
    s->has_logits = s->logits_here = false;
    s->rows.n = 0;
    return qn_stream_sync(s->stream);
}

qn_status qn_session_measure(qn_session *s)
{
    return qn__bandwidth_measure(&s->info.bandwidth_gb_per_s, s->dev, s->weights_memory,
                                 s->info.plan.weights_bytes);
}
