/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as q8_0: blocks of 32 elements, d q. The kernels and their contracts are in
 * quern_weights.cuh.
 *
 *   0  d   f16
 *   2  q   32 signed bytes */
#include "quern_weights.cuh"

struct q8_0 : qk_blocks_of<q8_0> {
    enum {
        elems = 32,
        bytes = 34,
        run = QK_RUN(8),
        runs = QK_COALESCE ? 1 : 2,
        gap = run,
        scales = 1,
        zero = 0,
        has_scale = 1,
        has_offset = 0
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part * (run * runs);
    }
    static __device__ __forceinline__ void load(qk_piece<q8_0> *q, const qk_u8 *block, qk_u32 part)
    {
        q->scale[0] = qk_half_at(block);
#pragma unroll
        for (int k = 0; k < runs; k++) {
            qk_bytes<run> codes;
            qk_load_bytes<run, 2>(&codes, block + 2 + start(part) + k * run);
            qk_signed_to_floats(&q->v[k], codes);
        }
    }
};

QK_WEIGHT_KERNELS(q8_0, q8_0)
