/* SPDX-License-Identifier: Apache-2.0
 *
 * The case of each op (op_case.h): its shapes, its arrays and arguments in the kernel's own order,
 * its reference, and its contract's tolerance. To add an op, add shapes_<op> and case_<op>. */
#include "kernels/op_case.h"

#include "kernels/ref/ref.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- building blocks -- */

size_t qn__dtype_bytes(enum qn__dtype dtype)
{
    return dtype == QN__F16 ? 2 : 4;
}

static void *alloc(struct qn__op_case *c, uint64_t n, size_t size)
{
    void *p = qn__arena_alloc(c->arena, (size_t)n + !n, size);
    c->failed |= !p;
    return p;
}

static void add_array(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n, const void *values)
{
    c->arrays[c->n_arrays] = (struct qn__op_array){dtype, n, values};
    c->args[c->n_args++] = (struct qn__op_arg){.array = (int)c->n_arrays++};
    c->bytes += n * qn__dtype_bytes(dtype);
}

static void add_u32(struct qn__op_case *c, uint32_t value)
{
    c->args[c->n_args++] = (struct qn__op_arg){.array = -1, .value.u32 = value};
}

static void add_u64(struct qn__op_case *c, uint64_t value)
{
    c->args[c->n_args++] = (struct qn__op_arg){.array = -1, .value.u64 = value};
}

static void add_f32(struct qn__op_case *c, float value)
{
    c->args[c->n_args++] = (struct qn__op_arg){.array = -1, .value.f32 = value};
}

/* The output: its elements, and where the reference puts what it wants. */
static double *add_out(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n)
{
    double *want = alloc(c, n, sizeof *want);
    add_array(c, dtype, n, NULL);
    c->want = want;
    return want;
}

static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* Magnitudes 2^low .. 2^(high+1), both signs; the first and last elements of a row at the top. */
struct skew {
    uint32_t seed;
    int low, high;
    uint64_t row; /* elements */
};

static float skewed(const struct skew *s, uint64_t i)
{
    const uint32_t h = mix((uint32_t)i * 2654435761u + s->seed);
    const uint64_t at = i % s->row;
    const bool is_edge = at < 2 || at + 5 >= s->row;
    const int exponent = is_edge ? s->high : s->low + (int)(h % (uint32_t)(s->high - s->low + 1));
    const float x = ldexpf(1.0f + (float)(h >> 8 & 0xffffu) / 65536.0f, exponent);
    return h >> 31 ? -x : x;
}

/* An f32 or f16 input from the given values, which become what the device sees. */
static void add_in(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n, float *values)
{
    uint16_t *half = NULL;
    if (dtype == QN__F16) {
        half = alloc(c, n, sizeof *half);
        for (uint64_t i = 0; half && i < n; i++) {
            half[i] = qn__half_of_float(values[i]);
            values[i] = qn__float_of_half(half[i]);
        }
    }
    add_array(c, dtype, n, half ? (const void *)half : values);
}

static float *add_skewed(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n, struct skew skew)
{
    float *values = alloc(c, n, sizeof *values);
    for (uint64_t i = 0; values && i < n; i++)
        values[i] = skewed(&skew, i);
    if (values)
        add_in(c, dtype, n, values);
    return values;
}

/* Fractions of |want| and of the reference's scale, and a floor. */
struct bound {
    double of_want, of_scale, floor;
};

static void set_tolerance(struct qn__op_case *c, struct bound b, const double *scale)
{
    const uint64_t n = c->arrays[0].n;
    double *tolerance = alloc(c, n, sizeof *tolerance);
    for (uint64_t i = 0; tolerance && i < n; i++)
        tolerance[i] = b.of_want * fabs(c->want[i]) + b.floor + (scale ? b.of_scale * scale[i] : 0);
    c->tolerance = tolerance;
}

/* The same with half a unit of an f16 result on top: 2^-11, and half the smallest subnormal. */
static void set_tolerance_stored(struct qn__op_case *c, struct bound b, const double *scale)
{
    if (c->dtype == QN__F16) {
        b.of_want += 4.9e-4;
        b.floor += 3e-8;
    }
    set_tolerance(c, b, scale);
}

/* -- element by element -- */

