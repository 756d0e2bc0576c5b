/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases of the ops that read weights, for every format of formats.def.
 *
 * Blocks are random bytes under scales of moderate size, so that every code and every packed scale
 * appears; plain formats get skewed numbers like other ops. The tolerance of a product is a
 * fraction of |x| times the largest weight of the block: a format with a minimum subtracts two
 * numbers of that size to make a smaller one. */
#include "kernels/op_case_weights.h"

#include "kernels/ref/ref.h"

#include <math.h>
#include <stdio.h>

/* Where a block's 16-bit scales lie, and their exponent: weights come out near 1. */
static const struct {
    int16_t at[2]; /* -1: none */
    int8_t exponent;
} scales[QN__N_FORMATS] = {
    [QN__FORMAT_q4_0] = {{0, -1}, -4},    [QN__FORMAT_q4_1] = {{0, 2}, -4},
    [QN__FORMAT_q5_0] = {{0, -1}, -5},    [QN__FORMAT_q5_1] = {{0, 2}, -5},
    [QN__FORMAT_q8_0] = {{0, -1}, -8},    [QN__FORMAT_iq4_nl] = {{0, -1}, -8},
    [QN__FORMAT_q2_k] = {{80, 82}, -6},   [QN__FORMAT_q3_k] = {{108, -1}, -8},
    [QN__FORMAT_q4_k] = {{0, 2}, -10},    [QN__FORMAT_q5_k] = {{0, 2}, -11},
    [QN__FORMAT_q6_k] = {{208, -1}, -12}, [QN__FORMAT_iq4_xs] = {{0, -1}, -12},
    [QN__FORMAT_tq1_0] = {{52, -1}, -1},  [QN__FORMAT_tq2_0] = {{64, -1}, -1},
    [QN__FORMAT_iq2_xxs] = {{0, -1}, -8}, [QN__FORMAT_iq2_xs] = {{0, -1}, -8},
    [QN__FORMAT_iq2_s] = {{0, -1}, -8},   [QN__FORMAT_iq3_xxs] = {{0, -1}, -9},
    [QN__FORMAT_iq3_s] = {{0, -1}, -9},   [QN__FORMAT_iq1_s] = {{0, -1}, -4},
    [QN__FORMAT_iq1_m] = {{-1, -1}, 0},   [QN__FORMAT_mxfp4] = {{-1, -1}, 0},
    [QN__FORMAT_nvfp4] = {{-1, -1}, 0},
};

/* Scales that are no 16-bit numbers. */
static void fill_small_scales(const struct qn__format *f, uint8_t *block, uint32_t h)
{
    if (f->id == QN__FORMAT_mxfp4)
        block[0] = (uint8_t)(122 + h % 4);
    for (uint32_t s = 0; f->id == QN__FORMAT_nvfp4 && s < 4; s++)
        block[s] = (uint8_t)((h >> 8 * s & 31) + 0x18);
    const uint32_t bits = 0x2c00u | (h >> 8 & 0x3ffu); /* of an f16 in four parts, near 2^-4 */
    for (uint32_t k = 0; f->id == QN__FORMAT_iq1_m && k < 4; k++)
        block[49 + 2 * k] = (uint8_t)((block[49 + 2 * k] & 15u) | (bits >> 4 * k & 15u) << 4);
}

static void fill_blocks(const struct qn__format *f, uint8_t *blocks, uint64_t n_blocks)
{
    for (uint64_t b = 0; b < n_blocks; b++) {
        uint8_t *block = blocks + b * f->block_bytes;
        for (uint32_t i = 0; i < f->block_bytes; i++)
            block[i] = (uint8_t)(qn__case_mix((uint32_t)(b * f->block_bytes + i) + 19) >> 9);
        fill_small_scales(f, block, qn__case_mix((uint32_t)b + 21));
        for (int k = 0; k < 2 && scales[f->id].at[k] >= 0; k++) {
            const uint32_t h = qn__case_mix((uint32_t)b * 2u + (uint32_t)k + 20);
            const float d = ldexpf(1.0f + (float)(h & 1023u) / 1024.0f,
                                   scales[f->id].exponent - (int)(h >> 10 & 3u));
            const uint16_t bits = qn__half_of_float(h >> 31 ? -d : d);
            block[scales[f->id].at[k]] = (uint8_t)(bits & 255u);
            block[scales[f->id].at[k] + 1] = (uint8_t)(bits >> 8);
        }
    }
}

