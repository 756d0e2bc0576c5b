/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_weights.cuh: multiply by weights as they are stored, whatever the format.
 *
 * A format is a struct of constants and one function, in weights_<format>.cu:
 *
 *   elems, bytes       of a block. Plain numbers (plain = 1): a "block" is what one load brings
 *   run, runs, gap     a thread decodes a *piece* at once: `runs` times `run` neighbouring
 * elements, the starts `gap` elements apart. A block is a whole number of pieces scales different
 * scales in a piece; run k has scale k * scales / runs has_scale, has_offset start(part) first
 * element of a piece inside its block load(piece, block, part)
 *
 * Products of codes with x are added up per scale; `zero` and offset then apply to the sum of x,
 * which several rows share. So a code costs its conversion and one multiply-add. From this come the
 * four kernels of every format: matvec (one token: bound by reading w once), matmul (prompts: w is
 * decoded once for a tile of tokens), embed and unpack.
 *
 * The two worlds again (quern_kernel.cuh): on a GPU a piece is 4 to 16 bytes of w, so that
 * neighbouring lanes load neighbouring words of w and x; on a CPU a run is 16 elements, one vector,
 * and a piece as many runs as share their loads. `qk_bytes` and `qk_run` hide which. */
#ifndef QUERN_WEIGHTS_CUH
#define QUERN_WEIGHTS_CUH

#include "quern_kernel.cuh"

/* -- runs: neighbouring bytes and floats in registers -- */

#if QK_COALESCE
#define QK_RUN(gpu) gpu
#define QK_AHEAD    2 /* pieces of w in flight */

template <int n> struct qk_run {
    float v[n];
};
template <int n> struct qk_bytes {
    qk_u32 word[n / 4];
};

template <int n> QK_DEVICE void qk_load_run(qk_run<n> *out, const float *p)
{
#pragma unroll
    for (int j = 0; j < n; j += 4)
        qk_load_pack(out->v + j, p + j);
}

template <int n> QK_DEVICE void qk_store_run(float *p, const qk_run<n> &a)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        p[j] = a.v[j];
}

template <int n> QK_DEVICE void qk_store_run(qk_half *p, const qk_run<n> &a)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        p[j] = qk_half_of(a.v[j]);
}

/* n bytes from an address that is a multiple of `align`. Of two-byte alignment, words are loaded
 * where they lie whole, and the two halves that are left. */
template <int n, int align> QK_DEVICE void qk_load_bytes(qk_bytes<n> *out, const qk_u8 *p)
{
    const int words = n / 4;
    if (align >= 16 && n == 16) {
        const qk_u32x4 q = *(const qk_u32x4 *)p;
        out->word[0] = q.x;
        out->word[1 % words] = q.y;
        out->word[2 % words] = q.z;
        out->word[3 % words] = q.w;
    } else if (align >= 8 && n == 8) {
        const qk_u64 q = *(const qk_u64 *)p;
        out->word[0] = (qk_u32)q;
        out->word[1 % words] = (qk_u32)(q >> 32);
    } else if (align >= 4) {
#pragma unroll
        for (int i = 0; i < words; i++)
            out->word[i] = ((const qk_u32 *)p)[i];
    } else {
        const bool odd = ((qk_u64)p & 2u) != 0;
        const qk_u32 *whole = (const qk_u32 *)(p + (odd ? 2 : 0));
        const qk_u32 a = *(const qk_u16 *)(odd ? p : p + n - 4);
        const qk_u32 b = *(const qk_u16 *)(p + n - 2);
        qk_u32 before = a << 16; /* the word in front of whole[0], its upper half wanted */
#pragma unroll
        for (int i = 0; i < words; i++) {
            const qk_u32 here = i < words - 1 ? whole[i] : odd ? b : a | b << 16;
            out->word[i] = odd ? before >> 16 | here << 16 : here;
            before = here;
        }
    }
}

/* `count` bits from bit `shift` of every byte. */
template <int n> QK_DEVICE qk_bytes<n> qk_bits(const qk_bytes<n> &a, qk_u32 shift, qk_u32 count)
{
    const qk_u32 mask = ((1u << count) - 1u) * 0x01010101u;
    qk_bytes<n> out;
#pragma unroll
    for (int i = 0; i < n / 4; i++)
        out.word[i] = a.word[i] >> shift & mask;
    return out;
}

/* low | high << shift, by bytes; no bit may leave its byte. */
template <int n>
QK_DEVICE qk_bytes<n> qk_above(const qk_bytes<n> &low, const qk_bytes<n> &high, qk_u32 shift)
{
    qk_bytes<n> out;
#pragma unroll
    for (int i = 0; i < n / 4; i++)
        out.word[i] = low.word[i] | high.word[i] << shift;
    return out;
}

