/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_weights.cuh: the kernels that read weights as they are stored, for every format.
 *
 * A format says how to load a piece of a block (quern_pieces.cuh); from it
 * QK_WEIGHT_KERNELS(format, struct) makes four kernels:
 *
 *   matvec_<format>   y[r] = sum over i of W[e][r][i] x[i], + bias[r] if any, + y[r] if `add`
 *   matmul_<format>   the same for each of `tokens` rows of x (tokens, n) and y (tokens, rows)
 *   embed_<format>    out[t] = scale * table[ids[t]]; an id outside the table gives NaN
 *   unpack_<format>   out[i] = w[i] as f16, rounded to nearest even
 *
 *   y, x, bias, out   f32; out of unpack f16. y and x of formats with blocks start on 16 bytes
 *   w, table          (experts, rows, n), (rows, n), (table_rows, n) in the format, on 16 bytes
 *   pick              i32, the expert e; null: 0. bias, pick may be null
 *   n                 whole blocks; of plain formats any
 *   grid              any; block any multiple of the wave, at most 1024; static shared only
 *   computes          codes and scales exactly, products and sums in f32
 *   tolerance         matvec, matmul: 4e-6 S + 1e-37, S = sum over i of |x[i]| times the largest
 *                     |w| of its block, + |bias| + |y|; embed: 4e-7 of the block's largest |w|
 *                     (plain: 1.2e-7 |want|); unpack: 4.9e-4 |want| + 4e-7 of the largest + 3e-8
 *   source            the definition
 *
 * Matvec is bound by reading w once. Products of codes with x are added up per scale; a code's zero
 * and the offset then apply to the sum of x, which several rows share, so that a code costs its
 * conversion and one multiply-add. */
#ifndef QUERN_WEIGHTS_CUH
#define QUERN_WEIGHTS_CUH

#include "quern_matmul.cuh"

/* -- matvec -- */

#ifndef QK_MATVEC_ROWS /* `quern tune` may choose these (kernels.def) */
#define QK_MATVEC_ROWS 4
#endif
#ifndef QK_MATVEC_AHEAD
#define QK_MATVEC_AHEAD QK_AHEAD
#endif

/* Products of one piece with the same elements of x, added to a row's sum. `sum_x` is per scale. */
template <class W>
QK_DEVICE void qk_add_piece(qk_partial<W::run> *sum, const qk_piece<W> &q, const qk_run<W::run> *x,
                            const qk_partial<W::run> *sum_x)
{
    const int shared = qk_shape<W>::shared;
#pragma unroll
    for (int g = 0; g < W::scales; g++) {
        qk_partial<W::run> group;
        qk_clear(&group);
        if (W::zero != 0)
            qk_add_scaled(&group, sum_x[g], -(float)W::zero);
#pragma unroll
        for (int k = 0; k < shared; k++)
            qk_add_products(W::has_scale ? &group : sum, q.v[g * shared + k], x[g * shared + k]);
        if (W::has_scale)
            qk_add_scaled(sum, group, q.scale[g]);
        if (W::has_offset)
            qk_add_scaled(sum, sum_x[g], q.offset[g]);
    }
}

/* Products of this thread's pieces of R neighbouring rows with x; a piece of x is loaded once for
 * all of them. */
template <class W, int R>
QK_DEVICE void qk_dots(float *sums, const qk_u8 *w, qk_u64 row_bytes, const float *x, qk_u64 pieces,
                       qk_u32 rank, qk_u32 size)
{
    qk_partial<W::run> sum[R];
#pragma unroll
    for (int r = 0; r < R; r++)
        qk_clear(&sum[r]);
    const qk_span s = qk_share(pieces, rank, size);
#pragma unroll QK_MATVEC_AHEAD
    for (qk_u64 p = s.begin; p < s.end; p += s.step) {
        const float *at = x + qk_start<W>(p);
        qk_run<W::run> v[W::runs];
        qk_partial<W::run> sum_x[W::scales];
#pragma unroll
        for (int g = 0; g < W::scales; g++)
            qk_clear(&sum_x[g]);
#pragma unroll
        for (int k = 0; k < W::runs; k++) {
            qk_load_run(&v[k], at + k * W::gap);
            if (W::zero != 0 || W::has_offset)
                qk_add_run(&sum_x[k / qk_shape<W>::shared], v[k]);
        }
#pragma unroll
        for (int r = 0; r < R; r++) {
            qk_piece<W> q;
            qk_load_piece(&q, w + r * row_bytes, p);
            qk_add_piece<W>(&sum[r], q, v, sum_x);
        }
    }
#pragma unroll
    for (int r = 0; r < R; r++)
        sums[r] = qk_total(sum[r]);
}

