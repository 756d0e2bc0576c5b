/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_trits.cuh: digits of base 3 out of bytes, for weights_tq1_0.cu. */
#ifndef QUERN_TRITS_CUH
#define QUERN_TRITS_CUH

#include "quern_weights.cuh"

/* 3^n for n <= 4 */
QK_DEVICE qk_u32 qk_power_of_3(qk_u32 n)
{
    return n == 4 ? 81u : 0x1b090301u >> 8 * n & 255u;
}

#if QK_COALESCE
/* Digit n of n_bytes bytes: two at a time, with room for a product above each. */
template <int n_bytes>
QK_DEVICE void qk_load_trits(qk_bytes<n_bytes> *out, const qk_u8 *p, qk_u32 n)
{
    const qk_u32 mask = 0x00ff00ffu, power = qk_power_of_3(n);
    qk_load_bytes<n_bytes, 2>(out, p);
#pragma unroll
    for (int i = 0; i < n_bytes / 4; i++) {
        const qk_u32 even = (out->word[i] & mask) * power & mask;
        const qk_u32 odd = (out->word[i] >> 8 & mask) * power & mask;
        out->word[i] = (even * 3 >> 8 & mask) | (odd * 3 & ~mask);
    }
}

template <int n_bytes>
QK_DEVICE void qk_load_last_trits(qk_bytes<n_bytes> *out, const qk_u8 *p, qk_u32 n)
{
    qk_load_trits(out, p, n);
}
#else
template <int n_bytes>
QK_DEVICE void qk_load_trits(qk_bytes<n_bytes> *out, const qk_u8 *p, qk_u32 n)
{
    qk_load_bytes<n_bytes, 1>(out, p);
    out->v = (out->v * (qk_i32)qk_power_of_3(n) & 255) * 3 >> 8;
}

/* Sixteen digits: the first of four bytes, then the second of each, and so on. */
template <int n_bytes>
QK_DEVICE void qk_load_last_trits(qk_bytes<n_bytes> *out, const qk_u8 *p, qk_u32)
{
    const qk_i32x16 powers = {1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27};
    const qk_i32x16 codes = {p[0], p[1], p[2], p[3], p[0], p[1], p[2], p[3],
                             p[0], p[1], p[2], p[3], p[0], p[1], p[2], p[3]};
    out->v = (codes * powers & 255) * 3 >> 8;
}
#endif

#endif
