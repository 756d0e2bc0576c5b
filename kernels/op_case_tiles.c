/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases of the fused phases, and of the way into tiles and back. */
#include "kernels/op_case_weights.h"
#include "kernels/ref/ref.h"

#include <math.h>
#include <stdio.h>

/* m: the sum of these; pairs: SILU, GELU */
enum { BIAS = 1, ADD = 2, NORM = 4, SILU = 8, GELU = 16 };

/* k tokens */
static const struct qn__op_shape shapes_fused[] = {
    {.rows = 16, .n = 256, .k = 1},
    {.rows = 48, .n = 512, .k = 1, .m = BIAS | NORM},
    {.rows = 16, .n = 1280, .k = 2, .m = ADD},
    {.rows = 64, .n = 768, .k = 1, .m = NORM | SILU},
    {.rows = 96, .n = 512, .k = 3, .m = NORM | GELU | BIAS},
    {.rows = 400, .n = 256, .k = 5, .m = BIAS | ADD},
    {.rows = 48, .n = 4096, .k = 1, .m = NORM, .pattern = 1},
    {.rows = 4096, .n = 4096, .k = 1, .m = NORM},
    {.rows = 28672, .n = 4096, .k = 1, .m = NORM | SILU},
    {.rows = 4096, .n = 14336, .k = 1, .m = ADD}};

/* rmsnorm of each row of x, in place */
static void norm_rows(float *x, const float *norm, uint64_t tokens, uint64_t n, float eps)
{
    for (uint64_t t = 0; t < tokens; t++, x += n) {
        double squares = 0;
        for (uint64_t i = 0; i < n; i++)
            squares += (double)x[i] * (double)x[i];
        const double factor = 1 / sqrt(squares / (double)n + (double)eps);
        for (uint64_t i = 0; i < n; i++)
            x[i] = (float)((double)x[i] * factor * (double)norm[i]);
    }
}

static void case_fused(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const bool pairs = s->m & (SILU | GELU);
    const uint64_t n_x = (uint64_t)s->k * s->n, n_y = (uint64_t)s->k * s->rows;
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u tokens=%u%s%s%s%s%s", s->rows, s->n, s->k,
             s->m & NORM ? " norm" : "", s->m & BIAS ? " bias" : "", s->m & ADD ? " add" : "",
             s->m & SILU ? " silu" : "", s->m & GELU ? " gelu" : "");
    c->work = (struct qn__work){.rows = s->rows,
                                .n = s->n,
                                .tiles = {.format = c->format,
                                          .rows = s->rows,
                                          .n = s->n,
                                          .tokens = s->k < 3 ? s->k : 3,
                                          .pairs = pairs}};
    double *want = qn__case_add_out(c, QN__F32, pairs ? n_y / 2 : n_y);
    double *tolerance = qn__case_alloc(c, n_y, sizeof *tolerance);
    double *y = qn__case_alloc(c, n_y, sizeof *y), *scale = qn__case_alloc(c, n_y, sizeof *scale);
    const struct qn__case_weights w = qn__case_add_tiles(c, s->rows, s->n);
    /* pattern 1: some elements far below the others */
    const struct qn__skew skew = {31, s->pattern ? -30 : -4, 2, s->n};
    const float *x = qn__case_add_skewed(c, QN__F32, n_x, skew);
    float *used = qn__case_alloc(c, n_x, sizeof *used);
    struct qn__matmul m = {
        .w = w.values, .size = w.size, .x = used, .rows = s->rows, .n = s->n, .tokens = s->k};
    if (c->failed)
        return;
    for (uint64_t i = 0; i < n_x; i++)
        used[i] = x[i];
    if (s->m & NORM)
        norm_rows(used, qn__case_add_skewed(c, QN__F32, s->n, (struct qn__skew){32, -2, 1, s->n}),
                  s->k, s->n, 1e-5f);
    else
        qn__case_add_null(c);
    qn__case_add_bias_and_before(c, &m, s->m & BIAS, s->m & ADD, 33);
    if (c->failed)
        return;
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, s->k);
    qn__case_add_u32(c, c->work.tiles.tokens);
    qn__case_add_f32(c, 1e-5f);
    qn__case_add_u32(c, s->m & GELU ? 3 : s->m & SILU ? 2 : (s->m & ADD) != 0);
    qn__ref_matmul(y, scale, &m);
    const struct qn__case_products products = {&m, y, scale, pairs, (s->m & SILU) != 0};
    qn__case_expect_products(want, tolerance, &products);
    c->arrays[0].tolerance = tolerance;
}
QN__CASES(fused);

static const struct qn__op_shape shapes_tile[] = {
    {.rows = 16, .n = 256}, {.rows = 48, .n = 1280}, {.rows = 4096, .n = 4096}};
#define shapes_untile shapes_tile

/* Bytes from one order to the other. */
static void make_tile(struct qn__op_case *c, const struct qn__op_shape *s, bool back)
{
    const uint64_t n = (uint64_t)s->rows * s->n, bytes = qn__format_bytes(c->format, n);
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u", s->rows, s->n);
    c->work = (struct qn__work){.rows = n / (QN__TILE_ROWS * QN__TILE_WIDTH), .n = QN__TILE_WIDTH};
    double *want = qn__case_add_out(c, QN__BYTES, bytes);
    double *tolerance = qn__case_alloc(c, bytes, sizeof *tolerance);
    const uint8_t *stored = qn__case_blocks(c, n), *tiled = qn__case_alloc(c, bytes, 1);
    if (c->failed)
        return;
    qn__tiles_pack((uint8_t *)(uintptr_t)tiled, stored, c->format, s->rows, s->n);
    qn__case_add_array(c, QN__BYTES, bytes, back ? tiled : stored);
    for (uint64_t i = 0; i < bytes; i++)
        want[i] = back ? stored[i] : tiled[i];
    c->arrays[0].tolerance = tolerance; /* 0: exactly */
    for (uint64_t i = 0; i < bytes; i++)
        tolerance[i] = 0;
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
}

static void case_tile(struct qn__op_case *c, const struct qn__op_shape *s)
{
    make_tile(c, s, false);
}
QN__CASES(tile);

static void case_untile(struct qn__op_case *c, const struct qn__op_shape *s)
{
    make_tile(c, s, true);
}
QN__CASES(untile);

#define shapes_unpack_tiles shapes_tile

static void case_unpack_tiles(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n;
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u", s->rows, s->n);
    c->work = (struct qn__work){.rows = n / (QN__TILE_ROWS * QN__TILE_WIDTH), .n = QN__TILE_WIDTH};
    double *want = qn__case_add_out(c, QN__F16, n), *size = qn__case_alloc(c, n, sizeof *size);
    const struct qn__case_weights w = qn__case_add_tiles(c, s->rows, s->n);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < n; i++) {
        want[i] = (double)w.values[i];
        size[i] = (double)w.size[i];
    }
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__case_set_tolerance(
        c, (struct qn__bound){.of_want = 4.9e-4, .of_scale = 4e-7, .floor = 3e-8}, size);
}
QN__CASES(unpack_tiles);
