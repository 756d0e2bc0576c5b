/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_dots.cuh: products of weights and activations that are both small integers.
 *
 * Weights lie in *tiles* (kernels/dot_tiles.h packs them): 16 rows side by side, so that sixteen sums
 * are one vector and no sum of a vector's lanes is ever needed. Per 32 elements of a row, a block:
 * codes of 4, 5, 6 or 8 bits without a sign, f16 scales, and f16 offsets where the format has them.
 * Of a tile first come the codes of all blocks, then all scales, then all offsets. A *word* is 64
 * bytes: for each of the 16 rows 4 bytes, the codes of 4 neighbouring elements, called a quad.
 *
 *   bits  words of a block's codes
 *   4     4: low nibbles are quads 0 to 3, high ones quads 4 to 7
 *   5     4 as before, and one more: bit q of byte i is the fifth bit of element 4 q + i
 *   6     4 as before, and two more: of quad q bits 2 (q % 4) and the next of word q / 4
 *   8     8: a quad each
 *
 * Activations come from quantise.cu: signed bytes x, for each 32 of them x_scale, and the sums of
 * the codes of each 16.
 *
 *   y[t][r] = sum over blocks of scale[r] x_scale (sum of (code - zero) x)
 *                              + offset[r] x_scale (sum of x)
 *
 *   y, bias      f32; bias may be null
 *   rows         a multiple of 16; n a multiple of 32
 *   grid         any; each thread takes tiles
 *   computes     sums of codes exactly, scales and their sum in f32
 *   tolerance    4e-6 S + 1e-37, S = sum over i of |x[i]| times the largest |scale (code - zero)| +
 *                |offset| of its block, + |bias| + |y|, where x is what its codes and scales mean
 *   source       the definition */
#ifndef QUERN_DOTS_CUH
#define QUERN_DOTS_CUH

#include "quern_lanes.cuh"

enum {
    QK_TILE_ROWS = 16,
    QK_TILE_ELEMS = 32,
    QK_WORD_BYTES = 64,
    QK_QUADS = 8,
    QK_AHEAD_BYTES = 4096
};

/* Bytes of codes of a block, and the codes of a quad. */
struct qk_codes_u4 {
    enum { words = 4, scales = 1 };
    static __device__ __forceinline__ qk_lanes quad(const qk_u8 *block, int q)
    {
        const qk_lanes word = qk_load_lanes((const qk_i32 *)block + q % 4 * 16);
        return qk_and(q < 4 ? word : qk_shift_right(word, 4), 0x0f0f0f0f);
    }
};
struct qk_codes_u5 {
    enum { words = 5, scales = 1 };
    static __device__ __forceinline__ qk_lanes quad(const qk_u8 *block, int q)
    {
        const qk_lanes high = qk_shift_right(qk_load_lanes((const qk_i32 *)block + 4 * 16), q);
        return qk_or(qk_codes_u4::quad(block, q), qk_shift_left(qk_and(high, 0x01010101), 4));
    }
};
struct qk_codes_u6 {
    enum { words = 6, scales = 2 };
    static __device__ __forceinline__ qk_lanes quad(const qk_u8 *block, int q)
    {
        const qk_lanes high =
            qk_shift_right(qk_load_lanes((const qk_i32 *)block + (4 + q / 4) * 16), q % 4 * 2);
        return qk_or(qk_codes_u4::quad(block, q), qk_shift_left(qk_and(high, 0x03030303), 4));
    }
};
struct qk_codes_u8 {
    enum { words = 8, scales = 1 };
    static __device__ __forceinline__ qk_lanes quad(const qk_u8 *block, int q)
    {
        return qk_load_lanes((const qk_i32 *)block + q * 16);
    }
};

struct qk_dots {
    float *y;
    const qk_u8 *w;
    const qk_i32 *x; /* four codes each */
    const float *x_scale;
    const qk_i32 *x_sums;
    const float *bias;
    qk_u32 rows, n, tokens;
    qk_i32 zero;
    bool add;
};