/* Bit j of `bits` as byte j, for n bytes. */
template <int n> QK_DEVICE qk_bytes<n> qk_spread_bits(qk_u32 bits)
{
    qk_bytes<n> out;
#pragma unroll
    for (int i = 0; i < n / 4; i++)
        out.word[i] = (bits >> 4 * i & 15u) * 0x00204081u & 0x01010101u;
    return out;
}

/* Byte j of a word, less `zero`. NVIDIA converts a quarter as fast as it adds: there the byte
 * becomes the low end of 2^23 + byte. */
QK_DEVICE float qk_byte_to_float(qk_u32 word, int j, int zero)
{
#ifdef QK_NVIDIA
    return qk_float_of_bits(__byte_perm(word, 0x4b000000u, 0x7440u + (qk_u32)j)) -
           (float)(8388608 + zero);
#else
    return (float)(word >> 8 * j & 255u) - (float)zero;
#endif
}

template <int n> QK_DEVICE void qk_to_floats(qk_run<n> *out, const qk_bytes<n> &a)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        out->v[j] = qk_byte_to_float(a.word[j / 4], j % 4, 0);
}

template <int n> QK_DEVICE void qk_signed_to_floats(qk_run<n> *out, const qk_bytes<n> &a)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        out->v[j] = qk_byte_to_float(a.word[j / 4] ^ 0x80808080u, j % 4, 128);
}

/* The 16 values of iq4_nl, a byte each. */
QK_DEVICE float qk_iq4_nl_value(qk_u32 q)
{
    const qk_u32 low = q & 4u ? 0xf6eaddcfu : 0xbfad9881u,
                 high = q & 4u ? 0x71594535u : 0x26190d01u;
    return (float)(qk_i8)((q & 8u ? high : low) >> 8 * (q & 3u) & 255u);
}

template <int n> QK_DEVICE void qk_iq4_nl_floats(qk_run<n> *out, const qk_bytes<n> &a)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        out->v[j] = qk_iq4_nl_value(a.word[j / 4] >> 8 * (j % 4) & 15u);
}

template <class T, int n> QK_DEVICE void qk_load_numbers(qk_run<n> *out, const T *p)
{
    qk_load_pack(out->v, p);
}

template <int n> QK_DEVICE void qk_scale_run(qk_run<n> *a, float scale, float offset)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        a->v[j] = a->v[j] * scale + offset;
}

template <int n> QK_DEVICE void qk_clear_run(qk_run<n> *a)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        a->v[j] = 0.0f;
}

/* a += b * scale */
template <int n> QK_DEVICE void qk_add_run(qk_run<n> *a, const qk_run<n> &b, float scale)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        a->v[j] += b.v[j] * scale;
}

/* a += a of lane `qk_lane() ^ mask` */
template <int n> QK_DEVICE void qk_add_shuffled(qk_run<n> *a, qk_u32 mask)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        a->v[j] += qk_shuffle_xor(a->v[j], mask);
}

/* What a thread adds its products up in. */
template <int n> struct qk_partial {
    float sum;
};
template <int n>
QK_DEVICE void qk_add_products(qk_partial<n> *p, const qk_run<n> &a, const qk_run<n> &b)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        p->sum += a.v[j] * b.v[j];
}
template <int n> QK_DEVICE void qk_add_run(qk_partial<n> *p, const qk_run<n> &a)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        p->sum += a.v[j];
}
template <int n> QK_DEVICE float qk_total(const qk_partial<n> &p)
{
    return p.sum;
}

#else /* a CPU: runs of 16 are vectors */
#define QK_RUN(gpu) 16
#define QK_AHEAD    1

typedef float qk_f32x16 __attribute__((ext_vector_type(16)));
typedef qk_u8 qk_u8x16 __attribute__((ext_vector_type(16)));
typedef qk_u16 qk_u16x16 __attribute__((ext_vector_type(16)));
typedef qk_i32 qk_i32x16 __attribute__((ext_vector_type(16)));
typedef qk_u32 qk_u32x16 __attribute__((ext_vector_type(16)));

template <int n> struct qk_run {
    qk_f32x16 v;
};
template <int n> struct qk_bytes {
    qk_i32x16 v; /* widened at once: what follows is then one instruction each */
};

template <int n> QK_DEVICE void qk_load_run(qk_run<n> *out, const float *p)
{
    qk_f32x16 v;
    __builtin_memcpy(&v, p, sizeof v);
    out->v = v;
}

