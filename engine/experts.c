/* SPDX-License-Identifier: Apache-2.0
 *
 * Experts (experts.h). A pair is a token and an expert it goes through.
 *
 * One token: its experts one after the other, by products that read the expert's number on the
 * device, so that a graph can be replayed for any choice. Many tokens: the pairs are put in order
 * of their experts, so that each expert's weights are read once, for all its tokens together. The
 * host finds that order, because it must know how many tokens an expert has: a prompt waits for the
 * device once a layer. */
#include "engine/experts.h"

static uint32_t count_pairs(const struct qn__forward *f, const struct qn__step *s)
{
    return s->n_tokens * f->config->n_used;
}

/* The activation of an expert: `first` of biases (0: that of `pick`). */
static qn_status activate(const struct qn__forward *f, struct qn__step *s,
                          const struct qn__layer *l, uint32_t rows, uint32_t first, qn_addr pick)
{
    const struct qn__activations *a = f->activations;
    const uint32_t n = f->config->n_ffn;
    const uint64_t offset = (uint64_t)first * n * sizeof(float);
    if (!l->gate_bias)
        return qn__step_activate(s, a->gate, a->gate, a->up, (uint64_t)rows * n);
    const struct qn__expert_biases biases = {l->gate_bias + offset, l->up_bias + offset, pick};
    return qn__step_clamped_swiglu(s, a->gate, a->gate, a->up, &biases, rows, n);
}

/* One token through the experts its router picked, their outputs summed by its weights. */
static qn_status one_token(const struct qn__forward *f, struct qn__step *s,
                           const struct qn__layer *l)
{
    const struct qn__config *c = f->config;
    const struct qn__activations *a = f->activations;
    for (uint32_t e = 0; e < c->n_used; e++) {
        const qn_addr pick = a->picks + (uint64_t)e * 4;
        QN_TRY(qn__step_expert(s, a->gate, &l->gate, a->normed, pick));
        QN_TRY(qn__step_expert(s, a->up, &l->up, a->normed, pick));
        QN_TRY(activate(f, s, l, 1, 0, pick));
        QN_TRY(qn__step_expert(s, a->branch + (uint64_t)e * c->dim * 4, &l->down, a->gate, pick));
    }
    /* the input is used up: the sum takes its place */
    return qn__step_weighted_sum(s, a->normed, a->branch, a->pick_weights, c->dim);
}

/* Which token each pair has, by rising expert; and where in that order a token's pairs are. */
static qn_status order_pairs(const struct qn__forward *f, const struct qn__step *s)
{
    const struct qn__config *c = f->config;
    const struct qn__pairs *p = &f->activations->pairs;
    const struct qn__pairs_staged *staged = f->pairs;
    const uint32_t n = count_pairs(f, s);
    const uint64_t bytes = n * sizeof *staged->picks;
    QN_TRY(qn_memory_download(f->dev, staged->picks, f->activations->picks, bytes, s->stream));
    QN_TRY(qn_stream_sync(s->stream)); /* what was staged for the layer before has been read, too */
    uint32_t at = 0;
    for (uint32_t e = 0; e < c->n_experts; e++)
        for (uint32_t i = 0; i < n; i++)
            if (staged->picks[i] == (int32_t)e) {
                staged->tokens[at] = (int32_t)(i / c->n_used);
                staged->places[i] = (int32_t)at++;
            }
    if (at != n)
        return qn__fail(QN_E_FAULT, "%u picks are no expert of %u", n - at, c->n_experts);
    QN_TRY(qn_memory_upload(f->dev, p->tokens, staged->tokens, bytes, s->stream));
    return qn_memory_upload(f->dev, p->places, staged->places, bytes, s->stream);
}

