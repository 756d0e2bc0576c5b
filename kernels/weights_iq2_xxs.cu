/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as iq2_xxs: blocks of 256 elements, d (0.5 + scale) / 4 times entries of a
 * codebook of 256, with signs. The kernels and their contracts are in quern_weights.cuh.
 *
 *   0  d   f16
 *   2  eight times 8 bytes for 32 elements: four numbers of entries, then 32 bits: four times seven
 *      signs, and the scale on top
 */
#include "quern_codebook.cuh"

static __device__ const qk_u16 codes[256] = {
#include "quern_codes_iq2_xxs.cuh"
};

struct iq2_xxs : qk_codebook_of<iq2_xxs> {
    enum { bytes = 66 };
    static __device__ __forceinline__ void eight(float *out, const qk_u8 *block, qk_u32 g)
    {
        const qk_u8 *p = block + 2 + 8 * (g / 4);
        const qk_u32 word = qk_word_at(p + 4), seven = word >> 7 * (g % 4) & 127u;
        const float scale = qk_half_at(block) * (0.5f + (float)(word >> 28)) * 0.25f;
        qk_iq2_eight(out, codes[p[g % 4]], qk_signs_of_seven(seven), scale);
    }
};

QK_WEIGHT_KERNELS(iq2_xxs, iq2_xxs)
