/* SPDX-License-Identifier: Apache-2.0
 *
 * expert_bias: out[r][i] = x[r][i] + sum over c of weight[r][c] bias[ids[r][c]][i], the biases of
 * the experts that a token goes through
 *
 *   out, x     (rows, n) f32; out may be x
 *   bias       (experts, n) f32
 *   ids        (rows, k) i32, below experts
 *   weight     (rows, k) f32
 *   rows, k, n any
 *   grid       any; block any multiple of the wave; shared none
 *   computes   in f32
 *   tolerance  1e-6 (|x| + sum of |weight bias|) + 1e-37
 *   source     the definition */
#include "quern_kernel.cuh"

extern "C" __global__ void expert_bias_f32(float *out, const float *x,
                                           const float *__restrict__ bias,
                                           const qk_i32 *__restrict__ ids,
                                           const float *__restrict__ weight, qk_u32 rows, qk_u32 k,
                                           qk_u32 n)
{
    const qk_span s = qk_grid_share((qk_u64)rows * n);
    for (qk_u64 i = s.begin; i < s.end; i += s.step) {
        const qk_u64 row = i / n, column = i % n;
        float sum = x[i];
        for (qk_u32 c = 0; c < k; c++)
            sum += weight[row * k + c] * bias[(qk_u64)(qk_u32)ids[row * k + c] * n + column];
        out[i] = sum;
    }
}
