/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases of products of many tokens, of their inputs, and of attention on tensor cores. */
#include "kernels/op_case_weights.h"
#include "kernels/product.h"
#include "kernels/ref/ref.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where element i of a row of inputs stands (quern_tensor.cuh). */
static uint64_t place(uint64_t i, bool in_fours)
{
    return in_fours ? i / 16 * 16 + i % 4 / 2 * 8 + i % 16 / 4 * 2 + i % 2 : i;
}

/* -- inputs: rows rows of n -- */

/* m: the sum of these */
enum { NORM = 1, SCALED = 2, IN_FOURS = 4 };

static const struct qn__op_shape shapes_inputs[] = {
    {.rows = 1, .n = 32},
    {.rows = 3, .n = 96, .m = NORM | IN_FOURS},
    {.rows = 2, .n = 1056, .m = SCALED},
    {.rows = 5, .n = 2048, .m = NORM | SCALED | IN_FOURS},
    {.rows = 2, .n = 4096, .m = NORM, .pattern = 1},
    {.rows = 2, .n = 512, .m = SCALED | IN_FOURS, .pattern = 1},
    {.rows = 512, .n = 4096, .m = NORM | SCALED | IN_FOURS},
    {.rows = 512, .n = 14336, .m = SCALED | IN_FOURS}};

static void case_inputs(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t all = (uint64_t)s->rows * s->n;
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u%s%s%s%s", s->rows, s->n,
             s->m & NORM ? " norm" : "", s->m & SCALED ? " scaled" : "",
             s->m & IN_FOURS ? " in_fours" : "", s->pattern ? " large" : "");
    c->work = (struct qn__work){.rows = s->rows, .n = s->n};
    double *want = qn__case_add_out(c, QN__F16, all), *un = qn__case_add_out(c, QN__F32, s->rows);
    /* pattern 1: beyond what f16 holds, where a norm or a scale brings it back */
    const struct qn__skew skew = {41, s->pattern ? 9 : -8, s->pattern ? 20 : 4, s->n};
    const float *x = qn__case_add_skewed(c, QN__F32, all, skew), *weight = NULL;
    if (s->m & NORM)
        weight = qn__case_add_skewed(c, QN__F32, s->n, (struct qn__skew){42, -2, 1, s->n});
    else
        qn__case_add_null(c);
    if (c->failed)
        return;
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__case_add_f32(c, 1e-5f);
    qn__case_add_u32(c, (s->m & SCALED) != 0);
    qn__case_add_u32(c, (s->m & IN_FOURS) != 0);
    for (uint64_t r = 0; r < s->rows; r++, x += s->n, want += s->n) {
        double squares = 0, largest = 0;
        for (uint64_t i = 0; i < s->n; i++) {
            squares += (double)x[i] * (double)x[i];
            largest = fmax(largest, fabs((double)x[i] * (weight ? (double)weight[i] : 1)));
        }
        const double factor = weight ? 1 / sqrt(squares / s->n + (double)1e-5f) : 1;
        const int exponent = s->m & SCALED ? 14 - (int)floor(log2(largest * factor)) : 0;
        un[r] = ldexp(1, -exponent);
        for (uint64_t i = 0; i < s->n; i++)
            want[place(i, s->m & IN_FOURS)] =
                ldexp((double)x[i] * (weight ? (double)weight[i] : 1) * factor, exponent);
    }
    c->bytes = 6 * all + 4 * (uint64_t)s->rows;
    qn__case_set_tolerance_of(c, 0, (struct qn__bound){.of_want = 4.92e-4, .floor = 3e-8}, NULL);
    qn__case_set_tolerance_of(c, 1, (struct qn__bound){0}, NULL);
}
QN__CASES(inputs);

/* -- product: k tokens; splits: rows of the first matrix, window: of the second -- */

/* m: the sum of these */
enum { BIAS = 1, ADD = 2, SILU = 8, GELU = 16 };

static const struct qn__op_shape shapes_product[] = {
    {.rows = 16, .n = 256, .k = 1},
    {.rows = 48, .n = 512, .k = 9, .m = BIAS},
    {.rows = 144, .n = 256, .k = 5, .m = ADD},
    {.rows = 64, .n = 256, .k = 20, .m = SILU},
    {.rows = 96, .n = 512, .k = 3, .m = GELU | BIAS},
    {.rows = 160, .n = 256, .k = 8, .splits = 96, .window = 32, .m = BIAS},
    {.rows = 16, .n = 256, .k = 128},
    {.rows = 16, .n = 768, .k = 40},
    {.rows = 320, .n = 512, .k = 200, .m = ADD},
    {.rows = 544, .n = 512, .k = 150, .m = SILU},
    {.rows = 4352, .n = 256, .k = 400, .m = BIAS},
    {.rows = 4096, .n = 4096, .k = 64}};

/* What a product may be off by: `scale` is S for it, `sum` that of |x|. */
static double bound(const struct qn__format *f, double scale, double sum)
{
    return f->id == QN__FORMAT_f16 ? 4e-6 * scale + 1e-37 : 1.5e-3 * scale + 1e-6 * sum + 1e-37;
}

