/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as iq3_xxs: blocks of 256 elements, d (0.5 + scale) / 2 times entries of a
 * codebook of 256, with signs. The kernels and their contracts are in quern_weights.cuh.
 *
 *   0  d   f16
 *   2  q   64 bytes: numbers of entries, for 4 elements each
 *  66  eight times 32 bits for 32 elements: four times seven signs, and the scale on top
 */
#include "quern_codebook.cuh"

static __device__ const qk_u16 codes[256] = {
#include "quern_codes_iq3_xxs.cuh"
};

struct iq3_xxs : qk_codebook_of<iq3_xxs> {
    enum { bytes = 98 };
    static __device__ __forceinline__ void eight(float *out, const qk_u8 *block, qk_u32 g)
    {
        const qk_u32 word = qk_word_at(block + 66 + 4 * (g / 4));
        const qk_u32 signs = qk_signs_of_seven(word >> 7 * (g % 4) & 127u);
        const float scale = qk_half_at(block) * (0.5f + (float)(word >> 28)) * 0.5f;
        qk_iq3_four(out, codes[block[2 + 2 * g]], signs, scale, 8, 4, 2);
        qk_iq3_four(out + 4, codes[block[3 + 2 * g]], signs >> 4, scale, 8, 4, 2);
    }
};

QK_WEIGHT_KERNELS(iq3_xxs, iq3_xxs)
