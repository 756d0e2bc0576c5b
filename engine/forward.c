/* SPDX-License-Identifier: Apache-2.0
 *
 * The forward pass, one for all families: whatever a family leaves out has address 0.
 *
 *     x = embedding[ids]
 *     each layer:  x += [post-norm] attention(norm(x));  x += [post-norm] ffn(norm(x))
 *     logits = head(norm(last x))
 */
#include "engine/forward.h"

#include "engine/experts.h"
#include "engine/latent.h"
#include "engine/step_prompt.h"
#include "engine/weight_tiles.h"

/* x += out (n_tokens, dim) of a block, through the norm after the block */
static qn_status add_block(const struct qn__forward *f, struct qn__step *s, qn_addr out,
                           qn_addr post_norm)
{
    const struct qn__activations *a = f->activations;
    const uint32_t dim = f->config->dim;
    if (post_norm)
        QN_TRY(qn__step_norm(s, out, out, post_norm, s->n_tokens, dim));
    return qn__step_add(s, a->stream, a->stream, out, (uint64_t)s->n_tokens * dim);
}

/* in: the stream, through the norm in front of a block where there is one */
static qn_status norm_stream(const struct qn__forward *f, struct qn__step *s, qn_addr *in,
                             qn_addr norm)
{
    const struct qn__activations *a = f->activations;
    *in = norm ? a->normed : a->stream;
    return norm ? qn__step_norm(s, a->normed, a->stream, norm, s->n_tokens, f->config->dim) : QN_OK;
}

/* x += m * in, at once where nothing comes between */
static qn_status project(const struct qn__forward *f, struct qn__step *s,
                         const struct qn__matrix *m, qn_addr in, qn_addr bias, qn_addr post_norm,
                         struct qn__next next)
{
    const struct qn__activations *a = f->activations;
    if (!post_norm && s->n_tokens == 1 && m->has_phase)
        return qn__step_phase(s, a->stream, m, in, 0, bias, QN__THEN_ADD, next);
    if (!post_norm)
        return qn__step_matmul(s, a->stream, m, in, bias, true);
    QN_TRY(qn__step_matmul(s, a->branch, m, in, bias, false));
    return add_block(f, s, a->branch, post_norm);
}

/* One token's launch of a matrix that reads the stream through a norm. */
static qn_status one_token(struct qn__step *s, qn_addr y, const struct qn__matrix *m, qn_addr x,
                           qn_addr norm, qn_addr bias, enum qn__then then, struct qn__next next)
{
    if (m->has_phase)
        return qn__step_phase(s, y, m, x, norm, bias, then, next);
    return qn__step_fused(s, y, m, x, norm, bias, then);
}

static struct qn__next next_of(const struct qn__matrix *m, qn_addr norm)
{
    return (struct qn__next){.is_phase = m->has_phase, .norm = norm};
}

static bool biases_follow(qn_addr first, uint32_t rows, qn_addr second)
{
    return first ? second == first + rows * sizeof(float) : second == 0;
}

/* q, k and v of one token, in as few launches as their formats allow; its norm is in each. */
static qn_status fused_qkv(const struct qn__forward *f, struct qn__step *s,
                           const struct qn__layer *l)
{
    const struct qn__activations *a = f->activations;
    const struct qn__matrix *const all[] = {&l->q, &l->k, &l->v};
    const qn_addr bias[] = {l->q_bias, l->k_bias, l->v_bias};
    qn_addr out = a->qkv;
    for (uint32_t i = 0, n = 0; i < 3; i += n) {
        struct qn__matrix m;
        uint32_t follow = 1;
        while (i + follow < 3 &&
               biases_follow(bias[i + follow - 1], all[i + follow - 1]->rows, bias[i + follow]))
            follow++;
        n = qn__weight_tiles_join(&m, all + i, follow);
        if (n < follow && i + n == 2 && qn__kernels_pair(&m, all[2])) {
            const struct qn__matrix *const both[] = {&m, all[2]};
            return qn__step_phases(s, out, both, a->stream, l->attention_norm, bias[i]);
        }
        QN_TRY(one_token(s, out, &m, a->stream, l->attention_norm, bias[i], QN__THEN_STORE,
                         (struct qn__next){.is_phase = false}));
        out += m.rows * sizeof(float);
    }
    return QN_OK;
}

