/* SPDX-License-Identifier: Apache-2.0
 *
 * attention_prompt_f16: the tokens of a prompt over a cache of f16. The contract is in
 * quern_attention.cuh. */
#include "quern_attention.cuh"

extern "C" __global__ void
attention_prompt_f16(float *__restrict__ out, const float *__restrict__ q,
                     const qk_half *__restrict__ k, const qk_half *__restrict__ v,
                     const qk_i32 *__restrict__ pos, qk_u32 tokens, qk_u32 heads, qk_u32 kv_heads,
                     qk_u32 head_dim, qk_u32 ctx, qk_u32 window, float scale, float softcap)
{
    prompt<cache_f16, 8>(out, q, k, v, pos, tokens, heads, kv_heads, head_dim, ctx, window, scale,
                         softcap);
}
