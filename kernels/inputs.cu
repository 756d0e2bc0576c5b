/* SPDX-License-Identifier: Apache-2.0
 *
 * inputs_f32: rows of activations as the f16 inputs of a product, with their norm if there is one.
 *
 *   out       (rows, n) f16 on 16 bytes: v = x, or x / sqrt(mean(x^2) + eps) * weight, times the
 *             power of two of its row; in_fours: in the order of inputs of tiles (quern_tensor.cuh)
 *   unscale   (rows) f32: 1 / that power
 *   x         (rows, n) f32 on 16 bytes
 *   weight    (n) f32 on 16 bytes, or null: no norm
 *   scaled    the power brings the row's largest into [2^14, 2^15); else it is 1
 *   n         a multiple of 32
 *   grid      any, one block per row at a time; block any multiple of the wave; static shared only
 *   computes  in f32
 *   tolerance 2e-6 |want|, rounded to f16
 *   source    the definition */
#include "quern_tensor.cuh"

enum { AT_ONCE = 4 };

QK_DEVICE void load_four(float *v, const float *p)
{
    const qk_u32x4 q = *(const qk_u32x4 *)p;
    v[0] = qk_float_of_bits(q.x);
    v[1] = qk_float_of_bits(q.y);
    v[2] = qk_float_of_bits(q.z);
    v[3] = qk_float_of_bits(q.w);
}

/* Four of a row, times their weights. */
QK_DEVICE void load_weighted(float *v, float *squares, const float *x, const float *weight,
                             qk_u64 at)
{
    load_four(v, x + at);
    if (!weight)
        return;
    float by[AT_ONCE];
    load_four(by, weight + at);
#pragma unroll
    for (int j = 0; j < AT_ONCE; j++) {
        *squares += v[j] * v[j];
        v[j] *= by[j];
    }
}

QK_DEVICE float power_of_two(int exponent)
{
    return qk_float_of_bits((qk_u32)(exponent + 127) << 23);
}

QK_DEVICE int scaling(float largest)
{
    const int exponent = (int)(qk_bits_of_float(largest) >> 23 & 255u) - 127;
    return 14 - qk_min(qk_max(exponent, -100), 127);
}

extern "C" __global__ void inputs_f32(qk_half *__restrict__ out, float *__restrict__ unscale,
                                      const float *__restrict__ x,
                                      const float *__restrict__ weight, qk_u32 rows, qk_u32 n,
                                      float eps, qk_u32 scaled, qk_u32 in_fours)
{
    for (qk_u32 row = qk_block(); row < rows; row += qk_blocks()) {
        const float *from = x + (qk_u64)row * n;
        const qk_span mine = qk_share(n / AT_ONCE, qk_thread(), qk_threads());
        float squares = 0.0f, largest = 0.0f, v[AT_ONCE];
        for (qk_u64 i = mine.begin; i < mine.end; i += mine.step) {
            load_weighted(v, &squares, from, weight, i * AT_ONCE);
#pragma unroll
            for (int j = 0; j < AT_ONCE; j++)
                largest = qk_max(largest, v[j] < 0.0f ? -v[j] : v[j]);
        }
        if (weight)
            squares = qk_block_reduce<qk_sum>(squares);
        if (scaled)
            largest = qk_block_reduce<qk_greatest>(largest);
        const float factor = weight ? 1.0f / qk_sqrtf(squares / (float)n + eps) : 1.0f;
        const int exponent = scaled ? scaling(largest * factor) : 0;
        const float by = factor * power_of_two(exponent);
        if (qk_thread() == 0)
            unscale[row] = power_of_two(-exponent);
        for (qk_u64 i = mine.begin; i < mine.end; i += mine.step) {
            load_weighted(v, &squares, from, weight, i * AT_ONCE);
#pragma unroll
            for (int j = 0; j < AT_ONCE; j++)
                v[j] *= by;
            const qk_u64 at = (qk_u64)row * n + i * AT_ONCE;
#pragma unroll
            for (int j = 0; j < AT_ONCE; j += 2)
                *(qk_u32 *)(out + qk_input_place(at + j, in_fours != 0)) = qk_pair<qk_half>(v + j);
        }
    }
}
