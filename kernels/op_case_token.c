/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases of one token's whole attention: norms and rope of its heads, its row of the cache, and what
 * comes out. */
#include "kernels/op_case_phase.h"
#include "kernels/phase.h"
#include "kernels/ref/ref.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* m: the sum of these */
enum { KV_HEADS = 63, NORMS = 64, NEOX = 128, READY = 256 };
enum { POSITIONS = 16 }; /* at once */

/* rows positions, k heads on m key-value heads of n elements; pattern: elements that rope leaves */
#define TOKEN_SHAPES                                                                               \
    {.rows = 1, .n = 8, .k = 1, .m = 1, .splits = 1},                                              \
        {.rows = 37, .n = 64, .k = 4, .m = 4 + NEOX + READY, .splits = 4},                         \
        {.rows = 100, .n = 80, .k = 6, .m = 2 + NORMS, .splits = 7, .pattern = 16},                \
        {.rows = 65, .n = 96, .k = 7, .m = 1, .splits = 2},                                        \
        {.rows = 90, .n = 128, .k = 8, .m = 2 + NORMS + NEOX, .splits = 5, .window = 33},          \
        {.rows = 50, .n = 256, .k = 4, .m = 1, .splits = 3, .softcap = 2},                         \
        {.rows = 20, .n = 64, .k = 10, .m = 2 + NEOX, .splits = 8, .window = 20},                  \
        {.rows = 150, .n = 64, .k = 8, .m = 2 + READY, .splits = 2},                               \
        {.rows = 1000, .n = 128, .k = 32, .m = 8 + READY, .splits = 16}
static const struct qn__op_shape shapes_attention_token_f16[] = {TOKEN_SHAPES};
static const struct qn__op_shape shapes_attention_token_q8_0[] = {TOKEN_SHAPES};

/* As the cache keeps them. */
static void round_to_cache(const struct qn__op_case *c, float *x, uint64_t n)
{
    const struct qn__format *f =
        qn__format_get(c->dtype == QN__BYTES ? QN__FORMAT_q8_0 : QN__FORMAT_f16);
    uint8_t bytes[256 * 2];
    f->pack(bytes, x, n);
    f->unpack(x, bytes, n);
}

/* Heads (n_heads, n) with their norm and rope. */
static void turn(float *out, const float *x, const float *norm, const int32_t *pos,
                 const float *inv_freq, const struct qn__rope_shape *shape, double *scratch)
{
    const uint64_t n = shape->heads * shape->head_dim;
    for (uint64_t i = 0; i < n; i++)
        out[i] = x[i];
    if (norm)
        qn__ref_rmsnorm(scratch, x, norm, shape->heads, shape->head_dim, 1e-5f);
    for (uint64_t i = 0; norm && i < n; i++)
        out[i] = (float)scratch[i];
    qn__ref_rope(scratch, scratch + n, out, pos, inv_freq, shape);
    for (uint64_t i = 0; i < n; i++)
        out[i] = (float)scratch[i];
}

/* A cache of values, NaN from row pos on; the caller's copy gets `row` of each head there. */
static float *add_cache(struct qn__op_case *c, const struct qn__attention *a, uint32_t pos,
                        uint32_t seed, const float *row)
{
    const uint64_t n = a->kv_heads * a->ctx * a->head_dim, dim = a->head_dim;
    float *x = qn__case_alloc(c, n, sizeof *x);
    uint8_t *bytes = qn__case_alloc(c, n * 2, 1);
    const struct qn__format *f =
        qn__format_get(c->dtype == QN__BYTES ? QN__FORMAT_q8_0 : QN__FORMAT_f16);
    if (c->failed)
        return NULL;
    for (uint64_t i = 0; i < n; i++)
        x[i] = qn__case_skewed(&(struct qn__skew){seed, -6, -1, dim}, i);
    f->pack(bytes, x, n);
    f->unpack(x, bytes, n);
    for (uint64_t r = 0; r < a->kv_heads * a->ctx; r++)
        if (r % a->ctx >= pos) /* one scale or number of each block */
            for (uint64_t at = 0; at < qn__format_bytes(f, dim); at += f->block_bytes)
                memcpy(bytes + r * qn__format_bytes(f, dim) + at, "\x00\x7e", 2);
    qn__case_add_array(c, c->dtype, c->dtype == QN__BYTES ? qn__format_bytes(f, n) : n, bytes);
    for (uint64_t h = 0; h < a->kv_heads; h++) {
        float *to = x + (h * a->ctx + pos) * dim;
        memcpy(to, row + h * dim, dim * sizeof *to);
        round_to_cache(c, to, dim);
    }
    return x;
}