/* n weights in rows of `row` in the case's format. */
static const uint8_t *make_blocks(struct qn__op_case *c, uint64_t n, uint64_t row)
{
    const struct qn__format *f = c->format;
    uint8_t *blocks = qn__case_alloc(c, qn__format_bytes(f, n), 1);
    float *values = f->block_elems > 1 ? NULL : qn__case_alloc(c, n, sizeof *values);
    if (c->failed)
        return NULL;
    if (f->block_elems > 1)
        fill_blocks(f, blocks, n / f->block_elems);
    for (uint64_t i = 0; values && i < n; i++)
        values[i] = qn__case_skewed(&(struct qn__skew){10, -6, 1, row}, i);
    if (values)
        f->pack(blocks, values, n);
    return blocks;
}

const uint8_t *qn__case_blocks(struct qn__op_case *c, uint64_t n)
{
    return make_blocks(c, n, n);
}

static struct qn__case_weights meaning(struct qn__op_case *c, const uint8_t *blocks, uint64_t n)
{
    const struct qn__format *f = c->format;
    float *values = qn__case_alloc(c, n, sizeof *values),
          *size = qn__case_alloc(c, n, sizeof *size);
    if (c->failed)
        return (struct qn__case_weights){0};
    f->unpack(values, blocks, n);
    for (uint64_t i = 0; i < n; i += f->block_elems) {
        float largest = 0;
        for (uint64_t k = i; k < i + f->block_elems; k++)
            largest = fmaxf(largest, fabsf(values[k]));
        for (uint64_t k = i; k < i + f->block_elems; k++)
            size[k] = largest;
    }
    return (struct qn__case_weights){values, size};
}

static void add_blocks(struct qn__op_case *c, const uint8_t *blocks, uint64_t n)
{
    static const enum qn__dtype plain[QN__N_FORMATS] = {
        [QN__FORMAT_f32] = QN__F32, [QN__FORMAT_f16] = QN__F16, [QN__FORMAT_bf16] = QN__F16};
    if (c->format->block_elems > 1)
        qn__case_add_array(c, QN__BYTES, qn__format_bytes(c->format, n), blocks);
    else
        qn__case_add_array(c, plain[c->format->id], n, blocks);
}

/* Add n weights in rows of `row`. */
static struct qn__case_weights add_weights(struct qn__op_case *c, uint64_t n, uint64_t row)
{
    const uint8_t *blocks = make_blocks(c, n, row);
    const struct qn__case_weights w = meaning(c, blocks, n);
    if (!c->failed)
        add_blocks(c, blocks, n);
    return w;
}

struct qn__case_weights qn__case_add_tiles(struct qn__op_case *c, uint32_t rows, uint32_t n)
{
    const uint64_t all = (uint64_t)rows * n;
    const uint8_t *blocks = make_blocks(c, all, n);
    const struct qn__case_weights w = meaning(c, blocks, all);
    uint8_t *tiled = qn__case_alloc(c, qn__format_bytes(c->format, all), 1);
    if (c->failed)
        return w;
    qn__tiles_pack(tiled, blocks, c->format, rows, n);
    add_blocks(c, tiled, all);
    return w;
}

/* -- products -- */

/* m: the sum of these */
enum { BIAS = 1, ADD = 2 };

#define PRODUCT_SHAPES                                                                             \
    {.rows = 1, .n = 1}, {.rows = 3, .n = 2}, {.rows = 5, .n = 31}, {.rows = 1, .n = 32},          \
        {.rows = 3, .n = 129, .offset = 1}, {.rows = 5, .n = 96, .m = BIAS},                       \
        {.rows = 1, .n = 256}, {.rows = 7, .n = 512, .m = BIAS | ADD}, {.rows = 3, .n = 1027},     \
        {.rows = 2, .n = 4096, .offset = 3}, {.rows = 300, .n = 256, .m = ADD},                    \
        {.rows = 6, .n = 4096}

/* k experts; 0: no pick */
static const struct qn__op_shape shapes_matvec[] = {PRODUCT_SHAPES,
                                                    {.rows = 5, .n = 768, .k = 3, .m = BIAS},
                                                    {.rows = 4096, .n = 4096},
                                                    {.rows = 14336, .n = 4096}};

void qn__case_add_bias_and_before(struct qn__op_case *c, struct qn__matmul *m, bool has_bias,
                                  bool adds, uint32_t seed)
{
    if (has_bias)
        m->bias = qn__case_add_skewed(c, QN__F32, m->rows, (struct qn__skew){seed, -6, 3, m->rows});
    else
        qn__case_add_null(c);
    if (adds) {
        const uint64_t n = c->arrays[0].n;
        float *before = qn__case_alloc(c, n, sizeof *before);
        for (uint64_t i = 0; before && i < n; i++)
            before[i] = qn__case_skewed(&(struct qn__skew){seed + 1, -6, 3, n}, i);
        c->arrays[0].values = m->before = before;
    }
}

