/* SPDX-License-Identifier: Apache-2.0
 *
 * What cases of a token's phases have in common. */
#ifndef QN_KERNELS_OP_CASE_PHASE_H
#define QN_KERNELS_OP_CASE_PHASE_H

#include "kernels/op_case_build.h"

/* The numbers of a ready vector in array `index`, of y (n), each off by at most `off`, times norm
 * (or NULL). A scale may be the neighbouring power of two. */
void qn__case_ready_numbers(struct qn__op_case *c, double *want, uint32_t index, const double *y,
                            const double *off, const float *norm, uint64_t n);

#endif
