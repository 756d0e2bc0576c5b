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
 *   stages      of the ring, 3 to 6: qn__product_stages()
 *
 * A block makes 128 rows by 128 tokens of y: weights are the left factor, 16 rows at a time, tokens
 * the right one. A warp has 64 by 64 of them by mma.sync, or by wgmma 32 by 128. Pieces of 64
 * elements of n go through a ring in shared memory; codes become f16 in registers, where both
 * instructions take their left factor. Where there are fewer blocks than units, a block has two
 * groups of 128 threads, which share n. QK_WIDE: wgmma, for sources compiled for sm_90a. */
#ifndef QUERN_PRODUCT_CUH
#define QUERN_PRODUCT_CUH

#include "quern_tensor.cuh"

enum {
    PRODUCT_THREADS = 128, /* of a group */
    PRODUCT_GROUPS = 2,    /* at most, of a block */
    BLOCK_STRIPS = 8,  /* of 16 rows */
    BLOCK_GROUPS = 16, /* of 8 tokens */
    ROW_WARPS = QK_WIDE ? 4 : 2,
    WARP_STRIPS = BLOCK_STRIPS / ROW_WARPS,
    WARP_GROUPS = QK_WIDE ? 16 : 8,
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

typedef float product_sums[WARP_STRIPS][WARP_GROUPS][4];

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

/* -- a block's ring: inputs of all stages, then weights of all stages -- */

struct product_ring {
    qk_u8 *x, *w;
    qk_u32 stages;
};

QK_DEVICE qk_u32 group_thread()
{
    return qk_thread() % PRODUCT_THREADS;
}

enum { INPUT_BYTES = BLOCK_GROUPS * 8 * PIECE * 2, ROW_BYTES = PIECE * 2 };

/* On 1024 bytes. */
template <class F> QK_DEVICE qk_u32 product_stage_bytes()
{
    return INPUT_BYTES + (BLOCK_STRIPS * F::piece_bytes + 1023) / 1024 * 1024;
}

/* Where 16 bytes of number c of a row of 128 stand: no two of eight rows in the same banks. It is
 * what wgmma calls a swizzle of 128 bytes. */
QK_DEVICE qk_u32 ring_place(qk_u32 row, qk_u32 c)
{
    return row * ROW_BYTES + (c ^ row % 8) * 16;
}

template <class F>
QK_DEVICE void product_load(const product_ring &ring, qk_u32 stage, const product_work &p,
                            qk_u32 strip0, qk_u32 token0, qk_u32 piece)
{
    enum { of_strip = F::piece_bytes / 16, all = BLOCK_STRIPS * of_strip };
    const qk_u32 strips = p.rows / 16;
    qk_u8 *w = ring.w + stage * BLOCK_STRIPS * F::piece_bytes, *x = ring.x + stage * INPUT_BYTES;
QK_TENSOR_UNROLL
    for (int k = 0; k < (all + PRODUCT_THREADS - 1) / PRODUCT_THREADS; k++) {
        const qk_u32 i = group_thread() + k * PRODUCT_THREADS;
        if (all % PRODUCT_THREADS != 0 && i >= all)
            break;
        const qk_u32 strip = i / of_strip, j = i % of_strip;
        const qk_u32 from = product_strip(p, qk_min(strip0 + strip, strips - 1));
        qk_copy_16(w + strip * F::piece_bytes + F::place(j), p.w + F::source(from, piece, j, p.n));
    }
QK_TENSOR_UNROLL
    for (int k = 0; k < BLOCK_GROUPS * 64 / PRODUCT_THREADS; k++) {
        const qk_u32 i = group_thread() + k * PRODUCT_THREADS, token = i / 8, c = i % 8;
        const qk_half *from =
            p.x + (qk_u64)qk_min(token0 + token, p.tokens - 1) * p.n + piece * PIECE + c * 8;
        qk_copy_16(x + ring_place(token, c), from);
    }
}

/* -- a warp's products -- */

#if QK_WIDE

/* 64 rows of a, 16 of each warp, by 128 tokens. */
QK_DEVICE void product_wide(float (*c)[4], const qk_u32 *a, qk_u64 b)
{
#define SUMS(i) "+f"(c[i][0]), "+f"(c[i][1]), "+f"(c[i][2]), "+f"(c[i][3])
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
                 "{%64, %65, %66, %67}, %68, p, 1, 1, 0;\n}"
                 : SUMS(0), SUMS(1), SUMS(2), SUMS(3), SUMS(4), SUMS(5), SUMS(6), SUMS(7), SUMS(8),
                   SUMS(9), SUMS(10), SUMS(11), SUMS(12), SUMS(13), SUMS(14), SUMS(15)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
#undef SUMS
}

/* Rows of 128 bytes in groups of eight, 1024 bytes apart, as ring_place() has them. */
QK_DEVICE qk_u64 product_descriptor(const qk_u8 *x)
{
    const qk_u64 at = (qk_u64)__cvta_generic_to_shared(x);
    return (at & 0x3ffffu) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

/* One of the warp's two strips. While its products are made the next ones' weights are unpacked:
 * what is under way at the end are these. */
template <class F, int m>
QK_DEVICE void product_strip_of(product_sums &sums, const qk_u8 *w, const qk_u8 *x, qk_u32 warp,
                                qk_u32 piece, qk_u32 lane)
{
    qk_u32 a[4][4];
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    F::fragments(a, w + (2 * warp + m) * F::piece_bytes, piece, 0, lane);
    F::fragments(a + 2, w + (2 * warp + m) * F::piece_bytes, piece, 1, lane);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    const qk_u64 b = product_descriptor(x);
QK_TENSOR_UNROLL
    for (int s = 0; s < 4; s++)
        product_wide(sums[m], a[s], b + 2 * s);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <class F>
QK_DEVICE void product_multiply(product_sums &sums, const product_ring &ring, qk_u32 stage,
                                qk_u32 warp, qk_u32 piece, qk_u32 lane)
{
    const qk_u8 *w = ring.w + stage * BLOCK_STRIPS * F::piece_bytes;
    const qk_u8 *x = ring.x + stage * INPUT_BYTES;
    product_strip_of<F, 0>(sums, w, x, warp, piece, lane);
    product_strip_of<F, 1>(sums, w, x, warp, piece, lane);
}

#else

template <class F>
QK_DEVICE void product_multiply(product_sums &sums, const product_ring &ring, qk_u32 stage,
                                qk_u32 warp, qk_u32 piece, qk_u32 lane)
{
    const qk_u32 row_warp = warp % ROW_WARPS, token_warp = warp / ROW_WARPS;
    const qk_u8 *w = ring.w + (stage * BLOCK_STRIPS + row_warp * WARP_STRIPS) * F::piece_bytes;
    const qk_u8 *x = ring.x + stage * INPUT_BYTES;
    const qk_u32 token = token_warp * WARP_GROUPS * 8 + lane / 16 * 8 + lane % 8;
QK_TENSOR_UNROLL
    for (int i = 0; i < 2; i++) {
        qk_u32 b[2][WARP_GROUPS / 2][4];
QK_TENSOR_UNROLL
        for (int s = 0; s < 2; s++)
QK_TENSOR_UNROLL
            for (int g = 0; g < WARP_GROUPS / 2; g++)
                qk_load_matrices(b[s][g], (const qk_half *)(x + ring_place(token + 16 * g,
                                                                           4 * i + 2 * s +
                                                                               lane / 8 % 2)));
QK_TENSOR_UNROLL
        for (int m = 0; m < WARP_STRIPS; m++) {
            qk_u32 a[2][4];
            F::fragments(a, w + m * F::piece_bytes, piece, i, lane);
QK_TENSOR_UNROLL
            for (int s = 0; s < 2; s++)
QK_TENSOR_UNROLL
                for (int g = 0; g < WARP_GROUPS; g++)
                    qk_tensor_product(sums[m][g], a[s], b[s][g / 2][g % 2 * 2],
                                      b[s][g / 2][g % 2 * 2 + 1]);
        }
    }
}

#endif

/* Rows g and g + 8 of a strip, tokens 2 t and 2 t + 1 of each group. */
QK_DEVICE void product_finish(const product_sums &sums, const product_work &p, qk_u32 strip0,
                              qk_u32 token0, qk_u32 lane)
{
    const bool pairs = p.then >= PRODUCT_SILU;
    float *y[WARP_STRIPS];
    qk_u32 row[WARP_STRIPS], stride[WARP_STRIPS];
    QK_TENSOR_UNROLL
    for (int m = 0; m < WARP_STRIPS; m++) {
        row[m] = product_strip(p, strip0 + m) * 16 + lane / 4;
        y[m] = product_place(p, row[m], &stride[m]);
    }
    QK_TENSOR_UNROLL
    for (int g = 0; g < WARP_GROUPS; g++)
        QK_TENSOR_UNROLL
        for (int i = 0; i < 2; i++) {
            const qk_u32 token = token0 + 8 * g + lane % 4 * 2 + i;
            if (token >= p.tokens)
                continue;
            const float by = product_unscale(p, token);
            QK_TENSOR_UNROLL
            for (int m = 0; m < WARP_STRIPS; m++) {
                if (strip0 + m >= p.rows / 16 || (pairs && m % 2))
                    continue;
                float *to = y[m] + (qk_u64)token * stride[m];
                QK_TENSOR_UNROLL
                for (int r = 0; r < 2; r++) {
                    float v = sums[m][g][2 * r + i] * by + (p.bias ? p.bias[row[m] + 8 * r] : 0.0f);
                    if (pairs) {
                        const qk_u32 above = row[m] + 8 * r + p.rows / 2;
                        const float up = sums[m / 2 * 2 + 1][g][2 * r + i] * by;
                        v = product_activated(v, up + (p.bias ? p.bias[above] : 0.0f), p.then);
                    }
                    to[8 * r] = p.then == PRODUCT_ADD ? v + to[8 * r] : v;
                }
            }
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
    default: qk_copies_wait<4>(); break;
    }
}

/* The second group's sums are added to the first one's, through the ring's memory. */
QK_DEVICE void product_join(product_sums &sums, float *shared, qk_u32 group)
{
    qk_barrier();
    if (group)
QK_TENSOR_UNROLL
        for (int m = 0; m < WARP_STRIPS; m++)
QK_TENSOR_UNROLL
            for (int g = 0; g < WARP_GROUPS; g++)
QK_TENSOR_UNROLL
                for (int i = 0; i < 4; i++)
                    shared[((m * WARP_GROUPS + g) * 4 + i) * PRODUCT_THREADS + group_thread()] =
                        sums[m][g][i];
    qk_barrier();
    if (!group)
QK_TENSOR_UNROLL
        for (int m = 0; m < WARP_STRIPS; m++)
QK_TENSOR_UNROLL
            for (int g = 0; g < WARP_GROUPS; g++)
QK_TENSOR_UNROLL
                for (int i = 0; i < 4; i++)
                    sums[m][g][i] +=
                        shared[((m * WARP_GROUPS + g) * 4 + i) * PRODUCT_THREADS + group_thread()];
}

/* Of `groups` groups each takes every so many-th piece, through a ring of its own. */
template <class F>
QK_DEVICE void product_tile(const product_work &p, const product_ring &ring, qk_u32 strip0,
                            qk_u32 token0, float *shared)
{
    const qk_u32 group = qk_thread() / PRODUCT_THREADS, groups = qk_threads() / PRODUCT_THREADS;
    const qk_u32 warp = group_thread() / 32, lane = qk_thread() % 32;
    const qk_u32 pieces = p.n / PIECE / groups;
    product_sums sums;
QK_TENSOR_UNROLL
    for (int m = 0; m < WARP_STRIPS; m++)
QK_TENSOR_UNROLL
        for (int g = 0; g < WARP_GROUPS; g++)
            sums[m][g][0] = sums[m][g][1] = sums[m][g][2] = sums[m][g][3] = 0.0f;
    /* what is loaded takes the place of what was multiplied QK_WIDE pieces before the last one */
    const qk_u32 distance = ring.stages - 1 - QK_WIDE;
    for (qk_u32 i = 0; i < distance; i++) {
        if (i < pieces)
            product_load<F>(ring, i, p, strip0, token0, i * groups + group);
        qk_copies_end();
    }
    qk_u32 stage = 0, ahead = distance;
    for (qk_u32 i = 0; i < pieces; i++) {
        product_wait(distance);
#if QK_WIDE
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
        qk_barrier();
        if (i + distance < pieces)
            product_load<F>(ring, ahead, p, strip0, token0, (i + distance) * groups + group);
        qk_copies_end();
        product_multiply<F>(sums, ring, stage, warp, i * groups + group, lane);
        stage = stage + 1 == ring.stages ? 0 : stage + 1;
        ahead = ahead + 1 == ring.stages ? 0 : ahead + 1;
    }
#if QK_WIDE
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    const qk_u32 strip = strip0 + 2 * warp, token = token0;
#else
    const qk_u32 strip = strip0 + warp % ROW_WARPS * WARP_STRIPS;
    const qk_u32 token = token0 + warp / ROW_WARPS * 8 * WARP_GROUPS;
#endif
    qk_copies_wait<0>();
    if (groups > 1)
        product_join(sums, shared, group);
    if (!group)
        product_finish(sums, p, strip, token, lane);
    qk_barrier(); /* the ring is used again */
}

template <class F>
QK_DEVICE void run_product(const product_work &p, qk_u32 stages, void *shared)
{
    const qk_u32 group = qk_thread() / PRODUCT_THREADS;
    qk_u8 *start = (qk_u8 *)shared + group * stages * product_stage_bytes<F>();
    const product_ring ring = {start, start + stages * INPUT_BYTES, stages};
    const qk_u32 across = (p.tokens + 8 * BLOCK_GROUPS - 1) / (8 * BLOCK_GROUPS);
    const qk_u32 down = (p.rows / 16 + BLOCK_STRIPS - 1) / BLOCK_STRIPS;
    for (qk_u32 item = qk_block(); item < across * down; item += qk_blocks())
        product_tile<F>(p, ring, item / across * BLOCK_STRIPS, item % across * 8 * BLOCK_GROUPS,
                        (float *)shared);
}

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
        float *to = product_place(p, row, &stride) + (qk_u64)token * stride;
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
                         qk_u32 tokens, qk_u32 then, qk_u32 rows0, qk_u32 rows1, qk_u32 stages)    \
    {                                                                                              \
        extern __shared__ QK_PRODUCT_ALIGNED qk_u32x4 shared[];                                                       \
        const product_work p = {{y0, y1, y2}, (const qk_u8 *)w, x,    unscale, bias, rows,         \
                                n,            tokens,           then, rows0,   rows1};             \
        run_product<F>(p, stages, shared);                                                                 \
    }

#endif