/* The same of a prompt: those that lie one after the other are one product. */
static qn_status prompt_qkv(const struct qn__forward *f, struct qn__step *s,
                            const struct qn__layer *l)
{
    const struct qn__activations *a = f->activations;
    const struct qn__matrix *const all[] = {&l->q, &l->k, &l->v};
    const qn_addr bias[] = {l->q_bias, l->k_bias, l->v_bias}, y[] = {a->q, a->k, a->v};
    for (uint32_t i = 0, n = 0; i < 3; i += n) {
        struct qn__joined j = {.y = {y[i]}, .rows = {all[i]->rows}};
        uint32_t follow = 1;
        while (i + follow < 3 && !qn__step_is_for_library(s, all[i]) &&
               biases_follow(bias[i + follow - 1], all[i + follow - 1]->rows, bias[i + follow]))
            follow++;
        n = qn__weight_tiles_join(&j.matrix, all + i, follow);
        for (uint32_t k = 1; k < n; k++)
            j.y[k] = y[i + k];
        if (n > 1)
            j.rows[1] = all[i + 1]->rows;
        QN_TRY(qn__step_product(s, &j, a->stream, l->attention_norm, bias[i], QN__THEN_STORE));
    }
    return QN_OK;
}

/* Norm, q, k and v of several tokens. */
static qn_status plain_qkv(const struct qn__forward *f, struct qn__step *s,
                           const struct qn__layer *l)
{
    const struct qn__activations *a = f->activations;
    qn_addr in;
    if (qn__step_is_prompt(s) && l->q.has_product && l->k.has_product && l->v.has_product)
        return prompt_qkv(f, s, l);
    QN_TRY(norm_stream(f, s, &in, l->attention_norm));
    if (f->config->family->is_latent)
        return qn__latent_qkv(f, s, l, in);
    QN_TRY(qn__step_matmul(s, a->q, &l->q, in, l->q_bias, false));
    QN_TRY(qn__step_matmul(s, a->k, &l->k, in, l->k_bias, false));
    return qn__step_matmul(s, a->v, &l->v, in, l->v_bias, false);
}

/* Norms of queries or keys, each head's by itself or of all heads at once. */
static qn_status norm_heads(const struct qn__forward *f, struct qn__step *s, qn_addr x,
                            qn_addr weight, uint32_t heads)
{
    const uint32_t head_dim = f->config->head_dim;
    if (!weight)
        return QN_OK;
    if (f->config->family->whole_norms)
        return qn__step_head_norm(s, x, weight, s->n_tokens, heads * head_dim);
    return qn__step_head_norm(s, x, weight, s->n_tokens * heads, head_dim);
}

/* Store and attend of each sequence by itself: the tokens of one see nothing of another's. */
static qn_status attend_spans(const struct qn__forward *f, struct qn__step *s, uint32_t layer)
{
    static const struct qn__matrix nothing; /* reads what is attended: as f32, then */
    const struct qn__config *c = f->config;
    const struct qn__activations *a = f->activations;
    const uint64_t q_bytes = (uint64_t)c->n_heads * c->head_dim * sizeof(float);
    const uint64_t kv_bytes = (uint64_t)c->n_kv_heads * c->head_dim * sizeof(float);
    for (uint32_t i = 0; i < f->n_spans; i++) {
        const struct qn__span *span = &f->spans[i];
        struct qn__cache_layer cache = f->cache->layers[layer];
        struct qn__step part = *s;
        const qn_addr pos = a->pos + span->first * sizeof(int32_t);
        const qn_addr k = a->k + span->first * kv_bytes, v = a->v + span->first * kv_bytes;
        cache.k += span->cache_offset;
        cache.v += span->cache_offset;
        part.n_tokens = span->n;
        QN_TRY(qn__step_store(&part, &cache, k, v, pos));
        QN_TRY(qn__step_attend(&part, a->attended + span->first * q_bytes,
                               a->q + span->first * q_bytes, &cache, pos, &a->attention,
                               f->weights->layers[layer].sinks, &nothing));
        s->n_launches = part.n_launches;
    }
    s->quantised_from = 0; /* what was made of `attended` before is not of it any more */
    s->inputs.x = 0;
    return QN_OK;
}

