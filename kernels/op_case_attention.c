/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases of the KV cache, of attention, and of the choice of experts.
 *
 * Rows of the cache that no token may see hold NaN: to read one shows. Scores are of moderate size,
 * since the error of exp(s) is that of s. */
#include "kernels/op_case_build.h"
#include "kernels/ref/ref.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct qn__format *q8_0(void)
{
    return qn__format_get(QN__FORMAT_q8_0);
}

/* -- kv_store: rows tokens, m heads of n elements -- */

static const struct qn__op_shape shapes_kv_store[] = {
    {.rows = 1, .n = 8, .m = 1},   {.rows = 3, .n = 80, .m = 2},  {.rows = 5, .n = 64, .m = 3},
    {.rows = 1, .n = 128, .m = 8}, {.rows = 7, .n = 256, .m = 1}, {.rows = 512, .n = 128, .m = 8}};

/* Values whose codes are far from a rounding boundary: the largest of a block is 127 d, the others
 * are within a quarter of a code. */
static float plain_code(uint64_t i)
{
    const uint32_t h = qn__case_mix((uint32_t)i + 30),
                   block = qn__case_mix((uint32_t)(i / 32) + 31);
    const float d = ldexpf(1.0f, -8 - (int)(block & 3u));
    const int code = i % 32 == (block >> 8) % 32 ? 127 : (int)(h % 253) - 126;
    const float beside = code == 127 ? 0.0f : (float)((int)(h >> 20 & 2u) - 1) * 0.25f;
    return ((float)code + beside) * d;
}

/* One cache: NaN (untouched) but for the rows stored. */
static void want_cache(const struct qn__op_case *c, double *want, uint64_t n_want, const float *x,
                       const int32_t *pos, const struct qn__op_shape *s, uint32_t ctx)
{
    for (uint64_t i = 0; i < n_want; i++)
        want[i] = NAN;
    for (uint32_t t = 0; t < s->rows; t++)
        for (uint32_t h = 0; h < s->m; h++, x += s->n) {
            const uint64_t row = (uint64_t)h * ctx + (uint32_t)pos[t];
            if (c->dtype == QN__F16) {
                for (uint32_t d = 0; d < s->n; d++)
                    want[row * s->n + d] = (double)x[d];
                continue;
            }
            uint8_t packed[256 / 32 * 34];
            const uint64_t row_bytes = qn__format_bytes(q8_0(), s->n);
            q8_0()->pack(packed, x, s->n);
            for (uint64_t i = 0; i < row_bytes; i++)
                want[row * row_bytes + i] = packed[i];
        }
}

static void case_kv_store(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const bool is_f16 = c->dtype == QN__F16;
    const uint32_t ctx = s->rows + 3;
    const uint64_t n = (uint64_t)s->rows * s->m * s->n, n_all = (uint64_t)ctx * s->m * s->n;
    const uint64_t n_want = is_f16 ? n_all : qn__format_bytes(q8_0(), n_all);
    snprintf(c->shape, sizeof c->shape, "tokens=%u kv_heads=%u head_dim=%u", s->rows, s->m, s->n);
    c->work = (struct qn__work){.rows = 1, .n = n};
    double *want[2];
    float *x[2];
    for (int i = 0; i < 2; i++)
        want[i] = qn__case_add_out(c, c->dtype, n_want);
    int32_t *pos = qn__case_alloc(c, s->rows, sizeof *pos);
    for (int i = 0; i < 2; i++)
        x[i] = qn__case_alloc(c, n, sizeof *x[i]);
    if (c->failed)
        return;
    for (uint32_t t = 0; t < s->rows; t++) /* rows 2 .. in an order of their own */
        pos[t] = (int32_t)(2 + (s->rows - 1 - t));
    for (uint64_t i = 0; i < 2 * n; i++)
        x[i / n][i % n] =
            is_f16 ? qn__case_skewed(&(struct qn__skew){32, -8, 3, s->n}, i) : plain_code(i);
    for (int i = 0; i < 2; i++)
        qn__case_add_in(c, QN__F32, n, x[i]);
    qn__case_add_array(c, QN__I32, s->rows, pos);
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->m);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, ctx);
    for (uint32_t i = 0; i < 2; i++) {
        want_cache(c, want[i], n_want, x[i], pos, s, ctx);
        qn__case_set_tolerance_of(
            c, i, (struct qn__bound){.of_want = is_f16 ? 4.9e-4 : 0, .floor = is_f16 ? 3e-8 : 0},
            NULL);
    }
}

