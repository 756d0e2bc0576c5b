/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases of what choosing a token needs: the penalty, and the three steps of top_k. */
#include "kernels/op_case_build.h"
#include "kernels/ref/ref.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- repeat_penalty: n logits, k recent tokens -- */

static const struct qn__op_shape shapes_repeat_penalty[] = {{.n = 1, .k = 1},
                                                            {.n = 7, .k = 3},
                                                            {.n = 100, .k = 64, .offset = 1},
                                                            {.n = 512, .k = 1000},
                                                            {.n = 128256, .k = 64}};

/* Every token twice in a row, and now and then one that is no token. */
static void case_repeat_penalty(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const float shrink = 1.0f / 1.3f, grow = 1.3f;
    snprintf(c->shape, sizeof c->shape, "n=%u recent=%u offset=%u", s->n, s->k, s->offset);
    c->work = (struct qn__work){.rows = 1, .n = s->k};
    double *want = qn__case_add_out(c, QN__F32, s->n);
    const float *x = qn__case_add_skewed(c, QN__F32, s->n, (struct qn__skew){40, -6, 4, s->n});
    int32_t *ids = qn__case_alloc(c, s->k, sizeof *ids);
    if (c->failed)
        return;
    for (uint32_t i = 0; i < s->k; i++) {
        const uint32_t h = qn__case_mix(i / 2 + 41);
        ids[i] = i % 17 == 5 ? (i % 2 ? -1 : (int32_t)s->n) : (int32_t)(h % s->n);
    }
    qn__case_add_array(c, QN__I32, s->k, ids);
    qn__case_add_u32(c, s->k);
    qn__case_add_u32(c, s->n);
    qn__case_add_f32(c, shrink);
    qn__case_add_f32(c, grow);
    qn__ref_repeat_penalty(want, x, ids, s->k, s->n, shrink, grow);
    qn__case_set_tolerance(c, (struct qn__bound){0}, NULL);
}

/* -- top_k: k of n logits in groups of m -- */

enum pattern {
    DISTINCT,
    TIES,
    ALL_EQUAL,
    FEW_NUMBERS, /* most are NaN or -inf */
    RISING,      /* the k largest in the last groups */
    ZEROS,       /* of both signs, all else below */
};

#define TOP_K_SHAPES                                                                               \
    {.n = 1, .k = 1, .m = 16}, {.n = 40, .k = 40, .m = 16}, {.n = 17, .k = 3, .m = 32},            \
        {.n = 500, .k = 1, .m = 16}, {.n = 1027, .k = 40, .m = 16, .offset = 1},                   \
        {.n = 1000, .k = 40, .m = 48, .pattern = TIES},                                            \
        {.n = 600, .k = 100, .m = 32, .pattern = ALL_EQUAL},                                       \
        {.n = 600, .k = 100, .m = 16, .pattern = FEW_NUMBERS},                                     \
        {.n = 2000, .k = 256, .m = 64, .pattern = RISING},                                         \
        {.n = 900, .k = 64, .m = 16, .pattern = ZEROS}, {.n = 8000, .k = 50, .m = 16},             \
        {.n = 2000, .k = 256, .m = 16}, {.n = 128256, .k = 40, .m = 256},                          \
        {.n = 262144, .k = 256, .m = 512},                                                         \
    {                                                                                              \
        .n = 128256, .k = 40, .m = 256, .pattern = ALL_EQUAL                                       \
    }

static const struct qn__op_shape shapes_top_k_groups[] = {TOP_K_SHAPES};
static const struct qn__op_shape shapes_top_k_heads[] = {TOP_K_SHAPES};
static const struct qn__op_shape shapes_top_k[] = {TOP_K_SHAPES};

static float logit(enum pattern pattern, uint32_t i)
{
    const uint32_t h = qn__case_mix(i + 42);
    const float x = qn__case_skewed(&(struct qn__skew){43, -6, 4, 1u << 31}, i);
    switch (pattern) {
    case TIES: return (float)(h % 7);
    case ALL_EQUAL: return 3.0f;
    case FEW_NUMBERS: return h % 40 == 0 ? x : h % 3 ? -INFINITY : h & 64 ? -NAN : NAN;
    case RISING: return (float)i;
    case ZEROS: return h % 10 == 0 ? (h & 64 ? -0.0f : 0.0f) : -fabsf(x);
    default: return x;
    }
}

