/* SPDX-License-Identifier: Apache-2.0
 *
 * References of the penalty and of top_k: kernels/sample.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_repeat_penalty(double *out, const float *x, const int32_t *ids, size_t n_ids, size_t n,
                            float shrink, float grow)
{
    for (size_t i = 0; i < n; i++)
        out[i] = NAN; /* stays as it was */
    for (size_t i = 0; i < n_ids; i++)
        if (ids[i] >= 0 && (size_t)ids[i] < n) {
            const float y = x[ids[i]] * (x[ids[i]] > 0.0f ? shrink : grow);
            out[ids[i]] = (double)y;
        }
}

/* Does element i come before element j? */
static bool is_before(const float *x, size_t i, size_t j)
{
    if (isnan(x[i]) || isnan(x[j]))
        return isnan(x[i]) && isnan(x[j]) ? i < j : isnan(x[j]);
    return x[i] > x[j] || (x[i] >= x[j] && i < j);
}

/* The first of those after `last` (SIZE_MAX: of all) among begin .. end - 1. */
static size_t next(const float *x, size_t begin, size_t end, size_t last)
{
    size_t best = SIZE_MAX;
    for (size_t i = begin; i < end; i++)
        if ((last == SIZE_MAX || is_before(x, last, i)) &&
            (best == SIZE_MAX || is_before(x, i, best)))
            best = i;
    return best;
}

void qn__ref_top_k_groups(double *best, const float *x, size_t n, size_t group)
{
    for (size_t begin = 0; begin < n; begin += group)
        best[begin / group] =
            (double)next(x, begin, begin + group < n ? begin + group : n, SIZE_MAX);
}

void qn__ref_top_k(double *ids, double *value, const float *x, size_t n, size_t k)
{
    size_t last = SIZE_MAX;
    for (size_t c = 0; c < k; c++) {
        last = next(x, 0, n, last);
        ids[c] = (double)last;
        value[c] = (double)x[last];
    }
}
