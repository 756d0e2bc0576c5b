/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_matmul.cuh: many tokens through one weight matrix, for quern_weights.cuh.
 *
 * On a GPU a block decodes a tile of w into shared memory once for 64 tokens; on a CPU a thread
 * decodes a piece once for 8 tokens. */
#ifndef QUERN_MATMUL_CUH
#define QUERN_MATMUL_CUH

#include "quern_pieces.cuh"

struct qk_matmul {
    float *y;
    const qk_u8 *w;
    const float *x, *bias;
    qk_u32 rows, n, tokens;
    bool add;
};

QK_DEVICE void qk_put_product(const qk_matmul &m, qk_u64 token, qk_u64 row, float sum)
{
    float *y = m.y + token * m.rows + row;
    const float before = m.add ? *y : 0.0f;
    *y = sum + (m.bias ? m.bias[row] : 0.0f) + before;
}

/* The same of R neighbouring rows. */
template <int R>
QK_DEVICE void qk_put_products(const qk_matmul &m, qk_u64 token, qk_u64 row, const float *sum)
{
    float *y = m.y + token * m.rows + row, out[R];
#pragma unroll
    for (int r = 0; r < R; r++)
        out[r] = sum[r];
    if (m.bias)
#pragma unroll
        for (int r = 0; r < R; r++)
            out[r] += m.bias[row + r];
    if (m.add)
#pragma unroll
        for (int r = 0; r < R; r++)
            out[r] += y[r];
#pragma unroll
    for (int r = 0; r < R; r++)
        y[r] = out[r];
}

#if QK_COALESCE

/* A block computes a tile of y, `tile_rows` by `tile_tokens`, of which each of 256 places holds a
 * small square in registers. Codes are decoded once into shared memory, `span` elements of each row
 * at a time: the least that holds whole pieces. A smaller block goes over the places in several
 * iterations. */
template <class W> struct qk_tile {
    enum {
        span = W::runs > 1 ? W::gap *W::runs : 32,
        pieces = span / (W::run * W::runs),
        tile_rows = span > 64 ? 32 : 64,
        tile_tokens = 64,
        slice = 32, /* elements of x in shared memory */
        side = 16,  /* places along each side */
        own_rows = tile_rows / side,
        own_tokens = tile_tokens / side
    };
    float w[tile_rows][span + 1], x[tile_tokens][slice + 1]; /* + 1: no bank conflicts */
};

/* Elements from `first` of the tile's rows, zeros after the last row and the last element. */
template <class W>
QK_DEVICE void qk_load_tile(qk_tile<W> *tile, const qk_matmul &m, qk_u64 row0, qk_u64 first)
{
    typedef qk_tile<W> Tile;
    const qk_u64 row_bytes = W::row_bytes(m.n);
    for (qk_u32 i = qk_thread(); i < Tile::tile_rows * Tile::pieces; i += qk_threads()) {
        const qk_u32 r = i / Tile::pieces;
        const qk_u64 p = first / qk_shape<W>::piece + i % Tile::pieces;
        const qk_u8 *row = m.w + (row0 + r) * row_bytes;
        const qk_u64 start = qk_start<W>(p);
        float *to = tile->w[r] + (start - first);
        const bool is_row = row0 + r < m.rows;
        qk_piece<W> q;
        if (is_row && p < W::pieces(row, m.x, m.n)) {
            qk_decode_piece(&q, row, p);
#pragma unroll
            for (int k = 0; k < W::runs; k++)
                qk_store_run(to + k * W::gap, q.v[k]);
        } else {
            for (int k = 0; k < W::runs; k++)
                for (int j = 0; j < W::run; j++) {
                    const qk_u64 at = start + k * W::gap + j;
                    to[k * W::gap + j] = W::plain && is_row && at < m.n ? W::one(row, at) : 0.0f;
                }
        }
    }
}

template <class W>
QK_DEVICE void qk_load_slice(qk_tile<W> *tile, const qk_matmul &m, qk_u64 token0, qk_u64 first)
{
    typedef qk_tile<W> Tile;
    for (qk_u32 i = qk_thread(); i < Tile::tile_tokens * Tile::slice; i += qk_threads()) {
        const qk_u32 t = i / Tile::slice, k = i % Tile::slice;
        const bool inside = token0 + t < m.tokens && first + k < m.n;
        tile->x[t][k] = inside ? m.x[(token0 + t) * m.n + first + k] : 0.0f;
    }
}

template <class W>
QK_DEVICE void qk_matmul_tile(qk_tile<W> *tile, const qk_matmul &m, qk_u64 row0, qk_u64 token0,
                              qk_u32 place)
{
    typedef qk_tile<W> Tile;
    const qk_u32 r0 = place / Tile::side, t0 = place % Tile::side;
    float sum[Tile::own_rows][Tile::own_tokens];
#pragma unroll
    for (int r = 0; r < Tile::own_rows; r++)
#pragma unroll
        for (int t = 0; t < Tile::own_tokens; t++)
            sum[r][t] = 0.0f;
    for (qk_u64 first = 0; first < m.n; first += Tile::span) {
        qk_load_tile(tile, m, row0, first);
        for (qk_u32 at = 0; at < Tile::span; at += Tile::slice) {
            qk_load_slice(tile, m, token0, first + at);
            qk_barrier();
#pragma unroll 8
            for (qk_u32 k = 0; k < Tile::slice; k++) {
                float w[Tile::own_rows], x[Tile::own_tokens];
#pragma unroll
                for (int r = 0; r < Tile::own_rows; r++)
                    w[r] = tile->w[(r0 + r * Tile::side) % Tile::tile_rows][at + k];
#pragma unroll
                for (int t = 0; t < Tile::own_tokens; t++)
                    x[t] = tile->x[t0 + t * Tile::side][k];
#pragma unroll
                for (int r = 0; r < Tile::own_rows; r++)
#pragma unroll
                    for (int t = 0; t < Tile::own_tokens; t++)
                        sum[r][t] += w[r] * x[t];
            }
            qk_barrier();
        }
    }
    if (place >= Tile::side * Tile::side)
        return;
#pragma unroll
    for (int r = 0; r < Tile::own_rows; r++)
#pragma unroll
        for (int t = 0; t < Tile::own_tokens; t++) {
            const qk_u64 row = row0 + r0 + r * Tile::side, token = token0 + t0 + t * Tile::side;
            if (row < m.rows && token < m.tokens)
                qk_put_product(m, token, row, sum[r][t]);
        }
}

