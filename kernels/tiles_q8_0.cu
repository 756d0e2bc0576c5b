/* SPDX-License-Identifier: Apache-2.0
 *
 * A fused phase over weights of q8_0 in tiles. The contract is in quern_tiles.cuh.
 *
 * A line is a block of 32 elements; after the lines come the 8 scales of each row, f16. */
#include "quern_phase.cuh"

struct tiles_q8_0 : qk_tiled<8, 256> {
    enum { units = 8, swaps = 0 };
    template <class S, class R>
    static __device__ __forceinline__ void multiply(qk_sums *sum, S &s, const R &r, qk_u32 at,
                                                    qk_u32 lane)
    {
        const qk_u8 *scales = s.begin_scales() + lane / 4 * 16;
        const qk_u32x4 low = *(const qk_u32x4 *)scales, high = *(const qk_u32x4 *)(scales + 128);
        const qk_u32 lows[4] = {low.x, low.y, low.z, low.w};
        const qk_u32 highs[4] = {high.x, high.y, high.z, high.w};
        s.end_scales();
        QK_UNROLL_LINES
        for (int i = 0; i < lines; i++) {
            const qk_u32x4 q = s.take(i);
            const qk_column x = qk_read(r, at + 32 * i);
            const qk_u32 flip = 0x80808080u; /* signed bytes to 128 + q */
            const qk_u32 g0 = q.x ^ flip, g1 = q.y ^ flip, h0 = q.z ^ flip, h1 = q.w ^ flip;
            float c[4] = {0.0f, 0.0f, 0.0f, 0.0f}, u[2], v[2];
            qk_multiply(c, qk_pair_of_bytes<128>(g0, 0), qk_pair_of_bytes<128>(g0, 1),
                        qk_pair_of_bytes<128>(h0, 0), qk_pair_of_bytes<128>(h0, 1), x, 0);
            qk_multiply(c, qk_pair_of_bytes<128>(g1, 0), qk_pair_of_bytes<128>(g1, 1),
                        qk_pair_of_bytes<128>(h1, 0), qk_pair_of_bytes<128>(h1, 1), x, 1);
            qk_unpair<qk_half>(u, lows[i / 2]);
            qk_unpair<qk_half>(v, highs[i / 2]);
            qk_take(sum, c, u[i % 2], v[i % 2]);
        }
    }
#if QK_ONE
    static __device__ __forceinline__ void one(qk_sums *sum, const qk_u8 *tile, const qk_spread &r,
                                               qk_u32 lane)
    {
        const qk_half *scales =
            (const qk_half *)(tile + lines * LINE_BYTES) + lane / 4 * 8 + lane % 4;
        float c[2][2][4] = {};
#pragma unroll
        for (int i = 0; i < lines; i++) {
            const qk_u32x4 q = qk_line(tile, i, lane);
            const qk_column x = qk_read(r, i % 4, i);
            const qk_u32 flip = 0x80808080u; /* signed bytes to 128 + q */
            const qk_u32 g0 = q.x ^ flip, g1 = q.y ^ flip, h0 = q.z ^ flip, h1 = q.w ^ flip;
            qk_multiply(c[i / 4][0], qk_pair_of_bytes<128>(g0, 0), qk_pair_of_bytes<128>(g0, 1),
                        qk_pair_of_bytes<128>(h0, 0), qk_pair_of_bytes<128>(h0, 1), x, 0);
            qk_multiply(c[i / 4][1], qk_pair_of_bytes<128>(g1, 0), qk_pair_of_bytes<128>(g1, 1),
                        qk_pair_of_bytes<128>(h1, 0), qk_pair_of_bytes<128>(h1, 1), x, 1);
        }
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const float(*s)[4] = c[k];
            const float *x = r.scales + 8 * k + 2 * (lane % 4);
            sum->low +=
                qk_float(scales[4 * k]) * (x[0] * (s[0][0] + s[0][1]) + x[1] * (s[1][0] + s[1][1]));
            sum->high += qk_float(scales[64 + 4 * k]) *
                         (x[0] * (s[0][2] + s[0][3]) + x[1] * (s[1][2] + s[1][3]));
        }
    }
#endif
    /* A unit is a block of each row. */
    static __device__ __forceinline__ void unpack(qk_half *out, const qk_u8 *tile, qk_u32 n,
                                                  qk_u32 unit, qk_u32 lane)
    {
        const qk_half *scales = (const qk_half *)(tile + lines * LINE_BYTES) + unit;
        const float g = qk_float(scales[lane / 4 * 8]), h = qk_float(scales[(lane / 4 + 8) * 8]);
        const qk_u32x4 q = qk_line(tile, unit, lane);
        const qk_u32 at = 32 * unit, flip = 0x80808080u;
        qk_put_codes(out, n, lane, false, at, q.x ^ flip, 128, g, 0.0f);
        qk_put_codes(out, n, lane, false, at + 16, q.y ^ flip, 128, g, 0.0f);
        qk_put_codes(out, n, lane, true, at, q.z ^ flip, 128, h, 0.0f);
        qk_put_codes(out, n, lane, true, at + 16, q.w ^ flip, 128, h, 0.0f);
    }
    static __device__ __forceinline__ qk_source source(qk_u32 at)
    {
        const qk_u32 scale = at - lines * LINE_BYTES;
        qk_source s = {qk_line_row(at), at / LINE_BYTES * 34 + 2 + qk_line_element(at)};
        if (at >= lines * LINE_BYTES)
            s = {scale / 16, scale % 16 / 2 * 34 + scale % 2};
        return s;
    }
};

QK_TILE_KERNELS(q8_0, tiles_q8_0)
QK_PHASE_KERNEL(q8_0, tiles_q8_0)
