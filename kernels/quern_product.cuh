/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_product.cuh: many tokens through a weight matrix, on tensor cores.
 *
 *   y = then(W x + bias) for each token; QK_PRODUCT_KERNEL(format, struct) makes product_<format>
 *
 *   y0, y1, y2  (tokens, rows of each) f32: the first rows0 rows, the next rows1, the rest, so that
 *               matrices that lie one after the other are one product; of pairs only y0, (tokens,
 *               rows / 2)
 *   w           (rows, n) in tiles (quern_tiles.cuh), f16 as it is stored; on 16 bytes
 *   x           (tokens, n) f16 on 16 bytes, in the order of its format (quern_tensor.cuh)
 *   unscale     (tokens) f32: what a token's sums are multiplied with; null: 1
 *   bias        (rows) f32 or null
 *   rows, n     multiples of 16 (pairs: of 32) and of 256; rows0 and rows1 of 16
 *   then        0: y = it; 1: y += it; 2 and 3: row r of the first half is a gate, row r of the
 *               second half goes up, y = silu (3: gelu) of the gate times up
 *   grid        any; block 128 or 256; dynamic shared: qn__product_plan()
 *   computes    weights as f16, from scales and minima as f16; products and sums in f32
 *   tolerance   1.5e-3 S + 1e-37 (f16: 4e-6 S), S as in quern_weights.cuh but with x as f16; y of
 *               a gate: that of its two products, times |up| and |silu|
 *   source      the definition
 *
 *   ring        bytes of dynamic shared memory
 *
 * Weights are the left factor, 16 rows at a time, tokens the right one. Pieces of 64 elements of n
 * go through a ring in shared memory; codes become f16 in registers, where both instructions take
 * their left factor. A block makes 128 rows by 128 tokens of y; by mma.sync a warp 64 by 64 of them,
 * of two groups of 128 threads each takes every other piece of n. By wgmma (QK_WIDE, for sources
 * compiled for sm_90a) a warp makes 16 rows by 128 tokens. */
#ifndef QUERN_PRODUCT_CUH
#define QUERN_PRODUCT_CUH

#include "quern_tensor.cuh"

enum {
    PRODUCT_THREADS = 128, /* of a group */
    PRODUCT_GROUPS = 2,    /* at most, of a block; by wgmma always */
    BLOCK_STRIPS = 8,  /* of 16 rows */
    BLOCK_GROUPS = 16, /* of 8 tokens */
    ROW_WARPS = QK_WIDE ? 4 : 2, /* of a group */
    WARP_GROUPS = QK_WIDE ? 16 : 8,
    STAGES_MAX = 7,
    PIECE = 64, /* elements of n */
    PRODUCT_LINE = 512,
};
enum { PRODUCT_STORE, PRODUCT_ADD, PRODUCT_SILU, PRODUCT_GELU };

struct product_work {
    float *y[3];
    const qk_u8 *w;
    const qk_half *x;
    const float *unscale, *bias;
    qk_u32 rows, n, tokens, then, rows0, rows1;
};

/* Strip number i in the order of the product: in pairs a gate, then its way up. */
QK_DEVICE qk_u32 product_strip(const product_work &p, qk_u32 i)
{
    if (p.then < PRODUCT_SILU)
        return i;
    return i / 2 + i % 2 * (p.rows / 32);
}

QK_DEVICE float product_unscale(const product_work &p, qk_u32 token)
{
    return p.unscale ? p.unscale[token] : 1.0f;
}

/* gelu's 0.5 (1 + tanh(u)) is silu's 1 / (1 + exp(-2 u)). */
QK_DEVICE float product_activated(float gate, float up, qk_u32 then)
{
    const float twice = 1.5957691216057308f * (gate + 0.044715f * gate * gate * gate);
    return gate / (1.0f + qk_expf(then == PRODUCT_SILU ? -gate : -twice)) * up;
}

/* Where y of a row stands, for token 0; *stride to the next token. */
QK_DEVICE float *product_place(const product_work &p, qk_u32 row, qk_u32 *stride)
{
    if (p.then >= PRODUCT_SILU) {
        *stride = p.rows / 2;
        return p.y[0] + row;
    }
    if (row < p.rows0) {
        *stride = p.rows0;
        return p.y[0] + row;
    }
    if (row < p.rows0 + p.rows1) {
        *stride = p.rows1;
        return p.y[1] + (row - p.rows0);
    }
    *stride = p.rows - p.rows0 - p.rows1;
    return p.y[2] + (row - p.rows0 - p.rows1);
}

