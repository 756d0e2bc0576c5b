/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of head_part: kernels/head_part.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_head_part(double *out, const float *x, const struct qn__head_part *p)
{
    for (size_t t = 0; t < p->tokens; t++)
        for (size_t h = 0; h < p->heads; h++)
            for (size_t i = 0; i < p->out_dim; i++) {
                const size_t at = i - p->out_at;
                double *to = &out[(t * p->heads + h) * p->out_dim + i];
                if (i < p->out_at || at >= p->n)
                    *to = NAN;
                else
                    *to =
                        at < p->copied ? (double)x[t * p->x_row + p->x_at + h * p->x_head + at] : 0;
            }
}