double qn__case_activated(double gate, bool is_silu)
{
    if (is_silu)
        return gate / (1 + exp(-gate));
    return 0.5 * gate * (1 + tanh(0.7978845608028654 * (gate + 0.044715 * gate * gate * gate)));
}

/* What a product may be off by: `scale` is S for it. */
static double bound(const struct qn__matmul *m, double scale, uint64_t token, uint64_t row)
{
    double largest = 0, size = 0;
    for (uint64_t i = 0; i < m->n; i++) {
        largest = fmax(largest, fabs((double)m->x[token * m->n + i]));
        size += (double)m->size[row * m->n + i];
    }
    return 4e-6 * scale + 1e-12 * largest * size + 1e-37;
}

void qn__case_expect_products(double *want, double *tolerance, const struct qn__case_products *p)
{
    const struct qn__matmul *const m = p->m;
    const uint64_t half = m->rows / 2;
    for (uint64_t t = 0; t < m->tokens; t++)
        for (uint64_t r = 0; r < (p->pairs ? half : m->rows); r++) {
            const uint64_t i = t * m->rows + r, up = i + half, out = t * half + r;
            const double off = bound(m, p->scale[i], t, r);
            if (!p->pairs) {
                want[i] = p->y[i];
                tolerance[i] = off;
                continue;
            }
            /* both activations rise by less than 1.13 per unit */
            const double a = qn__case_activated(p->y[i], p->is_silu);
            const double off_gate = 1.13 * off + 2e-6 * fabs(a) + 1e-7;
            const double off_up = bound(m, p->scale[up], t, half + r);
            want[out] = a * p->y[up];
            tolerance[out] = off_gate * fabs(p->y[up]) + off_up * fabs(a) + off_gate * off_up;
        }
}

static void case_matvec(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n, experts = s->k ? s->k : 1;
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u%s%s%s offset=%u", s->rows, s->n,
             s->m & BIAS ? " bias" : "", s->m & ADD ? " add" : "", s->k ? " pick" : "", s->offset);
    c->work = (struct qn__work){.rows = s->rows, .n = s->n};
    double *want = qn__case_add_out(c, QN__F32, s->rows);
    double *scale = qn__case_alloc(c, s->rows, sizeof *scale);
    const struct qn__case_weights w = add_weights(c, n * experts, s->n);
    const float *x = qn__case_add_skewed(c, QN__F32, s->n, (struct qn__skew){11, -4, 2, s->n});
    if (c->failed)
        return;
    struct qn__matmul m = {.w = w.values + n * (experts - 1),
                           .size = w.size + n * (experts - 1),
                           .x = x,
                           .rows = s->rows,
                           .n = s->n,
                           .tokens = 1};
    qn__case_add_bias_and_before(c, &m, s->m & BIAS, s->m & ADD, 12);
    int32_t *pick = qn__case_alloc(c, 1, sizeof *pick);
    if (c->failed)
        return;
    *pick = (int32_t)s->k - 1;
    if (s->k)
        qn__case_add_array(c, QN__I32, 1, pick);
    else
        qn__case_add_null(c);
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, (s->m & ADD) != 0);
    qn__ref_matmul(want, scale, &m);
    qn__case_set_tolerance(c, (struct qn__bound){.of_scale = 4e-6, .floor = 1e-37}, scale);
}
QN__CASES(matvec);

/* k tokens */
static const struct qn__op_shape shapes_matmul[] = {
    {.rows = 1, .n = 1, .k = 1},
    {.rows = 3, .n = 2, .k = 3},
    {.rows = 5, .n = 31, .k = 9},
    {.rows = 2, .n = 32, .k = 2, .m = BIAS | ADD},
    {.rows = 3, .n = 129, .k = 5, .m = BIAS, .offset = 1},
    {.rows = 67, .n = 96, .k = 66, .m = ADD},
    {.rows = 70, .n = 256, .k = 17, .m = BIAS},
    {.rows = 9, .n = 768, .k = 20},
    {.rows = 1024, .n = 4096, .k = 128}};