#if QK_TENSOR

/* Of one of a warp's strips. */
typedef float product_sums[WARP_GROUPS][4];

/* -- pairs of f16 in a word -- */

QK_DEVICE qk_u32 pair_minus(qk_u32 a, qk_u32 b)
{
    qk_u32 r;
    asm("sub.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}

QK_DEVICE qk_u32 pair_times(qk_u32 a, qk_u32 b)
{
    qk_u32 r;
    asm("mul.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}

QK_DEVICE qk_u32 pair_times_plus(qk_u32 a, qk_u32 b, qk_u32 c)
{
    qk_u32 r;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}

/* The low (high) one twice. */
QK_DEVICE qk_u32 pair_low(qk_u32 w)
{
    return __byte_perm(w, 0, 0x1010u);
}
QK_DEVICE qk_u32 pair_high(qk_u32 w)
{
    return __byte_perm(w, 0, 0x3232u);
}

/* Bytes 0 and 1 (high: 2 and 3) of w, which are 1024 too large, minus what `less` is. */
QK_DEVICE qk_u32 pair_of_bytes(qk_u32 w, bool high, qk_u32 less)
{
    return pair_minus(__byte_perm(w, 0x64646464u, high ? 0x4342u : 0x4140u), less);
}

/* -- a ring: inputs of all stages, then weights of all stages -- */

struct product_ring {
    qk_u8 *x, *w;
    qk_u32 stages;
};

enum { INPUT_BYTES = BLOCK_GROUPS * 8 * PIECE * 2, ROW_BYTES = PIECE * 2 };

/* Each stage is on 1024 bytes. */
template <class F>
QK_DEVICE product_ring product_ring_at(qk_u8 *start, qk_u32 bytes)
{
    const qk_u32 stage = INPUT_BYTES + (BLOCK_STRIPS * F::piece_bytes + 1023) / 1024 * 1024;
    product_ring r;
    r.stages = qk_min(bytes / stage, (qk_u32)STAGES_MAX);
    r.x = start;
    r.w = start + r.stages * INPUT_BYTES;
    return r;
}

/* Where 16 bytes of number c of a row of 128 stand: no two of eight rows in the same banks. It is
 * what wgmma calls a swizzle of 128 bytes. */
QK_DEVICE qk_u32 ring_place(qk_u32 row, qk_u32 c)
{
    return row * ROW_BYTES + (c ^ row % 8) * 16;
}

/* A fragment's rows 0 to 7 and 8 to 15: in the piece of a strip each, from its row `from` on, 0 or
 * 8. */
struct product_rows {
    const qk_u8 *strip[2];
    qk_u32 from[2];
};

/* Number `thread` of `threads` that load a stage together. */
template <class F, int threads>
QK_DEVICE void product_load(const product_ring &ring, qk_u32 stage, const product_work &p,
                            qk_u32 strip0, qk_u32 token0, qk_u32 piece, qk_u32 thread)
{
    enum { of_strip = F::piece_bytes / 16, all = BLOCK_STRIPS * of_strip };
    qk_u8 *w = ring.w + stage * BLOCK_STRIPS * F::piece_bytes, *x = ring.x + stage * INPUT_BYTES;
QK_TENSOR_UNROLL
    for (int k = 0; k < (all + threads - 1) / threads; k++) {
        const qk_u32 i = thread + k * threads;
        if (all % threads != 0 && i >= all)
            break;
        const qk_u32 strip = i / of_strip, j = i % of_strip;
        const qk_u32 from = product_strip(p, qk_min(strip0 + strip, p.rows / 16 - 1));
        qk_copy_16(w + strip * F::piece_bytes + F::place(j), p.w + F::source(from, piece, j, p.n));
    }
QK_TENSOR_UNROLL
    for (int k = 0; k < BLOCK_GROUPS * 64 / threads; k++) {
        const qk_u32 i = thread + k * threads, token = i / 8, c = i % 8;
        const qk_half *from = p.x + (qk_u64)(token0 + token) * p.n + piece * PIECE + c * 8;
        if (token0 + token < p.tokens) /* what stands for the others is in no sum that is kept */
            qk_copy_16(x + ring_place(token, c), from);
    }
}

/* Until the oldest of `distance` pieces has arrived. */
QK_DEVICE void product_wait(qk_u32 distance)
{
    switch (distance) {
    case 1: qk_copies_wait<0>(); break;
    case 2: qk_copies_wait<1>(); break;
    case 3: qk_copies_wait<2>(); break;
    case 4: qk_copies_wait<3>(); break;
    case 5: qk_copies_wait<4>(); break;
    default: qk_copies_wait<5>(); break;
    }
}

/* -- results -- */

/* Of row `row` (below the last) and a token; of pairs also the way up. */
QK_DEVICE void product_put(const product_work &p, qk_u32 row, qk_u32 token, float v, float up)
{
    const float by = product_unscale(p, token);
    qk_u32 stride;
    float *to = product_place(p, row, &stride);
    to += (qk_u64)token * stride;
    v = v * by + (p.bias ? p.bias[row] : 0.0f);
    if (p.then >= PRODUCT_SILU)
        v = product_activated(v, up * by + (p.bias ? p.bias[row + p.rows / 2] : 0.0f), p.then);
    *to = p.then == PRODUCT_ADD ? v + *to : v;
}

#if QK_WIDE
#include "quern_product_wide.cuh"
#else
#include "quern_product_sync.cuh"
#endif

#else

/* A thread for each number of y. */
template <class F> QK_DEVICE void run_product(const product_work &p, qk_u32, void *)
{
    const bool pairs = p.then >= PRODUCT_SILU;
    const qk_u32 rows = pairs ? p.rows / 2 : p.rows;
    for (qk_u64 i = (qk_u64)qk_block() * qk_threads() + qk_thread(); i < (qk_u64)rows * p.tokens;
         i += (qk_u64)qk_blocks() * qk_threads()) {
        const qk_u32 row = (qk_u32)(i % rows), token = (qk_u32)(i / rows);
        float v[2] = {0.0f, 0.0f};
        for (int half = 0; half < (pairs ? 2 : 1); half++) {
            const qk_u32 r = row + half * rows;
            for (qk_u32 k = 0; k < p.n; k++)
                v[half] += F::one(p.w, r, k, p.n) *
                           qk_float(p.x[(qk_u64)token * p.n + qk_input_place(k, F::in_fours)]);
            v[half] = v[half] * product_unscale(p, token) + (p.bias ? p.bias[r] : 0.0f);
        }
        qk_u32 stride;
        float *to = product_place(p, row, &stride);
        to += (qk_u64)token * stride;
        if (pairs)
            v[0] = product_activated(v[0], v[1], p.then);
        *to = p.then == PRODUCT_ADD ? v[0] + *to : v[0];
    }
}

#endif

/* Byte `at` of the 32 of row `row` (of 16) in a line, elements in the line's order: the element's
 * number is `at`. */
QK_DEVICE qk_u32 line_byte(qk_u32 row, qk_u32 at)
{
    return (row % 8 * 4 + at % 16 / 4) * 16 + row / 8 * 8 + at / 16 * 4 + at % 4;
}

#if QK_WIDE
#define QK_PRODUCT_ALIGNED __align__(1024)
#else
#define QK_PRODUCT_ALIGNED
#endif

#define QK_PRODUCT_KERNEL(format, F)                                                               \
    extern "C" __global__ void __launch_bounds__(PRODUCT_THREADS *PRODUCT_GROUPS)                 \
        product_##format(float *y0, float *y1, float *y2, const void *w, const qk_half *x,         \
                         const float *unscale, const float *bias, qk_u32 rows, qk_u32 n,           \
                         qk_u32 tokens, qk_u32 then, qk_u32 rows0, qk_u32 rows1, qk_u32 ring)      \
    {                                                                                              \
        extern __shared__ QK_PRODUCT_ALIGNED qk_u32x4 shared[];                                                       \
        const product_work p = {{y0, y1, y2}, (const qk_u8 *)w, x,    unscale, bias, rows,         \
                                n,            tokens,           then, rows0,   rows1};             \
        run_product<F>(p, ring, shared);                                                                 \
    }

#endif
