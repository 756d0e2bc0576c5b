/* SPDX-License-Identifier: Apache-2.0
 *
 * What logits say. */
#ifndef QN_BENCH_LOGITS_H
#define QN_BENCH_LOGITS_H

#include <math.h>
#include <stdint.h>

/* ln of the sum of exp. */
static double bench_log_sum(const float *x, uint32_t n)
{
    double most = (double)x[0], sum = 0;
    for (uint32_t i = 0; i < n; i++)
        most = fmax(most, (double)x[i]);
    for (uint32_t i = 0; i < n; i++)
        sum += exp((double)x[i] - most);
    return most + log(sum);
}

#endif
