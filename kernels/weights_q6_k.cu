/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as q6_k: blocks of 256 elements, d scale (q - 32) by 16. The kernels and their
 * contracts are in quern_weights.cuh.
 *
 *   0  l        128 bytes, low four bits: byte 64 h + i has elements 128 h + i and 128 h + 64 + i
 * 128  h        64 bytes, high two bits: byte 32 h + l, bits 2 k: element 128 h + 32 k + l
 * 192  scales   16 signed bytes
 * 208  d        f16
 */
#include "quern_weights.cuh"

struct q6_k : qk_blocks_of<q6_k> {
    enum {
        elems = 256,
        bytes = 210,
        run = QK_RUN(8),
        runs = 4,
        gap = 32,
        scales = 4,
        zero = 32,
        has_scale = 1,
        has_offset = 0
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part / (32 / run) * 128 + part % (32 / run) * run;
    }
    static __device__ __forceinline__ void load(qk_piece<q6_k> *q, const qk_u8 *block, qk_u32 part)
    {
        const qk_u32 half = start(part) / 128, at = start(part) % 128;
        const float d = qk_half_at(block + 208);
        const qk_i8 *scale = (const qk_i8 *)(block + 192 + half * 8 + at / 16);
        qk_bytes<run> low[2], high;
        qk_load_bytes<run, 2>(&low[0], block + half * 64 + at);
        qk_load_bytes<run, 2>(&low[1], block + half * 64 + 32 + at);
        qk_load_bytes<run, 2>(&high, block + 128 + half * 32 + at);
#pragma unroll
        for (int k = 0; k < runs; k++) {
            const qk_bytes<run> codes = qk_bits(low[k % 2], k / 2 * 4, 4);
            qk_to_floats(&q->v[k], qk_above(codes, qk_bits(high, 2 * k, 2), 4));
            q->scale[k] = d * (float)scale[2 * k];
            q->offset[k] = 0.0f;
        }
    }
};

QK_WEIGHT_KERNELS(q6_k, q6_k)
