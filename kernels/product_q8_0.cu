/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of many tokens with weights of q8_0 in tiles. The contract is in quern_product.cuh. */
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) /* that this is here has it compiled for sm_90a */
#define QK_WIDE 1
#else
#define QK_WIDE 0
#endif
#include "quern_product.cuh"

struct product_of_q8_0 {
    enum { codes = 2 * PRODUCT_LINE, piece_bytes = codes + 256, tile = 4352, in_fours = 1 };
    static __device__ __forceinline__ float one(const qk_u8 *w, qk_u32 row, qk_u32 k, qk_u32 n)
    {
        const qk_u8 *t = w + ((qk_u64)(row / 16) * (n / 256) + k / 256) * tile;
        const qk_half *scales = (const qk_half *)(t + 4096);
        return qk_float(scales[row % 16 * 8 + k % 256 / 32]) *
               (float)(qk_i8)t[k % 256 / 32 * PRODUCT_LINE + line_byte(row % 16, k % 32)];
    }
#if QK_TENSOR
    static __device__ __forceinline__ qk_u32 place(qk_u32 j)
    {
        return j * 16;
    }
    static __device__ __forceinline__ qk_u64 source(qk_u32 strip, qk_u32 piece, qk_u32 j, qk_u32 n)
    {
        const qk_u32 at = j * 16 < codes ? piece % 4 * codes + j * 16 : 4096 - codes + j * 16;
        return ((qk_u64)strip * (n / 256) + piece / 4) * tile + at;
    }
    static __device__ __forceinline__ void fragments(qk_u32 (*a)[4], const qk_u8 *strip,
                                                     qk_u32 piece, int i, qk_u32 lane)
    {
        const qk_u32x4 q = *(const qk_u32x4 *)(strip + i * PRODUCT_LINE + lane * 16);
        const qk_half *scales = (const qk_half *)(strip + codes) + lane / 4 * 8 + piece % 4 * 2 + i;
        const qk_u32 s = pair_low(scales[0].bits), t = pair_low(scales[64].bits);
        const qk_u32 flip = 0x80808080u, less = 0x64806480u; /* 1024 + 128 */
        const qk_u32 words[2][2] = {{q.x ^ flip, q.z ^ flip}, {q.y ^ flip, q.w ^ flip}};
QK_TENSOR_UNROLL
        for (int k = 0; k < 2; k++) {
            a[k][0] = pair_times(pair_of_bytes(words[k][0], false, less), s);
            a[k][1] = pair_times(pair_of_bytes(words[k][1], false, less), t);
            a[k][2] = pair_times(pair_of_bytes(words[k][0], true, less), s);
            a[k][3] = pair_times(pair_of_bytes(words[k][1], true, less), t);
        }
    }
#endif
};

QK_PRODUCT_KERNEL(q8_0, product_of_q8_0)