template <class W> QK_DEVICE void qk_matmul_all(const qk_matmul &m)
{
    typedef qk_tile<W> Tile;
    __shared__ Tile tile;
    const qk_u64 across = (m.rows + Tile::tile_rows - 1u) / Tile::tile_rows;
    const qk_u64 down = (m.tokens + Tile::tile_tokens - 1u) / Tile::tile_tokens;
    const qk_span mine = qk_share(across * down, qk_block(), qk_blocks());
    for (qk_u64 i = mine.begin; i < mine.end; i += mine.step)
        for (qk_u32 turn = 0; turn < Tile::side * Tile::side; turn += qk_threads())
            qk_matmul_tile(&tile, m, i % across * Tile::tile_rows, i / across * Tile::tile_tokens,
                           turn + qk_thread());
}

#else

/* R rows by T tokens: a decoded piece serves all tokens, a piece of x all rows. */
template <class W, int R, int T>
QK_DEVICE void qk_matmul_square(const qk_matmul &m, qk_u64 row, qk_u64 token)
{
    const qk_u64 row_bytes = W::row_bytes(m.n);
    const qk_u8 *w = m.w + row * row_bytes;
    const float *x = m.x + token * m.n;
    qk_u64 pieces = W::pieces(w, x, m.n);
#pragma unroll
    for (int r = 1; r < R; r++)
        if (W::pieces(w + r * row_bytes, x, m.n) < pieces)
            pieces = 0; /* rows that begin at odd addresses */
    qk_partial<W::run> sum[R][T];
#pragma unroll
    for (int r = 0; r < R; r++)
#pragma unroll
        for (int t = 0; t < T; t++)
            qk_clear(&sum[r][t]);
    for (qk_u64 p = 0; p < pieces; p++) {
        qk_piece<W> q[R];
#pragma unroll
        for (int r = 0; r < R; r++)
            qk_decode_piece(&q[r], w + r * row_bytes, p);
#pragma unroll
        for (int k = 0; k < W::runs; k++)
#pragma unroll
            for (int t = 0; t < T; t++) {
                qk_run<W::run> v;
                qk_load_run(&v, x + (qk_u64)t * m.n + qk_start<W>(p) + k * W::gap);
#pragma unroll
                for (int r = 0; r < R; r++)
                    qk_add_products(&sum[r][t], q[r].v[k], v);
            }
    }
    float total[R * T];
    if (R * T == 16) {
        qk_f32x16 v[16];
#pragma unroll
        for (int i = 0; i < 16; i++)
            v[i] = sum[i % R][i / R % T].sum;
        qk_totals(total, v);
    } else {
#pragma unroll
        for (int i = 0; i < R * T; i++)
            total[i] = qk_total(sum[i % R][i / R]);
    }
#pragma unroll 1
    for (int t = 0; t < T; t++) {
        for (qk_u64 k = pieces * qk_shape<W>::piece; k < m.n; k++)
#pragma unroll
            for (int r = 0; r < R; r++)
                total[t * R + r] += W::one(w + r * row_bytes, k) * x[t * m.n + k];
        qk_put_products<R>(m, token + t, row, total + t * R);
    }
}

/* T tokens through the thread's rows: so x stays in cache. */
template <class W, int R, int T>
QK_DEVICE void qk_matmul_rows(const qk_matmul &m, qk_span rows, qk_u64 token)
{
    qk_u64 r = rows.begin;
    for (; r + R <= rows.end; r += R)
        qk_matmul_square<W, R, T>(m, r, token);
    for (; r < rows.end; r++)
        qk_matmul_square<W, 1, T>(m, r, token);
}

/* A thread takes neighbouring rows, as many at a time as stay in its cache for all tokens. Blocks
 * take longer to decode than plain numbers: each serves more tokens. */
template <class W> QK_DEVICE void qk_matmul_all(const qk_matmul &m)
{
    enum { rows = W::plain ? 4 : 2, tokens = 16 / rows, kept_bytes = 256 << 10 };
    const qk_span mine = qk_grid_share(m.rows);
    const qk_u64 kept = kept_bytes / (W::row_bytes(m.n) + 1) / rows * rows + rows;
    for (qk_span part = mine; part.begin < mine.end; part.begin = part.end) {
        part.end = qk_min(part.begin + kept, mine.end);
        qk_u64 token = 0;
        for (; token + tokens <= m.tokens; token += tokens)
            qk_matmul_rows<W, rows, tokens>(m, part, token);
        for (; token < m.tokens; token++)
            qk_matmul_rows<W, 1, 1>(m, part, token);
    }
}

#endif

template <class W>
QK_DEVICE void qk_run_matmul(float *y, const void *w, const float *x, const float *bias,
                             qk_u32 rows, qk_u32 n, qk_u32 tokens, qk_u32 add)
{
    const qk_matmul m = {y, (const qk_u8 *)w, x, bias, rows, n, tokens, add != 0};
    qk_matmul_all<W>(m);
}

#endif