#define ELEMENT_SHAPES                                                                             \
    {.n = 1}, {.n = 2, .offset = 1}, {.n = 7}, {.n = 255}, {.n = 1027}, {.n = 1027, .offset = 1},  \
        {.n = 4096}, {.n = 8192, .offset = 3}, {.n = 65537}

static const struct qn__op_shape shapes_vector_add[] = {ELEMENT_SHAPES, {.n = 1 << 24}};
static const struct qn__op_shape shapes_silu[] = {ELEMENT_SHAPES, {.n = 1 << 24}};
static const struct qn__op_shape shapes_silu_mul[] = {ELEMENT_SHAPES, {.n = 1 << 24}};
static const struct qn__op_shape shapes_gelu[] = {ELEMENT_SHAPES, {.n = 1 << 24}};

static void name_elements(struct qn__op_case *c, const struct qn__op_shape *s)
{
    snprintf(c->shape, sizeof c->shape, "n=%u offset=%u", s->n, s->offset);
    c->work = (struct qn__work){.rows = 1, .n = s->n};
}

static void case_vector_add(struct qn__op_case *c, const struct qn__op_shape *s)
{
    name_elements(c, s);
    double *want = add_out(c, c->dtype, s->n);
    const float *a = add_skewed(c, c->dtype, s->n, (struct skew){1, -8, 4, s->n});
    const float *b = add_skewed(c, c->dtype, s->n, (struct skew){2, -8, 4, s->n});
    add_u64(c, s->n);
    if (c->failed)
        return;
    qn__ref_vector_add(want, a, b, s->n);
    set_tolerance_stored(c, (struct bound){.of_want = 1.2e-7}, NULL);
}

static void case_silu(struct qn__op_case *c, const struct qn__op_shape *s)
{
    name_elements(c, s);
    double *want = add_out(c, c->dtype, s->n);
    const float *x = add_skewed(c, c->dtype, s->n, (struct skew){3, -8, 4, s->n});
    add_u64(c, s->n);
    if (c->failed)
        return;
    qn__ref_silu(want, x, s->n);
    set_tolerance_stored(c, (struct bound){.of_want = 1e-6, .floor = 1e-37}, NULL);
}

static void case_silu_mul(struct qn__op_case *c, const struct qn__op_shape *s)
{
    name_elements(c, s);
    double *want = add_out(c, c->dtype, s->n);
    const float *gate = add_skewed(c, c->dtype, s->n, (struct skew){4, -8, 4, s->n});
    const float *up = add_skewed(c, c->dtype, s->n, (struct skew){5, -8, 4, s->n});
    add_u64(c, s->n);
    if (c->failed)
        return;
    qn__ref_silu_mul(want, gate, up, s->n);
    set_tolerance_stored(c, (struct bound){.of_want = 1e-6, .floor = 1e-37}, NULL);
}

static void case_gelu(struct qn__op_case *c, const struct qn__op_shape *s)
{
    name_elements(c, s);
    double *want = add_out(c, c->dtype, s->n);
    const float *x = add_skewed(c, c->dtype, s->n, (struct skew){6, -8, 3, s->n});
    add_u64(c, s->n);
    if (c->failed)
        return;
    qn__ref_gelu(want, x, s->n);
    set_tolerance_stored(c, (struct bound){.of_want = 2e-6, .floor = 1e-7}, NULL);
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
static const struct qn__op_shape shapes_matvec[] = {
    ROW_SHAPES, {.rows = 4096, .n = 4096}, {.rows = 14336, .n = 4096}};
static const struct qn__op_shape shapes_argmax[] = {
    ROW_SHAPES,
    {.rows = 3, .n = 1000, .k = 1}, /* patterns: see case_argmax */
    {.rows = 3, .n = 1000, .k = 2},
    {.rows = 3, .n = 1000, .k = 3},
    {.rows = 16, .n = 128256}};

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
    double *want = add_out(c, c->dtype, n);
    const float *x = add_skewed(c, c->dtype, n, (struct skew){7, -6, 3, s->n});
    const float *weight = add_skewed(c, QN__F32, s->n, (struct skew){8, -3, 1, s->n});
    add_u32(c, s->rows);
    add_u32(c, s->n);
    add_f32(c, eps);
    if (c->failed)
        return;
    qn__ref_rmsnorm(want, x, weight, s->rows, s->n, eps);
    set_tolerance_stored(c, (struct bound){.of_want = 4e-6}, NULL);
}

