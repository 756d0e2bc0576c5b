/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_attention_tensor.cuh: a prompt's attention on tensor cores.
 *
 * out = sum over positions p of softmax(s)[p] v[p], s[p] = scale * (q . k[p]), with softcap c > 0:
 * c tanh(s[p] / c)
 *
 *   q          (tokens, heads, head_dim) f32; |q| scale below 65504
 *   out        the same, f32 or null
 *   halves     the same, f16 or null; in_fours: in the order of inputs of tiles (quern_tensor.cuh)
 *   k, v       (kv_heads, ctx, head_dim) f16, or q8_0 in blocks of 32 along head_dim; on 16 bytes
 *   pos        (tokens) i32: a token at pos sees the positions [max(0, pos - window + 1), pos], or
 *              from 0 where window is 0; pos rises by one per token
 *   head_dim   a multiple of 8 (q8_0, in_fours: of 32), up to 256
 *   grid       any; block QK_ATTEND_THREADS; dynamic shared: qn__tensor_attention_plan()
 *   computes   scores with q to 22 bits, sums in f32; weights, and values of q8_0, rounded to f16
 *   tolerance  1.2e-3 sum of weight |v| + 1e-37; halves: 5e-4 |want| + 3e-8 more
 *   source     Dao, arXiv:2307.08691
 *
 * A block takes 64 tokens of a query head, 16 a warp, and goes through the keys in pieces. Keys of
 * the next piece are on their way while this one's values are multiplied, values while its keys
 * are. */
#ifndef QUERN_ATTENTION_TENSOR_CUH
#define QUERN_ATTENTION_TENSOR_CUH

#include "quern_tensor.cuh"

enum { ATTEND_THREADS = 128, ATTEND_TOKENS = 64 };

struct attention_work {
    float *out;
    qk_half *halves;
    const float *q;
    const void *k, *v;
    const qk_i32 *pos;
    qk_u32 tokens, heads, kv_heads, head_dim, ctx, window;
    float scale, softcap;
    bool in_fours;
};

QK_DEVICE qk_u32 attention_from(qk_u32 pos, qk_u32 window)
{
    return window && pos >= window ? pos - window + 1 : 0;
}

QK_DEVICE float attention_capped(float s, float softcap)
{
    return softcap > 0.0f ? softcap * qk_tanhf(s / softcap) : s;
}

QK_DEVICE void attention_put(const attention_work &w, qk_u32 token, qk_u32 head, qk_u32 d, float x)
{
    const qk_u64 at = ((qk_u64)token * w.heads + head) * w.head_dim + d;
    if (w.out)
        w.out[at] = x;
    if (w.halves)
        w.halves[qk_input_place(at, w.in_fours)] = qk_half_of(x);
}

/* How a cache is read: eight elements from `at` on into shared memory, or zeros; one element. */
struct cached_f16 {
#if QK_TENSOR
    static __device__ __forceinline__ void copy(qk_half *to, const void *cache, qk_u64 at, bool is)
    {
        qk_copy_16_if(to, (const qk_half *)cache + at, is);
    }
#endif
    static __device__ __forceinline__ float one(const void *cache, qk_u64 at)
    {
        return qk_float(((const qk_half *)cache)[at]);
    }
};

struct cached_q8_0 {
    static __device__ __forceinline__ float one(const void *cache, qk_u64 at)
    {
        const qk_u8 *block = (const qk_u8 *)cache + at / 32 * 34;
        return qk_float(*(const qk_half *)block) * (float)(qk_i8)block[2 + at % 32];
    }
#if QK_TENSOR
    static __device__ __forceinline__ void copy(qk_half *to, const void *cache, qk_u64 at, bool is)
    {
        qk_u32 words[4] = {0, 0, 0, 0};
        if (is) {
            const qk_u8 *block = (const qk_u8 *)cache + at / 32 * 34;
            const float d = qk_float(*(const qk_half *)block);
QK_TENSOR_UNROLL
            for (int i = 0; i < 4; i++) {
                const qk_u32 two = *(const qk_u16 *)(block + 2 + at % 32 + 2 * i);
                const float v[2] = {d * (float)(qk_i8)(two & 255u), d * (float)(qk_i8)(two >> 8)};
                words[i] = qk_pair<qk_half>(v);
            }
        }
        *(qk_u32x4 *)to = {words[0], words[1], words[2], words[3]};
    }
#endif
};

#if QK_TENSOR

/* D: head_dim made up with zeros; KEYS of a piece. */
template <int D, int KEYS> struct attention_shared {
    enum { stride = D + 8 }; /* rows of a matrix in different banks */
    qk_half high[ATTEND_TOKENS][stride], low[ATTEND_TOKENS][stride];
    qk_half k[KEYS][stride], v[KEYS][stride];
};