/* out (n, dim) = rows `ids` (n) of table (rows, dim), f32 */
static qn_status gather(struct qn__step *s, qn_addr out, qn_addr table, uint32_t rows, qn_addr ids,
                        uint32_t n, uint32_t dim)
{
    const struct qn__matrix m = {
        .addr = table, .format = qn__format_get(QN__FORMAT_f32), .rows = rows, .n = dim};
    s->n_tokens = n;
    return qn__step_embed(s, out, &m, ids, 1.0f);
}

static struct qn__matrix expert_of(const struct qn__matrix *all, uint32_t expert)
{
    struct qn__matrix m = *all;
    m.addr += expert * all->bytes;
    return m;
}

/* An expert's tokens, n pairs from `first` on. */
static qn_status one_expert(const struct qn__forward *f, struct qn__step *s,
                            const struct qn__layer *l, uint32_t expert, uint32_t first, uint32_t n)
{
    const struct qn__config *c = f->config;
    const struct qn__activations *a = f->activations;
    const struct qn__matrix gate = expert_of(&l->gate, expert), up = expert_of(&l->up, expert),
                            down = expert_of(&l->down, expert);
    const uint64_t offset = (uint64_t)first * c->dim * 4;
    s->n_tokens = n;
    QN_TRY(qn__step_matmul(s, a->gate, &gate, a->pairs.gathered + offset, 0, false));
    QN_TRY(qn__step_matmul(s, a->up, &up, a->pairs.gathered + offset, 0, false));
    QN_TRY(activate(f, s, l, n, expert, 0));
    return qn__step_matmul(s, a->branch + offset, &down, a->gate, 0, false);
}

static qn_status many_tokens(const struct qn__forward *f, struct qn__step *s,
                             const struct qn__layer *l)
{
    const struct qn__config *c = f->config;
    const struct qn__activations *a = f->activations;
    const uint32_t n_tokens = s->n_tokens, n_pairs = count_pairs(f, s);
    uint32_t first = 0;
    QN_TRY(order_pairs(f, s));
    QN_TRY(gather(s, a->pairs.gathered, a->normed, n_tokens, a->pairs.tokens, n_pairs, c->dim));
    for (uint32_t e = 0; e < c->n_experts; e++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < n_pairs; i++)
            n += f->pairs->picks[i] == (int32_t)e;
        if (n)
            QN_TRY(one_expert(f, s, l, e, first, n));
        first += n;
    }
    QN_TRY(gather(s, a->pairs.gathered, a->branch, n_pairs, a->pairs.places, n_pairs, c->dim));
    s->n_tokens = n_tokens;
    return qn__step_weighted_sum(s, a->normed, a->pairs.gathered, a->pick_weights, c->dim);
}

qn_status qn__shared_expert(const struct qn__forward *f, struct qn__step *s,
                            const struct qn__layer *l)
{
    const struct qn__config *c = f->config;
    const struct qn__activations *a = f->activations;
    QN_TRY(qn__step_matmul(s, a->gate, &l->shared_gate, a->normed, 0, false));
    QN_TRY(qn__step_matmul(s, a->up, &l->shared_up, a->normed, 0, false));
    if (l->shared_share.addr)
        QN_TRY(qn__step_matmul(s, a->share, &l->shared_share, a->normed, 0, false));
    QN_TRY(qn__step_activate(s, a->gate, a->gate, a->up, (uint64_t)s->n_tokens * c->n_shared));
    return qn__step_matmul(s, a->shared, &l->shared_down, a->gate, 0, false);
}

qn_status qn__experts(const struct qn__forward *f, struct qn__step *s, const struct qn__layer *l)
{
    const struct qn__activations *a = f->activations;
    QN_TRY(qn__step_matmul(s, a->router, &l->router, a->normed, l->router_bias, false));
    QN_TRY(qn__step_route(s, a->picks, a->pick_weights, a->router));
    QN_TRY(s->n_tokens == 1 ? one_token(f, s, l) : many_tokens(f, s, l));
    return l->down_bias ? qn__step_expert_bias(s, a->normed, l->down_bias, a->picks,
                                               a->pick_weights, f->config->dim)
                        : QN_OK;
}
