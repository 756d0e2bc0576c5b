/* SPDX-License-Identifier: Apache-2.0
 *
 * attention_combine: the pieces that attention_decode left become one result
 *
 *   out        (heads, head_dim) f32
 *   part       (heads, splits, head_dim) f32: sums of exp(s - m) v
 *   part_ms    (heads, splits, 2) f32: m, sum of exp(s - m); of at least one piece not 0
 *   grid       any; block any multiple of the wave; shared none
 *   computes   in f32
 *   tolerance  1e-5 sum of weight |part|
 *   source     the definition (quern_attention.cuh) */
#include "quern_kernel.cuh"

extern "C" __global__ void attention_combine_f32(float *__restrict__ out,
                                                 const float *__restrict__ part,
                                                 const float *__restrict__ part_ms, qk_u32 heads,
                                                 qk_u32 splits, qk_u32 head_dim)
{
    const qk_span mine = qk_grid_share((qk_u64)heads * head_dim);
    for (qk_u64 i = mine.begin; i < mine.end; i += mine.step) {
        const qk_u64 head = i / head_dim, d = i % head_dim;
        const float *ms = part_ms + head * splits * 2;
        const float *x = part + head * splits * head_dim + d;
        float most = ms[0], sum = 0.0f, weight = 0.0f;
        for (qk_u32 s = 1; s < splits; s++)
            most = qk_max(most, ms[2 * s]);
        for (qk_u32 s = 0; s < splits; s++) {
            const float e = qk_expf(ms[2 * s] - most);
            sum += e * x[(qk_u64)s * head_dim];
            weight += e * ms[2 * s + 1];
        }
        out[i] = sum / weight;
    }
}