/* k = 1: every third element is masked by -inf. */
static void case_softmax(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n;
    name_rows(c, s);
    double *want = add_out(c, c->dtype, n);
    float *x = alloc(c, n, sizeof *x);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < n; i++)
        x[i] = s->k == 1 && i % 3 == 1 ? -INFINITY : skewed(&(struct skew){9, -6, 1, s->n}, i);
    add_in(c, c->dtype, n, x);
    add_u32(c, s->rows);
    add_u32(c, s->n);
    if (c->failed)
        return;
    qn__ref_softmax(want, x, s->rows, s->n);
    set_tolerance_stored(c, (struct bound){.of_want = 8e-6, .floor = 1e-37}, NULL);
}

static void case_matvec(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n;
    name_rows(c, s);
    double *want = add_out(c, QN__F32, s->rows), *scale = alloc(c, s->rows, sizeof *scale);
    const float *w = add_skewed(c, c->dtype, n, (struct skew){10, -6, 1, s->n});
    const float *x = add_skewed(c, QN__F32, s->n, (struct skew){11, -4, 2, s->n});
    add_u32(c, s->rows);
    add_u32(c, s->n);
    if (c->failed)
        return;
    qn__ref_matvec(want, scale, w, x, s->rows, s->n);
    set_tolerance(c, (struct bound){.of_scale = 4e-6, .floor = 1e-37}, scale);
}

/* k = 1: many ties; 2: NaNs of both signs in the middle; 3: zeros of both signs, all else below. */
static void case_argmax(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n;
    name_rows(c, s);
    double *want = add_out(c, QN__I32, s->rows);
    float *x = alloc(c, n, sizeof *x);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t h = mix((uint32_t)i + 12);
        x[i] = skewed(&(struct skew){12, -6, 3, 1u << 31}, i);
        if (s->k == 1)
            x[i] = (float)(h % 4);
        else if (s->k == 2 && i % s->n > 300 && h % 50 == 0)
            x[i] = h & 64 ? -NAN : NAN;
        else if (s->k == 3)
            x[i] = h % 20 == 0 ? (h & 64 ? -0.0f : 0.0f) : -fabsf(x[i]);
    }
    add_in(c, c->dtype, n, x);
    add_u32(c, s->rows);
    add_u32(c, s->n);
    if (c->failed)
        return;
    qn__ref_argmax(want, x, s->rows, s->n);
    set_tolerance(c, (struct bound){0}, NULL);
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
    snprintf(c->shape, sizeof c->shape, "tokens=%u heads=%u head_dim=%u n_rot=%u offset=%u",
             s->rows, s->k, s->n, s->m, s->offset);
    c->work = (struct qn__work){.rows = (uint64_t)s->rows * s->k, .n = s->n};
    double *want = add_out(c, c->dtype, n), *scale = alloc(c, n, sizeof *scale);
    const float *x = add_skewed(c, c->dtype, n, (struct skew){13, -6, 3, s->n});
    int32_t *pos = alloc(c, s->rows, sizeof *pos);
    float *inv_freq = alloc(c, s->m / 2, sizeof *inv_freq);
    if (c->failed)
        return;
    for (uint32_t t = 0; t < s->rows; t++)
        pos[t] = (int32_t)(mix(t + 14) % 8192);
    for (uint32_t k = 0; k < s->m / 2; k++)
        inv_freq[k] = (float)pow(10000.0, -2.0 * k / s->m);
    add_array(c, QN__I32, s->rows, pos);
    add_array(c, QN__F32, s->m / 2, inv_freq);
    add_u32(c, s->rows);
    add_u32(c, s->k);
    add_u32(c, s->n);
    add_u32(c, s->m);
    qn__ref_rope(want, scale, x, pos, inv_freq,
                 &(struct qn__rope_shape){s->rows, s->k, s->n, s->m, pairs});
    set_tolerance_stored(c, (struct bound){.of_scale = 1e-6}, scale);
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
    double *want = add_out(c, c->dtype, n), *scale = alloc(c, n, sizeof *scale);
    const float *x = add_skewed(c, c->dtype, n * s->k, (struct skew){15, -6, 3, s->n});
    const float *weight = add_skewed(c, QN__F32, n_weights, (struct skew){16, -3, 0, 1u << 31});
    add_u32(c, s->rows);
    add_u32(c, s->k);
    add_u32(c, s->n);
    if (c->failed)
        return;
    qn__ref_weighted_sum(want, scale, x, weight, s->rows, s->k, s->n);
    set_tolerance_stored(c, (struct bound){.of_scale = 1e-6, .floor = 1e-37}, scale);
}

