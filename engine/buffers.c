/* SPDX-License-Identifier: Apache-2.0
 *
 * Placing cache and activations (buffers.h). */
#include "engine/buffers.h"

#include <string.h>

enum { ALIGN_BYTES = 256 };

static uint64_t aligned(uint64_t n_bytes)
{
    return (n_bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
}

qn_status qn__cache_place(struct qn__cache *out, struct qn__cache_layer *layers,
                          const struct qn__config *c, enum qn__cache_type type, uint32_t context,
                          qn_addr base)
{
    const struct qn__format *format =
        qn__format_get(type == QN__CACHE_F16 ? QN__FORMAT_f16 : QN__FORMAT_q8_0);
    if (c->head_dim % format->block_elems != 0)
        return qn__fail(QN_E_UNSUPPORTED, "a %s cache needs heads of a multiple of %u; here %u",
                        format->name, format->block_elems, c->head_dim);
    const uint64_t row_bytes = qn__format_bytes(format, c->head_dim);
    const uint64_t side_bytes = aligned(c->n_kv_heads * row_bytes * context);
    memset(out, 0, sizeof *out);
    out->layers = layers;
    out->position_bytes = 2 * c->n_kv_heads * row_bytes * c->n_layers;
    for (uint32_t i = 0; i < c->n_layers; i++) {
        layers[i] = (struct qn__cache_layer){
            .k = base + out->n_bytes,
            .v = base + out->n_bytes + side_bytes,
            .context = context,
            .window = qn__config_is_local(c, i) ? c->window : 0,
        };
        if (out->n_bytes > UINT64_MAX / 2 - 2 * side_bytes)
            return qn__fail(QN_E_LIMIT, "a cache of %u positions has no size in 64 bits", context);
        out->n_bytes += 2 * side_bytes;
    }
    return QN_OK;
}

struct placer {
    qn_addr base;
    uint64_t used;
};

static qn_addr put(struct placer *p, uint64_t n_elems)
{
    const qn_addr at = p->base + p->used;
    p->used += aligned(n_elems * 4);
    return at;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Elements of the widest row that a matrix is multiplied with. */
static uint64_t widest(const struct qn__config *c)
{
    const uint64_t q = (uint64_t)c->n_heads * c->head_dim;
    return max_u64(max_u64(c->dim, max_u64(c->latent.q_rank, c->latent.kv_rank)),
                   max_u64(q, qn__config_widest_ffn(c)));
}

/* Of n elements. */
static void place_quantised(struct qn__quantised *out, struct placer *p, uint64_t n)
{
    out->codes = put(p, (n + 3) / 4);
    out->scales = put(p, (n + 31) / 32);
    out->sums = put(p, (n + 15) / 16);
}

/* Weights of the largest matrix but the head, which sees one token. */
static uint64_t largest_matrix(const struct qn__config *c)
{
    const uint64_t q = (uint64_t)c->n_heads * c->head_dim;
    const struct qn__latent *l = &c->latent;
    const uint64_t of_stream =
        max_u64(max_u64(2 * q, l->kv_rank + c->n_rot),
                max_u64(max_u64(qn__config_widest_ffn(c), c->n_experts), l->q_rank));
    const uint64_t of_short = max_u64(l->kv_rank * (uint64_t)c->n_heads * (l->n_plain + l->n_value),
                                      q * (uint64_t)l->q_rank);
    return max_u64(c->dim * of_stream, of_short);
}

static void place_products(struct qn__activations *out, struct placer *p,
                           const struct qn__config *c)
{
    const uint64_t largest = largest_matrix(c);
    out->blas_work = put(p, QN__BLAS_WORK_BYTES / 4);
    out->products.weights = put(p, (largest + 1) / 2);
}

static void place_inputs(struct qn__activations *out, struct placer *p, const struct qn__config *c,
                         uint32_t batch)
{
    out->products.inputs = put(p, (batch * widest(c) + 1) / 2);
    out->products.unscale = put(p, batch);
}

/* The next phase's x is made while this one's is read. */
static void place_ready(struct qn__activations *out, struct placer *p, const struct qn__config *c)
{
    for (int i = 0; i < 2; i++) {
        out->ready[i].codes = put(p, widest(c));
        out->ready[i].numbers = put(p, (widest(c) + 15) / 16 * 3);
    }
}

static void place_shortlist(struct qn__shortlist *out, struct placer *p, uint32_t n_vocab)
{
    out->recent = put(p, QN__SHORTLIST_RECENT_MAX);
    out->penalised = put(p, n_vocab);
    out->best = put(p, QN__SHORTLIST_GROUPS_MAX);
    out->heads = put(p, QN__SHORTLIST_MAX);
    out->found = put(p, 2 * QN__SHORTLIST_MAX);
}

static void place_latent(struct qn__latent_room *out, struct placer *p, const struct qn__config *c,
                         uint64_t tokens)
{
    const struct qn__latent *l = &c->latent;
    out->made = put(p, tokens * max_u64(l->q_rank, l->kv_rank + c->n_rot));
    out->normed = put(p, tokens * l->kv_rank);
    out->heads = put(p, tokens * c->n_heads * max_u64(c->head_dim, l->n_plain + l->n_value));
}

void qn__activations_place(struct qn__activations *out, const struct qn__config *c, uint32_t batch,
                           uint32_t splits, bool with_library, bool with_tiles, bool in_bytes,
                           uint32_t rows, qn_addr base)
{
    struct placer p = {.base = base};
    memset(out, 0, sizeof *out);
    const uint64_t t = batch, q = (uint64_t)c->n_heads * c->head_dim;
    const uint64_t kv = (uint64_t)c->n_kv_heads * c->head_dim;
    const uint64_t pairs = t * c->n_used;
    out->ids = put(&p, t);
    out->pos = put(&p, t);
    out->single = put(&p, 2);
    out->stream = put(&p, t * c->dim);
    out->normed = put(&p, t * c->dim);
    out->qkv = put(&p, q + 2 * kv);
    out->q = put(&p, t * q);
    out->k = put(&p, t * kv);
    out->v = put(&p, t * kv);
    out->attended = put(&p, t * q);
    if (c->latent.kv_rank)
        place_latent(&out->latent, &p, c, t);
    out->gate = put(&p, t * qn__config_widest_ffn(c));
    out->up = put(&p, t * qn__config_widest_ffn(c));
    out->branch = put(&p, max_u64(t, pairs) * c->dim);
    out->router = put(&p, t * c->n_experts);
    out->picks = put(&p, pairs);
    out->pick_weights = put(&p, pairs);
    out->shared = put(&p, c->n_shared ? t * c->dim : 0);
    out->share = put(&p, c->n_shared ? t : 0);
    out->pairs.tokens = put(&p, pairs);
    out->pairs.places = put(&p, pairs);
    out->pairs.gathered = put(&p, pairs * c->dim);
    out->logits = put(&p, c->n_vocab);
    out->row_tokens = put(&p, rows);
    out->row_states = put(&p, (uint64_t)rows * c->dim);
    out->row_logits = put(&p, (uint64_t)rows * c->n_vocab);
    out->choice = put(&p, 2);
    place_shortlist(&out->shortlist, &p, c->n_vocab);
    out->attention.splits = splits;
    out->attention.tickets = put(&p, c->n_kv_heads);
    out->attention.part = put(&p, splits * q);
    out->attention.part_ms = put(&p, (uint64_t)splits * c->n_heads * 2);
    if (with_library)
        place_products(out, &p, c);
    if (with_library || with_tiles)
        place_inputs(out, &p, c, batch);
    if (with_tiles)
        place_ready(out, &p, c);
    if (with_tiles) /* of the widest format that comes in tiles: 34 bytes are 32 weights */
        out->products.stored = put(&p, max_u64(largest_matrix(c) / 32 * 34, QN__TURN_BYTES) / 4);
    if (in_bytes)
        place_quantised(&out->quantised, &p, t * widest(c));
    out->n_bytes = p.used;
}
