/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_pieces.cuh: what a format of weights is, for quern_weights.cuh.
 *
 * A format is a struct of constants and two functions, in weights_<format>.cu:
 *
 *   elems, bytes   of a block. Plain numbers (plain = 1): a "block" is what one load brings
 *   run, runs,     a thread decodes a *piece* at once: `runs` times `run` neighbouring elements,
 *   gap            whose starts are `gap` elements apart. A block is a whole number of pieces
 *   scales         different scales in a piece; run k has scale k * scales / runs
 *   zero           the code of zero: an element is (code - zero) * scale + offset
 *   has_scale,     without has_scale a code is the element; without has_offset the offset is 0
 *   has_offset
 *   start(part)    first element of a piece inside its block
 *   load(piece, block, part)
 *
 * The two worlds again (quern_kernel.cuh): on a GPU a piece is 4 to 24 bytes of w, so that
 * neighbouring threads load neighbouring words of w and x; on a CPU as many runs as share loads. */
#ifndef QUERN_PIECES_CUH
#define QUERN_PIECES_CUH

#include "quern_runs.cuh"

QK_DEVICE float qk_half_at(const qk_u8 *p)
{
    return qk_float(*(const qk_half *)p);
}

/* 32 bits from an even address. */
QK_DEVICE qk_u32 qk_word_at(const qk_u8 *p)
{
    return (qk_u32) * (const qk_u16 *)p | (qk_u32) * (const qk_u16 *)(p + 2) << 16;
}

/* Scales d s and offsets -dmin m of `count` sub-blocks from `first` on (all below 4, or none) in
 * q4_k and q5_k. Of the 12 bytes after d and dmin the first four have s of sub-blocks 0 .. 3 in
 * six bits, the next four m; the last four have the low halves of both for sub-blocks 4 .. 7, whose
 * upper two bits lie on top of the first eight bytes. So four s, or m, are made at once in a word.
 */
template <int count>
QK_DEVICE void qk_scales_k(float *scale, float *offset, const qk_u8 *block, qk_u32 first)
{
    const qk_u32x4 head = *(const qk_u32x4 *)block;
    const bool late = first >= 4;
    const qk_u32 low_s = head.w & 0x0f0f0f0fu, low_m = head.w >> 4 & 0x0f0f0f0fu;
    const qk_u32 s = late ? low_s | (head.y >> 2 & 0x30303030u) : head.y & 0x3f3f3f3fu;
    const qk_u32 m = late ? low_m | (head.z >> 2 & 0x30303030u) : head.z & 0x3f3f3f3fu;
    qk_half d, dmin;
    d.bits = (qk_u16)(head.x & 0xffffu);
    dmin.bits = (qk_u16)(head.x >> 16);
    const float step = qk_float(d), min_step = -qk_float(dmin);
    const qk_u32 at = first % 4 * 8;
#pragma unroll
    for (int k = 0; k < count; k++) {
        scale[k] = step * (float)(s >> at >> 8 * k & 255u);
        offset[k] = min_step * (float)(m >> at >> 8 * k & 255u);
    }
}

template <class W> struct qk_piece {
    qk_run<W::run> v[W::runs];
    float scale[W::scales], offset[W::scales];
};

/* Elements a piece's runs lie in, and pieces of a block. */
template <class W> struct qk_shape {
    enum {
        piece = W::run * W::runs,
        parts = W::elems / piece,
        shared = W::runs / W::scales /* runs per scale */
    };
};

/* The format of plain numbers T. */
template <class T> struct qk_plain {
    enum {
        run = QK_RUN(qk_pack<T>::n),
        elems = run,
        bytes = run * sizeof(T),
        runs = 1,
        gap = 0,
        scales = 1,
        zero = 0,
        plain = 1,
        has_scale = 0,
        has_offset = 0
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32)
    {
        return 0;
    }
    static __device__ __forceinline__ void load(qk_piece<qk_plain> *q, const qk_u8 *block, qk_u32)
    {
        qk_load_numbers(&q->v[0], (const T *)block);
        q->scale[0] = 1.0f;
        q->offset[0] = 0.0f;
    }
    static __device__ __forceinline__ float one(const qk_u8 *row, qk_u64 i)
    {
        return qk_float(((const T *)row)[i]);
    }
    static __device__ __forceinline__ qk_u64 row_bytes(qk_u64 n)
    {
        return n * sizeof(T);
    }
    /* Pieces of a row; the rest is taken one by one: all of it where loads would not be aligned. */
    static __device__ __forceinline__ qk_u64 pieces(const qk_u8 *row, const void *x, qk_u64 n)
    {
        const bool aligned = qk_packs((const float *)x, qk_pack<float>::n) != 0;
        return aligned ? qk_packs((const T *)row, n) : 0;
    }
};

/* What a format of blocks F has in common with the others. */
template <class F> struct qk_blocks_of {
    enum { plain = 0 };
    static __device__ __forceinline__ float one(const qk_u8 *, qk_u64)
    {
        return 0.0f; /* a row is whole blocks: nothing is left to take one by one */
    }
    static __device__ __forceinline__ qk_u64 row_bytes(qk_u64 n)
    {
        return n / F::elems * F::bytes;
    }
    static __device__ __forceinline__ qk_u64 pieces(const qk_u8 *, const void *, qk_u64 n)
    {
        return n / (F::run * F::runs);
    }
};

/* First element of piece p of a row, and the piece. */
template <class W> QK_DEVICE qk_u64 qk_start(qk_u64 p)
{
    const qk_u32 parts = qk_shape<W>::parts;
    return p / parts * W::elems + W::start((qk_u32)(p % parts));
}

template <class W> QK_DEVICE void qk_load_piece(qk_piece<W> *q, const qk_u8 *row, qk_u64 p)
{
    const qk_u32 parts = qk_shape<W>::parts;
    W::load(q, row + p / parts * W::bytes, (qk_u32)(p % parts));
}

/* The elements themselves. */
template <class W> QK_DEVICE void qk_decode_piece(qk_piece<W> *q, const qk_u8 *row, qk_u64 p)
{
    qk_load_piece(q, row, p);
    if (W::has_scale)
#pragma unroll
        for (int k = 0; k < W::runs; k++) {
            const int g = k / qk_shape<W>::shared;
            const float offset = W::has_offset ? q->offset[g] : 0.0f;
            qk_scale_run(&q->v[k], q->scale[g], offset - (float)W::zero * q->scale[g]);
        }
}

#endif
