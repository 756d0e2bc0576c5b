/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as q3_k: blocks of 256 elements, d (scale - 32) (q - 4) by 16. The kernels and
 * their contracts are in quern_weights.cuh.
 *
 *   0  h        32 bytes: the third bit of element 32 i + l is bit i of byte l
 *  32  q        64 bytes: low two bits; byte 32 h + l, bits 2 k: element 128 h + 32 k + l
 *  96  scales   16 of 6 bits: four low bits in bytes 0 .. 7, two high bits in bytes 8 .. 11
 * 108  d        f16
 */
#include "quern_weights.cuh"

struct q3_k : qk_blocks_of<q3_k> {
    enum {
        elems = 256,
        bytes = 110,
        run = QK_RUN(8),
        runs = 4,
        gap = 32,
        scales = 4,
        zero = 4,
        has_scale = 1,
        has_offset = 0
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part / (32 / run) * 128 + part % (32 / run) * run;
    }
    static __device__ __forceinline__ void load(qk_piece<q3_k> *q, const qk_u8 *block, qk_u32 part)
    {
        const qk_u32 half = start(part) / 128, at = start(part) % 128;
        const float d = qk_half_at(block + 108);
        qk_bytes<run> third, codes;
        qk_load_bytes<run, 2>(&third, block + at);
        qk_load_bytes<run, 2>(&codes, block + 32 + half * 32 + at);
#pragma unroll
        for (int k = 0; k < runs; k++) {
            const qk_bytes<run> high = qk_bits(third, half * 4 + k, 1);
            qk_to_floats(&q->v[k], qk_above(qk_bits(codes, 2 * k, 2), high, 2));
            const qk_u32 s = 2 * k + at / 16; /* of this half */
            const qk_u32 low = (qk_u32)block[96 + s] >> half * 4 & 15u;
            const qk_u32 top = (qk_u32)block[104 + s % 4] >> (half * 4 + s / 4 * 2) & 3u;
            q->scale[k] = d * (float)((int)(low | top << 4) - 32);
            q->offset[k] = 0.0f;
        }
    }
};

QK_WEIGHT_KERNELS(q3_k, q3_k)
