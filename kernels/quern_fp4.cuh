/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_fp4.cuh: 4-bit floats (one bit of sign, two of exponent, one of fraction), for the formats
 * that scale blocks of them. Their values are taken twice, so that all are whole: 0, 1, 2, 3, 4, 6,
 * 8, 12. From 2 on a code's bits are those of a float after a shift. */
#ifndef QUERN_FP4_CUH
#define QUERN_FP4_CUH

#include "quern_weights.cuh"

/* 2^(e - 128); subnormal for the two smallest. */
QK_DEVICE float qk_e8m0_half(qk_u32 e)
{
    return qk_float_of_bits(e < 2 ? 0x00200000u << e : (e - 1) << 23);
}

/* Half of an unsigned float of 4 bits of exponent and 3 of fraction; 0x7f is 0. */
QK_DEVICE float qk_e4m3_half(qk_u32 bits)
{
    const qk_u32 exponent = bits >> 3 & 15u, fraction = bits & 7u;
    const float normal = qk_float_of_bits((exponent + 119) << 23 | fraction << 20);
    return bits == 0x7fu ? 0.0f : exponent ? normal : (float)fraction * 0.0009765625f;
}

#if QK_COALESCE
QK_DEVICE float qk_e2m1(qk_u32 q)
{
    const qk_u32 size = q & 7u;
    const float x = size < 2 ? (float)size : qk_float_of_bits((size << 22) + (127u << 23));
    return q & 8u ? -x : x;
}

template <int n> QK_DEVICE void qk_e2m1_floats(qk_run<n> *out, const qk_bytes<n> &a)
{
#pragma unroll
    for (int j = 0; j < n; j++)
        out->v[j] = qk_e2m1(a.word[j / 4] >> 8 * (j % 4) & 15u);
}

/* n of the 16 codes that lie in 8 bytes, the low halves first. */
template <int n> QK_DEVICE void qk_load_sixteen(qk_bytes<n> *out, const qk_u8 *p, qk_u32 at)
{
    qk_bytes<n> both;
    qk_load_bytes<n, 4>(&both, p + at % 8);
    *out = qk_bits(both, at / 8 * 4, 4);
}
#else
template <int n> QK_DEVICE void qk_e2m1_floats(qk_run<n> *out, const qk_bytes<n> &a)
{
    const qk_i32x16 size = a.v & 7, is_small = (size - 2) >> 31;
    const qk_i32x16 small = __builtin_bit_cast(qk_i32x16, __builtin_convertvector(size, qk_f32x16));
    const qk_i32x16 large = (size << 22) + (127 << 23);
    const qk_i32x16 bits = (small & is_small) | (large & ~is_small) | (a.v & 8) << 28;
    out->v = __builtin_bit_cast(qk_f32x16, bits);
}

template <int n> QK_DEVICE void qk_load_sixteen(qk_bytes<n> *out, const qk_u8 *p, qk_u32)
{
    qk_u32 low, high;
    __builtin_memcpy(&low, p, sizeof low);
    __builtin_memcpy(&high, p + 4, sizeof high);
    const qk_i32x16 at = {0, 8, 16, 24, 0, 8, 16, 24, 4, 12, 20, 28, 4, 12, 20, 28};
    const qk_i32x16 words = {(qk_i32)low,  (qk_i32)low,  (qk_i32)low,  (qk_i32)low,
                             (qk_i32)high, (qk_i32)high, (qk_i32)high, (qk_i32)high,
                             (qk_i32)low,  (qk_i32)low,  (qk_i32)low,  (qk_i32)low,
                             (qk_i32)high, (qk_i32)high, (qk_i32)high, (qk_i32)high};
    out->v = words >> at & 15;
}
#endif

#endif
