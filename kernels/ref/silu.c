/* SPDX-License-Identifier: Apache-2.0
 *
 * References of silu and silu_mul: kernels/silu.cu and kernels/silu_mul.cu have the contracts. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_silu(double *out, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (double)x[i] / (1.0 + exp(-(double)x[i]));
}

void qn__ref_silu_mul(double *out, const float *gate, const float *up, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (double)gate[i] / (1.0 + exp(-(double)gate[i])) * (double)up[i];
}
