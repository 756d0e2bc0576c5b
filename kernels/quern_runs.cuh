/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_runs.cuh: runs of neighbouring bytes and floats in registers, for kernels that decode.
 *
 * `qk_run<n>` is n floats, `qk_bytes<n>` n small codes, `qk_partial<n>` what a thread adds products
 * up in. On a GPU n is 4, 8 or 16, QK_RUN(n) is n, codes stay four to a word, and a thread has one
 * sum. On a CPU QK_RUN(n) is 16 whatever n says and all three are vectors of 16: a translator's
 * vector types become AVX or NEON code without a vectoriser's luck. */
#ifndef QUERN_RUNS_CUH
#define QUERN_RUNS_CUH

#include "quern_kernel.cuh"

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

/* From a thread's own array. */
template <int n> QK_DEVICE void qk_take_run(qk_run<n> *out, const float *p)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        out->v[j] = p[j];
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
    } else if (align == 1) {
#pragma unroll
        for (int i = 0; i < words; i++)
            out->word[i] = (qk_u32)p[4 * i] | (qk_u32)p[4 * i + 1] << 8 |
                           (qk_u32)p[4 * i + 2] << 16 | (qk_u32)p[4 * i + 3] << 24;
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
#if defined(QK_NVIDIA) || defined(QUERN_HAS_PTX)
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
#if defined(QK_NVIDIA) || defined(QUERN_HAS_PTX)
/* Those of four codes, plus 128. A byte permutation looks one of eight up. */
QK_DEVICE qk_u32 qk_iq4_nl_bytes(qk_u32 codes)
{
    codes = (codes | codes >> 4) & 0x00ff00ffu;
    codes = (codes | codes >> 8) & 0xffffu; /* a nibble each */
    const qk_u32 low = __byte_perm(0x3f2d1801u, 0x766a5d4fu, codes),
                 high = __byte_perm(0xa6998d81u, 0xf1d9c5b5u, codes);
    return __byte_perm(low, high, 0x3210u | (codes & 0x8888u) >> 1);
}

template <int n> QK_DEVICE void qk_iq4_nl_floats(qk_run<n> *out, const qk_bytes<n> &a)
{
#pragma unroll
    for (int i = 0; i < n / 4; i++) {
        const qk_u32 word = qk_iq4_nl_bytes(a.word[i]);
#pragma unroll
        for (int j = 0; j < 4; j++)
            out->v[4 * i + j] = qk_byte_to_float(word, j, 128);
    }
}
#else
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
#endif

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

template <int n> QK_DEVICE void qk_take_run(qk_run<n> *out, const float *p)
{
    qk_load_run(out, p);
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

#if defined(QUERN_C)
__device__ __attribute__((const)) qk_f32x16 qk_f16_lanes(qk_u16x16 bits) __asm__("__qn_f16_lanes");

template <int n> QK_DEVICE void qk_load_numbers(qk_run<n> *out, const qk_half *p)
{
    qk_u16x16 half;
    __builtin_memcpy(&half, p, sizeof half);
    out->v = qk_f16_lanes(half);
}
#else
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
#endif

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
} /* a CPU's wave is one thread: there are no partial sums to add */

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

/* Sums of neighbouring lanes, a's before b's. */
QK_DEVICE qk_f32x16 qk_pair_sums(qk_f32x16 a, qk_f32x16 b)
{
    return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
                                   30) +
           __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

/* The totals of sixteen at once, in qk_total()'s order: four steps for all of them. */
QK_DEVICE void qk_totals(float *total, qk_f32x16 *v)
{
#pragma unroll
    for (int k = 8; k; k /= 2)
#pragma unroll
        for (int i = 0; i < k; i++)
            v[i] = qk_pair_sums(v[2 * i], v[2 * i + 1]);
    qk_run<16> all;
    all.v = v[0];
    qk_store_run(total, all);
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

#endif
