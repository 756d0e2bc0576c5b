/* SPDX-License-Identifier: Apache-2.0
 *
 * The case of each op (op_case.h): its shapes, its arrays and arguments in the kernel's own order,
 * its reference, and its contract's tolerance; those of ops that read weights are in
 * op_case_weights.c. To add an op, add shapes_<op>, case_<op> and its QN__CASES line. */
#include "kernels/op_case_build.h"
#include "kernels/phase.h"
#include "kernels/product.h"
#include "kernels/ref/ref.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- element by element -- */

#define ELEMENT_SHAPES                                                                             \
    {.n = 1}, {.n = 2, .offset = 1}, {.n = 7}, {.n = 255}, {.n = 1027}, {.n = 1027, .offset = 1},  \
        {.n = 4096}, {.n = 8192, .offset = 3}, {.n = 65537}

static const struct qn__op_shape shapes_vector_add[] = {ELEMENT_SHAPES, {.n = 1 << 24}};
static const struct qn__op_shape shapes_silu[] = {ELEMENT_SHAPES, {.n = 1 << 24}};
static const struct qn__op_shape shapes_silu_mul[] = {ELEMENT_SHAPES, {.n = 1 << 24}};
static const struct qn__op_shape shapes_gelu[] = {ELEMENT_SHAPES, {.n = 1 << 24}};
static const struct qn__op_shape shapes_gelu_mul[] = {ELEMENT_SHAPES, {.n = 1 << 24}};
static const struct qn__op_shape shapes_softcap[] = {ELEMENT_SHAPES};

static void name_elements(struct qn__op_case *c, const struct qn__op_shape *s)
{
    snprintf(c->shape, sizeof c->shape, "n=%u offset=%u", s->n, s->offset);
    c->work = (struct qn__work){.rows = 1, .n = s->n};
}

static void case_vector_add(struct qn__op_case *c, const struct qn__op_shape *s)
{
    name_elements(c, s);
    double *want = qn__case_add_out(c, c->dtype, s->n);
    const float *a = qn__case_add_skewed(c, c->dtype, s->n, (struct qn__skew){1, -8, 4, s->n});
    const float *b = qn__case_add_skewed(c, c->dtype, s->n, (struct qn__skew){2, -8, 4, s->n});
    qn__case_add_u64(c, s->n);
    if (c->failed)
        return;
    qn__ref_vector_add(want, a, b, s->n);
    qn__case_set_tolerance_stored(c, (struct qn__bound){.of_want = 1.2e-7}, NULL);
}

static void case_silu(struct qn__op_case *c, const struct qn__op_shape *s)
{
    name_elements(c, s);
    double *want = qn__case_add_out(c, c->dtype, s->n);
    const float *x = qn__case_add_skewed(c, c->dtype, s->n, (struct qn__skew){3, -8, 4, s->n});
    qn__case_add_u64(c, s->n);
    if (c->failed)
        return;
    qn__ref_silu(want, x, s->n);
    qn__case_set_tolerance_stored(c, (struct qn__bound){.of_want = 1e-6, .floor = 1e-37}, NULL);
}

static void case_silu_mul(struct qn__op_case *c, const struct qn__op_shape *s)
{
    name_elements(c, s);
    double *want = qn__case_add_out(c, c->dtype, s->n);
    const float *gate = qn__case_add_skewed(c, c->dtype, s->n, (struct qn__skew){4, -8, 4, s->n});
    const float *up = qn__case_add_skewed(c, c->dtype, s->n, (struct qn__skew){5, -8, 4, s->n});
    qn__case_add_u64(c, s->n);
    if (c->failed)
        return;
    qn__ref_silu_mul(want, gate, up, s->n);
    qn__case_set_tolerance_stored(c, (struct qn__bound){.of_want = 1e-6, .floor = 1e-37}, NULL);
}