template <int n> QK_DEVICE void qk_store_run(float *p, const qk_run<n> &a)
{
    const qk_f32x16 v = a.v;
    __builtin_memcpy(p, &v, sizeof v);
}

QK_DEVICE void qk_store_halves(qk_half *p, float a, float b, float c, float d)
{
    p[0] = qk_half_of(a);
    p[1] = qk_half_of(b);
    p[2] = qk_half_of(c);
    p[3] = qk_half_of(d);
}

template <int n> QK_DEVICE void qk_store_run(qk_half *p, const qk_run<n> &a)
{
    const qk_f32x16 v = a.v;
    qk_store_halves(p, v[0], v[1], v[2], v[3]);
    qk_store_halves(p + 4, v[4], v[5], v[6], v[7]);
    qk_store_halves(p + 8, v[8], v[9], v[10], v[11]);
    qk_store_halves(p + 12, v[12], v[13], v[14], v[15]);
}

template <int n, int align> QK_DEVICE void qk_load_bytes(qk_bytes<n> *out, const qk_u8 *p)
{
    qk_u8x16 v;
    __builtin_memcpy(&v, p, sizeof v);
    out->v = __builtin_convertvector(v, qk_i32x16);
}

template <int n> QK_DEVICE qk_bytes<n> qk_bits(const qk_bytes<n> &a, qk_u32 shift, qk_u32 count)
{
    qk_bytes<n> out;
    out.v = a.v >> (qk_i32)shift & (qk_i32)((1u << count) - 1u);
    return out;
}

template <int n>
QK_DEVICE qk_bytes<n> qk_above(const qk_bytes<n> &low, const qk_bytes<n> &high, qk_u32 shift)
{
    qk_bytes<n> out;
    out.v = low.v | high.v << (qk_i32)shift;
    return out;
}

template <int n> QK_DEVICE qk_bytes<n> qk_spread_bits(qk_u32 bits)
{
    const qk_i32x16 at = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const qk_i32x16 all = (qk_i32)(bits & 0xffffu);
    qk_bytes<n> out;
    out.v = all >> at & 1;
    return out;
}

template <int n> QK_DEVICE void qk_to_floats(qk_run<n> *out, const qk_bytes<n> &a)
{
    out->v = __builtin_convertvector(a.v, qk_f32x16);
}

template <int n> QK_DEVICE void qk_signed_to_floats(qk_run<n> *out, const qk_bytes<n> &a)
{
    out->v = __builtin_convertvector(a.v << 24 >> 24, qk_f32x16);
}

template <int n> QK_DEVICE void qk_iq4_nl_floats(qk_run<n> *out, const qk_bytes<n> &a)
{
    const qk_i32x16 third = 0 - (a.v >> 2 & 1), fourth = 0 - (a.v >> 3 & 1);
    const qk_i32x16 low = (qk_i32)0xbfad9881u ^ (third & (qk_i32)(0xbfad9881u ^ 0xf6eaddcfu));
    const qk_i32x16 high = 0x26190d01 ^ (third & (0x26190d01 ^ 0x71594535));
    const qk_i32x16 word = low ^ (fourth & (low ^ high));
    out->v = __builtin_convertvector(word << (24 - (a.v & 3) * 8) >> 24, qk_f32x16);
}

template <int n> QK_DEVICE void qk_load_numbers(qk_run<n> *out, const float *p)
{
    qk_load_run(out, p);
}

template <int n> QK_DEVICE void qk_load_numbers(qk_run<n> *out, const qk_bf16 *p)
{
    qk_u16x16 bits;
    __builtin_memcpy(&bits, p, sizeof bits);
    const qk_u32x16 wide = __builtin_convertvector(bits, qk_u32x16) << 16;
    out->v = __builtin_bit_cast(qk_f32x16, wide);
}

/* qk_float(qk_half) on vectors. An exponent of 224 + 31 is infinity or NaN, and stays so when it is
 * scaled back by 2^-112. */
template <int n> QK_DEVICE void qk_load_numbers(qk_run<n> *out, const qk_half *p)
{
    qk_u16x16 half;
    __builtin_memcpy(&half, p, sizeof half);
    const qk_i32x16 bits = __builtin_convertvector(half, qk_i32x16);
    const qk_i32x16 magnitude = (bits & 0x7fff) << 13;
    const qk_f32x16 normal = __builtin_bit_cast(qk_f32x16, magnitude + (224 << 23)) *
                             qk_float_of_bits((127u - 112u) << 23);
    const qk_f32x16 small =
        __builtin_bit_cast(qk_f32x16, magnitude + (113 << 23)) - qk_float_of_bits(113u << 23);
    const qk_i32x16 is_small = (magnitude - (1 << 23)) >> 31;
    const qk_i32x16 value = (__builtin_bit_cast(qk_i32x16, normal) & ~is_small) |
                            (__builtin_bit_cast(qk_i32x16, small) & is_small);
    out->v = __builtin_bit_cast(qk_f32x16, value | (bits & 0x8000) << 16);
}