static void case_matmul(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n_out = (uint64_t)s->rows * s->k, n_in = (uint64_t)s->n * s->k;
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u tokens=%u%s%s offset=%u", s->rows, s->n, s->k,
             s->m & BIAS ? " bias" : "", s->m & ADD ? " add" : "", s->offset);
    c->work = (struct qn__work){.rows = s->rows, .n = s->k};
    double *want = qn__case_add_out(c, QN__F32, n_out);
    double *scale = qn__case_alloc(c, n_out, sizeof *scale);
    const struct qn__case_weights w = add_weights(c, (uint64_t)s->rows * s->n, s->n);
    const float *x = qn__case_add_skewed(c, QN__F32, n_in, (struct qn__skew){11, -4, 2, s->n});
    struct qn__matmul m = {
        .w = w.values, .size = w.size, .x = x, .rows = s->rows, .n = s->n, .tokens = s->k};
    qn__case_add_bias_and_before(c, &m, s->m & BIAS, s->m & ADD, 12);
    if (c->failed)
        return;
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, s->k);
    qn__case_add_u32(c, (s->m & ADD) != 0);
    qn__ref_matmul(want, scale, &m);
    qn__case_set_tolerance(c, (struct qn__bound){.of_scale = 4e-6, .floor = 1e-37}, scale);
}
QN__CASES(matmul);

/* -- the others -- */

/* rows tokens, a table of k rows; some ids lie outside it. m: scaled by that much */
static const struct qn__op_shape shapes_embed[] = {
    {.rows = 1, .n = 1, .k = 1},      {.rows = 3, .n = 31, .k = 5},
    {.rows = 9, .n = 64, .k = 40},    {.rows = 7, .n = 129, .k = 11, .offset = 1},
    {.rows = 9, .n = 256, .k = 40},   {.rows = 2, .n = 4096, .k = 100, .m = 64},
    {.rows = 64, .n = 4096, .k = 512}};

static void case_embed(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n, n_table = (uint64_t)s->k * s->n;
    const float scale = s->m ? sqrtf((float)s->m + 0.5f) : 1.0f;
    snprintf(c->shape, sizeof c->shape, "tokens=%u n=%u table_rows=%u offset=%u", s->rows, s->n,
             s->k, s->offset);
    c->work = (struct qn__work){.rows = s->rows, .n = s->n};
    double *want = qn__case_add_out(c, QN__F32, n), *size = qn__case_alloc(c, n, sizeof *size);
    const struct qn__case_weights w = add_weights(c, n_table, s->n);
    int32_t *ids = qn__case_alloc(c, s->rows, sizeof *ids);
    if (c->failed)
        return;
    for (uint32_t t = 0; t < s->rows; t++) {
        ids[t] = t % 7 == 5 ? (t & 1 ? -1 : (int32_t)s->k) : (int32_t)(qn__case_mix(t + 18) % s->k);
        for (uint64_t i = 0; i < s->n; i++)
            size[(uint64_t)t * s->n + i] =
                t % 7 == 5 ? 0.0 : (double)(scale * w.size[(uint64_t)ids[t] * s->n + i]);
    }
    qn__case_add_array(c, QN__I32, s->rows, ids);
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, s->k);
    qn__case_add_f32(c, scale);
    c->bytes = 4 * n + qn__format_bytes(c->format, n) + 4 * (uint64_t)s->rows;
    qn__ref_embed(want, w.values, ids, scale, s->rows, s->n, s->k);
    qn__case_set_tolerance(
        c, (struct qn__bound){.of_scale = c->format->block_elems > 1 ? 4e-7 : 1.2e-7}, size);
}
QN__CASES(embed);

static const struct qn__op_shape shapes_unpack[] = {
    {.n = 1},          {.n = 31},  {.n = 32},   {.n = 129, .offset = 1},
    {.n = 256},        {.n = 768}, {.n = 8192}, {.n = 8192, .offset = 3},
    {.n = 4096 * 4096}};

static void case_unpack(struct qn__op_case *c, const struct qn__op_shape *s)
{
    snprintf(c->shape, sizeof c->shape, "n=%u offset=%u", s->n, s->offset);
    c->work = (struct qn__work){.rows = 1, .n = s->n};
    double *want = qn__case_add_out(c, QN__F16, s->n);
    double *size = qn__case_alloc(c, s->n, sizeof *size);
    const struct qn__case_weights w = add_weights(c, s->n, s->n);
    qn__case_add_u64(c, s->n);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < s->n; i++) {
        want[i] = (double)w.values[i];
        size[i] = (double)w.size[i];
    }
    qn__case_set_tolerance(
        c, (struct qn__bound){.of_want = 4.9e-4, .of_scale = 4e-7, .floor = 3e-8}, size);
}
QN__CASES(unpack);