/* One tile and T tokens from `first` on. */
template <class C, bool has_offset, int T>
QK_DEVICE void qk_dot_tile(const qk_dots &d, const qk_u8 *tile, qk_u64 row, qk_u32 first)
{
    const qk_u32 blocks = d.n / QK_TILE_ELEMS;
    const qk_half *scales = (const qk_half *)(tile + (qk_u64)blocks * (C::words * QK_WORD_BYTES));
    const qk_half *offsets = scales + (qk_u64)blocks * (C::scales * QK_TILE_ROWS);
    const qk_i32 *x = d.x + (qk_u64)first * (d.n / 4);
    const float *x_scale = d.x_scale + (qk_u64)first * blocks;
    const qk_i32 *x_sums = d.x_sums + (qk_u64)first * blocks * 2;
    qk_flanes sums[T];
#pragma unroll
    for (int t = 0; t < T; t++)
        sums[t] = qk_flanes_of(0.0f);
#pragma unroll 1
    for (qk_u32 b = 0; b < blocks; b++) {
        const qk_u8 *codes = tile + (qk_u64)b * (C::words * QK_WORD_BYTES);
        if (T == 1) /* each code is read once: what comes next, also of the next tile */
#pragma unroll
            for (int i = 0; i < C::words; i++)
                qk_prefetch(codes + QK_AHEAD_BYTES + i * QK_WORD_BYTES);
#pragma unroll
        for (int s = 0; s < C::scales; s++) {
            qk_lanes dots[T];
#pragma unroll
            for (int t = 0; t < T; t++) {
                const qk_i32 *both = x_sums + ((qk_u64)t * blocks + b) * 2;
                const qk_i32 sum = C::scales == 2 ? both[s] : both[0] + both[1];
                dots[t] = qk_lanes_of(has_offset ? 0 : -d.zero * sum);
            }
#pragma unroll
            for (int q = 0; q < QK_QUADS / C::scales; q++) {
                const int at = s * (QK_QUADS / C::scales) + q;
                const qk_lanes quad = C::quad(codes, at);
#pragma unroll
                for (int t = 0; t < T; t++)
                    dots[t] = qk_dot4(dots[t], quad, x[(qk_u64)t * (d.n / 4) + b * QK_QUADS + at]);
            }
            const qk_flanes scale =
                qk_load_halves(scales + ((qk_u64)b * C::scales + s) * QK_TILE_ROWS);
#pragma unroll
            for (int t = 0; t < T; t++)
                qk_add_product(&sums[t], qk_to_flanes(dots[t]),
                               qk_times(scale, x_scale[(qk_u64)t * blocks + b]));
        }
        if (has_offset) {
            const qk_flanes offset = qk_load_halves(offsets + (qk_u64)b * QK_TILE_ROWS);
#pragma unroll
            for (int t = 0; t < T; t++) {
                const qk_i32 *both = x_sums + ((qk_u64)t * blocks + b) * 2;
                const float sum = (float)(both[0] + both[1]);
                qk_add_product(&sums[t], offset,
                               qk_flanes_of(x_scale[(qk_u64)t * blocks + b] * sum));
            }
        }
    }
#pragma unroll
    for (int t = 0; t < T; t++) {
        float *y = d.y + (qk_u64)(first + t) * d.rows + row;
        if (d.bias)
            sums[t] = qk_plus(sums[t], qk_load_flanes(d.bias + row));
        if (d.add)
            sums[t] = qk_plus(sums[t], qk_load_flanes(y));
        qk_store_flanes(y, sums[t]);
    }
}

template <class C, bool has_offset> QK_DEVICE void qk_run_dots(const qk_dots &d)
{
    enum { many = 8, some = 4 };
    const qk_u64 blocks = d.n / QK_TILE_ELEMS;
    const qk_u64 tile_bytes =
        (blocks * (C::words * QK_WORD_BYTES + 2 * QK_TILE_ROWS * (C::scales + has_offset)) + 63) /
        64 * 64;
    const qk_span s = qk_grid_share(d.rows / QK_TILE_ROWS);
    for (qk_u64 i = s.begin; i < s.end; i += s.step) {
        const qk_u8 *tile = d.w + i * tile_bytes;
        const qk_u64 row = i * QK_TILE_ROWS;
        qk_u32 t = 0;
        for (; t + many <= d.tokens; t += many)
            qk_dot_tile<C, has_offset, many>(d, tile, row, t);
        for (; t + some <= d.tokens; t += some)
            qk_dot_tile<C, has_offset, some>(d, tile, row, t);
        for (; t < d.tokens; t++)
            qk_dot_tile<C, has_offset, 1>(d, tile, row, t);
    }
}

#define QK_DOT_KERNEL(name, C, has_offset)                                                         \
    extern "C" __global__ void name(float *__restrict__ y, const void *__restrict__ w,             \
                                    const void *__restrict__ x, const float *__restrict__ x_scale, \
                                    const qk_i32 *__restrict__ x_sums,                             \
                                    const float *__restrict__ bias, qk_u32 rows, qk_u32 n,         \
                                    qk_u32 tokens, qk_u32 zero, qk_u32 add)                        \
    {                                                                                              \
        const qk_dots d = {y, (const qk_u8 *)w, (const qk_i32 *)x, x_scale, x_sums, bias, rows,    \
                           n, tokens,           (qk_i32)zero,      add != 0};                      \
        qk_run_dots<C, has_offset>(d);                                                             \
    }

#endif