/* x as the device gets it: f16 in its order, with a power of two for each token. */
static const float *add_inputs(struct qn__op_case *c, const struct qn__op_shape *s, double *sums)
{
    const uint64_t all = (uint64_t)s->k * s->n;
    float *x = qn__case_alloc(c, all, sizeof *x), *un = qn__case_alloc(c, s->k, sizeof *un);
    uint16_t *half = qn__case_alloc(c, all, sizeof *half);
    if (c->failed)
        return NULL;
    for (uint64_t i = 0; i < all; i++) {
        const float v = qn__case_skewed(&(struct qn__skew){43, -4, 2, s->n}, i);
        const uint64_t t = i / s->n, k = i % s->n;
        half[t * s->n + place(k, qn__product_in_fours(c->format))] = qn__half_of_float(v);
        un[t] = ldexpf(1.0f, (int)(t % 5) - 2);
        x[i] = qn__float_of_half(qn__half_of_float(v)) * un[t];
        sums[t] += fabs((double)x[i]);
    }
    qn__case_add_array(c, QN__F16, all, half);
    qn__case_add_array(c, QN__F32, s->k, un);
    return x;
}

static void activate_pairs(const struct qn__op_case *c, double *want, double *tolerance,
                           const struct qn__matmul *m, const double *y, const double *scale,
                           const double *sums, bool is_silu)
{
    const uint64_t half = m->rows / 2;
    for (uint64_t t = 0; t < m->tokens; t++)
        for (uint64_t r = 0; r < half; r++) {
            const uint64_t gate = t * m->rows + r, up = gate + half;
            const double a = qn__case_activated(y[gate], is_silu);
            const double off_gate =
                1.13 * bound(c->format, scale[gate], sums[t]) + 2e-6 * fabs(a) + 1e-7;
            const double off_up = bound(c->format, scale[up], sums[t]);
            want[t * half + r] = a * y[up];
            tolerance[t * half + r] = off_gate * fabs(y[up]) + off_up * fabs(a) + off_gate * off_up;
        }
}

static void case_product(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const bool pairs = s->m & (SILU | GELU);
    const uint32_t rows0 = s->splits ? s->splits : s->rows, rows1 = s->window;
    const uint32_t of[3] = {pairs ? s->rows / 2 : rows0, rows1, s->rows - rows0 - rows1};
    const uint64_t n_y = (uint64_t)s->k * s->rows;
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u tokens=%u%s%s%s%s%s", s->rows, s->n, s->k,
             s->m & BIAS ? " bias" : "", s->m & ADD ? " add" : "", s->m & SILU ? " silu" : "",
             s->m & GELU ? " gelu" : "", s->splits ? " joined" : "");
    c->work = (struct qn__work){
        .rows = s->rows,
        .n = s->n,
        .tiles = {.format = c->format, .rows = s->rows, .n = s->n, .tokens = s->k, .pairs = pairs}};
    double *want[3] = {NULL, NULL, NULL}, *tolerance[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) {
        if (!of[i]) {
            qn__case_add_null(c);
            continue;
        }
        want[i] = qn__case_add_out(c, QN__F32, (uint64_t)s->k * of[i]);
        tolerance[i] = qn__case_alloc(c, (uint64_t)s->k * of[i], sizeof **tolerance);
    }
    double *y = qn__case_alloc(c, n_y, sizeof *y), *scale = qn__case_alloc(c, n_y, sizeof *scale);
    double *sums = qn__case_alloc(c, s->k, sizeof *sums);
    const struct qn__case_weights w = qn__case_add_tiles(c, s->rows, s->n);
    if (c->failed)
        return;
    memset(sums, 0, s->k * sizeof *sums);
    struct qn__matmul m = {
        .w = w.values, .size = w.size, .rows = s->rows, .n = s->n, .tokens = s->k};
    m.x = add_inputs(c, s, sums);
    qn__case_add_bias_and_before(c, &m, s->m & BIAS, s->m & ADD, 44);
    if (c->failed)
        return;
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, s->k);
    qn__case_add_u32(c, s->m & GELU ? 3 : s->m & SILU ? 2 : (s->m & ADD) != 0);
    qn__case_add_u32(c, rows0);
    qn__case_add_u32(c, rows1);
    c->stages_arg = c->n_args;
    qn__case_add_u32(c, 0);
    qn__ref_matmul(y, scale, &m);
    if (pairs)
        activate_pairs(c, want[0], tolerance[0], &m, y, scale, sums, s->m & SILU);
    for (uint64_t i = 0; !pairs && i < n_y; i++) {
        const uint64_t t = i / s->rows, r = i % s->rows;
        const int part = r < rows0 ? 0 : r < rows0 + rows1 ? 1 : 2;
        const uint64_t at = t * of[part] + r - (part > 0 ? rows0 : 0) - (part > 1 ? rows1 : 0);
        want[part][at] = y[i];
        tolerance[part][at] = bound(c->format, scale[i], sums[t]);
    }
    for (uint32_t i = 0, k = 0; i < 3; i++)
        if (of[i])
            c->arrays[k++].tolerance = tolerance[i];
}
QN__CASES(product);
