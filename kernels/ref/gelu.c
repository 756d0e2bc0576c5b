/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of gelu: kernels/gelu.cu has the contract. In double 1 + tanh keeps enough of the small
 * values, so this is the formula as it is printed. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_gelu(double *out, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double v = (double)x[i];
        const double u = 0.79788456080286535588 * (v + 0.044715 * v * v * v); /* sqrt(2/pi) */
        out[i] = 0.5 * v * (1.0 + tanh(u));
    }
}

void qn__ref_gelu_mul(double *out, const float *gate, const float *up, size_t n)
{
    qn__ref_gelu(out, gate, n);
    for (size_t i = 0; i < n; i++)
        out[i] *= (double)up[i];
}
