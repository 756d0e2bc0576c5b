/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of argmax: kernels/argmax.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_argmax(double *out, const float *x, size_t rows, size_t n)
{
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * n;
        size_t best = 0;
        for (size_t i = 1; i < n && !isnan(row[best]); i++)
            if (row[i] > row[best] || isnan(row[i]))
                best = i;
        out[r] = n == 0 ? (double)UINT32_MAX : (double)best;
    }
}