static void case_gelu(struct qn__op_case *c, const struct qn__op_shape *s)
{
    name_elements(c, s);
    double *want = qn__case_add_out(c, c->dtype, s->n);
    const float *x = qn__case_add_skewed(c, c->dtype, s->n, (struct qn__skew){6, -8, 3, s->n});
    qn__case_add_u64(c, s->n);
    if (c->failed)
        return;
    qn__ref_gelu(want, x, s->n);
    qn__case_set_tolerance_stored(c, (struct qn__bound){.of_want = 2e-6, .floor = 1e-7}, NULL);
}

static void case_gelu_mul(struct qn__op_case *c, const struct qn__op_shape *s)
{
    name_elements(c, s);
    double *want = qn__case_add_out(c, c->dtype, s->n), *up_size;
    const float *gate = qn__case_add_skewed(c, c->dtype, s->n, (struct qn__skew){22, -8, 3, s->n});
    const float *up = qn__case_add_skewed(c, c->dtype, s->n, (struct qn__skew){23, -8, 3, s->n});
    qn__case_add_u64(c, s->n);
    up_size = qn__case_alloc(c, s->n, sizeof *up_size);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < s->n; i++)
        up_size[i] = (double)fabsf(up[i]);
    qn__ref_gelu_mul(want, gate, up, s->n);
    qn__case_set_tolerance_stored(c, (struct qn__bound){.of_want = 2e-6, .of_scale = 1e-7},
                                  up_size);
}

static void case_softcap(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const float cap = 5.0f;
    name_elements(c, s);
    double *want = qn__case_add_out(c, c->dtype, s->n);
    const float *x = qn__case_add_skewed(c, c->dtype, s->n, (struct qn__skew){24, -8, 2, s->n});
    qn__case_add_u64(c, s->n);
    qn__case_add_f32(c, cap);
    if (c->failed)
        return;
    qn__ref_softcap(want, x, s->n, cap);
    qn__case_set_tolerance(c, (struct qn__bound){.of_want = 2e-6}, NULL);
}

/* -- by rows -- */

#define ROW_SHAPES                                                                                 \
    {.rows = 1, .n = 1}, {.rows = 3, .n = 2}, {.rows = 5, .n = 31}, {.rows = 2, .n = 64},          \
        {.rows = 3, .n = 129, .offset = 1}, {.rows = 300, .n = 128}, {.rows = 4, .n = 1024},       \
        {.rows = 3, .n = 1027}, {.rows = 2, .n = 4096}, {.rows = 2, .n = 4096, .offset = 3}

static const struct qn__op_shape shapes_rmsnorm[] = {
    ROW_SHAPES, {.rows = 4096, .n = 128}, {.rows = 2048, .n = 4096}};
static const struct qn__op_shape shapes_softmax[] = {
    ROW_SHAPES, {.rows = 3, .n = 200, .k = 1}, {.rows = 4096, .n = 128}, {.rows = 2048, .n = 4096}};
static const struct qn__op_shape shapes_argmax[] = {
    ROW_SHAPES,
    {.rows = 3, .n = 1000, .k = 1}, /* patterns: see case_argmax */
    {.rows = 3, .n = 1000, .k = 2},
    {.rows = 3, .n = 1000, .k = 3},
    {.rows = 16, .n = 128256}};

static const struct qn__op_shape shapes_choose[] = {{.rows = 1, .n = 1},
                                                    {.rows = 1, .n = 777},
                                                    {.rows = 1, .n = 1000, .k = 1},
                                                    {.rows = 1, .n = 1000, .k = 3},
                                                    {.rows = 1, .n = 128256}};

static void name_rows(struct qn__op_case *c, const struct qn__op_shape *s)
{
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u offset=%u", s->rows, s->n, s->offset);
    c->work = (struct qn__work){.rows = s->rows, .n = s->n};
}

static void case_rmsnorm(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n;
    const float eps = 1e-5f;
    name_rows(c, s);
    double *want = qn__case_add_out(c, c->dtype, n);
    const float *x = qn__case_add_skewed(c, c->dtype, n, (struct qn__skew){7, -6, 3, s->n});
    const float *weight = qn__case_add_skewed(c, QN__F32, s->n, (struct qn__skew){8, -3, 1, s->n});
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__case_add_f32(c, eps);
    if (c->failed)
        return;
    qn__ref_rmsnorm(want, x, weight, s->rows, s->n, eps);
    qn__case_set_tolerance_stored(c, (struct qn__bound){.of_want = 4e-6}, NULL);
}