/* -- attention: rows tokens (decode: positions), k heads on m key-value heads of n elements -- */

/* A cache of ctx rows with values in the rows [low, high), NaN elsewhere; what they mean. */
static const float *add_cache(struct qn__op_case *c, const struct qn__op_shape *s, uint32_t ctx,
                              uint32_t low, uint32_t high, uint32_t seed)
{
    const uint64_t n = (uint64_t)s->m * ctx * s->n;
    float *x = qn__case_alloc(c, n, sizeof *x);
    uint8_t *blocks = qn__case_alloc(c, qn__format_bytes(q8_0(), n / 32 * 32), 1);
    if (c->failed)
        return NULL;
    for (uint64_t i = 0; i < n; i++)
        x[i] = qn__case_skewed(&(struct qn__skew){seed, -6, -1, s->n}, i);
    if (c->dtype == QN__BYTES) {
        const uint16_t nan = qn__half_of_float(NAN);
        q8_0()->pack(blocks, x, n);
        for (uint64_t b = 0; b < n / 32; b++) {
            const uint64_t row = b * 32 / s->n % ctx;
            if (row < low || row >= high)
                memcpy(blocks + b * q8_0()->block_bytes, &nan, sizeof nan);
        }
        q8_0()->unpack(x, blocks, n);
        qn__case_add_array(c, QN__BYTES, qn__format_bytes(q8_0(), n), blocks);
        return x;
    }
    for (uint64_t i = 0; i < n; i++)
        if (i / s->n % ctx < low || i / s->n % ctx >= high)
            x[i] = NAN;
    qn__case_add_in(c, QN__F16, n, x);
    return x;
}

/* Queries, cache and positions of `tokens` tokens from position `start` on, as arguments. */
static struct qn__attention add_attention(struct qn__op_case *c, const struct qn__op_shape *s,
                                          uint32_t tokens, uint32_t start, bool has_sinks)
{
    const uint32_t ctx = start + tokens + 2;
    const uint32_t low = s->window && start >= s->window ? start - s->window + 1 : 0;
    const uint64_t n = (uint64_t)tokens * s->k * s->n;
    struct qn__attention a = {.tokens = tokens,
                              .heads = s->k,
                              .kv_heads = s->m,
                              .head_dim = s->n,
                              .ctx = ctx,
                              .window = s->window,
                              .scale = 1.0f / sqrtf((float)s->n),
                              .softcap = (float)s->softcap};
    int32_t *pos = qn__case_alloc(c, tokens, sizeof *pos);
    for (uint32_t t = 0; pos && t < tokens; t++)
        pos[t] = (int32_t)(start + t);
    a.q = qn__case_add_skewed(c, QN__F32, n, (struct qn__skew){33, -5, 1, s->n});
    a.k = add_cache(c, s, ctx, low, start + tokens, 34);
    a.v = add_cache(c, s, ctx, low, start + tokens, 35);
    qn__case_add_array(c, QN__I32, tokens, pos);
    a.pos = pos;
    if (has_sinks)
        a.sinks = qn__case_add_skewed(c, QN__F32, s->k, (struct qn__skew){39, -2, 2, 1u << 31});
    return a;
}

static void add_sizes(struct qn__op_case *c, const struct qn__attention *a)
{
    qn__case_add_u32(c, (uint32_t)a->heads);
    qn__case_add_u32(c, (uint32_t)a->kv_heads);
    qn__case_add_u32(c, (uint32_t)a->head_dim);
    qn__case_add_u32(c, (uint32_t)a->ctx);
    qn__case_add_u32(c, (uint32_t)a->window);
}

static struct qn__bound attention_bound(const struct qn__op_shape *s)
{
    return (struct qn__bound){.of_scale = s->softcap ? 8e-6 : 4e-6, .floor = 1e-37};
}

