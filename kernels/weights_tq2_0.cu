/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as tq2_0: blocks of 256 elements, d (q - 1), -1, 0 or 1 times d. The kernels and
 * their contracts are in quern_weights.cuh.
 *
 *   0  q   64 bytes, two bits each: byte 32 h + l, bits 2 k: element 128 h + 32 k + l
 *  64  d   f16
 */
#include "quern_weights.cuh"

struct tq2_0 : qk_blocks_of<tq2_0> {
    enum {
        elems = 256,
        bytes = 66,
        run = QK_RUN(8),
        runs = 4,
        gap = 32,
        scales = 1,
        zero = 1,
        has_scale = 1,
        has_offset = 0
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part / (32 / run) * 128 + part % (32 / run) * run;
    }
    static __device__ __forceinline__ void load(qk_piece<tq2_0> *q, const qk_u8 *block, qk_u32 part)
    {
        qk_bytes<run> codes;
        qk_load_bytes<run, 2>(&codes, block + start(part) / 128 * 32 + start(part) % 128);
#pragma unroll
        for (int k = 0; k < runs; k++)
            qk_to_floats(&q->v[k], qk_bits(codes, 2 * k, 2));
        q->scale[0] = qk_half_at(block + 64);
    }
};

QK_WEIGHT_KERNELS(tq2_0, tq2_0)