/* k = 1: every third element is masked by -inf. */
static void case_softmax(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n;
    name_rows(c, s);
    double *want = qn__case_add_out(c, c->dtype, n);
    float *x = qn__case_alloc(c, n, sizeof *x);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < n; i++)
        x[i] = s->k == 1 && i % 3 == 1 ? -INFINITY
                                       : qn__case_skewed(&(struct qn__skew){9, -6, 1, s->n}, i);
    qn__case_add_in(c, c->dtype, n, x);
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    if (c->failed)
        return;
    qn__ref_softmax(want, x, s->rows, s->n);
    qn__case_set_tolerance_stored(c, (struct qn__bound){.of_want = 8e-6, .floor = 1e-37}, NULL);
}

/* k = 1: many ties; 2: NaNs of both signs in the middle; 3: zeros of both signs, all else below. */
static const float *add_rows_to_choose_from(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n;
    float *x = qn__case_alloc(c, n, sizeof *x);
    if (c->failed)
        return NULL;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t h = qn__case_mix((uint32_t)i + 12);
        x[i] = qn__case_skewed(&(struct qn__skew){12, -6, 3, 1u << 31}, i);
        if (s->k == 1)
            x[i] = (float)(h % 4);
        else if (s->k == 2 && i % s->n > 300 && h % 50 == 0)
            x[i] = h & 64 ? -NAN : NAN;
        else if (s->k == 3)
            x[i] = h % 20 == 0 ? (h & 64 ? -0.0f : 0.0f) : -fabsf(x[i]);
    }
    qn__case_add_in(c, c->dtype, n, x);
    return x;
}

static void case_argmax(struct qn__op_case *c, const struct qn__op_shape *s)
{
    name_rows(c, s);
    double *want = qn__case_add_out(c, QN__I32, s->rows);
    const float *x = add_rows_to_choose_from(c, s);
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    if (c->failed)
        return;
    qn__ref_argmax(want, x, s->rows, s->n);
    qn__case_set_tolerance(c, (struct qn__bound){0}, NULL);
}

static void case_choose(struct qn__op_case *c, const struct qn__op_shape *s)
{
    name_rows(c, s);
    double *want = qn__case_add_out(c, QN__I32, 2);
    const float *x = add_rows_to_choose_from(c, s);
    qn__case_add_u32(c, s->n);
    if (c->failed)
        return;
    uint32_t bits;
    qn__ref_argmax(want, x, 1, s->n);
    memcpy(&bits, &x[(uint32_t)want[0]], sizeof bits);
    want[1] = bits;
    qn__case_set_tolerance(c, (struct qn__bound){0}, NULL);
}

/* -- the others -- */

/* rows tokens, k heads of n elements, the first m turned */
#define ROPE_SHAPES                                                                                \
    {.rows = 1, .n = 2, .k = 1, .m = 2}, {.rows = 3, .n = 64, .k = 4, .m = 64},                    \
        {.rows = 5, .n = 80, .k = 3, .m = 32},                                                     \
        {.rows = 2, .n = 128, .k = 7, .m = 128, .offset = 1}
static const struct qn__op_shape shapes_rope_neox[] = {ROPE_SHAPES,
                                                       {.rows = 2048, .n = 128, .k = 32, .m = 128}};
static const struct qn__op_shape shapes_rope_normal[] = {
    ROPE_SHAPES, {.rows = 2048, .n = 128, .k = 32, .m = 128}};