template <class Cache, int D, int KEYS>
QK_DEVICE void attention_load(qk_half (*to)[D + 8], const attention_work &w, const void *cache,
                              qk_u32 kv_head, qk_u32 first, qk_u32 end)
{
QK_TENSOR_UNROLL
    for (qk_u32 i = qk_thread(); i < KEYS * (D / 8); i += ATTEND_THREADS) {
        const qk_u32 r = i / (D / 8), d = i % (D / 8) * 8;
        const bool is_there = first + r < end && d < w.head_dim;
        const qk_u64 row = (qk_u64)kv_head * w.ctx + qk_min(first + r, end - 1);
        Cache::copy(&to[r][d], cache, row * w.head_dim + (is_there ? d : 0), is_there);
    }
}

/* q times scale, as two f16 numbers. */
template <int D, int KEYS>
QK_DEVICE void attention_stage(attention_shared<D, KEYS> *s, const attention_work &w, qk_u32 head,
                               qk_u32 first, qk_u32 n)
{
    for (qk_u32 i = qk_thread(); i < ATTEND_TOKENS * (D / 2); i += ATTEND_THREADS) {
        const qk_u32 r = i / (D / 2), d = i % (D / 2) * 2;
        const float *q = w.q + ((qk_u64)(first + qk_min(r, n - 1)) * w.heads + head) * w.head_dim;
        float x[2] = {0.0f, 0.0f}, rest[2];
        if (d < w.head_dim) {
            x[0] = q[d] * w.scale;
            x[1] = q[d + 1] * w.scale;
        }
        const qk_u32 most = qk_pair<qk_half>(x);
        qk_unpair<qk_half>(rest, most);
        rest[0] = x[0] - rest[0];
        rest[1] = x[1] - rest[1];
        *(qk_u32 *)&s->high[r][d] = most;
        *(qk_u32 *)&s->low[r][d] = qk_pair<qk_half>(rest);
    }
}

/* A warp's running softmax of rows g and g + 8 of its 16. */
template <int D> struct attention_rows {
    float sum[D / 8][4], most[2], weight[2];
    qk_u32 from[2], at[2];
};

template <int D, int KEYS>
QK_DEVICE void attention_scores(float (*score)[4], const attention_shared<D, KEYS> *s, qk_u32 warp,
                                qk_u32 lane)
{
QK_TENSOR_UNROLL
    for (int j = 0; j < KEYS / 8; j++)
        score[j][0] = score[j][1] = score[j][2] = score[j][3] = 0.0f;
    const qk_u32 row = 16 * warp + lane % 16, column = lane / 16 * 8;
    const qk_u32 key = lane / 16 * 8 + lane % 8, of_key = lane / 8 % 2 * 8;
QK_TENSOR_UNROLL
    for (int d = 0; d < D; d += 16) {
        qk_u32 high[4], low[4];
        qk_load_matrices(high, &s->high[row][d + column]);
        qk_load_matrices(low, &s->low[row][d + column]);
QK_TENSOR_UNROLL
        for (int j = 0; j < KEYS / 16; j++) {
            qk_u32 b[4];
            qk_load_matrices(b, &s->k[16 * j + key][d + of_key]);
            qk_tensor_product(score[2 * j], high, b[0], b[1]);
            qk_tensor_product(score[2 * j + 1], high, b[2], b[3]);
            qk_tensor_product(score[2 * j], low, b[0], b[1]);
            qk_tensor_product(score[2 * j + 1], low, b[2], b[3]);
        }
    }
}

/* Scores become weights; what was summed before is scaled down to the new greatest. */
template <int D, int KEYS>
QK_DEVICE void attention_weigh(attention_rows<D> *a, float (*score)[4], const attention_work &w,
                               qk_u32 first, bool is_masked, qk_u32 lane)
{
    const float log2_e = 1.44269504f;
    if (w.softcap > 0.0f)
QK_TENSOR_UNROLL
        for (int j = 0; j < KEYS / 8; j++)
QK_TENSOR_UNROLL
            for (int i = 0; i < 4; i++)
                score[j][i] = attention_capped(score[j][i], w.softcap);
    if (is_masked)
QK_TENSOR_UNROLL
        for (int j = 0; j < KEYS / 8; j++)
QK_TENSOR_UNROLL
            for (int i = 0; i < 4; i++) {
                const qk_u32 p = first + 8 * j + lane % 4 * 2 + i % 2;
                if (p < a->from[i / 2] || p > a->at[i / 2])
                    score[j][i] = -qk_inf();
            }
QK_TENSOR_UNROLL
    for (int r = 0; r < 2; r++) {
        float most = a->most[r];
QK_TENSOR_UNROLL
        for (int j = 0; j < KEYS / 8; j++)
            most = qk_max(most, qk_max(score[j][2 * r], score[j][2 * r + 1]));
        most = qk_quad_reduce<qk_greatest>(most);
        const float less = exp2f((a->most[r] - most) * log2_e), shift = most * log2_e;
        float weight = 0.0f;
        a->most[r] = most;
QK_TENSOR_UNROLL
        for (int j = 0; j < KEYS / 8; j++)
QK_TENSOR_UNROLL
            for (int i = 2 * r; i < 2 * r + 2; i++) {
                score[j][i] = exp2f(score[j][i] * log2_e - shift);
                weight += score[j][i];
            }
        a->weight[r] = a->weight[r] * less + weight;
QK_TENSOR_UNROLL
        for (int j = 0; j < D / 8; j++) {
            a->sum[j][2 * r] *= less;
            a->sum[j][2 * r + 1] *= less;
        }
    }
}

