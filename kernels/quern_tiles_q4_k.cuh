/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_tiles_q4_k.cuh: tiles of q4_k (quern_tiles.cuh).
 *
 * A line is 64 elements, 32 in low and 32 in high nibbles; bytes 1 and 2 of each word stand the
 * other way round, so that its halves are neighbours. After the lines come the 16 bytes that each
 * row's block begins with: d, dmin (f16), and 8 scales and 8 minima of 6 bits. */
#ifndef QUERN_TILES_Q4_K_CUH
#define QUERN_TILES_Q4_K_CUH

#include "quern_phase.cuh"

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
    template <class S, class R>
    static __device__ __forceinline__ void multiply(qk_sums *sum, S &s, const R &r, qk_u32 at,
                                                    qk_u32 lane)
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
#if QK_ONE
    static __device__ __forceinline__ void one(qk_sums *sum, const qk_u8 *tile, const qk_spread &r,
                                               qk_u32 lane)
    {
        const qk_u8 *heads = tile + lines * LINE_BYTES + lane / 4 * 16;
        const q4_k_scales g = q4_k_scales_of(heads), h = q4_k_scales_of(heads + 128);
        const qk_u32 t = lane % 4, shift = 8 * t;
        float c[2][2][4] = {};
#pragma unroll
        for (int i = 0; i < lines; i++) {
            const qk_u32x4 q = qk_line(tile, i, lane);
            const qk_column x = qk_read(r, 2 * i % 4, 2 * i),
                            y = qk_read(r, 2 * i % 4 + 1, 2 * i + 1);
            const qk_u32 gx = q.x >> 8, gy = q.y >> 8, hx = q.z >> 8, hy = q.w >> 8;
            const qk_u32 low = 0x000f000fu, high = 0x00f000f0u;
            qk_multiply(c[i / 2][0], q.x & low, gx & low, q.z & low, hx & low, x, 0);
            qk_multiply(c[i / 2][1], q.y & low, gy & low, q.w & low, hy & low, x, 1);
            qk_multiply(c[i / 2][0], q.x & high, gx & high, q.z & high, hx & high, y, 0);
            qk_multiply(c[i / 2][1], q.y & high, gy & high, q.w & high, hy & high, y, 1);
        }
        qk_sums all = {0.0f, 0.0f}, less = {0.0f, 0.0f};
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const float(*s)[4] = c[k];
            const float *by = r.scales + 8 * k + 2 * t, *of = r.sums + 8 * k + 2 * t,
                        x = of[0] + of[1];
            all.low += (float)(int)(g.scales[k] >> shift & 63u) *
                       (by[0] * (s[0][0] + s[0][1]) + by[1] * (s[1][0] + s[1][1]));
            all.high += (float)(int)(h.scales[k] >> shift & 63u) *
                        (by[0] * (s[0][2] + s[0][3]) + by[1] * (s[1][2] + s[1][3]));
            less.low += (float)(int)(g.minima[k] >> shift & 63u) * x;
            less.high += (float)(int)(h.minima[k] >> shift & 63u) * x;
        }
        /* Bits of a code are a subnormal f16: 2^-24 of it; those of a high nibble 16 times that. */
        const float by = t % 2 ? 1048576.0f : 16777216.0f;
        sum->low += g.d * by * all.low - g.dmin * less.low;
        sum->high += h.d * by * all.high - h.dmin * less.high;
    }
#endif
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

#endif
