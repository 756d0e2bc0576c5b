/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of moe_route: kernels/moe_route.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

/* Does expert i come before expert k? */
static bool is_before(const float *logits, size_t i, size_t k)
{
    return logits[i] > logits[k] || (logits[i] >= logits[k] && i < k);
}

void qn__ref_moe_route(double *ids, double *weight, const float *logits, size_t tokens,
                       size_t experts, size_t k, bool normalise, double scale)
{
    for (size_t t = 0; t < tokens; t++, logits += experts) {
        double most = -INFINITY, sum = 0;
        for (size_t i = 0; i < experts; i++)
            most = fmax(most, (double)logits[i]);
        for (size_t i = 0; i < experts; i++) {
            size_t rank = 0;
            for (size_t other = 0; other < experts; other++)
                rank += is_before(logits, other, i);
            const double e = exp((double)logits[i] - most);
            if (rank < k) {
                ids[t * k + rank] = (double)i;
                weight[t * k + rank] = e;
            }
            sum += !normalise || rank < k ? e : 0;
        }
        for (size_t c = 0; c < k; c++)
            weight[t * k + c] *= scale / sum;
    }
}
