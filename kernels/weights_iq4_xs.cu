/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as iq4_xs: blocks of 256 elements, d (scale - 32) value[q] by 32, with the values
 * of iq4_nl. The kernels and their contracts are in quern_weights.cuh.
 *
 *   0  d   f16
 *   2  h   16 bits: the upper two of scale s are bits 2 s
 *   4  l   4 bytes: the lower four of scale s are half s
 *   8  q   128 bytes: byte 16 s + j has elements 32 s + j (low half) and 32 s + 16 + j
 */
#include "quern_weights.cuh"

struct iq4_xs : qk_blocks_of<iq4_xs> {
    enum {
        elems = 256,
        bytes = 136,
        run = QK_RUN(4),
        runs = 2,
        gap = 16,
        scales = 1,
        zero = 0,
        has_scale = 1,
        has_offset = 0
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part / (16 / run) * 32 + part % (16 / run) * run;
    }
    static __device__ __forceinline__ void load(qk_piece<iq4_xs> *q, const qk_u8 *block,
                                                qk_u32 part)
    {
        const qk_u32 s = start(part) / 32, at = start(part) % 32;
        const qk_u32 low = (qk_u32)block[4 + s / 2] >> s % 2 * 4 & 15u;
        const qk_u32 high = (qk_u32) * (const qk_u16 *)(block + 2) >> 2 * s & 3u;
        qk_bytes<run> codes;
        qk_load_bytes<run, 4>(&codes, block + 8 + 16 * s + at);
        qk_iq4_nl_floats(&q->v[0], qk_bits(codes, 0, 4));
        qk_iq4_nl_floats(&q->v[1], qk_bits(codes, 4, 4));
        q->scale[0] = qk_half_at(block) * (float)((int)(low | high << 4) - 32);
    }
};

QK_WEIGHT_KERNELS(iq4_xs, iq4_xs)