template <int n> QK_DEVICE void qk_scale_run(qk_run<n> *a, float scale, float offset)
{
    a->v = a->v * scale + offset;
}

template <int n> QK_DEVICE void qk_clear_run(qk_run<n> *a)
{
    a->v = 0.0f;
}

template <int n> QK_DEVICE void qk_add_run(qk_run<n> *a, const qk_run<n> &b, float scale)
{
    a->v += b.v * scale;
}

template <int n> QK_DEVICE void qk_add_shuffled(qk_run<n> *, qk_u32)
{
} /* a CPU's wave is one thread: there is nobody to add */

template <int n> struct qk_partial {
    qk_f32x16 sum;
};
template <int n>
QK_DEVICE void qk_add_products(qk_partial<n> *p, const qk_run<n> &a, const qk_run<n> &b)
{
    p->sum += a.v * b.v;
}
template <int n> QK_DEVICE void qk_add_run(qk_partial<n> *p, const qk_run<n> &a)
{
    p->sum += a.v;
}
template <int n> QK_DEVICE float qk_total(const qk_partial<n> &p)
{
    const qk_f32x16 s = p.sum;
    const float a = (s[0] + s[1]) + (s[2] + s[3]), b = (s[4] + s[5]) + (s[6] + s[7]);
    const float c = (s[8] + s[9]) + (s[10] + s[11]), d = (s[12] + s[13]) + (s[14] + s[15]);
    return (a + b) + (c + d);
}
#endif

template <int n> QK_DEVICE void qk_clear(qk_partial<n> *p)
{
    p->sum = 0.0f;
}

template <int n> QK_DEVICE void qk_add_scaled(qk_partial<n> *p, const qk_partial<n> &a, float scale)
{
    p->sum += a.sum * scale;
}

QK_DEVICE float qk_half_at(const qk_u8 *p)
{
    return qk_float(*(const qk_half *)p);
}

/* 32 bits from an even address. */
QK_DEVICE qk_u32 qk_word_at(const qk_u8 *p)
{
    return (qk_u32) * (const qk_u16 *)p | (qk_u32) * (const qk_u16 *)(p + 2) << 16;
}

/* Scales d s and offsets -dmin m of the two sub-blocks of group 0 .. 3 in q4_k and q5_k. Of the 12
 * bytes behind d and dmin the first four have s of sub-blocks 0 .. 3 in six bits, the next four m;
 * the last four have the low halves of both for sub-blocks 4 .. 7, whose upper two bits lie on top
 * of the first eight bytes. So all four s, or m, of a half are made at once in a word. */
QK_DEVICE void qk_scales_k(float *scale, float *offset, const qk_u8 *block, qk_u32 group)
{
    const qk_u32x4 head = *(const qk_u32x4 *)block;
    const bool late = group >= 2;
    const qk_u32 low_s = head.w & 0x0f0f0f0fu, low_m = head.w >> 4 & 0x0f0f0f0fu;
    const qk_u32 s = late ? low_s | (head.y >> 2 & 0x30303030u) : head.y & 0x3f3f3f3fu;
    const qk_u32 m = late ? low_m | (head.z >> 2 & 0x30303030u) : head.z & 0x3f3f3f3fu;
    qk_half d, dmin;
    d.bits = (qk_u16)(head.x & 0xffffu);
    dmin.bits = (qk_u16)(head.x >> 16);
    const float step = qk_float(d), min_step = -qk_float(dmin);
    const qk_u32 at = group % 2 * 16;
    scale[0] = step * (float)(s >> at & 255u);
    scale[1] = step * (float)(s >> at >> 8 & 255u);
    offset[0] = min_step * (float)(m >> at & 255u);
    offset[1] = min_step * (float)(m >> at >> 8 & 255u);
}

/* -- pieces -- */

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

/* -- matvec -- */

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
#pragma unroll QK_AHEAD
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
    enum { many = 4 };
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

/* -- matmul -- */

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
 * at a time: the least that holds whole pieces. A smaller block goes over the places in turns. */
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

/* Elements from `first` of the tile's rows, zeros behind the last row and the last element. */
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
