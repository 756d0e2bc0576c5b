/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of row_sum: kernels/row_sum.cu has the contract. */
#include "kernels/ref/ref.h"

void qn__ref_row_sum(double *out, const uint32_t *x, size_t rows, size_t n)
{
    for (size_t r = 0; r < rows; r++) {
        uint32_t sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += x[r * n + i];
        out[r] = (double)sum;
    }
}
