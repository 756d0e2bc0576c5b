/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of expert_bias: kernels/expert_bias.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_expert_bias(double *out, double *scale, const float *x, const float *bias,
                         const int32_t *ids, const float *weight, size_t rows, size_t k, size_t n)
{
    for (size_t i = 0; i < rows * n; i++) {
        out[i] = (double)x[i];
        scale[i] = fabs(out[i]);
        for (size_t c = i / n * k; c < (i / n + 1) * k; c++) {
            const double more = (double)weight[c] * (double)bias[(size_t)ids[c] * n + i % n];
            out[i] += more;
            scale[i] += fabs(more);
        }
    }
}
