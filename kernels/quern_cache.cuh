/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_cache.cuh: writing keys and values into the cache (kv_store.cu has the contract). */
#ifndef QUERN_CACHE_CUH
#define QUERN_CACHE_CUH

#include "quern_kernel.cuh"

enum { BLOCK_ELEMS = 32, BLOCK_BYTES = 34 };

QK_DEVICE void pack(qk_u8 *block, const float *x)
{
    float most = 0.0f;
    for (qk_u32 j = 0; j < BLOCK_ELEMS; j++)
        most = qk_max(most, x[j] < 0.0f ? -x[j] : x[j]);
    const float d = most / 127.0f, inverse = most > 0.0f ? 127.0f / most : 0.0f;
    *(qk_half *)block = qk_half_of(d);
    for (qk_u32 j = 0; j < BLOCK_ELEMS; j++) {
        const float code = x[j] * inverse;
        block[2 + j] = (qk_u8)(qk_i8)(code + (code < 0.0f ? -0.5f : 0.5f));
    }
}

#endif
