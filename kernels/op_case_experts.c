/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases of what experts with biases and latent attention have besides (op_case_build.h). */
#include "kernels/op_case_build.h"
#include "kernels/ref/ref.h"

#include <stdio.h>

enum { EXPERTS = 5 };

/* -- clamped_swiglu: rows of n elements; k: bit 0 biases, bit 1 of expert 3 -- */

static const struct qn__op_shape shapes_clamped_swiglu[] = {{.rows = 1, .n = 1, .k = 3},
                                                            {.rows = 3, .n = 31},
                                                            {.rows = 1, .n = 512, .k = 3},
                                                            {.rows = 40, .n = 24, .k = 1},
                                                            {.rows = 64, .n = 2880, .k = 1}};

static void case_clamped_swiglu(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n, n_bias = (uint64_t)EXPERTS * s->n;
    const bool has_bias = s->k & 1, has_pick = s->k & 2;
    struct qn__clamped_swiglu swiglu = {.alpha = 1.702f, .limit = 3};
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u%s%s", s->rows, s->n,
             has_bias ? " biases" : "", has_pick ? " pick" : "");
    c->work = (struct qn__work){.rows = 1, .n = n};
    double *want = qn__case_add_out(c, QN__F32, n), *scale = qn__case_alloc(c, n, sizeof *scale);
    swiglu.gate = qn__case_add_skewed(c, QN__F32, n, (struct qn__skew){41, -3, 3, s->n});
    swiglu.up = qn__case_add_skewed(c, QN__F32, n, (struct qn__skew){42, -3, 3, s->n});
    for (uint32_t i = 0; i < 2; i++) {
        const float **bias = i ? &swiglu.up_bias : &swiglu.gate_bias;
        if (has_bias)
            *bias = qn__case_add_skewed(c, QN__F32, n_bias, (struct qn__skew){43 + i, -3, 1, s->n});
        else
            qn__case_add_null(c);
    }
    int32_t *pick = qn__case_alloc(c, 1, sizeof *pick);
    if (c->failed)
        return;
    *pick = 3;
    if (has_pick)
        qn__case_add_array(c, QN__I32, 1, pick);
    else
        qn__case_add_null(c);
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__case_add_f32(c, swiglu.alpha);
    qn__case_add_f32(c, swiglu.limit);
    if (c->failed)
        return;
    if (has_pick) {
        swiglu.gate_bias += 3ull * s->n;
        swiglu.up_bias += 3ull * s->n;
    }
    qn__ref_clamped_swiglu(want, scale, &swiglu, s->rows, s->n);
    qn__case_set_tolerance(c, (struct qn__bound){.of_scale = 4e-6, .floor = 1e-37}, scale);
}

/* -- expert_bias: rows of n elements, k experts each -- */

static const struct qn__op_shape shapes_expert_bias[] = {{.rows = 1, .n = 1, .k = 1},
                                                         {.rows = 3, .n = 31, .k = 2},
                                                         {.rows = 2, .n = 512, .k = 4},
                                                         {.rows = 64, .n = 2880, .k = 4}};

static void case_expert_bias(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n, n_ids = (uint64_t)s->rows * s->k;
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u k=%u", s->rows, s->n, s->k);
    c->work = (struct qn__work){.rows = 1, .n = n};
    double *want = qn__case_add_out(c, QN__F32, n), *scale = qn__case_alloc(c, n, sizeof *scale);
    const float *x = qn__case_add_skewed(c, QN__F32, n, (struct qn__skew){45, -6, 3, s->n});
    const float *bias = qn__case_add_skewed(c, QN__F32, (uint64_t)EXPERTS * s->n,
                                            (struct qn__skew){46, -4, 4, s->n});
    int32_t *ids = qn__case_alloc(c, n_ids, sizeof *ids);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < n_ids; i++)
        ids[i] = (int32_t)(qn__case_mix((uint32_t)i + 47) % EXPERTS);
    qn__case_add_array(c, QN__I32, n_ids, ids);
    const float *weight =
        qn__case_add_skewed(c, QN__F32, n_ids, (struct qn__skew){48, -3, 0, 1u << 31});
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->k);
    qn__case_add_u32(c, s->n);
    if (c->failed)
        return;
    qn__ref_expert_bias(want, scale, x, bias, ids, weight, s->rows, s->k, s->n);
    qn__case_set_tolerance(c, (struct qn__bound){.of_scale = 1e-6, .floor = 1e-37}, scale);
}

/* -- head_part: rows tokens, m heads; k of n elements; offset: where they begin; pattern 1: one
 * part for all heads -- */

static const struct qn__op_shape shapes_head_part[] = {
    {.rows = 1, .n = 1, .k = 1, .m = 1},
    {.rows = 3, .n = 31, .k = 28, .m = 5, .offset = 2},
    {.rows = 2, .n = 64, .k = 64, .m = 16, .pattern = 1},
    {.rows = 64, .n = 192, .k = 128, .m = 16}};

static void case_head_part(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const struct qn__head_part p = {.tokens = s->rows,
                                    .heads = s->m,
                                    .n = s->n,
                                    .copied = s->k,
                                    .out_dim = s->n + 2 * s->offset,
                                    .out_at = s->offset,
                                    .x_row = s->m * (s->k + 3) + 1,
                                    .x_head = s->pattern ? 0 : s->k + 3,
                                    .x_at = 1};
    const uint64_t n_out = (uint64_t)s->rows * s->m * p.out_dim;
    snprintf(c->shape, sizeof c->shape, "tokens=%u heads=%u %u of %u%s", s->rows, s->m, s->k, s->n,
             s->pattern ? " shared" : "");
    c->work = (struct qn__work){.rows = 1, .n = (uint64_t)s->rows * s->m * s->n};
    double *want = qn__case_add_out(c, QN__F32, n_out);
    const float *x =
        qn__case_add_skewed(c, QN__F32, s->rows * p.x_row, (struct qn__skew){49, -6, 3, p.x_row});
    const size_t numbers[] = {p.tokens, p.heads, p.n,      p.copied, p.out_dim,
                              p.out_at, p.x_row, p.x_head, p.x_at};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        qn__case_add_u32(c, (uint32_t)numbers[i]);
    if (c->failed)
        return;
    qn__ref_head_part(want, x, &p);
    qn__case_set_tolerance(c, (struct qn__bound){0}, NULL);
}

QN__CASES(head_part);
QN__CASES(clamped_swiglu);
QN__CASES(expert_bias);
