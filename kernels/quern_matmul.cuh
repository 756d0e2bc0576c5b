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

/* One row by T tokens: a decoded piece serves all of them. */
template <class W, int T> QK_DEVICE void qk_matmul_row(const qk_matmul &m, qk_u64 row, qk_u64 token)
{
    const qk_u8 *w = m.w + row * W::row_bytes(m.n);
    const float *x = m.x + token * m.n;
    const qk_u64 pieces = W::pieces(w, x, m.n);
    qk_partial<W::run> sum[T];
#pragma unroll
    for (int t = 0; t < T; t++)
        qk_clear(&sum[t]);
    for (qk_u64 p = 0; p < pieces; p++) {
        qk_piece<W> q;
        qk_decode_piece(&q, w, p);
#pragma unroll
        for (int k = 0; k < W::runs; k++)
#pragma unroll
            for (int t = 0; t < T; t++) {
                qk_run<W::run> v;
                qk_load_run(&v, x + (qk_u64)t * m.n + qk_start<W>(p) + k * W::gap);
                qk_add_products(&sum[t], q.v[k], v);
            }
    }
#pragma unroll
    for (int t = 0; t < T; t++) {
        float total = qk_total(sum[t]);
        for (qk_u64 i = pieces * qk_shape<W>::piece; i < m.n; i++)
            total += W::one(w, i) * x[(qk_u64)t * m.n + i];
        qk_put_product(m, token + t, row, total);
    }
}

/* A thread takes neighbouring rows, and for each tile of tokens all of them: so x stays in cache.
 */
template <class W> QK_DEVICE void qk_matmul_all(const qk_matmul &m)
{
    enum { many = 8 };
    const qk_span mine = qk_grid_share(m.rows);
    qk_u64 token = 0;
    for (; token + many <= m.tokens; token += many)
        for (qk_u64 r = mine.begin; r < mine.end; r++)
            qk_matmul_row<W, many>(m, r, token);
    for (; token < m.tokens; token++)
        for (qk_u64 r = mine.begin; r < mine.end; r++)
            qk_matmul_row<W, 1>(m, r, token);
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