static const struct qn__op_shape shapes_attention_decode[] = {
    {.rows = 1, .n = 8, .k = 1, .m = 1, .splits = 1},
    {.rows = 2, .n = 8, .k = 8, .m = 4, .splits = 3},
    {.rows = 37, .n = 64, .k = 4, .m = 4, .splits = 4},
    {.rows = 100, .n = 80, .k = 6, .m = 2, .splits = 7},
    {.rows = 65, .n = 96, .k = 7, .m = 1, .splits = 2},
    {.rows = 90, .n = 128, .k = 8, .m = 2, .splits = 5, .window = 33},
    {.rows = 50, .n = 256, .k = 4, .m = 1, .splits = 3, .softcap = 2},
    {.rows = 20, .n = 64, .k = 10, .m = 2, .splits = 8, .window = 20},
    {.rows = 4096, .n = 128, .k = 32, .m = 8, .splits = 64}};

static void make_decode(struct qn__op_case *c, const struct qn__op_shape *s, bool has_sinks)
{
    const uint64_t n_part = (uint64_t)s->k * s->splits * s->n, n_ms = 2ull * s->k * s->splits;
    snprintf(c->shape, sizeof c->shape, "heads=%u/%u head_dim=%u positions=%u window=%u splits=%u",
             s->k, s->m, s->n, s->rows, s->window, s->splits);
    c->work = (struct qn__work){.rows = (uint64_t)s->k * s->splits, .n = s->n};
    double *part = qn__case_add_out(c, QN__F32, n_part), *ms = qn__case_add_out(c, QN__F32, n_ms);
    double *scale = qn__case_alloc(c, n_part, sizeof *scale);
    double *ms_scale = qn__case_alloc(c, n_ms, sizeof *ms_scale);
    const struct qn__attention a = add_attention(c, s, 1, s->rows - 1, has_sinks);
    add_sizes(c, &a);
    qn__case_add_u32(c, s->splits);
    qn__case_add_f32(c, a.scale);
    qn__case_add_f32(c, a.softcap);
    if (c->failed)
        return;
    qn__ref_attention_parts(part, scale, ms, ms_scale, &a, s->splits);
    qn__case_set_tolerance(c, attention_bound(s), scale);
    qn__case_set_tolerance_of(c, 1, attention_bound(s), ms_scale);
}

static void case_attention_decode(struct qn__op_case *c, const struct qn__op_shape *s)
{
    make_decode(c, s, false);
}

static void case_attention_decode_sinks(struct qn__op_case *c, const struct qn__op_shape *s)
{
    make_decode(c, s, true);
}

static const struct qn__op_shape shapes_attention_combine[] = {{.n = 8, .k = 1, .splits = 1},
                                                               {.n = 80, .k = 5, .splits = 3},
                                                               {.n = 128, .k = 32, .splits = 64}};

/* Every third piece is empty, but for the first of a head. */
static void case_attention_combine(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->k * s->n, pieces = (uint64_t)s->k * s->splits;
    snprintf(c->shape, sizeof c->shape, "heads=%u head_dim=%u splits=%u", s->k, s->n, s->splits);
    c->work = (struct qn__work){.rows = n / 8, .n = s->splits};
    double *want = qn__case_add_out(c, QN__F32, n), *scale = qn__case_alloc(c, n, sizeof *scale);
    float *part = qn__case_alloc(c, pieces * s->n, sizeof *part);
    float *ms = qn__case_alloc(c, 2 * pieces, sizeof *ms);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < pieces; i++) {
        const bool is_empty = i % s->splits % 3 == 1;
        ms[2 * i] = is_empty ? -3.0e38f : (float)(qn__case_mix((uint32_t)i + 36) % 64) / 16.0f;
        ms[2 * i + 1] = is_empty ? 0.0f : 1.0f + (float)(i % 7);
        for (uint64_t d = i * s->n; d < (i + 1) * s->n; d++)
            part[d] = is_empty ? 0.0f : qn__case_skewed(&(struct qn__skew){37, -6, 3, s->n}, d);
    }
    qn__case_add_in(c, QN__F32, pieces * s->n, part);
    qn__case_add_in(c, QN__F32, 2 * pieces, ms);
    qn__case_add_u32(c, s->k);
    qn__case_add_u32(c, s->splits);
    qn__case_add_u32(c, s->n);
    qn__ref_attention_combine(want, scale, part, ms, s->k, s->splits, s->n);
    qn__case_set_tolerance(c, (struct qn__bound){.of_scale = 1e-5}, scale);
}

