/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights of cases, as they are stored and in tiles. */
#ifndef QN_KERNELS_OP_CASE_WEIGHTS_H
#define QN_KERNELS_OP_CASE_WEIGHTS_H

#include "kernels/op_case_build.h"

/* What weights mean, and per element the largest magnitude in its block. */
struct qn__case_weights {
    const float *values, *size;
};
/* Add (rows, n) weights in the case's format, in tiles; and n weights as they are stored. */
struct qn__case_weights qn__case_add_tiles(struct qn__op_case *c, uint32_t rows, uint32_t n);
const uint8_t *qn__case_blocks(struct qn__op_case *c, uint64_t n);

#endif
