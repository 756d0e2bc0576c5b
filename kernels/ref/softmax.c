/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of softmax: kernels/softmax.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_softmax(double *out, const float *x, size_t rows, size_t n)
{
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * n;
        double max = -INFINITY, sum = 0;
        for (size_t i = 0; i < n; i++)
            max = fmax(max, (double)row[i]);
        for (size_t i = 0; i < n; i++)
            sum += exp((double)row[i] - max);
        for (size_t i = 0; i < n; i++)
            out[r * n + i] = exp((double)row[i] - max) / sum;
    }
}