struct qk_matvec {
    float *y;
    const qk_u8 *w;
    const float *x, *bias;
    qk_u32 rows, n;
    bool add;
};

QK_DEVICE void qk_put_sum(const qk_matvec &m, qk_u64 row, float sum)
{
    const float before = m.add ? m.y[row] : 0.0f;
    m.y[row] = sum + (m.bias ? m.bias[row] : 0.0f) + before;
}

/* The sums of R rows over the block's threads, to y: a slot for each wave, then a thread per row.
 */
template <int R>
QK_DEVICE void qk_put_block_sums(const qk_matvec &m, qk_u64 first, const float *sums)
{
#if QK_WAVE_WIDTH > 1
    __shared__ float slots[R][QK_BLOCK_MAX / QK_WAVE_WIDTH];
    const qk_u32 waves = (qk_threads() + QK_WAVE_WIDTH - 1) / QK_WAVE_WIDTH;
#pragma unroll
    for (int r = 0; r < R; r++) {
        const float sum = qk_wave_reduce<qk_sum>(sums[r]);
        if (qk_lane() == 0)
            slots[r][qk_thread() / QK_WAVE_WIDTH] = sum;
    }
    qk_barrier();
    for (qk_u32 r = qk_thread(); r < R; r += qk_threads()) {
        float sum = 0.0f;
        for (qk_u32 w = 0; w < waves; w++)
            sum += slots[r][w];
        qk_put_sum(m, first + r, sum);
    }
    qk_barrier(); /* the slots may be used again */
#else
#pragma unroll
    for (int r = 0; r < R; r++) {
        const float sum = qk_block_reduce<qk_sum>(sums[r]);
        if (qk_thread() == 0)
            qk_put_sum(m, first + r, sum);
    }
#endif
}

/* R rows from row `first`: by a block, on a CPU by a thread. */
template <class W, int R> QK_DEVICE void qk_matvec_rows(const qk_matvec &m, qk_u64 first)
{
    const qk_u32 rank = QK_COALESCE ? qk_thread() : 0, size = QK_COALESCE ? qk_threads() : 1;
    const qk_u64 row_bytes = W::row_bytes(m.n);
    const qk_u8 *w = m.w + first * row_bytes;
    qk_u64 pieces = W::pieces(w, m.x, m.n);
    if (W::plain && R > 1) /* every row is aligned, or none is taken in pieces */
        pieces = qk_min(pieces, W::pieces(w + row_bytes, m.x, m.n));
    float sums[R];
    qk_dots<W, R>(sums, w, row_bytes, m.x, pieces, rank, size);
    if (W::plain) {
        const qk_u64 done = pieces * qk_shape<W>::piece;
        const qk_span rest = qk_share(m.n - done, rank, size);
#pragma unroll
        for (int r = 0; r < R; r++)
            for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
                sums[r] += W::one(w + r * row_bytes, i) * m.x[i];
    }
#if QK_COALESCE
    qk_put_block_sums<R>(m, first, sums);
#else
#pragma unroll
    for (int r = 0; r < R; r++)
        qk_put_sum(m, first + r, sums[r]);
#endif
}

/* Four rows at a time, and the last few one by one. */
template <class W>
QK_DEVICE void qk_run_matvec(float *y, const void *w, const float *x, const float *bias,
                             const qk_i32 *pick, qk_u32 rows, qk_u32 n, qk_u32 add)
{
    enum { many = QK_MATVEC_ROWS };
    const qk_u64 expert = pick ? (qk_u64)(qk_u32)pick[0] : 0;
    const qk_matvec m = {
        y, (const qk_u8 *)w + expert * rows * W::row_bytes(n), x, bias, rows, n, add != 0};
    const qk_u32 team = QK_COALESCE ? qk_block() : qk_block() * qk_threads() + qk_thread();
    const qk_u32 teams = QK_COALESCE ? qk_blocks() : qk_blocks() * qk_threads();
    const qk_u64 groups = rows / many;
    const qk_span by_many = qk_share(groups, team, teams);
    for (qk_u64 g = by_many.begin; g < by_many.end; g += by_many.step)
        qk_matvec_rows<W, many>(m, g * many);
    const qk_span by_one = qk_share(rows - groups * many, team, teams);
    for (qk_u64 r = by_one.begin; r < by_one.end; r += by_one.step)
        qk_matvec_rows<W, 1>(m, groups * many + r);
}

