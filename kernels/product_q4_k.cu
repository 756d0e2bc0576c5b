/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of many tokens with weights of q4_k in tiles. The contract is in quern_product.cuh. */
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) /* that this is here has it compiled for sm_90a */
#define QK_WIDE 1
#else
#define QK_WIDE 0
#endif
#include "quern_product.cuh"

/* Scale (or minimum) number i of a row's head: bytes 4 to 15, 6 bits each. */
QK_DEVICE qk_u32 q4_k_scale(const qk_u32x4 &h, qk_u32 i, bool is_minimum)
{
    const qk_u32 by = i % 4 * 8, first = (is_minimum ? h.z : h.y) >> by;
    if (i < 4)
        return first & 63u;
    const qk_u32 low = h.w >> by >> (is_minimum ? 4 : 0) & 15u;
    return low | (first >> 2 & 48u);
}

struct product_of_q4_k {
    enum { codes = PRODUCT_LINE, piece_bytes = codes + 256, tile = 2304, in_fours = 1 };
    static __device__ __forceinline__ float one(const qk_u8 *w, qk_u32 row, qk_u32 k, qk_u32 n)
    {
        const qk_u8 *t = w + ((qk_u64)(row / 16) * (n / 256) + k / 256) * tile;
        const qk_u32x4 h = *(const qk_u32x4 *)(t + 2048 + row % 16 * 16);
        const qk_u32 i = k % 256 / 32, at = k % 32;
        const qk_u32 swapped = at / 4 * 4 + (at % 4 == 1 ? 2 : at % 4 == 2 ? 1 : at % 4);
        const qk_u32 byte = t[i / 2 * PRODUCT_LINE + line_byte(row % 16, swapped)];
        float d[2];
        qk_unpair<qk_half>(d, h.x);
        return d[0] * (float)q4_k_scale(h, i, false) * (float)(byte >> i % 2 * 4 & 15u) -
               d[1] * (float)q4_k_scale(h, i, true);
    }
#if QK_TENSOR
    static __device__ __forceinline__ qk_u32 place(qk_u32 j)
    {
        return j * 16;
    }
    static __device__ __forceinline__ qk_u64 source(qk_u32 strip, qk_u32 piece, qk_u32 j, qk_u32 n)
    {
        const qk_u32 at = j * 16 < codes ? piece % 4 * codes + j * 16 : 2048 - codes + j * 16;
        return ((qk_u64)strip * (n / 256) + piece / 4) * tile + at;
    }
    /* 1024 and more: the nibbles of bytes 0 and 2, less 1024; the high ones are 16 times as large */
    static __device__ __forceinline__ qk_u32 codes_of(qk_u32 w, int high)
    {
        qk_u32 r;
        if (!high) {
            asm("lop3.b32 %0, %1, 0x000f000f, 0x64006400, 0xea;" : "=r"(r) : "r"(w));
            return pair_minus(r, 0x64006400u);
        }
        asm("lop3.b32 %0, %1, 0x00f000f0, 0x64006400, 0xea;" : "=r"(r) : "r"(w));
        return pair_times_plus(r, 0x2c002c00u, 0xd400d400u); /* / 16 - 64 */
    }
    static __device__ __forceinline__ void fragments(qk_u32 (*a)[4], const qk_u8 *strip,
                                                     qk_u32 piece, int i, qk_u32 lane)
    {
        const qk_u32x4 q = *(const qk_u32x4 *)(strip + lane * 16);
        const qk_u32 words[2][2] = {{q.x, q.z}, {q.y, q.w}};
        qk_u32 scale[2], less[2];
QK_TENSOR_UNROLL
        for (int r = 0; r < 2; r++) {
            const qk_u32x4 h = *(const qk_u32x4 *)(strip + codes + (lane / 4 + 8 * r) * 16);
            const qk_u32 at = piece % 4 * 2 + i;
            const qk_u32 both = q4_k_scale(h, at, false) | q4_k_scale(h, at, true) << 16;
            const qk_u32 by = pair_times(pair_minus(both | 0x64006400u, 0x64006400u),
                                         h.x ^ 0x80000000u); /* the minimum is taken off */
            scale[r] = pair_low(by);
            less[r] = pair_high(by);
        }
QK_TENSOR_UNROLL
        for (int k = 0; k < 2; k++)
QK_TENSOR_UNROLL
            for (int r = 0; r < 2; r++) {
                a[k][r] = pair_times_plus(codes_of(words[k][r], i), scale[r], less[r]);
                a[k][r + 2] = pair_times_plus(codes_of(words[k][r] >> 8, i), scale[r], less[r]);
            }
    }
#endif
};

QK_PRODUCT_KERNEL(q4_k, product_of_q4_k)