template <int D, int KEYS>
QK_DEVICE void attention_add(attention_rows<D> *a, const float (*score)[4],
                             const attention_shared<D, KEYS> *s, qk_u32 lane)
{
    const qk_u32 key = lane / 8 % 2 * 8 + lane % 8, column = lane / 16 * 8;
QK_TENSOR_UNROLL
    for (int i = 0; i < KEYS / 16; i++) {
        const qk_u32 p[4] = {qk_pair<qk_half>(score[2 * i]), qk_pair<qk_half>(score[2 * i] + 2),
                             qk_pair<qk_half>(score[2 * i + 1]),
                             qk_pair<qk_half>(score[2 * i + 1] + 2)};
QK_TENSOR_UNROLL
        for (int j = 0; j < D / 16; j++) {
            qk_u32 b[4];
            qk_load_transposed(b, &s->v[16 * i + key][16 * j + column]);
            qk_tensor_product(a->sum[2 * j], p, b[0], b[1]);
            qk_tensor_product(a->sum[2 * j + 1], p, b[2], b[3]);
        }
    }
}

template <int D>
QK_DEVICE void attention_finish(attention_rows<D> *a, const attention_work &w, qk_u32 head,
                                qk_u32 first, qk_u32 n, qk_u32 warp, qk_u32 lane)
{
QK_TENSOR_UNROLL
    for (int r = 0; r < 2; r++) {
        const float by = 1.0f / qk_quad_reduce<qk_sum>(a->weight[r]);
        const qk_u32 row = 16 * warp + lane / 4 + 8 * r;
        const qk_u64 start = ((qk_u64)(first + row) * w.heads + head) * w.head_dim;
QK_TENSOR_UNROLL
        for (int j = 0; j < D / 8; j++) {
            const qk_u32 d = 8 * j + lane % 4 * 2;
            const float x[2] = {a->sum[j][2 * r] * by, a->sum[j][2 * r + 1] * by};
            if (row >= n || d >= w.head_dim)
                continue;
            if (w.out) {
                w.out[start + d] = x[0];
                w.out[start + d + 1] = x[1];
            }
            if (w.halves)
                *(qk_u32 *)(w.halves + qk_input_place(start + d, w.in_fours)) =
                    qk_pair<qk_half>(x);
        }
    }
}

template <class Cache, int D, int KEYS>
QK_DEVICE void attention_tile(attention_shared<D, KEYS> *s, const attention_work &w, qk_u32 head,
                              qk_u32 first, qk_u32 n)
{
    const qk_u32 warp = qk_thread() / 32, lane = qk_thread() % 32;
    const qk_u32 kv_head = head / (w.heads / w.kv_heads);
    const qk_u32 lowest = (qk_u32)w.pos[first], highest = (qk_u32)w.pos[first + n - 1];
    const qk_u32 begin = attention_from(lowest, w.window), end = highest + 1;
    const qk_u32 all_see_from = attention_from(highest, w.window);
    attention_load<Cache, D, KEYS>(s->k, w, w.k, kv_head, begin, end);
    qk_copies_end();
    attention_load<Cache, D, KEYS>(s->v, w, w.v, kv_head, begin, end);
    qk_copies_end();
    attention_stage(s, w, head, first, n);
    attention_rows<D> a;
QK_TENSOR_UNROLL
    for (int r = 0; r < 2; r++) {
        a.at[r] = (qk_u32)w.pos[first + qk_min(16 * warp + lane / 4 + 8 * r, n - 1)];
        a.from[r] = attention_from(a.at[r], w.window);
        a.most[r] = -3.0e38f;
        a.weight[r] = 0.0f;
    }
QK_TENSOR_UNROLL
    for (int j = 0; j < D / 8; j++)
        a.sum[j][0] = a.sum[j][1] = a.sum[j][2] = a.sum[j][3] = 0.0f;
    for (qk_u32 p = begin; p < end; p += KEYS) {
        float score[KEYS / 8][4];
        qk_copies_wait<1>();
        qk_barrier();
        attention_scores(score, s, warp, lane);
        qk_barrier();
        if (p + KEYS < end)
            attention_load<Cache, D, KEYS>(s->k, w, w.k, kv_head, p + KEYS, end);
        qk_copies_end();
        attention_weigh<D, KEYS>(&a, score, w, p, p < all_see_from || p + KEYS - 1 > lowest, lane);
        qk_copies_wait<1>();
        qk_barrier();
        attention_add(&a, score, s, lane);
        qk_barrier();
        if (p + KEYS < end)
            attention_load<Cache, D, KEYS>(s->v, w, w.v, kv_head, p + KEYS, end);
        qk_copies_end();
    }
    attention_finish(&a, w, head, first, n, warp, lane);
    qk_copies_wait<0>();
    qk_barrier(); /* shared memory is used again */
}

