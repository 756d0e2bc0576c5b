/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases of a token's phases, and of what makes a vector ready for one. */
#include "kernels/op_case_phase.h"

#include "kernels/op_case_weights.h"
#include "kernels/phase.h"
#include "kernels/ref/ref.h"

#include <math.h>
#include <stdio.h>

/* m: the sum of these; pairs: SILU, GELU */
enum { BIAS = 1, ADD = 2, NORM = 4, SILU = 8, GELU = 16, NEXT = 32, NEXT_NORM = 64 };

static const struct qn__op_shape shapes_phase[] = {
    {.rows = 16, .n = 256},
    {.rows = 48, .n = 512, .m = BIAS | NORM},
    {.rows = 256, .n = 1280, .m = ADD | NEXT | NEXT_NORM},
    {.rows = 1536, .n = 768, .m = NORM | SILU | NEXT},
    {.rows = 96, .n = 512, .m = NORM | GELU | BIAS},
    {.rows = 768, .n = 256, .m = BIAS | ADD | NEXT},
    {.rows = 48, .n = 4096, .m = NORM, .pattern = 1},
    {.rows = 4096, .n = 4096, .m = ADD | NEXT | NEXT_NORM},
    {.rows = 28672, .n = 4096, .m = NORM | SILU | NEXT},
    {.rows = 4096, .n = 14336, .m = ADD | NEXT | NEXT_NORM}};

void qn__case_ready_numbers(struct qn__op_case *c, double *want, uint32_t index, const double *y,
                            const double *off, const float *norm, uint64_t n)
{
    const uint64_t groups = n / QN__READY;
    double *tolerance = qn__case_alloc(c, 3 * groups, sizeof *tolerance);
    if (c->failed)
        return;
    for (uint64_t g = 0; g < groups; g++) {
        double largest = 0, sum = 0, sums_off = 1e-30, squares = 0, squares_off = 1e-30;
        for (uint64_t i = g * QN__READY; i < (g + 1) * QN__READY; i++) {
            const double by = norm ? (double)norm[i] : 1;
            largest = fmax(largest, fabs(y[i] * by));
            sum += y[i] * by;
            sums_off += off[i] * fabs(by) + 2e-6 * fabs(y[i] * by);
            squares += y[i] * y[i];
            squares_off += 2 * off[i] * fabs(y[i]) + off[i] * off[i] + 2e-6 * y[i] * y[i];
        }
        const int exponent = largest > 0 ? ilogb(largest) : -100;
        want[g] = ldexp(1, (exponent < -100 ? -100 : exponent) - 14);
        want[groups + g] = sum;
        want[2 * groups + g] = squares;
        tolerance[g] = want[g] * 1.01;
        tolerance[groups + g] = sums_off;
        tolerance[2 * groups + g] = squares_off;
    }
    c->arrays[index].tolerance = tolerance;
}

/* x (n) made ready, two arrays; `used` is what it is multiplied as. */
static void add_ready(struct qn__op_case *c, const struct qn__op_shape *s, float *used)
{
    /* pattern 1: some elements far below the others */
    const struct qn__skew skew = {31, s->pattern ? -30 : -4, 2, s->n};
    uint16_t *codes = qn__case_alloc(c, 2ull * s->n, sizeof *codes);
    float *numbers = qn__case_alloc(c, s->n / QN__READY * 3ull, sizeof *numbers);
    float *norm = qn__case_alloc(c, s->n, sizeof *norm);
    double squares = 0;
    if (c->failed)
        return;
    for (uint64_t i = 0; i < s->n; i++) {
        used[i] = qn__case_skewed(&skew, i);
        norm[i] = qn__case_skewed(&(struct qn__skew){32, -2, 1, s->n}, i);
        squares += (double)used[i] * (double)used[i];
    }
    qn__ready_pack(codes, numbers, used, s->m & NORM ? norm : NULL, s->n);
    const double factor = 1 / sqrt(squares / (double)s->n + 1e-5);
    for (uint64_t i = 0; s->m & NORM && i < s->n; i++)
        used[i] = (float)((double)used[i] * factor * (double)norm[i]);
    qn__case_add_array(c, QN__F16, 2ull * s->n, codes);
    qn__case_add_array(c, QN__F32, s->n / QN__READY * 3ull, numbers);
}