/* The same by one launch for each formula. */
static qn_status plain_attention(const struct qn__forward *f, struct qn__step *s, uint32_t layer)
{
    const struct qn__config *c = f->config;
    const struct qn__activations *a = f->activations;
    const struct qn__layer *l = &f->weights->layers[layer];
    const struct qn__cache_layer *cache = &f->cache->layers[layer];
    const struct qn__angles *angles = &f->weights->angles[l->angles];

    QN_TRY(plain_qkv(f, s, l));
    QN_TRY(norm_heads(f, s, a->q, l->q_norm, c->n_heads));
    QN_TRY(norm_heads(f, s, a->k, l->k_norm, c->n_kv_heads));
    QN_TRY(qn__step_rope(s, a->q, a->pos, angles, c->n_heads));
    QN_TRY(qn__step_rope(s, a->k, a->pos, angles, c->n_kv_heads));
    if (f->spans)
        return attend_spans(f, s, layer);
    QN_TRY(qn__step_store(s, cache, a->k, a->v, a->pos));
    return qn__step_attend(s, a->attended, a->q, cache, a->pos, &a->attention, l->sinks, &l->o);
}

static qn_status attention(const struct qn__forward *f, struct qn__step *s, uint32_t layer)
{
    const struct qn__activations *a = f->activations;
    const struct qn__layer *l = &f->weights->layers[layer];
    if (s->n_tokens == 1 && !f->spans && l->q.is_fused && l->k.is_fused && l->v.is_fused &&
        !f->config->family->whole_norms && !f->config->family->is_latent) {
        QN_TRY(fused_qkv(f, s, l));
        QN_TRY(qn__step_attend_token(
            s, a->attended, a->qkv, l->q_norm, l->k_norm, &f->cache->layers[layer], a->pos,
            &f->weights->angles[l->angles], &a->attention, next_of(&l->o, 0)));
    } else {
        QN_TRY(plain_attention(f, s, layer));
    }
    const bool is_latent = f->config->family->is_latent;
    const bool is_dense = !qn__config_has_experts(f->config, layer);
    if (is_latent)
        QN_TRY(qn__latent_values(f, s));
    return project(
        f, s, &l->o, is_latent ? a->latent.heads : a->attended, l->o_bias, l->attention_post_norm,
        is_dense ? next_of(&l->gate, l->ffn_norm) : (struct qn__next){.is_phase = false});
}

/* What reads the stream after a layer. The norm of a streamed one may not have come yet. */
static struct qn__next after(const struct qn__forward *f, const struct qn__layer *l)
{
    const struct qn__weights *w = f->weights;
    const uint32_t next = (uint32_t)(l - w->layers) + 1;
    if (next == f->config->n_layers)
        return next_of(&w->head, w->final_norm);
    if (qn__residency_is_streamed(&w->residency, next))
        return (struct qn__next){.is_phase = false};
    return next_of(&l[1].q, l[1].attention_norm);
}