template <class Cache, int D, int KEYS>
QK_DEVICE void attention_all(const attention_work &w, void *shared)
{
    attention_shared<D, KEYS> *s = (attention_shared<D, KEYS> *)shared;
    const qk_u32 tiles = (w.tokens + ATTEND_TOKENS - 1) / ATTEND_TOKENS;
    for (qk_u32 i = qk_block(); i < tiles * w.heads; i += qk_blocks()) {
        const qk_u32 first = (tiles - 1 - i / w.heads) * ATTEND_TOKENS; /* the longest first */
        attention_tile<Cache, D, KEYS>(s, w, i % w.heads, first,
                                       qk_min((qk_u32)ATTEND_TOKENS, w.tokens - first));
    }
}

template <class Cache> QK_DEVICE void run_attention_tensor(const attention_work &w, void *shared)
{
    if (w.head_dim <= 64)
        attention_all<Cache, 64, 64>(w, shared);
    else if (w.head_dim <= 128)
        attention_all<Cache, 128, 64>(w, shared);
    else
        attention_all<Cache, 256, 32>(w, shared);
}

#else

/* A thread per token and head, its softmax in three passes. */
template <class Cache> QK_DEVICE void run_attention_tensor(const attention_work &w, void *)
{
    for (qk_u64 i = (qk_u64)qk_block() * qk_threads() + qk_thread();
         i < (qk_u64)w.tokens * w.heads; i += (qk_u64)qk_blocks() * qk_threads()) {
        const qk_u32 token = (qk_u32)(i / w.heads), head = (qk_u32)(i % w.heads);
        const qk_u32 at = (qk_u32)w.pos[token], from = attention_from(at, w.window);
        const qk_u64 base = (qk_u64)(head / (w.heads / w.kv_heads)) * w.ctx;
        const float *q = w.q + i * w.head_dim;
        for (qk_u32 d = 0; d < w.head_dim; d++) {
            float most = -3.0e38f, weight = 0.0f, sum = 0.0f;
            for (qk_u32 p = from; p <= at; p++) {
                float s = 0.0f;
                for (qk_u32 j = 0; j < w.head_dim; j++)
                    s += q[j] * Cache::one(w.k, (base + p) * w.head_dim + j);
                s = attention_capped(s * w.scale, w.softcap);
                const float now = qk_max(most, s), less = qk_expf(most - now);
                const float e = qk_expf(s - now);
                sum = sum * less + e * Cache::one(w.v, (base + p) * w.head_dim + d);
                weight = weight * less + e;
                most = now;
            }
            attention_put(w, token, head, d, sum / weight);
        }
    }
}

#endif

#define QK_ATTENTION_TENSOR(cache)                                                                 \
    extern "C" __global__ void __launch_bounds__(ATTEND_THREADS) attention_tensor_##cache(         \
        float *out, qk_half *halves, const float *q, const void *k, const void *v,                 \
        const qk_i32 *pos, qk_u32 tokens, qk_u32 heads, qk_u32 kv_heads, qk_u32 head_dim,          \
        qk_u32 ctx, qk_u32 window, float scale, float softcap, qk_u32 in_fours)                   \
    {                                                                                              \
        extern __shared__ qk_u32x4 shared[];                                                       \
        const attention_work w = {out,      halves, q,   k,      v,     pos,     tokens,           \
                                  heads,    kv_heads, head_dim, ctx, window, scale, softcap,       \
                                  in_fours != 0};                                                 \
        run_attention_tensor<cached_##cache>(w, shared);                                           \
    }

#endif
