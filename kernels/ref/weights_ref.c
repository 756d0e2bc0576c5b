/* SPDX-License-Identifier: Apache-2.0
 *
 * References of the ops that read weights: kernels/quern_weights.cuh has the contracts. Weights are
 * floats here, unpacked by formats.h. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_matmul(double *y, double *scale, const struct qn__matmul *m)
{
    for (size_t t = 0; t < m->tokens; t++) {
        for (size_t r = 0; r < m->rows; r++) {
            const float *x = m->x + t * m->n;
            const size_t at = t * m->rows + r;
            double sum = 0, terms = 0;
            for (size_t i = 0; i < m->n; i++) {
                sum += (double)m->w[r * m->n + i] * (double)x[i];
                terms += (double)m->size[r * m->n + i] * fabs((double)x[i]);
            }
            const double bias = m->bias ? (double)m->bias[r] : 0;
            const double before = m->before ? (double)m->before[at] : 0;
            y[at] = sum + bias + before;
            scale[at] = terms + fabs(bias) + fabs(before);
        }
    }
}

void qn__ref_embed(double *out, const float *table, const int32_t *ids, float scale, size_t tokens,
                   size_t n, size_t table_rows)
{
    for (size_t t = 0; t < tokens; t++) {
        const int valid = ids[t] >= 0 && (size_t)ids[t] < table_rows;
        for (size_t i = 0; i < n; i++)
            out[t * n + i] =
                valid ? (double)scale * (double)table[(size_t)ids[t] * n + i] : (double)NAN;
    }
}
