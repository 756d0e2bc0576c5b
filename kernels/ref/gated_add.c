/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of gated_add: kernels/gated_add.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_gated_add(double *out, double *scale, const float *a, const float *b,
                       const float *gate, size_t rows, size_t n)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < n; i++) {
            const double more = (double)b[r * n + i] / (1.0 + exp(-(double)gate[r]));
            out[r * n + i] = (double)a[r * n + i] + more;
            scale[r * n + i] = fabs((double)a[r * n + i]) + fabs(more);
        }
}