/* As dense_ffn(), of a prompt; gate and up are one product where they lie one after the other. */
static qn_status prompt_ffn(const struct qn__forward *f, struct qn__step *s,
                            const struct qn__layer *l)
{
    const struct qn__activations *a = f->activations;
    const struct qn__matrix *const both[] = {&l->gate, &l->up};
    const bool is_gelu = f->config->family->activation == QN__GELU;
    const uint64_t n = (uint64_t)s->n_tokens * l->gate.rows;
    struct qn__joined j = {.y = {a->gate}, .rows = {l->gate.rows}};
    if (!qn__step_is_for_library(s, &l->gate) && qn__weight_tiles_join(&j.matrix, both, 2) == 2 &&
        l->gate.rows == l->up.rows) {
        QN_TRY(qn__step_product(s, &j, a->stream, l->ffn_norm, 0,
                                is_gelu ? QN__THEN_GELU : QN__THEN_SILU));
    } else {
        const struct qn__joined up = {.matrix = l->up, .y = {a->up}, .rows = {l->up.rows}};
        j.matrix = l->gate;
        QN_TRY(qn__step_product(s, &j, a->stream, l->ffn_norm, 0, QN__THEN_STORE));
        QN_TRY(qn__step_product(s, &up, a->stream, l->ffn_norm, 0, QN__THEN_STORE));
        QN_TRY(qn__step_activate(s, a->gate, a->gate, a->up, n));
    }
    return project(f, s, &l->down, a->gate, 0, l->ffn_post_norm, after(f, l));
}

/* out = down(activate(gate(x)) * up(x)) */
static qn_status dense_ffn(const struct qn__forward *f, struct qn__step *s,
                           const struct qn__layer *l)
{
    const struct qn__activations *a = f->activations;
    const struct qn__matrix *const both[] = {&l->gate, &l->up};
    struct qn__matrix joined;
    qn_addr in;
    if (s->n_tokens == 1 && l->gate.is_fused && qn__weight_tiles_join(&joined, both, 2) == 2) {
        const bool is_gelu = f->config->family->activation == QN__GELU;
        QN_TRY(one_token(s, a->gate, &joined, a->stream, l->ffn_norm, 0,
                         is_gelu ? QN__THEN_GELU : QN__THEN_SILU, next_of(&l->down, 0)));
        return project(f, s, &l->down, a->gate, 0, l->ffn_post_norm, after(f, l));
    }
    if (qn__step_is_prompt(s) && l->gate.has_product && l->up.has_product)
        return prompt_ffn(f, s, l);
    QN_TRY(norm_stream(f, s, &in, l->ffn_norm));
    QN_TRY(qn__step_matmul(s, a->gate, &l->gate, in, 0, false));
    QN_TRY(qn__step_matmul(s, a->up, &l->up, in, 0, false));
    QN_TRY(qn__step_activate(s, a->gate, a->gate, a->up, (uint64_t)s->n_tokens * l->gate.rows));
    return project(f, s, &l->down, a->gate, 0, l->ffn_post_norm, after(f, l));
}

/* What the expert gave that every token goes through, its share of it or all. */
static qn_status add_shared(const struct qn__forward *f, struct qn__step *s)
{
    const struct qn__activations *a = f->activations;
    const uint32_t dim = f->config->dim;
    if (f->config->family->is_latent)
        return qn__step_add(s, a->normed, a->normed, a->shared, (uint64_t)s->n_tokens * dim);
    return qn__step_gated_add(s, a->normed, a->normed, a->shared, a->share, dim);
}

static qn_status expert_ffn(const struct qn__forward *f, struct qn__step *s,
                            const struct qn__layer *l)
{
    const struct qn__activations *a = f->activations;
    QN_TRY(qn__step_norm(s, a->normed, a->stream, l->ffn_norm, s->n_tokens, f->config->dim));
    if (f->config->n_shared)
        QN_TRY(qn__shared_expert(f, s, l));
    QN_TRY(qn__experts(f, s, l));
    if (f->config->n_shared)
        QN_TRY(add_shared(f, s));
    return add_block(f, s, f->activations->normed, l->ffn_post_norm);
}