static void case_rope(struct qn__op_case *c, const struct qn__op_shape *s,
                      enum qn__rope_pairs pairs)
{
    const uint64_t n = (uint64_t)s->rows * s->k * s->n;
    const float factor = s->offset ? 1.0f : 1.25f;
    snprintf(c->shape, sizeof c->shape, "tokens=%u heads=%u head_dim=%u n_rot=%u offset=%u",
             s->rows, s->k, s->n, s->m, s->offset);
    c->work = (struct qn__work){.rows = (uint64_t)s->rows * s->k, .n = s->n};
    double *want = qn__case_add_out(c, c->dtype, n), *scale = qn__case_alloc(c, n, sizeof *scale);
    const float *x = qn__case_add_skewed(c, c->dtype, n, (struct qn__skew){13, -6, 3, s->n});
    int32_t *pos = qn__case_alloc(c, s->rows, sizeof *pos);
    float *inv_freq = qn__case_alloc(c, s->m / 2, sizeof *inv_freq);
    if (c->failed)
        return;
    for (uint32_t t = 0; t < s->rows; t++)
        pos[t] = (int32_t)(qn__case_mix(t + 14) % 8192);
    for (uint32_t k = 0; k < s->m / 2; k++)
        inv_freq[k] = (float)pow(10000.0, -2.0 * k / s->m);
    qn__case_add_array(c, QN__I32, s->rows, pos);
    qn__case_add_array(c, QN__F32, s->m / 2, inv_freq);
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->k);
    qn__case_add_u32(c, s->n);
    qn__case_add_u32(c, s->m);
    qn__case_add_f32(c, factor);
    qn__ref_rope(want, scale, x, pos, inv_freq,
                 &(struct qn__rope_shape){s->rows, s->k, s->n, s->m, pairs, factor});
    qn__case_set_tolerance_stored(c, (struct qn__bound){.of_scale = 1e-6}, scale);
}

static void case_rope_neox(struct qn__op_case *c, const struct qn__op_shape *s)
{
    case_rope(c, s, QN__ROPE_NEOX);
}

static void case_rope_normal(struct qn__op_case *c, const struct qn__op_shape *s)
{
    case_rope(c, s, QN__ROPE_NORMAL);
}

/* k experts */
static const struct qn__op_shape shapes_weighted_sum[] = {
    {.rows = 1, .n = 1, .k = 1},     {.rows = 3, .n = 31, .k = 2},
    {.rows = 2, .n = 512, .k = 8},   {.rows = 2, .n = 512, .k = 8, .offset = 1},
    {.rows = 5, .n = 24, .k = 0},    {.rows = 3, .n = 1028, .k = 4},
    {.rows = 512, .n = 4096, .k = 8}};

static void case_weighted_sum(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n, n_weights = (uint64_t)s->rows * s->k;
    snprintf(c->shape, sizeof c->shape, "rows=%u experts=%u n=%u offset=%u", s->rows, s->k, s->n,
             s->offset);
    c->work = (struct qn__work){.rows = 1, .n = n};
    double *want = qn__case_add_out(c, c->dtype, n), *scale = qn__case_alloc(c, n, sizeof *scale);
    const float *x = qn__case_add_skewed(c, c->dtype, n * s->k, (struct qn__skew){15, -6, 3, s->n});
    const float *weight =
        qn__case_add_skewed(c, QN__F32, n_weights, (struct qn__skew){16, -3, 0, 1u << 31});
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->k);
    qn__case_add_u32(c, s->n);
    if (c->failed)
        return;
    qn__ref_weighted_sum(want, scale, x, weight, s->rows, s->k, s->n);
    qn__case_set_tolerance_stored(c, (struct qn__bound){.of_scale = 1e-6, .floor = 1e-37}, scale);
}

static const struct qn__op_shape shapes_gated_add[] = {{.rows = 1, .n = 1},
                                                       {.rows = 3, .n = 31},
                                                       {.rows = 2, .n = 512, .offset = 1},
                                                       {.rows = 40, .n = 24},
                                                       {.rows = 512, .n = 4096}};

static void case_gated_add(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n;
    name_rows(c, s);
    c->work = (struct qn__work){.rows = 1, .n = n};
    double *want = qn__case_add_out(c, QN__F32, n), *scale = qn__case_alloc(c, n, sizeof *scale);
    const float *a = qn__case_add_skewed(c, QN__F32, n, (struct qn__skew){31, -6, 3, s->n});
    const float *b = qn__case_add_skewed(c, QN__F32, n, (struct qn__skew){32, -3, 5, s->n});
    const float *gate =
        qn__case_add_skewed(c, QN__F32, s->rows, (struct qn__skew){33, -4, 4, 1u << 31});
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    if (c->failed)
        return;
    qn__ref_gated_add(want, scale, a, b, gate, s->rows, s->n);
    qn__case_set_tolerance_stored(c, (struct qn__bound){.of_scale = 2e-6, .floor = 1e-37}, scale);
}

