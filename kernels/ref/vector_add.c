/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of vector_add: kernels/vector_add.cu has the contract. */
#include "kernels/ref/ref.h"

void qn__ref_vector_add(double *out, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (double)a[i] + (double)b[i];
}
