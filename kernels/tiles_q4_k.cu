/* SPDX-License-Identifier: Apache-2.0
 *
 * A fused phase over weights of q4_k in tiles. The contract is in quern_tiles.cuh.
 *
 * A line is 64 elements, 32 in low and 32 in high nibbles; bytes 1 and 2 of each word stand the
 * other way round, so that its halves are neighbours. After the lines come the 16 bytes that each
 * row's block begins with: d, dmin (f16), and 8 scales and 8 minima of 6 bits. */
#include "quern_tiles.cuh"

/* A row's head of a block. */
struct q4_k_scales {
    float d, dmin;
    qk_u32 scales[2], minima[2]; /* four bytes each */
};

QK_DEVICE q4_k_scales q4_k_scales_of(const qk_u8 *head)
{
    const qk_u32x4 h = *(const qk_u32x4 *)head;
    float d[2];
    q4_k_scales s;
    qk_unpair<qk_half>(d, h.x);
    s.d = d[0];
    s.dmin = d[1];
    s.scales[0] = h.y & 0x3f3f3f3fu;
    s.scales[1] = (h.w & 0x0f0f0f0fu) | (h.y >> 2 & 0x30303030u);
    s.minima[0] = h.z & 0x3f3f3f3fu;
    s.minima[1] = (h.w >> 4 & 0x0f0f0f0fu) | (h.z >> 2 & 0x30303030u);
    return s;
}

QK_DEVICE float byte_of(const qk_u32 *words, int i)
{
    return (float)(int)(words[i / 4] >> i % 4 * 8 & 255u);
}

struct tiles_q4_k : qk_tiled<4, 256> {
    enum { units = 4, swaps = 1 };
    static __device__ __forceinline__ void multiply(qk_sums *sum, qk_stream<tiles_q4_k> &s,
                                                    const qk_reader &r, qk_u32 at, qk_u32 lane)
    {
        const qk_u8 *heads = s.begin_scales() + lane / 4 * 16;
        const q4_k_scales g = q4_k_scales_of(heads), h = q4_k_scales_of(heads + 128);
        s.end_scales();
        qk_sums tile = {0.0f, 0.0f};
        QK_UNROLL_LINES
        for (int i = 0; i < lines; i++) {
            const qk_u32x4 q = s.take(i);
            const qk_column x = qk_read(r, at + 64 * i), y = qk_read(r, at + 64 * i + 32);
            float c[4] = {0.0f, 0.0f, 0.0f, 0.0f}, e[4] = {0.0f, 0.0f, 0.0f, 0.0f};
            qk_multiply(c, qk_pair_of_low(q.x), qk_pair_of_low(q.x >> 8), qk_pair_of_low(q.z),
                        qk_pair_of_low(q.z >> 8), x, 0);
            qk_multiply(c, qk_pair_of_low(q.y), qk_pair_of_low(q.y >> 8), qk_pair_of_low(q.w),
                        qk_pair_of_low(q.w >> 8), x, 1);
            qk_multiply(e, qk_pair_of_high(q.x), qk_pair_of_high(q.x >> 8), qk_pair_of_high(q.z),
                        qk_pair_of_high(q.z >> 8), y, 0);
            qk_multiply(e, qk_pair_of_high(q.y), qk_pair_of_high(q.y >> 8), qk_pair_of_high(q.w),
                        qk_pair_of_high(q.w >> 8), y, 1);
            qk_take(&tile, c, byte_of(g.scales, 2 * i), byte_of(h.scales, 2 * i));
            qk_take(&tile, e, byte_of(g.scales, 2 * i + 1), byte_of(h.scales, 2 * i + 1));
        }
        const qk_sums less = minima(g, h, r.block_sums + at / 32, lane % 4);
        sum->low += g.d * tile.low - g.dmin * less.low;
        sum->high += h.d * tile.high - h.dmin * less.high;
    }
    /* Minima times the sums of x they belong to. */
    static __device__ __forceinline__ qk_sums minima(const q4_k_scales &g, const q4_k_scales &h,
                                                     const float *block_sums, qk_u32 t)
    {
        qk_sums less = {0.0f, 0.0f};
#if QK_COLUMNS > 1
#pragma unroll
        for (int j = 0; j < 8; j++) {
            less.low += byte_of(g.minima, j) * block_sums[j];
            less.high += byte_of(h.minima, j) * block_sums[j];
        }
#else
#pragma unroll
        for (int j = 0; j < 2; j++) { /* the sums of lanes t are added up later */
            less.low += (float)(int)(g.minima[j] >> t * 8 & 255u) * block_sums[4 * j + t];
            less.high += (float)(int)(h.minima[j] >> t * 8 & 255u) * block_sums[4 * j + t];
        }
#endif
        return less;
    }
    /* A unit is 64 elements of each row. */
    static __device__ __forceinline__ void unpack(qk_half *out, const qk_u8 *tile, qk_u32 n,
                                                  qk_u32 unit, qk_u32 lane)
    {
        const qk_u8 *heads = tile + lines * LINE_BYTES + lane / 4 * 16;
        const qk_u32x4 q = qk_line(tile, unit, lane);
#pragma unroll
        for (int row = 0; row < 2; row++) {
            const q4_k_scales s = q4_k_scales_of(heads + row * 128);
            const qk_u32 a = qk_swapped(row ? q.z : q.x), b = qk_swapped(row ? q.w : q.y);
#pragma unroll
            for (int high = 0; high < 2; high++) {
                const qk_u32 at = 64 * unit + 32 * high;
                const float scale = s.d * byte_of(s.scales, 2 * (int)unit + high);
                const float less = s.dmin * byte_of(s.minima, 2 * (int)unit + high);
                qk_put_codes(out, n, lane, row, at, a >> 4 * high & 0x0f0f0f0fu, 0, scale, less);
                qk_put_codes(out, n, lane, row, at + 16, b >> 4 * high & 0x0f0f0f0fu, 0, scale,
                             less);
            }
        }
    }
    static __device__ __forceinline__ qk_source source(qk_u32 at)
    {
        const qk_u32 scale = at - lines * LINE_BYTES;
        qk_source s = {qk_line_row(at), 16 + at / LINE_BYTES * 32 + qk_line_element(at)};
        if (at >= lines * LINE_BYTES)
            s = {scale / 16, scale % 16};
        return s;
    }
};

QK_TILE_KERNELS(q4_k, tiles_q4_k)
