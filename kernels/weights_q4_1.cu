/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as q4_1: blocks of 32 elements, d q + m. The kernels and their contracts
 * are in quern_weights.cuh.
 *
 *   0  d   f16
 *   2  m   f16
 *   4  q   16 bytes: element j in the low half of byte j, element 16 + j in the high half */
#include "quern_weights.cuh"

struct q4_1 : qk_blocks_of<q4_1> {
    enum {
        elems = 32,
        bytes = 20,
        run = QK_RUN(4),
        runs = 2,
        gap = 16,
        scales = 1,
        zero = 0,
        has_scale = 1,
        has_offset = 1
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part * run;
    }
    static __device__ __forceinline__ void load(qk_piece<q4_1> *q, const qk_u8 *block, qk_u32 part)
    {
        qk_bytes<run> codes;
        qk_load_bytes<run, 4>(&codes, block + 4 + start(part));
        qk_to_floats(&q->v[0], qk_bits(codes, 0, 4));
        qk_to_floats(&q->v[1], qk_bits(codes, 4, 4));
        q->scale[0] = qk_half_at(block);
        q->offset[0] = qk_half_at(block + 2);
    }
};

QK_WEIGHT_KERNELS(q4_1, q4_1)
