/* SPDX-License-Identifier: Apache-2.0
 *
 * attention_decode_f16: one token over pieces of a cache of f16. The contract is in
 * quern_attention.cuh. */
#include "quern_attention.cuh"

extern "C" __global__ void
attention_decode_f16(float *__restrict__ part, float *__restrict__ part_ms,
                     const float *__restrict__ q, const qk_half *__restrict__ k,
                     const qk_half *__restrict__ v, const qk_i32 *__restrict__ pos, qk_u32 heads,
                     qk_u32 kv_heads, qk_u32 head_dim, qk_u32 ctx, qk_u32 window, qk_u32 splits,
                     float scale, float softcap)
{
    decode_heads<cache_f16>(part, part_ms, q, k, v, pos, heads, kv_heads, head_dim, ctx, window,
                            splits, scale, softcap);
}
