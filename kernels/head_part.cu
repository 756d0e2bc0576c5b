/* SPDX-License-Identifier: Apache-2.0
 *
 * head_part: a part of each head becomes a part of each head of another length, and zeros follow it
 *
 *   out           (tokens, heads, out_dim) f32: elements [out_at, out_at + n) of each head are
 *                 written, no others
 *   x             (tokens, x_row) f32: head h's part are the elements from x_at + h x_head on;
 *                 x_head 0: all heads get the same
 *   copied        of the n elements; the rest become 0
 *   tokens, heads, n  any
 *   grid          any; block any multiple of the wave; shared none
 *   tolerance     0
 *   source        the definition */
#include "quern_kernel.cuh"

extern "C" __global__ void head_part_f32(float *__restrict__ out, const float *__restrict__ x,
                                         qk_u32 tokens, qk_u32 heads, qk_u32 n, qk_u32 copied,
                                         qk_u32 out_dim, qk_u32 out_at, qk_u32 x_row, qk_u32 x_head,
                                         qk_u32 x_at)
{
    const qk_span s = qk_grid_share((qk_u64)tokens * heads * n);
    for (qk_u64 i = s.begin; i < s.end; i += s.step) {
        const qk_u64 part = i / n, token = part / heads;
        const qk_u32 at = (qk_u32)(i % n), head = (qk_u32)(part % heads);
        out[part * out_dim + out_at + at] =
            at < copied ? x[token * x_row + x_at + (qk_u64)head * x_head + at] : 0.0f;
    }
}
