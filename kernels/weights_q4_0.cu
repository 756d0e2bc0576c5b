/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as q4_0: blocks of 32 elements, d (q - 8). The kernels and their contracts
 * are in quern_weights.cuh.
 *
 *   0  d   f16
 *   2  q   16 bytes: element j in the low half of byte j, element 16 + j in the high half */
#include "quern_weights.cuh"

struct q4_0 : qk_blocks_of<q4_0> {
    enum {
        elems = 32,
        bytes = 18,
        run = QK_RUN(4),
        runs = 2,
        gap = 16,
        scales = 1,
        zero = 8,
        has_scale = 1,
        has_offset = 0
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part * run;
    }
    static __device__ __forceinline__ void load(qk_piece<q4_0> *q, const qk_u8 *block, qk_u32 part)
    {
        qk_bytes<run> codes;
        qk_load_bytes<run, 2>(&codes, block + 2 + start(part));
        qk_to_floats(&q->v[0], qk_bits(codes, 0, 4));
        qk_to_floats(&q->v[1], qk_bits(codes, 4, 4));
        q->scale[0] = qk_half_at(block);
    }
};

QK_WEIGHT_KERNELS(q4_0, q4_0)