static const struct qn__op_shape shapes_row_sum[] = {
    ROW_SHAPES, {.rows = 1, .n = 0}, {.rows = 1024, .n = 65536}};

static void case_row_sum(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n;
    name_rows(c, s);
    double *want = add_out(c, QN__I32, s->rows);
    uint32_t *x = alloc(c, n, sizeof *x);
    if (c->failed)
        return;
    for (uint64_t i = 0; i < n; i++)
        x[i] = mix((uint32_t)i + 23);
    add_array(c, QN__I32, n, x);
    add_u32(c, s->rows);
    add_u32(c, s->n);
    qn__ref_row_sum(want, x, s->rows, s->n);
    set_tolerance(c, (struct bound){0}, NULL);
}

/* k rows of the table; some ids lie outside it */
static const struct qn__op_shape shapes_gather[] = {
    {.rows = 1, .n = 1, .k = 1},      {.rows = 3, .n = 31, .k = 5},
    {.rows = 9, .n = 64, .k = 40},    {.rows = 7, .n = 129, .k = 11, .offset = 1},
    {.rows = 2, .n = 4096, .k = 100}, {.rows = 2048, .n = 4096, .k = 8192}};

static void case_gather(struct qn__op_case *c, const struct qn__op_shape *s)
{
    const uint64_t n = (uint64_t)s->rows * s->n;
    snprintf(c->shape, sizeof c->shape, "rows=%u n=%u table_rows=%u offset=%u", s->rows, s->n, s->k,
             s->offset);
    c->work = (struct qn__work){.rows = s->rows, .n = s->n};
    double *want = add_out(c, QN__F32, n);
    const float *table =
        add_skewed(c, c->dtype, (uint64_t)s->k * s->n, (struct skew){17, -12, 3, s->n});
    int32_t *ids = alloc(c, s->rows, sizeof *ids);
    if (c->failed)
        return;
    for (uint32_t r = 0; r < s->rows; r++)
        ids[r] = r % 7 == 5 ? (r & 1 ? -1 : (int32_t)s->k) : (int32_t)(mix(r + 18) % s->k);
    add_array(c, QN__I32, s->rows, ids);
    add_u32(c, s->rows);
    add_u32(c, s->n);
    add_u32(c, s->k);
    c->bytes = n * (4 + qn__dtype_bytes(c->dtype)) + 4 * (uint64_t)s->rows;
    qn__ref_gather(want, table, ids, s->rows, s->n, s->k);
    set_tolerance(c, (struct bound){0}, NULL);
}

/* -- the table of them all -- */

static const struct {
    void (*make)(struct qn__op_case *, const struct qn__op_shape *);
    const struct qn__op_shape *shapes;
    uint32_t n_shapes;
} ops[] = {
#define QN__OP(op, file, formula)                                                                  \
    {case_##op, shapes_##op, sizeof shapes_##op / sizeof *shapes_##op},
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
    *n = ops[op].n_shapes;
    for (*n_small = 0; *n_small < *n && is_small(&ops[op].shapes[*n_small]);)
        ++*n_small;
    return ops[op].shapes;
}

bool qn__op_accepts(const struct qn__op_row *row, const struct qn__op_shape *shape)
{
    return row->accepts == QN__ANY || shape->n <= QN__SHORT_ROW_ELEMS;
}

qn_status qn__op_case_init(struct qn__op_case *out, struct qn__arena *arena,
                           const struct qn__op_row *row, const struct qn__op_shape *shape)
{
    memset(out, 0, sizeof *out);
    out->arena = arena;
    out->dtype = row->dtype;
    out->offset = shape->offset;
    ops[row->op].make(out, shape);
    if (out->failed)
        return qn__fail(QN_E_MEMORY, "%s %s: out of memory for the check's arrays",
                        row->info.kernel, out->shape);
    out->work.kind = row->launch;
    return QN_OK;
}