static void describe(struct qn__op_case *c, const struct qn__op_shape *s)
{
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u%s%s%s%s%s%s%s", s->rows, s->n,
             s->m & NORM ? " norm" : "", s->m & BIAS ? " bias" : "", s->m & ADD ? " add" : "",
             s->m & SILU ? " silu" : "", s->m & GELU ? " gelu" : "", s->m & NEXT ? " next" : "",
             s->m & NEXT_NORM ? " normed" : "");
    c->work = (struct qn__work){.rows = s->rows,
                                .n = s->n,
                                .tiles = {.format = c->format,
                                          .rows = s->rows,
                                          .n = s->n,
                                          .tokens = 1,
                                          .pairs = (s->m & (SILU | GELU)) != 0}};
}

static void case_phase(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const bool pairs = s->m & (SILU | GELU);
    const uint64_t n_y = pairs ? s->rows / 2 : s->rows;
    describe(c, s);
    double *want = qn__case_add_out(c, QN__F32, n_y), *numbers = NULL;
    double *tolerance = qn__case_alloc(c, n_y, sizeof *tolerance);
    double *y = qn__case_alloc(c, s->rows, sizeof *y);
    double *scale = qn__case_alloc(c, s->rows, sizeof *scale);
    float *used = qn__case_alloc(c, s->n, sizeof *used), *norm = NULL;
    if (s->m & NEXT) {
        qn__case_add_array(c, QN__F16, 2 * n_y, NULL); /* compared by its numbers */
        numbers = qn__case_add_out(c, QN__F32, n_y / QN__READY * 3);
    } else {
        qn__case_add_null(c);
        qn__case_add_null(c);
    }
    const struct qn__case_weights w = qn__case_add_tiles(c, s->rows, s->n);
    if (c->failed)
        return;
    struct qn__matmul m = {
        .w = w.values, .size = w.size, .x = used, .rows = s->rows, .n = s->n, .tokens = 1};
    add_ready(c, s, used);
    if (s->m & NEXT_NORM)
        norm = qn__case_add_skewed(c, QN__F32, n_y, (struct qn__skew){34, -2, 1, n_y});
    else
        qn__case_add_null(c);
    qn__case_add_bias_and_before(c, &m, s->m & BIAS, s->m & ADD, 33);
    if (c->failed)
        return;
    const uint32_t sizes[] = {s->rows, s->n, (s->m & NORM) != 0};
    for (int i = 0; i < 3; i++)
        qn__case_add_u32(c, sizes[i]);
    c->depth_arg = c->n_args;
    qn__case_add_u32(c, 0);
    qn__case_add_f32(c, 1e-5f);
    qn__case_add_u32(c, s->m & GELU ? 3 : s->m & SILU ? 2 : (s->m & ADD) != 0);
    qn__ref_matmul(y, scale, &m);
    const struct qn__case_products products = {&m, y, scale, pairs, (s->m & SILU) != 0};
    qn__case_expect_products(want, tolerance, &products);
    c->arrays[0].tolerance = tolerance;
    if (numbers)
        qn__case_ready_numbers(c, numbers, 2, want, tolerance, norm, n_y);
}
QN__CASES(phase);

/* k rows of q6_k behind those of q4_k */
static const struct qn__op_shape shapes_phases[] = {
    {.rows = 16, .k = 16, .n = 256},
    {.rows = 160, .k = 32, .n = 1280, .m = BIAS},
    {.rows = 32, .k = 64, .n = 768, .m = NORM},
    {.rows = 320, .k = 64, .n = 512, .m = BIAS | NORM},
    {.rows = 5120, .k = 1024, .n = 4096, .m = NORM}};

