/* SPDX-License-Identifier: Apache-2.0
 *
 * Activations as signed bytes, 32 with one scale: what quern_dots.cuh reads.
 *
 *   codes[i] = x[i] / scale to the nearest integer; scale = max |x| / 127 of its 32
 *   sums     of the codes of each 16
 *
 *   x, codes, scales, sums   f32 (n), i8 (n), f32 (n / 32), i32 (n / 16); n a multiple of 32
 *   not a number             where 32 have an infinity or NaN, their scale is one
 *   tolerance                codes: 1 where x / scale is within 1e-4 of a half, else exact; scales
 *                            1.2e-7 |want|
 *   source                   the definition */
#include "quern_kernel.cuh"

enum { QK_GROUP = 32 };

QK_DEVICE void qk_quantise(qk_i8 *codes, float *scales, qk_i32 *sums, const float *x)
{
    qk_u32 largest = 0;
    for (int i = 0; i < QK_GROUP; i++) {
        const qk_u32 size = qk_bits_of_float(x[i]) & 0x7fffffffu;
        largest = qk_max(largest, size);
    }
    const float scale = qk_float_of_bits(largest) * (1.0f / 127.0f);
    const float inverse = scale > 0.0f ? 1.0f / scale : 0.0f;
    const float magic = 12582912.0f; /* 1.5 * 2^23: its unit is 1 */
    qk_i32 sum[2] = {0, 0};
#pragma unroll
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < QK_GROUP / 2; i++) {
            const int at = half * (QK_GROUP / 2) + i;
            const qk_u32 bits = qk_bits_of_float(x[at] * inverse + magic);
            const qk_i8 code = (qk_i8)(bits & 255u);
            codes[at] = code;
            sum[half] += (qk_i32)code;
        }
        sums[half] = sum[half];
    }
    *scales = scale;
}

extern "C" __global__ void quantise_f32(qk_i8 *__restrict__ codes, float *__restrict__ scales,
                                        qk_i32 *__restrict__ sums, const float *__restrict__ x,
                                        qk_u64 n)
{
    const qk_span s = qk_grid_share(n / QK_GROUP);
    for (qk_u64 g = s.begin; g < s.end; g += s.step)
        qk_quantise(codes + g * QK_GROUP, scales + g, sums + g * 2, x + g * QK_GROUP);
}
