/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as iq3_s: blocks of 256 elements, d (1 + 2 scale) times entries of a codebook of
 * 512, with signs. The kernels and their contracts are in quern_weights.cuh.
 *
 *   0  d       f16
 *   2  q       64 bytes: the lower eight bits of an entry's number, for 4 elements each
 *  66  h       8 bytes: their ninth bits
 *  74  signs   32 bytes
 * 106  scales  8 of 4 bits, for 32 elements each
 */
#include "quern_codebook.cuh"

static __device__ const qk_u16 codes[512] = {
#include "quern_codes_iq3_s.cuh"
};

struct iq3_s : qk_codebook_of<iq3_s> {
    enum { bytes = 110 };
    static __device__ __forceinline__ void eight(float *out, const qk_u8 *block, qk_u32 g)
    {
        const qk_u32 high = (qk_u32)block[66 + g / 4] >> g % 4 * 2, signs = block[74 + g];
        const float s = (float)qk_half_byte(block + 106, g / 4);
        const float scale = qk_half_at(block) * (1.0f + 2.0f * s);
        qk_iq3_four(out, codes[block[2 + 2 * g] | (high & 1u) << 8], signs, scale, 2, 1, 0);
        qk_iq3_four(out + 4, codes[block[3 + 2 * g] | (high & 2u) << 7], signs >> 4, scale, 2, 1,
                    0);
    }
};

QK_WEIGHT_KERNELS(iq3_s, iq3_s)
