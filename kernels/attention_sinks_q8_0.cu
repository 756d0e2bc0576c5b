/* SPDX-License-Identifier: Apache-2.0
 *
 * attention_decode_sinks_q8_0, attention_prompt_sinks_q8_0: attention over a cache of q8_0 where
 * each head has one score more that stands for no value. The contract is in quern_attention.cuh. */
#include "quern_attention.cuh"

extern "C" __global__ void attention_decode_sinks_q8_0(
    float *__restrict__ part, float *__restrict__ part_ms, const float *__restrict__ q,
    const void *__restrict__ k, const qk_u8 *__restrict__ v, const qk_i32 *__restrict__ pos,
    const float *__restrict__ sinks, qk_u32 heads, qk_u32 kv_heads, qk_u32 head_dim, qk_u32 ctx,
    qk_u32 window, qk_u32 splits, float scale, float softcap)
{
    decode_heads<cache_q8_0>(part, part_ms, q, k, v, pos, heads, kv_heads, head_dim, ctx, window,
                             splits, scale, softcap, sinks);
}

extern "C" __global__ void
attention_prompt_sinks_q8_0(float *__restrict__ out, const float *__restrict__ q,
                            const void *__restrict__ k, const qk_u8 *__restrict__ v,
                            const qk_i32 *__restrict__ pos, const float *__restrict__ sinks,
                            qk_u32 tokens, qk_u32 heads, qk_u32 kv_heads, qk_u32 head_dim,
                            qk_u32 ctx, qk_u32 window, float scale, float softcap)
{
    prompt<cache_q8_0, 8>(out, q, k, v, pos, tokens, heads, kv_heads, head_dim, ctx, window, scale,
                          softcap, sinks);
}
