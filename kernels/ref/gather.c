/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference of gather: kernels/gather.cu has the contract. */
#include "kernels/ref/ref.h"

#include <math.h>

void qn__ref_gather(double *out, const float *table, const int32_t *ids, size_t rows, size_t n,
                    size_t table_rows)
{
    for (size_t r = 0; r < rows; r++) {
        const int valid = ids[r] >= 0 && (size_t)ids[r] < table_rows;
        for (size_t i = 0; i < n; i++)
            out[r * n + i] = valid ? (double)table[(size_t)ids[r] * n + i] : (double)NAN;
    }
}
