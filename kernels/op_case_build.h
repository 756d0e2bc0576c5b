/* SPDX-License-Identifier: Apache-2.0
 *
 * Building blocks of cases: each op_case*.c adds arrays and arguments in its kernel's own order,
 * runs the reference, sets the contract's tolerance, and ends with a QN__CASES line for each op. */
#ifndef QN_KERNELS_OP_CASE_BUILD_H
#define QN_KERNELS_OP_CASE_BUILD_H

#include "kernels/op_case.h"

/* How an op's cases are made, and its shapes: the small ones first. */
struct qn__op_cases {
    void (*make)(struct qn__op_case *, const struct qn__op_shape *);
    const struct qn__op_shape *shapes;
    uint32_t n_shapes;
};
#define QN__OP(op, file, formula) extern const struct qn__op_cases qn__cases_##op;
#include "kernels/kernels.def"
#define QN__CASES(op)                                                                              \
    const struct qn__op_cases qn__cases_##op = {case_##op, shapes_##op,                            \
                                                sizeof shapes_##op / sizeof *shapes_##op}

/* Memory of the case; NULL and c->failed where there is none. */
void *qn__case_alloc(struct qn__op_case *c, uint64_t n, size_t size);

void qn__case_add_array(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n,
                        const void *values);
void qn__case_add_u32(struct qn__op_case *c, uint32_t value);
void qn__case_add_u64(struct qn__op_case *c, uint64_t value);
void qn__case_add_f32(struct qn__op_case *c, float value);
void qn__case_add_null(struct qn__op_case *c); /* a null pointer */

/* An output: its elements, and where the reference puts what it wants. */
double *qn__case_add_out(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n);

uint32_t qn__case_mix(uint32_t x); /* a hash */

/* Magnitudes 2^low .. 2^(high+1), both signs; the first and last elements of a row at the top. */
struct qn__skew {
    uint32_t seed;
    int low, high;
    uint64_t row; /* elements */
};
float qn__case_skewed(const struct qn__skew *s, uint64_t i);

/* An f32 or f16 input from the given values, which become what the device sees. */
void qn__case_add_in(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n, float *values);
float *qn__case_add_skewed(struct qn__op_case *c, enum qn__dtype dtype, uint64_t n,
                           struct qn__skew skew);

/* Fractions of |want| and of the reference's scale, and a floor. */
struct qn__bound {
    double of_want, of_scale, floor;
};
void qn__case_set_tolerance(struct qn__op_case *c, struct qn__bound b, const double *scale);
/* The same of another output than the first. */
void qn__case_set_tolerance_of(struct qn__op_case *c, uint32_t array, struct qn__bound b,
                               const double *scale);
/* The same with half a unit of an f16 result on top: 2^-11, and half the smallest subnormal. */
void qn__case_set_tolerance_stored(struct qn__op_case *c, struct qn__bound b, const double *scale);

#endif
