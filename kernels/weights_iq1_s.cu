/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as iq1_s: blocks of 256 elements, d (2 scale + 1) times entries of a codebook of
 * 2048, moved by an eighth. The kernels and their contracts are in quern_weights.cuh.
 *
 *   0  d   f16
 *   2  q   32 bytes: the lower eight bits of an entry's number, for 8 elements each
 *  34  h   8 times 16 bits for 32 elements: four times the upper three bits, the scale in three,
 * and whether the eighth is taken away
 */
#include "quern_codebook.cuh"

static __device__ const qk_u16 codes[2048] = {
#include "quern_codes_iq1.cuh"
};

struct iq1_s : qk_codebook_of<iq1_s> {
    enum { bytes = 50 };
    static __device__ __forceinline__ void eight(float *out, const qk_u8 *block, qk_u32 g)
    {
        const qk_u32 h = qk_u16_at(block + 34 + 2 * (g / 4));
        const float scale = qk_half_at(block) * (float)(2 * (h >> 12 & 7u) + 1);
        const qk_u32 high = h >> 3 * (g % 4) & 7u;
        qk_iq1_eight(out, codes[block[2 + g] | high << 8], (h & 0x8000u) != 0, scale);
    }
};

QK_WEIGHT_KERNELS(iq1_s, iq1_s)
