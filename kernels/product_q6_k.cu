/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of many tokens with weights of q6_k in tiles. The contract is in quern_product.cuh. A
 * piece is half of what three lines hold: its low bits are their low or high nibbles. */
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) /* that this is here has it compiled for sm_90a */
#define QK_WIDE 1
#else
#define QK_WIDE 0
#endif
#include "quern_product.cuh"

struct product_of_q6_k {
    enum { codes = 3 * PRODUCT_LINE, piece_bytes = codes + 288, tile = 3360, in_fours = 1 };
    static __device__ __forceinline__ float one(const qk_u8 *w, qk_u32 row, qk_u32 k, qk_u32 n)
    {
        const qk_u8 *t = w + ((qk_u64)(row / 16) * (n / 256) + k / 256) * tile;
        const qk_u32 half = k % 256 / 128, part = k % 128 / 32, r = row % 16;
        const qk_u32 at = line_byte(r, k % 32);
        const qk_u8 *lines = t + half * codes;
        const qk_u32 low = lines[part % 2 * PRODUCT_LINE + at] >> part / 2 * 4 & 15u;
        const qk_u32 high = lines[2 * PRODUCT_LINE + at] >> 2 * part & 3u;
        const qk_i8 scale = (qk_i8)t[2 * codes + r * 16 + 8 * half + 2 * part + k % 32 / 16];
        return qk_float(((const qk_half *)(t + 2 * codes + 256))[r]) * (float)scale *
               (float)((int)(low | high << 4) - 32);
    }
#if QK_TENSOR
    static __device__ __forceinline__ qk_u32 place(qk_u32 j)
    {
        return j * 16;
    }
    static __device__ __forceinline__ qk_u64 source(qk_u32 strip, qk_u32 piece, qk_u32 j, qk_u32 n)
    {
        const qk_u32 at = j * 16 < codes ? piece % 4 / 2 * codes + j * 16 : codes + j * 16;
        return ((qk_u64)strip * (n / 256) + piece / 4) * tile + at;
    }
    static __device__ __forceinline__ void fragments(qk_u32 (*a)[4], const qk_u8 *strip,
                                                     qk_u32 piece, int i, qk_u32 lane)
    {
        const qk_u32 upper = piece % 2, less = 0x64206420u; /* 1024 + 32 */
        const qk_u32x4 l = *(const qk_u32x4 *)(strip + i * PRODUCT_LINE + lane * 16);
        const qk_u32x4 h = *(const qk_u32x4 *)(strip + 2 * PRODUCT_LINE + lane * 16);
        const qk_u32 low[2][2] = {{l.x, l.z}, {l.y, l.w}}, high[2][2] = {{h.x, h.z}, {h.y, h.w}};
        const qk_half *d = (const qk_half *)(strip + codes + 256) + lane / 4;
        const qk_u16 *scales =
            (const qk_u16 *)(strip + codes) + lane / 4 * 8 + piece % 4 * 2 + i;
        qk_u32 by[2]; /* of both halves of the 32 */
QK_TENSOR_UNROLL
        for (int r = 0; r < 2; r++)
            by[r] = pair_times(pair_of_bytes(scales[64 * r] ^ 0x8080u, false, 0x64806480u),
                               pair_low(d[8 * r].bits));
QK_TENSOR_UNROLL
        for (int k = 0; k < 2; k++) {
            const qk_u32 scale[2] = {k ? pair_high(by[0]) : pair_low(by[0]),
                                     k ? pair_high(by[1]) : pair_low(by[1])};
QK_TENSOR_UNROLL
            for (int r = 0; r < 2; r++) {
                const qk_u32 two = upper ? high[k][r] >> 2 * i : high[k][r] << (4 - 2 * i);
                const qk_u32 q = (low[k][r] >> 4 * upper & 0x0f0f0f0fu) | (two & 0x30303030u);
                a[k][r] = pair_times(pair_of_bytes(q, false, less), scale[r]);
                a[k][r + 2] = pair_times(pair_of_bytes(q, true, less), scale[r]);
            }
        }
    }
#endif
};

QK_PRODUCT_KERNEL(q6_k, product_of_q6_k)
