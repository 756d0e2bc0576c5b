/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of weighted_sum: kernels/weighted_sum.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_weighted_sum(double *out, double *scale, const float *x, const float *weight,
                          size_t rows, size_t experts, size_t n)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < n; i++) {
            double sum = 0, terms = 0;
            for (size_t e = 0; e < experts; e++) {
                const double term =
                    (double)weight[r * experts + e] * (double)x[(r * experts + e) * n + i];
                sum += term;
                terms += fabs(term);
            }
            out[r * n + i] = sum;
            scale[r * n + i] = terms;
        }
}
