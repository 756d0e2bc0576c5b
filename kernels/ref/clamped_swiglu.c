/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of clamped_swiglu: kernels/clamped_swiglu.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_clamped_swiglu(double *out, double *scale, const struct qn__clamped_swiglu *s,
                            size_t rows, size_t n)
{
    const double limit = (double)s->limit, alpha = (double)s->alpha;
    for (size_t i = 0; i < rows * n; i++) {
        const double gate_bias = s->gate_bias ? (double)s->gate_bias[i % n] : 0;
        const double up_bias = s->up_bias ? (double)s->up_bias[i % n] : 0;
        const double g = fmin((double)s->gate[i] + gate_bias, limit);
        const double u = fmax(fmin((double)s->up[i] + up_bias, limit), -limit);
        out[i] = (u + 1) * g / (1 + exp(-alpha * g));
        scale[i] = (fabs(g) + fabs((double)s->gate[i]) + fabs(gate_bias)) *
                   (fabs(u) + fabs((double)s->up[i]) + fabs(up_bias) + 1);
    }
}