/* The prompt begins at position `splits`. */
static const struct qn__op_shape shapes_attention_prompt[] = {
    {.rows = 1, .n = 8, .k = 1, .m = 1},
    {.rows = 2, .n = 8, .k = 8, .m = 4, .splits = 1},
    {.rows = 9, .n = 64, .k = 4, .m = 4},
    {.rows = 17, .n = 80, .k = 6, .m = 2, .splits = 13},
    {.rows = 33, .n = 128, .k = 4, .m = 2, .splits = 5, .window = 7},
    {.rows = 20, .n = 256, .k = 2, .m = 1, .softcap = 2},
    {.rows = 70, .n = 32, .k = 3, .m = 1, .splits = 70, .window = 65},
    {.rows = 512, .n = 128, .k = 32, .m = 8}};

static void make_prompt(struct qn__op_case *c, const struct qn__op_shape *s, bool has_sinks)
{
    const uint64_t n = (uint64_t)s->rows * s->k * s->n;
    snprintf(c->shape, sizeof c->shape, "tokens=%u heads=%u/%u head_dim=%u start=%u window=%u",
             s->rows, s->k, s->m, s->n, s->splits, s->window);
    c->work = (struct qn__work){.rows = (uint64_t)s->rows * s->k, .n = s->n};
    double *want = qn__case_add_out(c, QN__F32, n), *scale = qn__case_alloc(c, n, sizeof *scale);
    const struct qn__attention a = add_attention(c, s, s->rows, s->splits, has_sinks);
    qn__case_add_u32(c, s->rows);
    add_sizes(c, &a);
    qn__case_add_f32(c, a.scale);
    qn__case_add_f32(c, a.softcap);
    if (c->failed)
        return;
    qn__ref_attention(want, scale, &a);
    qn__case_set_tolerance(c, attention_bound(s), scale);
}

static void case_attention_prompt(struct qn__op_case *c, const struct qn__op_shape *s)
{
    make_prompt(c, s, false);
}

static void case_attention_prompt_sinks(struct qn__op_case *c, const struct qn__op_shape *s)
{
    make_prompt(c, s, true);
}

/* The same; two outputs, the second as f16. */
static const struct qn__op_shape shapes_attention_tensor[] = {
    {.rows = 1, .n = 8, .k = 1, .m = 1},
    {.rows = 2, .n = 8, .k = 8, .m = 4, .splits = 1},
    {.rows = 9, .n = 64, .k = 4, .m = 4},
    {.rows = 17, .n = 80, .k = 6, .m = 2, .splits = 13},
    {.rows = 33, .n = 128, .k = 4, .m = 2, .splits = 5, .window = 7},
    {.rows = 20, .n = 256, .k = 2, .m = 1, .softcap = 2},
    {.rows = 70, .n = 32, .k = 3, .m = 1, .splits = 70, .window = 65, .pattern = 1},
    {.rows = 130, .n = 96, .k = 2, .m = 1, .splits = 3, .pattern = 1},
    {.rows = 70, .n = 256, .k = 1, .m = 1, .splits = 40, .window = 90},
    {.rows = 512, .n = 128, .k = 32, .m = 8}};

