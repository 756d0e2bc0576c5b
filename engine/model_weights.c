/* SPDX-License-Identifier: Apache-2.0
 *
 * Placing weights (model_weights.h). The walk goes through the tensors in the order the forward
 * pass reads them, so that a token reads the allocation from front to back. */
#include "engine/model_weights.h"

#include "base/str.h"
#include "kernels/dot_tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN_BYTES = 256, NAME_BYTES = 96 };

struct placer {
    struct qn__weights *w;
    const struct qn__config *config;
    const struct qn__model_file *file;
    qn_addr base;
    uint32_t capacity;
    uint32_t layer; /* that is streamed; QN__STAYS */
    bool in_tiles;
    bool *is_used; /* for each tensor of the file */
};

/* Room for n_bytes more; *out 0 is never given out. */
static qn_addr take(struct placer *p, uint64_t n_bytes)
{
    const qn_addr at = p->base + p->w->n_bytes;
    p->w->n_bytes += (n_bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
    return at;
}

static qn_status fill(struct placer *p, qn_addr at, const void *bytes, uint64_t n_bytes)
{
    struct qn__weights *w = p->w;
    if (w->n_placements == p->capacity)
        return qn__fail(QN_E_CORRUPT, "more tensors than the model's layers can have");
    w->placements[w->n_placements++] =
        (struct qn__placement){.layer = p->layer, .addr = at, .bytes = bytes, .n_bytes = n_bytes};
    return QN_OK;
}

static qn_status put(qn_addr *out, struct placer *p, const void *bytes, uint64_t n_bytes)
{
    *out = take(p, n_bytes);
    return fill(p, *out, bytes, n_bytes);
}

/* blk.<layer>.<name>, or the name alone for layer -1 */
static const char *tensor_name(char out[NAME_BYTES], int layer, const char *name)
{
    if (layer < 0)
        snprintf(out, NAME_BYTES, "%s", name);
    else
        snprintf(out, NAME_BYTES, "blk.%d.%s", layer, name);
    return out;
}

/* The tensor, which counts as used then; NULL. `text` gets its name. */
static const struct qn__tensor *find(char text[NAME_BYTES], struct placer *p, int layer,
                                     const char *name)
{
    const struct qn__tensor *t = qn__model_file_find(p->file, tensor_name(text, layer, name));
    if (t)
        p->is_used[t - qn__model_file_tensor(p->file, 0)] = true;
    return t;
}

static bool has(const struct placer *p, int layer, const char *name)
{
    char text[NAME_BYTES];
    return qn__model_file_find(p->file, tensor_name(text, layer, name)) != NULL;
}

static qn_status missing(const char *name)
{
    return qn__fail(QN_E_CORRUPT, "tensor %s is missing", name);
}

/* The tensor as n floats, whatever its stored format. */
static qn_status put_floats(qn_addr *out, struct placer *p, const char *text,
                            const struct qn__tensor *t, uint64_t n)
{
    const void *bytes = t->data;
    if (t->format->id != QN__FORMAT_f32 || t->plus_one) {
        float *values = qn__arena_alloc(&p->w->arena, (size_t)n, sizeof *values);
        if (!values)
            return qn__fail(QN_E_MEMORY, "%s: no memory for %llu floats", text,
                            (unsigned long long)n);
        t->format->unpack(values, t->data, n);
        for (uint64_t i = 0; t->plus_one && i < n; i++)
            values[i] += 1.0f;
        bytes = values;
    }
    p->w->token_bytes += n * sizeof(float);
    return put(out, p, bytes, n * sizeof(float));
}

/* A vector of n floats. *out 0 where it is missing and optional. */
static qn_status place_vector(qn_addr *out, struct placer *p, int layer, const char *name,
                              uint64_t n, bool is_optional)
{
    char text[NAME_BYTES];
    const struct qn__tensor *t = find(text, p, layer, name);
    *out = 0;
    if (!t)
        return is_optional ? QN_OK : missing(text);
    if (t->bytes != qn__format_bytes(t->format, n) || t->shape[0] != n)
        return qn__fail(QN_E_CORRUPT, "%s has %u axes and %llu elements, not one axis of %llu",
                        text, t->n_dims, (unsigned long long)t->shape[0], (unsigned long long)n);
    return put_floats(out, p, text, t, n);
}

/* A row of n floats for each expert. */
static qn_status place_expert_biases(qn_addr *out, struct placer *p, int layer, const char *name,
                                     uint64_t n)
{
    char text[NAME_BYTES];
    const uint64_t experts = p->config->n_experts;
    const struct qn__tensor *t = find(text, p, layer, name);
    if (!t)
        return missing(text);
    if (t->n_dims != 2 || t->shape[0] != n || t->shape[1] != experts)
        return qn__fail(QN_E_CORRUPT, "%s is (%llu, %llu), not (%llu, %llu)", text,
                        (unsigned long long)t->shape[1], (unsigned long long)t->shape[0],
                        (unsigned long long)experts, (unsigned long long)n);
    return put_floats(out, p, text, t, n * experts);
}

/* The vector that was placed last, multiplied. */
static qn_status scale_last(struct placer *p, float factor, uint64_t n)
{
    struct qn__placement *last = &p->w->placements[p->w->n_placements - 1];
    float *values =
        factor == 1.0f ? NULL : qn__arena_alloc(&p->w->arena, (size_t)n, sizeof *values);
    if (factor == 1.0f)
        return QN_OK;
    if (!values)
        return qn__fail(QN_E_MEMORY, "no memory for %llu floats", (unsigned long long)n);
    memcpy(values, last->bytes, n * sizeof *values);
    for (uint64_t i = 0; i < n; i++)
        values[i] *= factor;
    last->bytes = values;
    return QN_OK;
}

/* A matrix of one row. */
static qn_status place_row(struct qn__matrix *out, struct placer *p, int layer, const char *name,
                           uint32_t n)
{
    *out = (struct qn__matrix){.format = qn__format_get(QN__FORMAT_f32), .rows = 1, .n = n};
    out->bytes = n * sizeof(float);
    return place_vector(&out->addr, p, layer, name, n, false);
}

/* Rows in whole tiles, and the parts that they may be cut into (rows_of()). */
static bool fits_tiles(const struct placer *p, const struct qn__tensor *t, uint64_t rows,
                       uint64_t n, const char *name)
{
    const struct qn__config *c = p->config;
    const uint64_t part = strstr(name, "attn_qkv") ? c->n_kv_heads * c->head_dim : rows;
    return p->in_tiles && qn__tiling(t->format) && rows % QN__DOT_ROWS == 0 &&
           part % QN__DOT_ROWS == 0 && n % QN__DOT_ELEMS == 0 && strcmp(name, "token_embd.weight");
}

static qn_status put_tiles(struct qn__matrix *m, struct placer *p, const struct qn__tensor *t)
{
    m->is_in_dot_tiles = true;
    m->bytes = m->rows / QN__DOT_ROWS * qn__dot_tile_bytes(qn__tiling(t->format), m->n);
    QN_TRY(put(&m->addr, p, t->data, m->bytes));
    struct qn__placement *last = &p->w->placements[p->w->n_placements - 1];
    last->format = t->format;
    last->rows = m->rows;
    last->n = m->n;
    return QN_OK;
}

/* Stored (copies, rows, n): the contiguous axis is n. */
static qn_status place_matrix(struct qn__matrix *out, struct placer *p, int layer, const char *name,
                              uint64_t rows, uint64_t n, uint64_t copies, uint64_t copies_read)
{
    char text[NAME_BYTES];
    const struct qn__tensor *t = find(text, p, layer, name);
    if (!t)
        return missing(text);
    const bool is_right =
        t->n_dims <= 3 && t->shape[0] == n && t->shape[1] == rows && t->shape[2] == copies;
    if (!is_right)
        return qn__fail(QN_E_CORRUPT, "%s is (%llu, %llu, %llu), not (%llu, %llu, %llu)", text,
                        (unsigned long long)t->shape[2], (unsigned long long)t->shape[1],
                        (unsigned long long)t->shape[0], (unsigned long long)copies,
                        (unsigned long long)rows, (unsigned long long)n);
    *out = (struct qn__matrix){
        .format = t->format, .rows = (uint32_t)rows, .n = (uint32_t)n, .bytes = t->bytes / copies};
    p->w->format_bytes[t->format->id] += t->bytes;
    if (copies == 1 && fits_tiles(p, t, rows, n, name))
        QN_TRY(put_tiles(out, p, t));
    else
        QN_TRY(put(&out->addr, p, t->data, t->bytes));
    p->w->token_bytes += out->bytes * copies_read;
    return QN_OK;
}

/* Experts: one tensor with all of them, blk.<layer>.<name>_exps.weight, or (from safetensors) one
 * for each, blk.<layer>.<name>.<expert>.weight, which are put one after the other. */
static qn_status place_experts(struct qn__matrix *out, struct placer *p, int layer,
                               const char *name, uint64_t rows, uint64_t n)
{
    const struct qn__config *c = p->config;
    char text[NAME_BYTES], part[NAME_BYTES / 2];
    snprintf(part, sizeof part, "%s_exps.weight", name);
    if (has(p, layer, part))
        return place_matrix(out, p, layer, part, rows, n, c->n_experts, c->n_used);
    for (uint32_t e = 0; e < c->n_experts; e++) {
        snprintf(part, sizeof part, "%s.%u.weight", name, e);
        const struct qn__tensor *t = find(text, p, layer, part);
        if (!t)
            return missing(text);
        if (t->n_dims != 2 || t->shape[0] != n || t->shape[1] != rows ||
            (e && t->format != out->format))
            return qn__fail(QN_E_CORRUPT, "%s is no %s matrix (%llu, %llu) as the other experts'",
                            text, e ? out->format->name : "", (unsigned long long)rows,
                            (unsigned long long)n);
        if (e == 0)
            *out = (struct qn__matrix){.addr = take(p, t->bytes * c->n_experts),
                                       .format = t->format,
                                       .rows = (uint32_t)rows,
                                       .n = (uint32_t)n,
                                       .bytes = t->bytes};
        QN_TRY(fill(p, out->addr + e * t->bytes, t->data, t->bytes));
    }
    p->w->format_bytes[out->format->id] += out->bytes * c->n_experts;
    p->w->token_bytes += out->bytes * c->n_used;
    return QN_OK;
}

/* Rows [first, first + rows) of a matrix that is several in one. */
static struct qn__matrix rows_of(const struct qn__matrix *m, uint32_t first, uint32_t rows)
{
    const uint64_t row_bytes = m->bytes / m->rows;
    return (struct qn__matrix){.addr = m->addr + first * row_bytes,
                               .format = m->format,
                               .rows = rows,
                               .n = m->n,
                               .bytes = rows * row_bytes,
                               .is_in_dot_tiles = m->is_in_dot_tiles};
}

static qn_status place_attention(struct qn__layer *l, struct placer *p, int i)
{
    const struct qn__config *c = p->config;
    const uint32_t q_rows = c->n_heads * c->head_dim, kv_rows = c->n_kv_heads * c->head_dim;
    const bool whole = c->family->whole_norms;
    if (!c->family->norms_only_after)
        QN_TRY(place_vector(&l->attention_norm, p, i, "attn_norm.weight", c->dim, false));
    if (has(p, i, "attn_qkv.weight")) {
        struct qn__matrix all;
        qn_addr bias;
        QN_TRY(place_matrix(&all, p, i, "attn_qkv.weight", q_rows + 2 * kv_rows, c->dim, 1, 1));
        l->q = rows_of(&all, 0, q_rows);
        l->k = rows_of(&all, q_rows, kv_rows);
        l->v = rows_of(&all, q_rows + kv_rows, kv_rows);
        QN_TRY(place_vector(&bias, p, i, "attn_qkv.bias", q_rows + 2 * kv_rows, true));
        l->q_bias = bias;
        l->k_bias = bias ? bias + q_rows * sizeof(float) : 0;
        l->v_bias = bias ? bias + (q_rows + kv_rows) * sizeof(float) : 0;
    } else {
        QN_TRY(place_matrix(&l->q, p, i, "attn_q.weight", q_rows, c->dim, 1, 1));
        QN_TRY(place_matrix(&l->k, p, i, "attn_k.weight", kv_rows, c->dim, 1, 1));
        QN_TRY(place_matrix(&l->v, p, i, "attn_v.weight", kv_rows, c->dim, 1, 1));
        QN_TRY(place_vector(&l->q_bias, p, i, "attn_q.bias", q_rows, true));
        QN_TRY(place_vector(&l->k_bias, p, i, "attn_k.bias", kv_rows, true));
        QN_TRY(place_vector(&l->v_bias, p, i, "attn_v.bias", kv_rows, true));
    }
    QN_TRY(
        place_vector(&l->q_norm, p, i, "attn_q_norm.weight", whole ? q_rows : c->head_dim, true));
    QN_TRY(
        place_vector(&l->k_norm, p, i, "attn_k_norm.weight", whole ? kv_rows : c->head_dim, true));
    QN_TRY(place_matrix(&l->o, p, i, "attn_output.weight", c->dim, q_rows, 1, 1));
    QN_TRY(place_vector(&l->o_bias, p, i, "attn_output.bias", c->dim, true));
    if (c->family->has_sinks)
        QN_TRY(place_vector(&l->sinks, p, i, "attn_sinks.weight", c->n_heads, false));
    if (c->family->ffn_norm)
        return QN_OK;
    return place_vector(&l->attention_post_norm, p, i, "post_attention_norm.weight", c->dim, true);
}

/* (copies, rows, n) of a tensor that is stored (copies, n, rows). Blocks of the stored rows are
 * none of the others: such a matrix becomes f32. */
static qn_status place_turned(struct qn__matrix *out, struct placer *p, int layer, const char *name,
                              uint32_t rows, uint32_t n, uint32_t copies)
{
    char text[NAME_BYTES];
    const struct qn__tensor *t = find(text, p, layer, name);
    if (!t)
        return missing(text);
    if (t->n_dims != 3 || t->shape[0] != rows || t->shape[1] != n || t->shape[2] != copies)
        return qn__fail(QN_E_CORRUPT, "%s is (%llu, %llu, %llu), not (%u, %u, %u)", text,
                        (unsigned long long)t->shape[2], (unsigned long long)t->shape[1],
                        (unsigned long long)t->shape[0], copies, n, rows);
    const struct qn__format *to =
        t->format->block_elems == 1 ? t->format : qn__format_get(QN__FORMAT_f32);
    *out = (struct qn__matrix){.format = to, .rows = rows * copies, .n = n};
    out->bytes = qn__format_bytes(to, (uint64_t)rows * copies * n);
    QN_TRY(put(&out->addr, p, t->data, out->bytes));
    struct qn__placement *last = &p->w->placements[p->w->n_placements - 1];
    last->turned = t->format;
    last->turned_to = to;
    last->rows = rows;
    last->n = n;
    last->copies = copies;
    p->w->format_bytes[to->id] += out->bytes;
    p->w->token_bytes += out->bytes;
    return QN_OK;
}

/* A matrix for each head, one after the other: one matrix. */
static qn_status place_heads(struct qn__matrix *out, struct placer *p, int layer, const char *name,
                             uint32_t rows, uint32_t n)
{
    const uint32_t heads = p->config->n_heads;
    QN_TRY(place_matrix(out, p, layer, name, rows, n, heads, heads));
    out->rows = rows * heads;
    out->bytes *= heads;
    return QN_OK;
}

static qn_status place_latent(struct qn__layer *l, struct placer *p, int i)
{
    const struct qn__config *c = p->config;
    const struct qn__latent *a = &c->latent;
    const uint32_t heads = c->n_heads, q_rows = heads * c->head_dim;
    QN_TRY(place_vector(&l->attention_norm, p, i, "attn_norm.weight", c->dim, false));
    if (a->q_rank) {
        QN_TRY(place_matrix(&l->q_short, p, i, "attn_q_a.weight", a->q_rank, c->dim, 1, 1));
        QN_TRY(place_vector(&l->q_short_norm, p, i, "attn_q_a_norm.weight", a->q_rank, false));
        QN_TRY(place_matrix(&l->q, p, i, "attn_q_b.weight", q_rows, a->q_rank, 1, 1));
    } else {
        QN_TRY(place_matrix(&l->q, p, i, "attn_q.weight", q_rows, c->dim, 1, 1));
    }
    QN_TRY(place_matrix(&l->kv_short, p, i, "attn_kv_a_mqa.weight", a->kv_rank + c->n_rot, c->dim,
                        1, 1));
    QN_TRY(place_vector(&l->kv_short_norm, p, i, "attn_kv_a_norm.weight", a->kv_rank, false));
    if (has(p, i, "attn_kv_b.weight")) {
        QN_TRY(place_matrix(&l->k, p, i, "attn_kv_b.weight",
                            (uint64_t)heads * (a->n_plain + a->n_value), a->kv_rank, 1, 1));
        /* some files have it both ways: the same numbers */
        char text[NAME_BYTES];
        find(text, p, i, "attn_k_b.weight");
        find(text, p, i, "attn_v_b.weight");
    } else {
        QN_TRY(place_turned(&l->k, p, i, "attn_k_b.weight", a->n_plain, a->kv_rank, heads));
        QN_TRY(place_heads(&l->v, p, i, "attn_v_b.weight", a->n_value, a->kv_rank));
    }
    return place_matrix(&l->o, p, i, "attn_output.weight", c->dim, (uint64_t)heads * a->n_value, 1,
                        1);
}

/* The expert that every token goes through. */
static qn_status place_shared(struct qn__layer *l, struct placer *p, int i)
{
    const uint32_t n = p->config->n_shared, dim = p->config->dim;
    QN_TRY(place_matrix(&l->shared_gate, p, i, "ffn_gate_shexp.weight", n, dim, 1, 1));
    QN_TRY(place_matrix(&l->shared_up, p, i, "ffn_up_shexp.weight", n, dim, 1, 1));
    QN_TRY(place_matrix(&l->shared_down, p, i, "ffn_down_shexp.weight", dim, n, 1, 1));
    if (p->config->family->is_latent) /* added as it is */
        return QN_OK;
    return place_row(&l->shared_share, p, i, "ffn_gate_inp_shexp.weight", dim);
}

static qn_status place_biases(struct qn__layer *l, struct placer *p, int i)
{
    const struct qn__config *c = p->config;
    QN_TRY(place_vector(&l->router_bias, p, i, "ffn_gate_inp.bias", c->n_experts, false));
    QN_TRY(place_expert_biases(&l->gate_bias, p, i, "ffn_gate_exps.bias", c->n_ffn));
    QN_TRY(place_expert_biases(&l->up_bias, p, i, "ffn_up_exps.bias", c->n_ffn));
    return place_expert_biases(&l->down_bias, p, i, "ffn_down_exps.bias", c->dim);
}

static qn_status place_ffn(struct qn__layer *l, struct placer *p, int i)
{
    const struct qn__config *c = p->config;
    const uint32_t e = qn__config_has_experts(c, (uint32_t)i) ? c->n_experts : 0;
    const uint32_t n_ffn = qn__config_dense_ffn(c);
    if (!c->family->norms_only_after)
        QN_TRY(place_vector(&l->ffn_norm, p, i,
                            c->family->ffn_norm ? c->family->ffn_norm : "ffn_norm.weight", c->dim,
                            false));
    if (e && c->n_shared)
        QN_TRY(place_shared(l, p, i));
    if (e) {
        QN_TRY(place_matrix(&l->router, p, i, "ffn_gate_inp.weight", e, c->dim, 1, 1));
        QN_TRY(place_experts(&l->gate, p, i, "ffn_gate", c->n_ffn, c->dim));
        QN_TRY(place_experts(&l->up, p, i, "ffn_up", c->n_ffn, c->dim));
        QN_TRY(place_experts(&l->down, p, i, "ffn_down", c->dim, c->n_ffn));
        if (c->family->biased_experts)
            QN_TRY(place_biases(l, p, i));
    } else if (has(p, i, "ffn_gate.weight")) {
        QN_TRY(place_matrix(&l->gate, p, i, "ffn_gate.weight", n_ffn, c->dim, 1, 1));
        QN_TRY(place_matrix(&l->up, p, i, "ffn_up.weight", n_ffn, c->dim, 1, 1));
        QN_TRY(place_matrix(&l->down, p, i, "ffn_down.weight", c->dim, n_ffn, 1, 1));
    } else { /* gate and up in one, the gate first */
        struct qn__matrix both;
        QN_TRY(place_matrix(&both, p, i, "ffn_up.weight", 2 * (uint64_t)n_ffn, c->dim, 1, 1));
        l->gate = rows_of(&both, 0, n_ffn);
        l->up = rows_of(&both, n_ffn, n_ffn);
        QN_TRY(place_matrix(&l->down, p, i, "ffn_down.weight", c->dim, n_ffn, 1, 1));
    }
    return place_vector(&l->ffn_post_norm, p, i, "post_ffw_norm.weight", c->dim, true);
}

/* Factors that divide the angles, where the model brings them; NULL else. */
static qn_status find_factors(const float **out, struct placer *p, uint32_t context)
{
    const struct qn__config *c = p->config;
    const char *name = "rope_freqs.weight";
    *out = NULL;
    if (c->scaling == QN__SCALING_LONGROPE)
        name =
            context > c->scaling_context ? "rope_factors_long.weight" : "rope_factors_short.weight";
    const struct qn__tensor *t = qn__model_file_find(p->file, name);
    if (!t)
        return c->scaling == QN__SCALING_LONGROPE ? missing(name) : QN_OK;
    if (t->shape[0] != c->n_rot / 2 || t->n_dims != 1)
        return qn__fail(QN_E_CORRUPT, "%s has %llu elements, not %u", name,
                        (unsigned long long)t->shape[0], c->n_rot / 2);
    float *values = qn__arena_alloc(&p->w->arena, c->n_rot / 2, sizeof *values);
    if (!values)
        return qn__fail(QN_E_MEMORY, "%s: no memory", name);
    t->format->unpack(values, t->data, c->n_rot / 2);
    *out = values;
    return QN_OK;
}

static qn_status place_angles(struct placer *p, uint32_t context)
{
    const uint32_t n = p->config->n_rot / 2;
    const float *factors;
    QN_TRY(find_factors(&factors, p, context));
    for (int which = 0; which < QN__N_ANGLES; which++) {
        struct qn__angles *a = &p->w->angles[which];
        float *speeds = qn__arena_alloc(&p->w->arena, n, sizeof *speeds);
        if (!speeds)
            return qn__fail(QN_E_MEMORY, "no memory for %u angles", n);
        memset(speeds, 0, n * sizeof *speeds);
        a->attention_factor = 1;
        if (which != QN__ANGLES_NONE)
            qn__rope_table(speeds, &a->attention_factor, p->config, which == QN__ANGLES_LOCAL,
                           factors);
        QN_TRY(put(&a->speeds, p, speeds, n * sizeof *speeds));
    }
    return QN_OK;
}

/* A streamed layer's room is its slot; what is placed after it stays. */
static qn_status place_layer(struct placer *p, uint32_t i)
{
    struct qn__weights *w = p->w;
    struct qn__layer *l = &w->layers[i];
    const bool is_streamed = qn__residency_is_streamed(&w->residency, i);
    const uint64_t slot = qn__residency_number(&w->residency, i) % QN__SLOTS;
    const uint64_t kept = w->n_bytes;
    if (is_streamed) {
        p->layer = i;
        w->n_bytes = slot * w->residency.slot_bytes;
    }
    l->addr = p->base + w->n_bytes;
    QN_TRY(p->config->family->is_latent ? place_latent(l, p, (int)i)
                                        : place_attention(l, p, (int)i));
    QN_TRY(place_ffn(l, p, (int)i));
    l->n_bytes = p->base + w->n_bytes - l->addr;
    if (is_streamed) {
        p->layer = QN__STAYS;
        w->n_bytes = kept;
    }
    return QN_OK;
}

static qn_status place_all(struct placer *p, uint32_t context)
{
    struct qn__weights *w = p->w;
    const struct qn__config *c = p->config;
    QN_TRY(place_angles(p, context));
    QN_TRY(place_matrix(&w->embedding, p, -1, "token_embd.weight", c->n_vocab, c->dim, 1, 0));
    for (uint32_t i = 0; i < c->n_layers; i++) {
        w->layers[i].angles = !c->is_turned[i]            ? QN__ANGLES_NONE
                              : qn__config_is_local(c, i) ? QN__ANGLES_LOCAL
                                                          : QN__ANGLES_FULL;
        QN_TRY(place_layer(p, i));
    }
    QN_TRY(place_vector(&w->final_norm, p, -1, "output_norm.weight", c->dim, false));
    QN_TRY(scale_last(p, c->logit_scale, c->dim));
    if (has(p, -1, "output.weight"))
        return place_matrix(&w->head, p, -1, "output.weight", c->n_vocab, c->dim, 1, 1);
    w->head = w->embedding;
    if (p->in_tiles) { /* a second copy: rows of the first are looked up */
        const struct qn__tensor *t = qn__model_file_find(p->file, "token_embd.weight");
        if (fits_tiles(p, t, c->n_vocab, c->dim, "output.weight"))
            QN_TRY(put_tiles(&w->head, p, t));
    }
    w->token_bytes += w->head.bytes;
    return QN_OK;
}

/* A tensor that nothing is computed with means that something else would be computed. Divisors of
 * angles are the exception: a file may have them for other contexts, or what they come to. */
static qn_status check_all_used(const struct placer *p)
{
    for (uint32_t i = 0; i < qn__model_file_n_tensors(p->file); i++) {
        const char *name = qn__model_file_tensor(p->file, i)->name;
        const bool is_about_angles = qn__starts_with(name, "rope_freqs.") ||
                                     qn__starts_with(name, "rope_factors_") ||
                                     qn__ends_with(name, ".attn_rot_embd.weight");
        if (!p->is_used[i] && !is_about_angles)
            return qn__fail(QN_E_UNSUPPORTED,
                            "tensor '%.96s': Quern computes nothing with it in the family %s", name,
                            p->config->family->name);
    }
    return QN_OK;
}

qn_status qn__weights_place(struct qn__weights *out, const struct qn__config *c,
                            const struct qn__model_file *f, uint32_t context, bool in_tiles,
                            const struct qn__residency *residency, qn_addr base)
{
    enum { PER_LAYER = 24, BESIDES = 9 };
    struct placer p = {
        .w = out, .config = c, .file = f, .base = base, .layer = QN__STAYS, .in_tiles = in_tiles};
    memset(out, 0, sizeof *out);
    out->base = base;
    if (residency)
        out->residency = *residency;
    p.capacity = c->n_layers * (PER_LAYER + 3 * c->n_experts) + BESIDES;
    out->layers = qn__arena_alloc(&out->arena, c->n_layers, sizeof *out->layers);
    out->placements = qn__arena_alloc(&out->arena, p.capacity, sizeof *out->placements);
    p.is_used = qn__arena_alloc(&out->arena, qn__model_file_n_tensors(f) + 1, sizeof *p.is_used);
    if (!out->layers || !out->placements || !p.is_used)
        return qn__fail(QN_E_MEMORY, "no memory for %u layers", c->n_layers);
    memset(out->layers, 0, c->n_layers * sizeof *out->layers);
    memset(p.is_used, 0, qn__model_file_n_tensors(f) * sizeof *p.is_used);
    out->n_bytes = qn__residency_slots(&out->residency) * out->residency.slot_bytes +
                   out->residency.scratch_bytes;
    out->n_bytes += base ? 0 : ALIGN_BYTES; /* address 0 means: none */
    qn_status s = place_all(&p, context);
    if (s == QN_OK)
        s = check_all_used(&p);
    if (!base)
        out->n_bytes -= ALIGN_BYTES;
    return s;
}

void qn__weights_release(struct qn__weights *w)
{
    if (!w)
        return;
    qn__arena_release(&w->arena);
    memset(w, 0, sizeof *w);
}