static void case_attention_token(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint32_t kv_heads = s->m & KV_HEADS, n_rot = s->n - s->pattern;
    const uint64_t n_q = (uint64_t)s->k * s->n, n_kv = (uint64_t)kv_heads * s->n;
    const uint64_t n_qkv = n_q + 2 * n_kv, group = s->k / kv_heads;
    double *ready = NULL;
    struct qn__attention a = {.tokens = 1,
                              .heads = s->k,
                              .kv_heads = kv_heads,
                              .head_dim = s->n,
                              .ctx = s->rows + 2,
                              .window = s->window,
                              .scale = 1.0f / sqrtf((float)s->n),
                              .softcap = (float)s->softcap};
    snprintf(c->shape, sizeof c->shape, "heads=%u/%u head_dim=%u at=%u window=%u splits=%u%s%s",
             s->k, kv_heads, s->n, s->rows, s->window, s->splits, s->m & NORMS ? " norms" : "",
             s->m & NEOX ? " neox" : "");
    c->work = (struct qn__work){
        .rows = (uint64_t)kv_heads * s->splits,
        .n = s->n,
        .shared_bytes = qn__token_attention_bytes((uint32_t)group, s->n, s->splits, POSITIONS)};
    double *want = qn__case_add_out(c, QN__F32, n_q);
    if (s->m & READY) {
        qn__case_add_array(c, QN__F16, 2 * n_q, NULL); /* compared by its numbers */
        ready = qn__case_add_out(c, QN__F32, n_q / QN__READY * 3);
    } else {
        qn__case_add_null(c);
        qn__case_add_null(c);
    }
    double *scale = qn__case_alloc(c, n_q, sizeof *scale);
    double *scratch = qn__case_alloc(c, 2 * n_qkv, sizeof *scratch);
    uint32_t *zeros = qn__case_alloc(c, kv_heads, sizeof *zeros);
    int32_t *pos = qn__case_alloc(c, 1, sizeof *pos);
    float *qkv = qn__case_alloc(c, n_qkv, sizeof *qkv);
    float *turned = qn__case_alloc(c, n_qkv, sizeof *turned);
    float *speeds = qn__case_alloc(c, n_rot / 2, sizeof *speeds);
    float *norms = qn__case_alloc(c, 2 * (uint64_t)s->n, sizeof *norms);
    if (c->failed)
        return;
    memset(zeros, 0, kv_heads * sizeof *zeros);
    pos[0] = (int32_t)s->rows - 1;
    for (uint64_t i = 0; i < n_qkv; i++)
        qkv[i] = qn__case_skewed(&(struct qn__skew){41, -5, 1, s->n}, i);
    for (uint32_t i = 0; i < n_rot / 2; i++)
        speeds[i] = powf(10000.0f, -2.0f * (float)i / (float)n_rot);
    for (uint64_t i = 0; i < 2 * (uint64_t)s->n; i++)
        norms[i] = qn__case_skewed(&(struct qn__skew){42, -1, 0, s->n}, i);
    const float *q_norm = s->m & NORMS ? norms : NULL, *k_norm = q_norm ? norms + s->n : NULL;
    struct qn__rope_shape rope = {.tokens = 1,
                                  .heads = s->k,
                                  .head_dim = s->n,
                                  .n_rot = n_rot,
                                  .pairs = s->m & NEOX ? QN__ROPE_NEOX : QN__ROPE_NORMAL,
                                  .factor = 1.0f};
    turn(turned, qkv, q_norm, pos, speeds, &rope, scratch);
    rope.heads = kv_heads;
    turn(turned + n_q, qkv + n_q, k_norm, pos, speeds, &rope, scratch);
    qn__case_add_array(c, QN__F32, n_q * s->splits, NULL); /* scratch */
    qn__case_add_array(c, QN__F32, 2ull * s->k * s->splits, NULL);
    qn__case_add_array(c, QN__I32, kv_heads, zeros);
    a.k = add_cache(c, &a, (uint32_t)pos[0], 43, turned + n_q);
    a.v = add_cache(c, &a, (uint32_t)pos[0], 44, qkv + n_q + n_kv);
    a.q = turned;
    a.pos = pos;
    qn__case_add_array(c, QN__F32, n_qkv, qkv);
    for (int i = 0; i < 2; i++)
        if (q_norm)
            qn__case_add_array(c, QN__F32, s->n, i ? k_norm : q_norm);
        else
            qn__case_add_null(c);
    qn__case_add_array(c, QN__I32, 1, pos);
    qn__case_add_array(c, QN__F32, n_rot / 2, speeds);
    const uint32_t sizes[] = {s->k,        kv_heads,  s->n,      n_rot,    (s->m & NEOX) != 0,
                              s->rows + 2, s->window, s->splits, POSITIONS};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        qn__case_add_u32(c, sizes[i]);
    const float numbers[] = {a.scale, a.softcap, 1.0f, 1e-5f};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        qn__case_add_f32(c, numbers[i]);
    if (c->failed)
        return;
    qn__ref_attention(want, scale, &a);
    qn__case_set_tolerance(c, (struct qn__bound){.of_scale = 3e-5, .floor = 1e-37}, scale);
    if (ready)
        qn__case_ready_numbers(c, ready, 2, want, c->arrays[0].tolerance, NULL, n_q);
}

static void case_attention_token_f16(struct qn__op_case *c, const struct qn__op_shape *s)
{
    case_attention_token(c, s);
}
QN__CASES(attention_token_f16);

static void case_attention_token_q8_0(struct qn__op_case *c, const struct qn__op_shape *s)
{
    case_attention_token(c, s);
}
QN__CASES(attention_token_q8_0);
