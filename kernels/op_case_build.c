/* SPDX-License-Identifier: Apache-2.0
 *
 * What the cases of ops are built from (op_case_build.h). */
#include "kernels/op_case_build.h"

#include "kernels/ref/ref.h"

#include <math.h>

void *qn__case_alloc(struct qn__op_case *c, uint64_t n, size_t size)
{
    void *p = qn__arena_alloc(c->arena, (size_t)n + !n, size);
    c->failed |= !p;
    return p;
}

void qn__case_add_array(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n, const void *values)
{
    c->arrays[c->n_arrays] = (struct qn__op_array){.dtype = dtype, .n = n, .values = values};
    c->args[c->n_args++] = (struct qn__op_arg){.array = (int)c->n_arrays++};
    c->bytes += n * qn__dtype_bytes(dtype);
}

void qn__case_add_u32(struct qn__op_case *c, uint32_t value)
{
    c->args[c->n_args++] = (struct qn__op_arg){.array = -1, .bytes = 4, .value.u32 = value};
}

void qn__case_add_u64(struct qn__op_case *c, uint64_t value)
{
    c->args[c->n_args++] = (struct qn__op_arg){.array = -1, .bytes = 8, .value.u64 = value};
}

void qn__case_add_f32(struct qn__op_case *c, float value)
{
    c->args[c->n_args++] = (struct qn__op_arg){.array = -1, .bytes = 4, .value.f32 = value};
}

void qn__case_add_null(struct qn__op_case *c)
{
    c->args[c->n_args++] = (struct qn__op_arg){.array = -1};
}

/* The output: its elements, and where the reference puts what it wants. */
double *qn__case_add_out(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n)
{
    double *want = qn__case_alloc(c, n, sizeof *want);
    qn__case_add_array(c, dtype, n, NULL);
    c->arrays[c->n_arrays - 1].want = want;
    return want;
}

uint32_t qn__case_mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

float qn__case_skewed(const struct qn__skew *s, uint64_t i)
{
    const uint32_t h = qn__case_mix((uint32_t)i * 2654435761u + s->seed);
    const uint64_t at = i % s->row;
    const bool is_edge = at < 2 || at + 5 >= s->row;
    const int exponent = is_edge ? s->high : s->low + (int)(h % (uint32_t)(s->high - s->low + 1));
    const float x = ldexpf(1.0f + (float)(h >> 8 & 0xffffu) / 65536.0f, exponent);
    return h >> 31 ? -x : x;
}

/* An f32 or f16 input from the given values, which become what the device sees. */
void qn__case_add_in(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n, float *values)
{
    uint16_t *half = NULL;
    if (dtype == QN__F16) {
        half = qn__case_alloc(c, n, sizeof *half);
        for (uint64_t i = 0; half && i < n; i++) {
            half[i] = qn__half_of_float(values[i]);
            values[i] = qn__float_of_half(half[i]);
        }
    }
    qn__case_add_array(c, dtype, n, half ? (const void *)half : values);
}

float *qn__case_add_skewed(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n,
                           struct qn__skew skew)
{
    float *values = qn__case_alloc(c, n, sizeof *values);
    for (uint64_t i = 0; values && i < n; i++)
        values[i] = qn__case_skewed(&skew, i);
    if (values)
        qn__case_add_in(c, dtype, n, values);
    return values;
}

void qn__case_set_tolerance_of(struct qn__op_case *c, uint32_t array, struct qn__bound b,
                               const double *scale)
{
    struct qn__op_array *a = &c->arrays[array];
    double *tolerance = qn__case_alloc(c, a->n, sizeof *tolerance);
    for (uint64_t i = 0; tolerance && i < a->n; i++)
        tolerance[i] = b.of_want * fabs(a->want[i]) + b.floor + (scale ? b.of_scale * scale[i] : 0);
    a->tolerance = tolerance;
}

void qn__case_set_tolerance(struct qn__op_case *c, struct qn__bound b, const double *scale)
{
    qn__case_set_tolerance_of(c, 0, b, scale);
}

/* The same with half a unit of an f16 result on top: 2^-11, and half the smallest subnormal. */
void qn__case_set_tolerance_stored(struct qn__op_case *c, struct qn__bound b, const double *scale)
{
    if (c->dtype == QN__F16) {
        b.of_want += 4.9e-4;
        b.floor += 3e-8;
    }
    qn__case_set_tolerance(c, b, scale);
}
