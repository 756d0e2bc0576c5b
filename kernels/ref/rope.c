/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of rope: kernels/rope.cu has the contract. The angle is a float on purpose. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_rope(double *out, double *scale, const float *x, const int32_t *pos,
                  const float *inv_freq, const struct qn__rope_shape *shape)
{
    const size_t pairs = shape->n_rot / 2;
    const double factor = (double)shape->factor;
    for (size_t head = 0; head < shape->tokens * shape->heads; head++) {
        const size_t at = head * shape->head_dim;
        for (size_t k = 0; k < pairs; k++) {
            const float angle = (float)pos[head / shape->heads] * inv_freq[k];
            const double c = factor * cos((double)angle), s = factor * sin((double)angle);
            const size_t a = at + (shape->pairs == QN__ROPE_NEOX ? k : 2 * k);
            const size_t b = shape->pairs == QN__ROPE_NEOX ? a + pairs : a + 1;
            const double p = (double)x[a], q = (double)x[b];
            out[a] = p * c - q * s;
            out[b] = p * s + q * c;
            scale[a] = scale[b] = factor * (fabs(p) + fabs(q));
        }
        for (size_t i = at + shape->n_rot; i < at + shape->head_dim; i++) {
            out[i] = (double)x[i];
            scale[i] = 0;
        }
    }
}