/* The logits and what each step makes of them. */
struct steps {
    float *x;
    uint32_t n_groups, n_heads;
    int32_t *best, *heads;
    double *best_wanted, *heads_wanted; /* the same */
};

static void make_steps(struct steps *t, struct qn__op_case *c, const struct qn__op_shape *s)
{
    snprintf(c->shape, sizeof c->shape, "n=%u k=%u group=%u pattern=%u offset=%u", s->n, s->k, s->m,
             s->pattern, s->offset);
    t->n_groups = (s->n + s->m - 1) / s->m;
    t->n_heads = s->k < t->n_groups ? s->k : t->n_groups;
    t->x = qn__case_alloc(c, s->n, sizeof *t->x);
    t->best = qn__case_alloc(c, t->n_groups, sizeof *t->best);
    t->heads = qn__case_alloc(c, t->n_heads, sizeof *t->heads);
    t->best_wanted = qn__case_alloc(c, t->n_groups, sizeof *t->best_wanted);
    t->heads_wanted = qn__case_alloc(c, t->n_heads, sizeof *t->heads_wanted);
    float *tops = qn__case_alloc(c, t->n_groups, sizeof *tops);
    double *unused = qn__case_alloc(c, t->n_heads, sizeof *unused);
    if (c->failed)
        return;
    for (uint32_t i = 0; i < s->n; i++)
        t->x[i] = logit(s->pattern, i);
    qn__ref_top_k_groups(t->best_wanted, t->x, s->n, s->m);
    for (uint32_t g = 0; g < t->n_groups; g++) {
        t->best[g] = (int32_t)t->best_wanted[g];
        tops[g] = t->x[t->best[g]];
    }
    qn__ref_top_k(t->heads_wanted, unused, tops, t->n_groups, t->n_heads);
    for (uint32_t i = 0; i < t->n_heads; i++) {
        t->heads[i] = t->best[(uint32_t)t->heads_wanted[i]];
        t->heads_wanted[i] = (double)t->heads[i];
    }
}

static void copy_wanted(double *to, const double *from, uint32_t n)
{
    for (uint32_t i = 0; to && from && i < n; i++)
        to[i] = from[i];
}

static void case_top_k_groups(struct qn__op_case *c, const struct qn__op_shape *s)
{
    struct steps t;
    make_steps(&t, c, s);
    c->work = (struct qn__work){.rows = t.n_groups, .n = s->m};
    double *want = qn__case_add_out(c, QN__I32, t.n_groups);
    qn__case_add_array(c, QN__F32, s->n, t.x);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, s->m);
    if (c->failed)
        return;
    copy_wanted(want, t.best_wanted, t.n_groups);
    qn__case_set_tolerance(c, (struct qn__bound){0}, NULL);
}

static void case_top_k_heads(struct qn__op_case *c, const struct qn__op_shape *s)
{
    struct steps t;
    make_steps(&t, c, s);
    c->work = (struct qn__work){.rows = t.n_groups, .n = t.n_groups};
    double *want = qn__case_add_out(c, QN__I32, t.n_heads);
    qn__case_add_array(c, QN__F32, s->n, t.x);
    qn__case_add_array(c, QN__I32, t.n_groups, t.best);
    qn__case_add_u32(c, t.n_groups);
    qn__case_add_u32(c, s->k);
    if (c->failed)
        return;
    copy_wanted(want, t.heads_wanted, t.n_heads);
    qn__case_set_tolerance(c, (struct qn__bound){0}, NULL);
}

static void case_top_k(struct qn__op_case *c, const struct qn__op_shape *s)
{
    struct steps t;
    make_steps(&t, c, s);
    c->work = (struct qn__work){.rows = t.n_heads, .n = (uint64_t)t.n_heads * s->m};
    double *ids = qn__case_add_out(c, QN__I32, s->k), *value = qn__case_add_out(c, QN__F32, s->k);
    qn__case_add_array(c, QN__F32, s->n, t.x);
    qn__case_add_array(c, QN__I32, t.n_heads, t.heads);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, s->m);
    qn__case_add_u32(c, s->k);
    if (c->failed)
        return;
    qn__ref_top_k(ids, value, t.x, s->n, s->k);
    qn__case_set_tolerance_of(c, 0, (struct qn__bound){0}, NULL);
    qn__case_set_tolerance_of(c, 1, (struct qn__bound){0}, NULL);
}

QN__CASES(repeat_penalty);
QN__CASES(top_k_groups);
QN__CASES(top_k_heads);
QN__CASES(top_k);
