/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of matvec: kernels/matvec.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_matvec(double *y, double *scale, const float *w, const float *x, size_t rows, size_t n)
{
    for (size_t r = 0; r < rows; r++) {
        double sum = 0, terms = 0;
        for (size_t i = 0; i < n; i++) {
            const double term = (double)w[r * n + i] * (double)x[i];
            sum += term;
            terms += fabs(term);
        }
        y[r] = sum;
        scale[r] = terms;
    }
}
