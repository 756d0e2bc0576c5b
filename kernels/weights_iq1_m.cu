/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as iq1_m: blocks of 256 elements, d (2 scale + 1) times entries of a codebook of
 * 2048, moved by an eighth. The kernels and their contracts are in quern_weights.cuh.
 *
 *   0  q       32 bytes: the lower eight bits of an entry's number, for 8 elements each
 *  32  h       32 of 4 bits: the upper three, and whether the eighth is taken away
 *  48  scales  4 times 16 bits: four scales of three bits for 16 elements each, and a quarter of
 *              the f16 d on top
 */
#include "quern_codebook.cuh"

static __device__ const qk_u16 codes[2048] = {
#include "quern_codes_iq1.cuh"
};

struct iq1_m : qk_codebook_of<iq1_m> {
    enum { bytes = 56 };
    static __device__ __forceinline__ void eight(float *out, const qk_u8 *block, qk_u32 g)
    {
        const qk_u8 *s = block + 48;
        const qk_u32 h = qk_half_byte(block + 32, g), i = g / 2;
        qk_half d;
        d.bits = (qk_u16)(qk_u16_at(s) >> 12 | (qk_u16_at(s + 2) >> 8 & 0xf0u) |
                          (qk_u16_at(s + 4) >> 4 & 0xf00u) | (qk_u16_at(s + 6) & 0xf000u));
        const qk_u32 three = qk_u16_at(s + 2 * (i / 4)) >> 3 * (i % 4) & 7u;
        const float scale = qk_float(d) * (float)(2 * three + 1);
        qk_iq1_eight(out, codes[block[g] | (h & 7u) << 8], (h & 8u) != 0, scale);
    }
};

QK_WEIGHT_KERNELS(iq1_m, iq1_m)
