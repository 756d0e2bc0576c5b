/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of rmsnorm: kernels/rmsnorm.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_rmsnorm(double *out, const float *x, const float *weight, size_t rows, size_t n,
                     float eps)
{
    for (size_t r = 0; r < rows; r++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += (double)x[r * n + i] * (double)x[r * n + i];
        const double norm = sqrt(sum / (double)n + (double)eps);
        for (size_t i = 0; i < n; i++)
            out[r * n + i] = (double)x[r * n + i] / norm * (double)weight[i];
    }
}
