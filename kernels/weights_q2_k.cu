/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as q2_k: blocks of 256 elements, d scale q - dmin min by 16. The kernels and their
 * contracts are in quern_weights.cuh.
 *
 *   0  scales    16 bytes: scale in the low half, min in the high half
 *  16  q         64 bytes: byte 32 h + l, bits 2 k: element 128 h + 32 k + l
 *  80  d, dmin   f16
 */
#include "quern_weights.cuh"

struct q2_k : qk_blocks_of<q2_k> {
    enum {
        elems = 256,
        bytes = 84,
        run = QK_RUN(8),
        runs = 4,
        gap = 32,
        scales = 4,
        zero = 0,
        has_scale = 1,
        has_offset = 1
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part / (32 / run) * 128 + part % (32 / run) * run;
    }
    static __device__ __forceinline__ void load(qk_piece<q2_k> *q, const qk_u8 *block, qk_u32 part)
    {
        const qk_u32 half = start(part) / 128, at = start(part) % 128;
        const float d = qk_half_at(block + 80), dmin = qk_half_at(block + 82);
        const qk_u8 *scale = block + half * 8 + at / 16;
        qk_bytes<run> codes;
        qk_load_bytes<run, 4>(&codes, block + 16 + half * 32 + at);
#pragma unroll
        for (int k = 0; k < runs; k++) {
            qk_to_floats(&q->v[k], qk_bits(codes, 2 * k, 2));
            q->scale[k] = d * (float)(scale[2 * k] & 15);
            q->offset[k] = -dmin * (float)(scale[2 * k] >> 4);
        }
    }
};

QK_WEIGHT_KERNELS(q2_k, q2_k)