/* -- embed and unpack -- */

/* A block per row; an id outside the table gives a row of NaN. */
template <class W>
QK_DEVICE void qk_run_embed(float *out, const void *table, const qk_i32 *ids, qk_u32 tokens,
                            qk_u32 n, qk_u32 table_rows, float scale)
{
    const qk_span mine = qk_share(tokens, qk_block(), qk_blocks());
    for (qk_u64 t = mine.begin; t < mine.end; t += mine.step) {
        const qk_u32 id = (qk_u32)ids[t]; /* a negative one is large */
        const bool valid = id < table_rows;
        const qk_u8 *row = (const qk_u8 *)table + (valid ? id : 0) * W::row_bytes(n);
        float *to = out + t * n;
        const qk_u64 pieces = valid ? W::pieces(row, to, n) : 0;
        const qk_span s = qk_share(pieces, qk_thread(), qk_threads());
        for (qk_u64 p = s.begin; p < s.end; p += s.step) {
            qk_piece<W> q;
            qk_decode_piece(&q, row, p);
#pragma unroll
            for (int k = 0; k < W::runs; k++) {
                qk_scale_run(&q.v[k], scale, 0.0f);
                qk_store_run(to + qk_start<W>(p) + k * W::gap, q.v[k]);
            }
        }
        const qk_u64 done = pieces * qk_shape<W>::piece;
        const qk_span rest = qk_share(n - done, qk_thread(), qk_threads());
        for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
            to[i] = valid ? W::one(row, i) * scale : qk_nan();
    }
}

template <class W> QK_DEVICE void qk_run_unpack(qk_half *out, const void *w, qk_u64 n)
{
    const qk_u8 *blocks = (const qk_u8 *)w;
    const qk_u64 pieces = W::pieces(blocks, blocks, n);
    const qk_span s = qk_grid_share(pieces);
    for (qk_u64 p = s.begin; p < s.end; p += s.step) {
        qk_piece<W> q;
        qk_decode_piece(&q, blocks, p);
#pragma unroll
        for (int k = 0; k < W::runs; k++)
            qk_store_run(out + qk_start<W>(p) + k * W::gap, q.v[k]);
    }
    const qk_u64 done = pieces * qk_shape<W>::piece;
    const qk_span rest = qk_grid_share(n - done);
    for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
        qk_put(out + i, W::one(blocks, i));
}

/* -- the entries of a format -- */

#define QK_WEIGHT_KERNELS(format, W)                                                               \
    extern "C" __global__ void matvec_##format(                                                    \
        float *__restrict__ y, const void *__restrict__ w, const float *__restrict__ x,            \
        const float *__restrict__ bias, const qk_i32 *__restrict__ pick, qk_u32 rows, qk_u32 n,    \
        qk_u32 add)                                                                                \
    {                                                                                              \
        qk_run_matvec<W>(y, w, x, bias, pick, rows, n, add);                                       \
    }                                                                                              \
    extern "C" __global__ void matmul_##format(                                                    \
        float *__restrict__ y, const void *__restrict__ w, const float *__restrict__ x,            \
        const float *__restrict__ bias, qk_u32 rows, qk_u32 n, qk_u32 tokens, qk_u32 add)          \
    {                                                                                              \
        qk_run_matmul<W>(y, w, x, bias, rows, n, tokens, add);                                     \
    }                                                                                              \
    extern "C" __global__ void embed_##format(                                                     \
        float *__restrict__ out, const void *__restrict__ table, const qk_i32 *__restrict__ ids,   \
        qk_u32 tokens, qk_u32 n, qk_u32 table_rows, float scale)                                   \
    {                                                                                              \
        qk_run_embed<W>(out, table, ids, tokens, n, table_rows, scale);                            \
    }                                                                                              \
    extern "C" __global__ void unpack_##format(qk_half *__restrict__ out,                          \
                                               const void *__restrict__ w, qk_u64 n)               \
    {                                                                                              \
        qk_run_unpack<W>(out, w, n);                                                               \
    }

#endif
