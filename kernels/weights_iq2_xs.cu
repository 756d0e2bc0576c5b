/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as iq2_xs: blocks of 256 elements, d (0.5 + scale) / 4 times entries of a codebook
 * of 512, with signs. The kernels and their contracts are in quern_weights.cuh.
 *
 *   0  d       f16
 *   2  q       32 times 16 bits for 8 elements: the entry, and seven signs on top
 *  66  scales  16 of 4 bits, for 16 elements each
 */
#include "quern_codebook.cuh"

static __device__ const qk_u16 codes[512] = {
#include "quern_codes_iq2_xs.cuh"
};

struct iq2_xs : qk_codebook_of<iq2_xs> {
    enum { bytes = 74 };
    static __device__ __forceinline__ void eight(float *out, const qk_u8 *block, qk_u32 g)
    {
        const qk_u32 q = qk_u16_at(block + 2 + 2 * g);
        const float s = (float)qk_half_byte(block + 66, g / 2);
        const float scale = qk_half_at(block) * (0.5f + s) * 0.25f;
        qk_iq2_eight(out, codes[q & 511u], qk_signs_of_seven(q >> 9), scale);
    }
};

QK_WEIGHT_KERNELS(iq2_xs, iq2_xs)
