/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as iq2_s: blocks of 256 elements, d (0.5 + scale) / 4 times entries of a codebook
 * of 1024, with signs. The kernels and their contracts are in quern_weights.cuh.
 *
 *   0  d       f16
 *   2  q       32 bytes: the lower eight bits of an entry's number, for 8 elements each
 *  34  signs   32 bytes
 *  66  h       8 bytes: the upper two bits of four numbers each
 *  74  scales  16 of 4 bits, for 16 elements each
 */
#include "quern_codebook.cuh"

static __device__ const qk_u16 codes[1024] = {
#include "quern_codes_iq2_s.cuh"
};

struct iq2_s : qk_codebook_of<iq2_s> {
    enum { bytes = 82 };
    static __device__ __forceinline__ void eight(float *out, const qk_u8 *block, qk_u32 g)
    {
        const qk_u32 high = (qk_u32)block[66 + g / 4] >> g % 4 * 2 & 3u;
        const float s = (float)qk_half_byte(block + 74, g / 2);
        const float scale = qk_half_at(block) * (0.5f + s) * 0.25f;
        qk_iq2_eight(out, codes[block[2 + g] | high << 8], block[34 + g], scale);
    }
};

QK_WEIGHT_KERNELS(iq2_s, iq2_s)