static const struct qn__op_shape shapes_row_sum[] = {
    ROW_SHAPES, {.rows = 1, .n = 0}, {.rows = 1024, .n = 65536}};

static void case_row_sum(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n;
    name_rows(c, s);
    double *want = qn__case_add_out(c, QN__I32, s->rows);
    uint32_t *x = qn__case_alloc(c, n, sizeof *x);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < n; i++)
        x[i] = qn__case_mix((uint32_t)i + 23);
    qn__case_add_array(c, QN__I32, n, x);
    qn__case_add_u32(c, s->rows);
    qn__case_add_u32(c, s->n);
    qn__ref_row_sum(want, x, s->rows, s->n);
    qn__case_set_tolerance(c, (struct qn__bound){0}, NULL);
}

QN__CASES(vector_add);
QN__CASES(silu);
QN__CASES(silu_mul);
QN__CASES(gelu);
QN__CASES(gelu_mul);
QN__CASES(softcap);
QN__CASES(rmsnorm);
QN__CASES(softmax);
QN__CASES(rope_neox);
QN__CASES(rope_normal);
QN__CASES(weighted_sum);
QN__CASES(gated_add);
QN__CASES(row_sum);
QN__CASES(argmax);
QN__CASES(choose);

/* -- the table of them all -- */

static const struct qn__op_cases *const ops[] = {
#define QN__OP(op, file, formula) &qn__cases_##op,
#include "kernels/kernels.def"
};

/* Small: its reference is a matter of milliseconds. */
static bool is_small(const struct qn__op_shape *s)
{
    const uint64_t rows = s->rows ? s->rows : 1, k = s->k ? s->k : 1;
    return rows * s->n * k <= 1 << 19;
}

const struct qn__op_shape *qn__op_shapes(enum qn__op_id op, uint32_t *n, uint32_t *n_small)
{
    *n = ops[op]->n_shapes;
    for (*n_small = 0; *n_small < *n && is_small(&ops[op]->shapes[*n_small]);)
        ++*n_small;
    return ops[op]->shapes;
}

bool qn__op_accepts(const struct qn__op_row *row, const struct qn__op_shape *shape)
{
    if (row->accepts == QN__TILE_ROW)
        return qn__tiles_accept(row->format, shape->rows, shape->n, false);
    if (row->format && row->format->block_elems > 1)
        return shape->n % row->format->block_elems == 0 && shape->offset == 0;
    if (row->accepts == QN__BLOCK_ROW)
        return shape->n % QN__BLOCK_ROW_ELEMS == 0 && shape->offset == 0;
    return row->accepts == QN__ANY || shape->n <= QN__SHORT_ROW_ELEMS;
}

qn_status qn__op_case_init(struct qn__op_case *out, struct qn__arena *arena,
                           const struct qn__op_row *row, const struct qn__op_shape *shape)
{
    memset(out, 0, sizeof *out);
    out->arena = arena;
    out->dtype = row->dtype;
    out->format = row->format;
    out->offset = shape->offset;
    ops[row->op]->make(out, shape);
    if (out->failed)
        return qn__fail(QN_E_MEMORY, "%s %s: out of memory for the check's arrays",
                        row->info.kernel, out->shape);
    out->work.kind = row->launch;
    return QN_OK;
}

void qn__op_case_decide(struct qn__op_case *c, const qn_device_info *device)
{
    if (c->depth_arg)
        c->args[c->depth_arg].value.u32 =
            c->work.second.rows ? qn__phases_depth(&c->work.tiles, &c->work.second, device)
                                : qn__phase_depth(&c->work.tiles, device);
    if (c->stages_arg)
        c->args[c->stages_arg].value.u32 =
            qn__product_stages(c->format, c->work.tiles.rows, c->work.tiles.tokens, device);
}
