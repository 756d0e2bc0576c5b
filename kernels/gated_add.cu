/* SPDX-License-Identifier: Apache-2.0
 *
 * gated_add: out[r][i] = a[r][i] + b[r][i] / (1 + exp(-gate[r])), the output of an expert that every
 * token goes through added to those of the chosen ones
 *
 *   out, a, b  (rows, n) f32; out may be a or b
 *   gate       (rows) f32
 *   rows, n    any
 *   grid       any; block any multiple of the wave; shared none
 *   computes   in f32
 *   tolerance  2e-6 (|a| + |b share|) + 1e-37
 *   source     Qwen1.5-MoE, as transformers computes it (Qwen2MoeSparseMoeBlock) */
#include "quern_kernel.cuh"

extern "C" __global__ void gated_add_f32(float *out, const float *a, const float *b,
                                         const float *__restrict__ gate, qk_u32 rows, qk_u32 n)
{
    const qk_span s = qk_grid_share((qk_u64)rows * n);
    for (qk_u64 i = s.begin; i < s.end; i += s.step)
        out[i] = a[i] + b[i] / (1.0f + qk_expf(-gate[i / n]));
}
