/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_ready.cuh: a vector as the next phase of a token reads it, made once by the one who has it.
 *
 *   of n elements, n a multiple of 256, each array on 16 bytes:
 *
 *   codes      (2 n) f16: of each 32 elements four units. Unit t has the elements 4 t .. 4 t + 3
 * and 16 + 4 t .. 16 + 4 t + 3: first their eight high parts, then the eight low parts numbers (3,
 * n / 16) f32, of each sixteen elements: a power of two by which its parts are to be multiplied,
 * which brings the largest below 2^15, so that 22 bits of it are kept; the sum; and the sum of
 * squares, before any weights of a norm */
#ifndef QUERN_READY_CUH
#define QUERN_READY_CUH

#include "quern_kernel.cuh"

enum { READY = 16 };

struct qk_ready {
    qk_half *codes;
    float *numbers;
    qk_u32 n;
};

QK_DEVICE float qk_power_of_two(int exponent)
{
    return qk_float_of_bits((qk_u32)(exponent + 127) << 23);
}

/* Brings the largest |x| into [2^14, 2^15). */
QK_DEVICE int qk_scaling(float largest)
{
    const int exponent = (int)(qk_bits_of_float(largest) >> 23 & 255u) - 127;
    return 14 - qk_min(qk_max(exponent, -100), 127);
}

QK_DEVICE void qk_put_parts(const qk_ready &r, qk_u32 at, float scaled)
{
    qk_half *to = r.codes + at / 32 * 64 + at % 16 / 4 * 16 + at % 32 / 16 * 4 + at % 4;
    const qk_half high = qk_half_of(scaled);
    to[0] = high;
    to[8] = qk_half_of(scaled - qk_float(high));
}

QK_DEVICE void qk_put_numbers(const qk_ready &r, qk_u32 at, float unscale, float sum, float squares)
{
    float *to = r.numbers + at / READY;
    to[0] = unscale;
    to[r.n / READY] = sum;
    to[r.n / READY * 2] = squares;
}

#if QK_WAVE_WIDTH > 1
/* Element `at` is v, and w with the norm's weight. All lanes of a wave call it; sixteen neighbours
 * have the elements of a sixteen. */
QK_DEVICE void qk_put_ready(const qk_ready &r, qk_u32 at, float v, float w, bool is_there)
{
    float largest = w < 0.0f ? -w : w, sum = w, squares = v * v;
#pragma unroll
    for (qk_u32 mask = 1; mask < READY; mask *= 2) {
        largest = qk_max(largest, qk_shuffle_xor(largest, mask));
        sum += qk_shuffle_xor(sum, mask);
        squares += qk_shuffle_xor(squares, mask);
    }
    const int exponent = qk_scaling(largest);
    if (!is_there)
        return;
    qk_put_parts(r, at, w * qk_power_of_two(exponent));
    if (at % READY == 0)
        qk_put_numbers(r, at, qk_power_of_two(-exponent), sum, squares);
}
#else
/* The sixteen from `at` on. */
QK_DEVICE void qk_put_sixteen(const qk_ready &r, qk_u32 at, const float *v, const float *norm)
{
    float largest = 0.0f, sum = 0.0f, squares = 0.0f;
    for (qk_u32 i = 0; i < READY; i++) {
        const float w = v[i] * (norm ? norm[i] : 1.0f);
        largest = qk_max(largest, w < 0.0f ? -w : w);
        sum += w;
        squares += v[i] * v[i];
    }
    const int exponent = qk_scaling(largest);
    for (qk_u32 i = 0; i < READY; i++)
        qk_put_parts(r, at + i, v[i] * (norm ? norm[i] : 1.0f) * qk_power_of_two(exponent));
    qk_put_numbers(r, at, qk_power_of_two(-exponent), sum, squares);
}
#endif

/* v (n), times norm where that is not null, by all threads of a grid of `blocks`, this one `block`.
 */
QK_DEVICE void qk_prepare(const qk_ready &r, const float *v, const float *norm, qk_u32 block,
                          qk_u32 blocks)
{
#if QK_WAVE_WIDTH > 1 /* n is a multiple of every wave */
#pragma unroll 1
    for (qk_u32 i = block * qk_threads() + qk_thread(); i < r.n; i += blocks * qk_threads())
        qk_put_ready(r, i, v[i], v[i] * (norm ? norm[i] : 1.0f), true);
#else
    for (qk_u32 i = block * qk_threads() + qk_thread(); i < r.n / READY; i += blocks * qk_threads())
        qk_put_sixteen(r, i * READY, v + i * READY, norm ? norm + i * READY : 0);
#endif
}

#endif
