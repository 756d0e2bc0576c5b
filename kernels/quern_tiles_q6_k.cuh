/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_tiles_q6_k.cuh: tiles of q6_k (quern_tiles.cuh).
 *
 * Each half of the block is three lines: low bits of elements 0 to 31 (and 64 to 95 in the high
 * nibbles), of 32 to 63 (96 to 127), and the high bits. After the lines come 16 scales of each row,
 * signed bytes, and then d of each row, f16. */
#ifndef QUERN_TILES_Q6_K_CUH
#define QUERN_TILES_Q6_K_CUH

#include "quern_phase.cuh"

/* Codes of 4 elements, a byte each: part 0 to 3 of a half. */
QK_DEVICE qk_u32 q6_k_codes(qk_u32 low, qk_u32 high, int part)
{
    const qk_u32 l = part < 2 ? low & 0x0f0f0f0fu : low >> 4 & 0x0f0f0f0fu;
    const qk_u32 h = part == 0 ? high << 4 : part == 1 ? high << 2 : part == 2 ? high : high >> 2;
    return l | (h & 0x30303030u);
}

QK_DEVICE float signed_byte_of(const qk_u32 *words, int i)
{
    return (float)(qk_i8)(words[i / 4] >> i % 4 * 8 & 255u);
}

struct tiles_q6_k : qk_tiled<6, 288> {
    enum { units = 2, swaps = 0 };
    template <class S, class R>
    static __device__ __forceinline__ void multiply(qk_sums *sum, S &s, const R &r, qk_u32 at,
                                                    qk_u32 lane)
    {
        const qk_u8 *scales = s.begin_scales() + lane / 4 * 16;
        const qk_half *d = (const qk_half *)(scales - lane / 4 * 16 + 256);
        const qk_u32x4 low = *(const qk_u32x4 *)scales, high = *(const qk_u32x4 *)(scales + 128);
        const qk_u32 lows[4] = {low.x, low.y, low.z, low.w};
        const qk_u32 highs[4] = {high.x, high.y, high.z, high.w};
        const float d_low = qk_float(d[lane / 4]), d_high = qk_float(d[lane / 4 + 8]);
        s.end_scales();
        qk_sums tile = {0.0f, 0.0f};
        QK_UNROLL_LINES
        for (int half = 0; half < 2; half++) {
            const qk_u32x4 a = s.take(3 * half), b = s.take(3 * half + 1), h = s.take(3 * half + 2);
#pragma unroll
            for (int part = 0; part < 4; part++) {
                const qk_u32x4 &l = part % 2 ? b : a;
                const qk_column x = qk_read(r, at + 128 * half + 32 * part);
                const qk_u32 g0 = q6_k_codes(l.x, h.x, part), g1 = q6_k_codes(l.y, h.y, part);
                const qk_u32 h0 = q6_k_codes(l.z, h.z, part), h1 = q6_k_codes(l.w, h.w, part);
                float c[4] = {0.0f, 0.0f, 0.0f, 0.0f}, e[4] = {0.0f, 0.0f, 0.0f, 0.0f};
                qk_multiply(c, qk_pair_of_bytes<32>(g0, 0), qk_pair_of_bytes<32>(g0, 1),
                            qk_pair_of_bytes<32>(h0, 0), qk_pair_of_bytes<32>(h0, 1), x, 0);
                qk_multiply(e, qk_pair_of_bytes<32>(g1, 0), qk_pair_of_bytes<32>(g1, 1),
                            qk_pair_of_bytes<32>(h1, 0), qk_pair_of_bytes<32>(h1, 1), x, 1);
                const int scale = 8 * half + 2 * part;
                qk_take(&tile, c, signed_byte_of(lows, scale), signed_byte_of(highs, scale));
                qk_take(&tile, e, signed_byte_of(lows, scale + 1),
                        signed_byte_of(highs, scale + 1));
            }
        }
        sum->low += d_low * tile.low;
        sum->high += d_high * tile.high;
    }
#if QK_ONE
    static __device__ __forceinline__ void one(qk_sums *sum, const qk_u8 *tile, const qk_spread &r,
                                               qk_u32 lane)
    {
        const qk_u8 *scales = tile + lines * LINE_BYTES;
        const qk_half *d = (const qk_half *)(scales + 256);
        const qk_i8 *g = (const qk_i8 *)scales + lane / 4 * 16 + lane % 4, *h = g + 128;
        float c[4][4] = {};
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const qk_u32x4 a = qk_line(tile, 3 * half, lane), b = qk_line(tile, 3 * half + 1, lane);
            const qk_u32x4 high = qk_line(tile, 3 * half + 2, lane);
#pragma unroll
            for (int part = 0; part < 4; part++) {
                const qk_u32x4 &l = part % 2 ? b : a;
                const int pair = part % 2 * 2, block = 4 * half + part;
                const qk_u32 g0 = q6_k_codes(l.x, high.x, part), g1 = q6_k_codes(l.y, high.y, part);
                const qk_u32 h0 = q6_k_codes(l.z, high.z, part), h1 = q6_k_codes(l.w, high.w, part);
                qk_multiply(c[block / 2], qk_pair_of_bytes<32>(g0, 0), qk_pair_of_bytes<32>(g0, 1),
                            qk_pair_of_bytes<32>(h0, 0), qk_pair_of_bytes<32>(h0, 1),
                            qk_read(r, pair, block), 0);
                qk_multiply(c[block / 2], qk_pair_of_bytes<32>(g1, 0), qk_pair_of_bytes<32>(g1, 1),
                            qk_pair_of_bytes<32>(h1, 0), qk_pair_of_bytes<32>(h1, 1),
                            qk_read(r, pair + 1, block), 1);
            }
        }
        qk_sums all = {0.0f, 0.0f};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const float by = r.scales[4 * k + lane % 4];
            all.low += by * (float)g[4 * k] * (c[k][0] + c[k][1]);
            all.high += by * (float)h[4 * k] * (c[k][2] + c[k][3]);
        }
        sum->low += qk_float(d[lane / 4]) * all.low;
        sum->high += qk_float(d[lane / 4 + 8]) * all.high;
    }
