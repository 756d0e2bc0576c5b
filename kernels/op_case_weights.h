/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights of cases, as they are stored and in tiles. */
#ifndef QN_KERNELS_OP_CASE_WEIGHTS_H
#define QN_KERNELS_OP_CASE_WEIGHTS_H

#include "kernels/op_case_build.h"
#include "kernels/ref/ref.h"

/* What weights mean, and per element the largest magnitude in its block. */
struct qn__case_weights {
    const float *values, *size;
};
/* Add (rows, n) weights in the case's format, in tiles; and n weights as they are stored. */
struct qn__case_weights qn__case_add_tiles(struct qn__op_case *c, uint32_t rows, uint32_t n);
const uint8_t *qn__case_blocks(struct qn__op_case *c, uint64_t n);

/* The bias as the next input, null where there is none; and where the kernel adds, what its output,
 * the case's first array, holds before. From `seed` and the one after. */
void qn__case_add_bias_and_before(struct qn__op_case *c, struct qn__matmul *m, bool has_bias,
                                  bool adds, uint32_t seed);

/* silu, or gelu by tanh, of a gate. */
double qn__case_activated(double gate, bool is_silu);

/* Products of weights in tiles: y and the scales of the reference, tokens rows of rows; pairs: the
 * first half of a row are gates, and what comes out is activated(gate) up, rows / 2 of them. */
struct qn__case_products {
    const struct qn__matmul *m;
    const double *y, *scale;
    bool pairs, is_silu;
};
/* What a kernel is to leave, and what it may be off by. */
void qn__case_expect_products(double *want, double *tolerance, const struct qn__case_products *p);

#endif