static void case_attention_tensor(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->k * s->n;
    snprintf(c->shape, sizeof c->shape, "tokens=%u heads=%u/%u head_dim=%u start=%u window=%u%s",
             s->rows, s->k, s->m, s->n, s->splits, s->window, s->pattern ? " in_fours" : "");
    c->work = (struct qn__work){.rows = s->rows, .n = s->n, .heads = s->k};
    double *want = qn__case_add_out(c, QN__F32, n), *halves = qn__case_add_out(c, QN__F16, n);
    double *scale = qn__case_alloc(c, n, sizeof *scale),
           *of_halves = qn__case_alloc(c, n, sizeof *scale);
    const struct qn__attention a = add_attention(c, s, s->rows, s->splits, false);
    qn__case_add_u32(c, s->rows);
    add_sizes(c, &a);
    qn__case_add_f32(c, a.scale);
    qn__case_add_f32(c, a.softcap);
    qn__case_add_u32(c, s->pattern);
    if (c->failed)
        return;
    qn__ref_attention(want, scale, &a);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t at = s->pattern ? i / 16 * 16 + i % 4 / 2 * 8 + i % 16 / 4 * 2 + i % 2 : i;
        halves[at] = want[i];
        of_halves[at] = scale[i];
    }
    qn__case_set_tolerance(c, (struct qn__bound){.of_scale = 1.2e-3, .floor = 1e-37}, scale);
    qn__case_set_tolerance_of(
        c, 1, (struct qn__bound){.of_want = 5e-4, .of_scale = 1.2e-3, .floor = 3e-8}, of_halves);
}

/* -- moe_route: rows tokens, k of n experts; m = 1: normalised; pattern: the scale, or 1 -- */

static const struct qn__op_shape shapes_moe_route[] = {{.rows = 1, .n = 1, .k = 1},
                                                       {.rows = 3, .n = 8, .k = 2, .m = 1},
                                                       {.rows = 5, .n = 60, .k = 4, .pattern = 16},
                                                       {.rows = 2, .n = 128, .k = 8, .m = 1},
                                                       {.rows = 4, .n = 7, .k = 7, .m = 1},
                                                       {.rows = 512, .n = 128, .k = 8, .m = 1}};

/* Logits are multiples of 1/4, so that equal ones are common. */
static void case_moe_route(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n, n_chosen = (uint64_t)s->rows * s->k;
    const uint32_t scale = s->pattern ? s->pattern : 1;
    snprintf(c->shape, sizeof c->shape, "tokens=%u experts=%u k=%u normalise=%u scale=%u", s->rows,
             s->n, s->k, s->m, scale);
    c->work = (struct qn__work){.rows = s->rows, .n = s->n};
    double *ids = qn__case_add_out(c, QN__I32, n_chosen);
    double *weight = qn__case_add_out(c, QN__F32, n_chosen);
    float *logits = qn__case_alloc(c, n, sizeof *logits);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < n; i++)
        logits[i] = (float)((int)(qn__case_mix((uint32_t)i + 38) % 41) - 20) / 4.0f;
    qn__case_add_in(c, QN__F32, n, logits);
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, s->k);
    qn__case_add_u32(c, s->m);
    qn__case_add_f32(c, (float)scale);
    qn__ref_moe_route(ids, weight, logits, s->rows, s->n, s->k, s->m != 0, scale);
    qn__case_set_tolerance_of(c, 0, (struct qn__bound){0}, NULL);
    qn__case_set_tolerance_of(c, 1, (struct qn__bound){.of_want = 8e-6, .floor = 1e-37}, NULL);
}

QN__CASES(kv_store);
/* One list of shapes and one way to make a case for both kinds of cache. */
#define CASES_OF_CACHE(op, cache)                                                                  \
    const struct qn__op_cases qn__cases_##op##_##cache = {                                         \
        case_##op, shapes_##op, sizeof shapes_##op / sizeof *shapes_##op}
CASES_OF_CACHE(attention_decode, f16);
CASES_OF_CACHE(attention_decode, q8_0);
#define shapes_attention_decode_sinks shapes_attention_decode
#define shapes_attention_prompt_sinks shapes_attention_prompt
CASES_OF_CACHE(attention_decode_sinks, f16);
CASES_OF_CACHE(attention_decode_sinks, q8_0);
CASES_OF_CACHE(attention_prompt_sinks, f16);
CASES_OF_CACHE(attention_prompt_sinks, q8_0);
CASES_OF_CACHE(attention_tensor, f16);
CASES_OF_CACHE(attention_tensor, q8_0);
CASES_OF_CACHE(attention_prompt, f16);
CASES_OF_CACHE(attention_prompt, q8_0);
QN__CASES(attention_combine);
QN__CASES(moe_route);
