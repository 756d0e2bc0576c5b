/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of softcap: kernels/softcap.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_softcap(double *out, const float *x, size_t n, float cap)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (double)cap * tanh((double)x[i] / (double)cap);
}
