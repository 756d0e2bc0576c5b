/* SPDX-License-Identifier: Apache-2.0
 *
 * kv_store: keys and values of some tokens into the cache, row pos[t] for token t
 *
 *   k_cache, v_cache  (kv_heads, ctx, head_dim) f16, or q8_0 in blocks of 32 along head_dim: an f16
 *              scale d = max |x| / 127 and 32 signed bytes, x / d rounded half away from zero
 *   k, v       (tokens, kv_heads, head_dim) f32
 *   pos        (tokens) i32, below ctx
 *   head_dim   any; q8_0: a multiple of 32
 *   grid       any; block any multiple of the wave; shared none
 *   computes   in f32
 *   tolerance  f16 rounded once, to nearest even; q8_0 exact, but one code where x / d lies within
 *              1e-5 of a half
 *   source     the definition; q8_0 as in GGUF files */
#include "quern_cache.cuh"

/* Element of the cache that takes element d of (token, head). */
QK_DEVICE qk_u64 cache_row(const qk_i32 *pos, qk_u64 token_head, qk_u32 kv_heads, qk_u32 ctx)
{
    return token_head % kv_heads * ctx + (qk_u32)pos[token_head / kv_heads];
}

extern "C" __global__ void kv_store_f16(qk_half *__restrict__ k_cache,
                                        qk_half *__restrict__ v_cache, const float *__restrict__ k,
                                        const float *__restrict__ v, const qk_i32 *__restrict__ pos,
                                        qk_u32 tokens, qk_u32 kv_heads, qk_u32 head_dim, qk_u32 ctx)
{
#if QK_COALESCE
    const qk_span s = qk_grid_share((qk_u64)tokens * kv_heads * head_dim);
    for (qk_u64 i = s.begin; i < s.end; i += s.step) {
        const qk_u64 to = cache_row(pos, i / head_dim, kv_heads, ctx) * head_dim + i % head_dim;
        qk_put(k_cache + to, k[i]);
        qk_put(v_cache + to, v[i]);
    }
#else
    const qk_span s = qk_grid_share((qk_u64)tokens * kv_heads);
    for (qk_u64 i = s.begin; i < s.end; i++) {
        const qk_u64 to = cache_row(pos, i, kv_heads, ctx) * head_dim, from = i * head_dim;
        for (qk_u32 d = 0; d < head_dim; d++)
            qk_put(k_cache + to + d, k[from + d]);
        for (qk_u32 d = 0; d < head_dim; d++)
            qk_put(v_cache + to + d, v[from + d]);
    }
#endif
}

extern "C" __global__ void kv_store_q8_0(qk_u8 *__restrict__ k_cache, qk_u8 *__restrict__ v_cache,
                                         const float *__restrict__ k, const float *__restrict__ v,
                                         const qk_i32 *__restrict__ pos, qk_u32 tokens,
                                         qk_u32 kv_heads, qk_u32 head_dim, qk_u32 ctx)
{
    const qk_u32 blocks = head_dim / BLOCK_ELEMS;
    const qk_span s = qk_grid_share((qk_u64)tokens * kv_heads * blocks);
    for (qk_u64 i = s.begin; i < s.end; i += s.step) {
        const qk_u64 to = cache_row(pos, i / blocks, kv_heads, ctx) * blocks + i % blocks;
        pack(k_cache + to * BLOCK_BYTES, k + i * BLOCK_ELEMS);
        pack(v_cache + to * BLOCK_BYTES, v + i * BLOCK_ELEMS);
    }
}