#endif
    /* A unit is half of each row. */
    static __device__ __forceinline__ void unpack(qk_half *out, const qk_u8 *tile, qk_u32 n,
                                                  qk_u32 unit, qk_u32 lane)
    {
        const qk_u8 *scales = tile + lines * LINE_BYTES;
        const qk_half *d = (const qk_half *)(scales + 256);
        const qk_u32x4 a = qk_line(tile, 3 * unit, lane), b = qk_line(tile, 3 * unit + 1, lane);
        const qk_u32x4 h = qk_line(tile, 3 * unit + 2, lane);
#pragma unroll
        for (int row = 0; row < 2; row++)
#pragma unroll
            for (int part = 0; part < 4; part++) {
                const qk_u32x4 &l = part % 2 ? b : a;
                const qk_u32 r = lane / 4 + 8 * row, at = 128 * unit + 32 * part;
                const qk_i8 *of = (const qk_i8 *)(scales + r * 16 + 8 * unit + 2 * part);
                const float by = qk_float(d[r]);
                qk_put_codes(out, n, lane, row, at,
                             q6_k_codes(row ? l.z : l.x, row ? h.z : h.x, part), 32,
                             by * (float)of[0], 0.0f);
                qk_put_codes(out, n, lane, row, at + 16,
                             q6_k_codes(row ? l.w : l.y, row ? h.w : h.y, part), 32,
                             by * (float)of[1], 0.0f);
            }
    }
    static __device__ __forceinline__ qk_source source(qk_u32 at)
    {
        const qk_u32 line = at / LINE_BYTES, half = line / 3, scale = at - lines * LINE_BYTES;
        const qk_u32 first = line % 3 == 2 ? 128 + 32 * half : 64 * half + line % 3 * 32;
        qk_source s = {qk_line_row(at), first + qk_line_element(at)};
        if (at >= lines * LINE_BYTES)
            s = {scale / 16, 192 + scale % 16};
        if (at >= lines * LINE_BYTES + 256)
            s = {(scale - 256) / 2, 208 + scale % 2};
        return s;
    }
};

#endif
