/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases of the products of small integers (quern_dots.cuh), and of quantise. */
#include "kernels/dot_tiles.h"
#include "kernels/op_case_weights.h"
#include "kernels/ref/ref.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BIAS = 1, ADD = 2, ELEMS = QN__DOT_ELEMS, HALF = ELEMS / 2 };

/* k tokens */
static const struct qn__op_shape shapes[] = {
    {.rows = 16, .n = 256, .k = 1},           {.rows = 48, .n = 256, .k = 9, .m = BIAS},
    {.rows = 16, .n = 768, .k = 3, .m = ADD}, {.rows = 80, .n = 512, .k = 15, .m = BIAS | ADD},
    {.rows = 320, .n = 256, .k = 13},         {.rows = 4096, .n = 4096, .k = 1},
    {.rows = 2048, .n = 2048, .k = 128}};

/* Activations as quantise.cu makes them; `x` gets what they mean. */
static void add_activations(struct qn__op_case *c, float *x, uint64_t n)
{
    int8_t *codes = qn__case_alloc(c, n, 1);
    float *scales = qn__case_alloc(c, n / ELEMS, sizeof *scales);
    int32_t *sums = qn__case_alloc(c, n / HALF, sizeof *sums);
    if (c->failed)
        return;
    memset(sums, 0, n / HALF * sizeof *sums);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t h = qn__case_mix((uint32_t)i + 31);
        if (i % ELEMS == 0)
            scales[i / ELEMS] = ldexpf(1.0f + (float)(h & 255u) / 256.0f, -8 - (int)(h >> 8 & 3u));
        codes[i] = (int8_t)((int)(h >> 10) % 255 - 127);
        sums[i / HALF] += codes[i];
        x[i] = scales[i / ELEMS] * (float)codes[i];
    }
    qn__case_add_array(c, QN__BYTES, n, codes);
    qn__case_add_array(c, QN__F32, n / ELEMS, scales);
    qn__case_add_array(c, QN__I32, n / HALF, sums);
}

static void case_of(struct qn__op_case *c, const struct qn__op_shape *s, enum qn__format_id id)
{
    const struct qn__format *f = qn__format_get(id);
    const struct qn__tiling *t = qn__tiling(f);
    const uint64_t n_w = (uint64_t)s->rows * s->n, n_x = (uint64_t)s->k * s->n;
    const uint64_t tile = qn__dot_tile_bytes(t, s->n), n_tiles = s->rows / QN__DOT_ROWS;
    const uint64_t step = (uint64_t)QN__DOT_ROWS * s->n;
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u tokens=%u%s%s", s->rows, s->n, s->k,
             s->m & BIAS ? " bias" : "", s->m & ADD ? " add" : "");
    c->work = (struct qn__work){.rows = s->rows, .n = (uint64_t)s->n * s->k};
    double *want = qn__case_add_out(c, QN__F32, (uint64_t)s->rows * s->k);
    double *scale = qn__case_alloc(c, (uint64_t)s->rows * s->k, sizeof *scale);
    float *values = qn__case_alloc(c, n_w, sizeof *values),
          *size = qn__case_alloc(c, n_w, sizeof *size), *x = qn__case_alloc(c, n_x, sizeof *x);
    uint8_t *rows = qn__case_alloc(c, qn__format_bytes(f, n_w), 1),
            *tiles = qn__case_alloc(c, tile * n_tiles, 1);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < n_w; i++)
        values[i] = qn__case_skewed(&(struct qn__skew){30, -6, 1, s->n}, i);
    f->pack(rows, values, n_w);
    for (uint64_t i = 0; i < n_tiles; i++) {
        qn__dot_tile_pack(tiles + i * tile, f, rows + i * qn__format_bytes(f, step), s->n);
        qn__dot_tile_unpack(values + i * step, size + i * step, f, tiles + i * tile, s->n);
    }
    qn__case_add_array(c, QN__BYTES, tile * n_tiles, tiles);
    add_activations(c, x, n_x);
    struct qn__matmul m = {
        .w = values, .size = size, .x = x, .rows = s->rows, .n = s->n, .tokens = s->k};
    qn__case_add_bias_and_before(c, &m, s->m & BIAS, s->m & ADD, 12);
    if (c->failed)
        return;
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, s->k);
    qn__case_add_u32(c, t->zero);
    qn__case_add_u32(c, (s->m & ADD) != 0);
    qn__ref_matmul(want, scale, &m);
    qn__case_set_tolerance(c, (struct qn__bound){.of_scale = 4e-6, .floor = 1e-37}, scale);
}

#define CASES(op, format)                                                                          \
    static void case_##op(struct qn__op_case *c, const struct qn__op_shape *s)                     \
    {                                                                                              \
        case_of(c, s, QN__FORMAT_##format);                                                        \
    }                                                                                              \
    const struct qn__op_cases qn__cases_##op = {case_##op, shapes, sizeof shapes / sizeof *shapes}
CASES(dots_u4, q4_0);
CASES(dots_u4_min, q4_k);
CASES(dots_u5, q5_0);
CASES(dots_u5_min, q5_k);
CASES(dots_u6, q6_k);
CASES(dots_u8, q8_0);

/* -- quantise -- */

static const struct qn__op_shape shapes_quantise[] = {
    {.n = 32}, {.n = 96}, {.n = 4096, .m = 1}, {.n = 2048 * 512}};

static void case_quantise(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = s->n;
    snprintf(c->shape, sizeof c->shape, "n=%u", s->n);
    c->work = (struct qn__work){.rows = 1, .n = n};
    double *codes = qn__case_add_out(c, QN__BYTES, n),
           *scales = qn__case_add_out(c, QN__F32, n / ELEMS),
           *sums = qn__case_add_out(c, QN__I32, n / HALF);
    double *near = qn__case_alloc(c, n, sizeof *near),
           *nears = qn__case_alloc(c, n / HALF, sizeof *nears);
    const float *x = qn__case_add_skewed(c, QN__F32, n, (struct qn__skew){32, -6, 3, 256});
    qn__case_add_u64(c, n);
    if (c->failed)
        return;
    for (uint64_t g = 0; g < n / ELEMS; g++) {
        double largest = 0;
        for (uint64_t i = g * ELEMS; i < (g + 1) * ELEMS; i++)
            largest = fmax(largest, fabs((double)x[i]));
        scales[g] = largest / 127;
        for (uint64_t h = 2 * g; h < 2 * g + 2; h++) {
            int sum = 0;
            nears[h] = 0;
            for (uint64_t i = h * HALF; i < (h + 1) * HALF; i++) {
                const double at = (double)x[i] / scales[g], code = rint(at);
                near[i] = fabs(fabs(at - code) - 0.5) < 1e-4; /* of two codes */
                nears[h] += near[i];
                codes[i] = (uint8_t)(int)code;
                sum += (int)code;
            }
            sums[h] = (uint32_t)sum;
        }
    }
    qn__case_set_tolerance(c, (struct qn__bound){.of_scale = 1}, near);
    qn__case_set_tolerance_of(c, 1, (struct qn__bound){.of_want = 1.2e-7}, NULL);
    qn__case_set_tolerance_of(c, 2, (struct qn__bound){.of_scale = 1}, nears);
}
QN__CASES(quantise);
