/* SPDX-License-Identifier: Apache-2.0
 *
 * attention_combine: the pieces that attention_decode left become one result
 *
 *   out        (heads, head_dim) f32
 *   part       (heads, splits, head_dim) f32: sums of exp(s - m) v
 *   part_ms    (heads, splits, 2) f32: m, sum of exp(s - m); of at least one piece not 0
 *   head_dim   a multiple of 8
 *   grid       any; block any multiple of the wave; static shared only. A wave per 8 elements, its
 *              lanes over the pieces
 *   computes   in f32
 *   tolerance  1e-5 sum of weight |part|
 *   source     the definition (quern_attention.cuh) */
#include "quern_kernel.cuh"

enum { WIDTH = 8 };

template <class Team>
QK_DEVICE void combine(float *out, const float *part, const float *part_ms, qk_u32 splits,
                       qk_u32 head_dim)
{
    const qk_span mine = qk_share(splits, Team::rank(), Team::size());
    float most = part_ms[0], weight = 0.0f, sum[WIDTH];
    for (qk_u64 s = mine.begin; s < mine.end; s += mine.step)
        most = qk_max(most, part_ms[2 * s]);
    most = Team::template reduce<qk_greatest>(most);
#pragma unroll
    for (int j = 0; j < WIDTH; j++)
        sum[j] = 0.0f;
    for (qk_u64 s = mine.begin; s < mine.end; s += mine.step) {
        const float e = qk_expf(part_ms[2 * s] - most);
        weight += e * part_ms[2 * s + 1];
#pragma unroll
        for (int j = 0; j < WIDTH; j++)
            sum[j] += e * part[s * head_dim + j];
    }
    weight = Team::template reduce<qk_sum>(weight);
#pragma unroll
    for (int j = 0; j < WIDTH; j++) {
        sum[j] = Team::template reduce<qk_sum>(sum[j]);
        if (Team::rank() == 0)
            out[j] = sum[j] / weight;
    }
}

extern "C" __global__ void attention_combine_f32(float *__restrict__ out,
                                                 const float *__restrict__ part,
                                                 const float *__restrict__ part_ms, qk_u32 heads,
                                                 qk_u32 splits, qk_u32 head_dim)
{
    typedef qk_small_team Team;
    const qk_u32 parts = head_dim / WIDTH; /* of a head */
    const qk_span mine = qk_share((qk_u64)heads * parts, Team::index(), Team::count());
    for (qk_u64 i = mine.begin; i < mine.end; i += mine.step) {
        const qk_u64 head = i / parts, d = i % parts * WIDTH;
        combine<Team>(out + head * head_dim + d, part + head * splits * head_dim + d,
                      part_ms + head * splits * 2, splits, head_dim);
    }
}