static qn_status logits(const struct qn__forward *f, struct qn__step *s)
{
    const struct qn__config *c = f->config;
    const struct qn__weights *w = f->weights;
    const struct qn__activations *a = f->activations;
    const qn_addr last = a->stream + (uint64_t)(s->n_tokens - 1) * c->dim * 4;
    s->n_tokens = 1;
    if (w->head.is_fused) {
        QN_TRY(one_token(s, a->logits, &w->head, last, w->final_norm, 0, QN__THEN_STORE,
                         (struct qn__next){.is_phase = false}));
    } else {
        QN_TRY(qn__step_norm(s, a->normed, last, w->final_norm, 1, c->dim));
        QN_TRY(qn__step_matmul(s, a->logits, &w->head, a->normed, 0, false));
    }
    if (c->final_softcap > 0.0f)
        QN_TRY(qn__step_softcap(s, a->logits, c->n_vocab, c->final_softcap));
    /* a NaN anywhere is the largest, so one logit tells of all */
    return qn__step_choose(s, a->choice, a->logits, c->n_vocab);
}

qn_status qn__forward_queue(const struct qn__forward *f, struct qn__step *s, bool wants_logits)
{
    const struct qn__activations *a = f->activations;
    QN_TRY(
        qn__step_embed(s, a->stream, &f->weights->embedding, a->ids, f->config->embedding_scale));
    QN_TRY(qn__step_embed_low_rank(s, a->stream, &f->weights->embedding, a->ids));
    for (uint32_t i = 0; i < f->config->n_layers; i++) {
        const struct qn__layer *l = &f->weights->layers[i];
        QN_TRY(qn__layer_stream_enter(f->streamed, i, s->stream));
        QN_TRY(attention(f, s, i));
        QN_TRY(qn__config_has_experts(f->config, i) ? expert_ffn(f, s, l) : dense_ffn(f, s, l));
        QN_TRY(qn__layer_stream_leave(f->streamed, i, s->stream));
    }
    return wants_logits ? logits(f, s) : QN_OK;
}

/* The head over rows of `normed`. A library and tiles have room for the layers' matrices only, and
 * a head is larger: few rows at once go past both. */
static qn_status row_logits(const struct qn__forward *f, struct qn__step *s, uint32_t n_rows)
{
    enum { FEW = 8 };
    const struct qn__config *c = f->config;
    const struct qn__matrix *head = &f->weights->head;
    const struct qn__activations *a = f->activations;
    const bool few = s->products->blas || head->is_tiled;
    for (uint32_t at = 0; at < n_rows; at += s->n_tokens) {
        s->n_tokens = few && n_rows - at > FEW ? FEW : n_rows - at;
        QN_TRY(qn__step_matmul(s, a->row_logits + (uint64_t)at * c->n_vocab * sizeof(float), head,
                               a->normed + (uint64_t)at * c->dim * sizeof(float), 0, false));
    }
    return c->final_softcap > 0.0f
               ? qn__step_softcap(s, a->row_logits, (uint64_t)n_rows * c->n_vocab, c->final_softcap)
               : QN_OK;
}

qn_status qn__forward_queue_rows(const struct qn__forward *f, struct qn__step *s, uint32_t n_rows,
                                 bool wants_logits)
{
    const struct qn__config *c = f->config;
    const struct qn__activations *a = f->activations;
    const struct qn__matrix all = {.addr = a->stream,
                                   .format = qn__format_get(QN__FORMAT_f32),
                                   .rows = s->n_tokens,
                                   .n = c->dim};
    s->n_tokens = n_rows;
    QN_TRY(qn__step_embed(s, a->row_states, &all, a->row_tokens, 1.0f));
    QN_TRY(qn__step_norm(s, a->normed, a->row_states, f->weights->final_norm, n_rows, c->dim));
    return wants_logits ? row_logits(f, s, n_rows) : QN_OK;
}