static void case_phases(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const struct qn__format *const formats[2] = {qn__format_get(QN__FORMAT_q4_k),
                                                 qn__format_get(QN__FORMAT_q6_k)};
    const uint32_t rows[2] = {s->rows, s->k}, all = s->rows + s->k;
    snprintf(c->shape, sizeof c->shape, "rows=%u+%u n=%u%s%s", s->rows, s->k, s->n,
             s->m & NORM ? " norm" : "", s->m & BIAS ? " bias" : "");
    c->work =
        (struct qn__work){.rows = all,
                          .n = s->n,
                          .tiles = {.format = formats[0], .rows = s->rows, .n = s->n, .tokens = 1},
                          .second = {.format = formats[1], .rows = s->k, .n = s->n, .tokens = 1}};
    double *want = qn__case_add_out(c, QN__F32, all);
    double *tolerance = qn__case_alloc(c, all, sizeof *tolerance);
    double *scale = qn__case_alloc(c, all, sizeof *scale);
    double *y = qn__case_alloc(c, all, sizeof *y);
    float *used = qn__case_alloc(c, s->n, sizeof *used);
    struct qn__case_weights w[2];
    for (int i = 0; i < 2; i++) {
        c->format = formats[i];
        w[i] = qn__case_add_tiles(c, rows[i], s->n);
    }
    c->format = NULL;
    if (c->failed)
        return;
    add_ready(c, s, used);
    struct qn__matmul m = {.x = used, .rows = all, .n = s->n, .tokens = 1};
    qn__case_add_bias_and_before(c, &m, s->m & BIAS, false, 33);
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->k);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, (s->m & NORM) != 0);
    c->depth_arg = c->n_args;
    qn__case_add_u32(c, 0);
    qn__case_add_f32(c, 1e-5f);
    if (c->failed)
        return;
    const float *bias = m.bias;
    for (int i = 0; i < 2; i++) {
        const uint32_t at = i ? s->rows : 0;
        m.w = w[i].values;
        m.size = w[i].size;
        m.rows = rows[i];
        m.bias = bias ? bias + at : NULL;
        qn__ref_matmul(y + at, scale + at, &m);
        const struct qn__case_products products = {&m, y + at, scale + at, false, false};
        qn__case_expect_products(want + at, tolerance + at, &products);
    }
    c->arrays[0].tolerance = tolerance;
}
QN__CASES(phases);

static const struct qn__op_shape shapes_prepare[] = {
    {.rows = 1, .n = 256}, {.rows = 1, .n = 1280, .m = NORM}, {.rows = 1, .n = 14336, .m = NORM}};

/* Parts: the high one exactly; the low one is what is left, to half a unit of f16. */
static void case_prepare(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = s->n;
    snprintf(c->shape, sizeof c->shape, "n=%u%s", s->n, s->m & NORM ? " norm" : "");
    c->work = (struct qn__work){.rows = n / 256, .n = 256};
    double *want = qn__case_add_out(c, QN__F16, 2 * n);
    double *numbers = qn__case_add_out(c, QN__F32, n / QN__READY * 3);
    const float *x = qn__case_add_skewed(c, QN__F32, n, (struct qn__skew){31, -9, 2, n}),
                *norm = NULL;
    if (s->m & NORM)
        norm = qn__case_add_skewed(c, QN__F32, n, (struct qn__skew){32, -2, 1, n});
    else
        qn__case_add_null(c);
    qn__case_add_u32(c, s->n);
    uint16_t *codes = qn__case_alloc(c, 2 * n, sizeof *codes);
    float *packed = qn__case_alloc(c, n / QN__READY * 3, sizeof *packed);
    double *y = qn__case_alloc(c, n, sizeof *y), *off = qn__case_alloc(c, n, sizeof *off);
    double *exactly = qn__case_alloc(c, 2 * n, sizeof *exactly);
    if (c->failed)
        return;
    qn__ready_pack(codes, packed, x, norm, s->n);
    for (uint64_t i = 0; i < n; i++) {
        y[i] = (double)x[i];
        off[i] = 0;
    }
    for (uint64_t i = 0; i < 2 * n; i++) {
        want[i] = (double)qn__float_of_half(codes[i]);
        exactly[i] = 0;
    }
    c->arrays[0].tolerance = exactly;
    qn__case_ready_numbers(c, numbers, 1, y, off, norm, n);
    for (uint64_t i = 0; i < n / QN__READY; i++)
        ((double *)(uintptr_t)c->arrays[1].tolerance)[i] = 0; /* scales */
}
QN__CASES(prepare);
