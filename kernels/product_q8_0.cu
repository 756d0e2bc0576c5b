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
    static __device__ __forceinline__ void fragments(qk_u32 (*a)[4], const product_rows &rows,
                                                     qk_u32 piece, int i, qk_u32 lane)
    {
        const qk_u32 flip = 0x80808080u, less = 0x64806480u; /* 1024 + 128 */
QK_TENSOR_UNROLL
        for (int r = 0; r < 2; r++) {
            const qk_u8 *strip = rows.strip[r];
            const qk_u32 from = rows.from[r], row = from + lane / 4;
            const qk_u32x2 q = *(const qk_u32x2 *)(strip + i * PRODUCT_LINE + lane * 16 + from);
            const qk_half *scales = (const qk_half *)(strip + codes) + row * 8;
            const qk_u32 s = pair_low(scales[piece % 4 * 2 + i].bits);
            a[0][r] = pair_times(pair_of_bytes(q.x ^ flip, false, less), s);
            a[1][r] = pair_times(pair_of_bytes(q.y ^ flip, false, less), s);
            a[0][r + 2] = pair_times(pair_of_bytes(q.x ^ flip, true, less), s);
            a[1][r + 2] = pair_times(pair_of_bytes(q.y ^ flip, true, less), s);
        }
    }
#endif
};

QK_PRODUCT_KERNEL(q8_0, product_of_q8_0)
