/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_attention_token.cuh: all of one token's attention between its projections in one kernel.
 *
 *   heads of q and of the token's key: rmsnorm where they have one, then rope; its key and value
 *   into the cache; attention over the cache in pieces; the pieces together
 *
 *   out        (heads, head_dim) f32
 *   part, part_ms   scratch: (heads, splits, head_dim), (heads, splits, 2) f32
 *   tickets    (kv_heads) u32, 0 before and after
 *   k, v       the cache (quern_attention.cuh); row pos[0] is written
 *   qkv        (heads + 2 kv_heads, head_dim) f32: queries, the key, the value
 *   q_norm, k_norm  (head_dim) f32, or null
 *   pos, inv_freq, n_rot, factor   of rope (rope.cu); pairs 1: neox, 0: normal
 *   grid       kv_heads * splits; block a multiple of the wave; dynamic shared: (heads / kv_heads
 *              + 1) head_dim floats, and for each wave 4 (head_dim + 2)
 *   computes   in f32, as rmsnorm, rope, kv_store, attention_decode and attention_combine
 *   tolerance  the sum of theirs: 3e-5 sum of weight |v|
 *   source     theirs
 *
 * A block is one key-value head and one piece of the positions, divided among its waves. The block
 * that finds all other pieces of its head done puts them together: nothing waits. */
#ifndef QUERN_ATTENTION_TOKEN_CUH
#define QUERN_ATTENTION_TOKEN_CUH

#include "quern_attention.cuh"
#include "quern_cache.cuh"

struct token {
    float *out, *part, *part_ms;
    qk_u32 *tickets;
    const float *qkv, *q_norm, *k_norm, *inv_freq;
    qk_u32 heads, kv_heads, head_dim, n_rot, neox, ctx, window, splits, pos;
    float scale, softcap, factor, eps;
};

/* A head with its norm and rope, by one wave. */
QK_DEVICE void turned(float *to, const float *from, const float *norm, const token &t)
{
    float by = 1.0f;
    if (norm) {
        float squares = 0.0f;
        for (qk_u32 i = qk_lane(); i < t.head_dim; i += QK_WAVE_WIDTH)
            squares += from[i] * from[i];
        by = 1.0f / qk_sqrtf(qk_wave_reduce<qk_sum>(squares) / (float)t.head_dim + t.eps);
    }
    for (qk_u32 k = qk_lane(); k < t.n_rot / 2; k += QK_WAVE_WIDTH) {
        const qk_u32 a = t.neox ? k : 2 * k, b = t.neox ? k + t.n_rot / 2 : 2 * k + 1;
        const float angle = (float)(qk_i32)t.pos * t.inv_freq[k];
        float s, c;
        qk_sincosf(angle, &s, &c);
        s *= t.factor;
        c *= t.factor;
        const float p = from[a] * by * (norm ? norm[a] : 1.0f);
        const float q = from[b] * by * (norm ? norm[b] : 1.0f);
        to[a] = p * c - q * s;
        to[b] = p * s + q * c;
    }
    for (qk_u32 i = t.n_rot + qk_lane(); i < t.head_dim; i += QK_WAVE_WIDTH)
        to[i] = from[i] * by * (norm ? norm[i] : 1.0f);
}

QK_DEVICE void store_row(qk_half *cache, qk_u64 row, const float *x, qk_u32 head_dim)
{
    for (qk_u32 i = qk_thread(); i < head_dim; i += qk_threads())
        qk_put(cache + row * head_dim + i, x[i]);
}

QK_DEVICE void store_row(qk_u8 *cache, qk_u64 row, const float *x, qk_u32 head_dim)
{
    const qk_u32 blocks = head_dim / BLOCK_ELEMS;
    for (qk_u32 i = qk_thread(); i < blocks; i += qk_threads())
        pack(cache + (row * blocks + i) * BLOCK_BYTES, x + i * BLOCK_ELEMS);
}

/* What the waves of the block left for query i of four: most, weight, sum; of element d. */
struct merged {
    float most, weight, sum;
};

QK_DEVICE merged merge_slots(const float *slots, qk_u32 stride, qk_u32 n, qk_u32 d)
{
    merged m = {least(), 0.0f, 0.0f};
    for (qk_u32 w = 0; w < n; w++)
        m.most = qk_max(m.most, slots[w * stride]);
    for (qk_u32 w = 0; w < n; w++) {
        const float e = qk_expf(slots[w * stride] - m.most);
        m.weight += e * slots[w * stride + 1];
        m.sum += e * slots[w * stride + 2 + d];
    }
    return m;
}

/* The head's pieces together. */
QK_DEVICE void combine_pieces(const token &t, qk_u32 first, qk_u32 group)
{
    for (qk_u32 i = qk_thread(); i < group * t.head_dim; i += qk_threads()) {
        const qk_u32 head = first + i / t.head_dim, d = i % t.head_dim;
        const volatile float *ms = t.part_ms + (qk_u64)head * t.splits * 2;
        const volatile float *part = t.part + (qk_u64)head * t.splits * t.head_dim + d;
        float most = least(), weight = 0.0f, sum = 0.0f;
        for (qk_u32 s = 0; s < t.splits; s++)
            most = qk_max(most, (float)ms[2 * s]);
        for (qk_u32 s = 0; s < t.splits; s++) {
            const float e = qk_expf(ms[2 * s] - most);
            weight += e * ms[2 * s + 1];
            sum += e * part[(qk_u64)s * t.head_dim];
        }
        t.out[(qk_u64)head * t.head_dim + d] = sum / weight;
    }
}

/* `k`, `v`: the cache, of elements or bytes. */
template <class Cache, class T>
QK_DEVICE void attend_token(const token &t, T *k, T *v, float *shared)
{
    enum { N = 4 };
    __shared__ qk_u32 ticket;
    const qk_u32 group = t.heads / t.kv_heads, chunks = (group + N - 1) / N;
    const qk_u32 kv_head = qk_block() / t.splits, split = qk_block() % t.splits;
    const qk_u32 wave = qk_thread() / QK_WAVE_WIDTH, waves = qk_threads() / QK_WAVE_WIDTH;
    const qk_u32 low = first_seen(t.pos, t.window), high = t.pos + 1;
    const qk_u32 piece = (high - low + t.splits - 1) / t.splits;
    const qk_u32 begin = qk_min(high, low + split * piece), end = qk_min(high, begin + piece);
    const bool has_new = begin < end && end == high;
    const float *key = t.qkv + (qk_u64)(t.heads + kv_head) * t.head_dim;
    const qk_u64 row = (qk_u64)kv_head * t.ctx + t.pos;
    float *slots = shared + (group + 1) * t.head_dim;
    const qk_u32 slot = N * (t.head_dim + 2);
    for (qk_u32 h = wave; h < group + has_new; h += waves)
        turned(shared + h * t.head_dim,
               h < group ? t.qkv + (qk_u64)(kv_head * group + h) * t.head_dim : key,
               h < group ? t.q_norm : t.k_norm, t);
    qk_barrier();
    if (has_new) {
        store_row(k, row, shared + group * t.head_dim, t.head_dim);
        store_row(v, row, key + (qk_u64)t.kv_heads * t.head_dim, t.head_dim);
    }
    qk_barrier();
    const lane l = lane_of(t.head_dim);
    for (qk_u32 chunk = 0; chunk < chunks; chunk++) {
        const qk_u32 n = qk_min((qk_u32)N, group - chunk * N), each = (end - begin + waves - 1) / waves;
        const qk_u32 from = qk_min(end, begin + wave * each), to = qk_min(end, from + each);
        queries<N> a;
        clear(&a);
        QK_UNROLL_WAVE
        for (int i = 0; i < N; i++) {
            a.from[i] = from;
            a.to[i] = to;
            load_query(&a, i, shared + (chunk * N + qk_min((qk_u32)i, n - 1)) * t.head_dim,
                       t.head_dim, t.scale, l);
        }
        attend<Cache, N, 4>(&a, k, v, (qk_u64)kv_head * t.ctx, from, to, t.head_dim, t.softcap, l);
        QK_UNROLL_WAVE
        for (int i = 0; i < N; i++) {
            float *mine = slots + wave * slot + i * (t.head_dim + 2);
            store_sum(mine + 2, &a, i, t.head_dim, 1.0f, l);
            if (l.row == 0 && l.first == 0) {
                mine[0] = a.most[i];
                mine[1] = a.weight[i];
            }
        }
        qk_barrier();
        for (qk_u32 i = qk_thread(); i < n * t.head_dim; i += qk_threads()) {
            const qk_u32 d = i % t.head_dim, query = i / t.head_dim;
            const merged m = merge_slots(slots + query * (t.head_dim + 2), slot, waves, d);
            const qk_u64 at = (qk_u64)(kv_head * group + chunk * N + query) * t.splits + split;
            t.part[at * t.head_dim + d] = m.sum;
            if (d == 0) {
                t.part_ms[2 * at] = m.most;
                t.part_ms[2 * at + 1] = m.weight;
            }
        }
        __threadfence();
        qk_barrier();
    }
    if (qk_thread() == 0)
        ticket = atomicAdd(t.tickets + kv_head, 1u);
    qk_barrier();
    if (ticket != t.splits - 1)
        return;
    __threadfence();
    combine_pieces(t, kv_head * group, group);
    if (qk_thread() == 0)
        t.tickets[kv_head] = 0;
}

#define QK_TOKEN_KERNEL(name, Cache, T)                                                            \
    extern "C" __global__ void name(                                                               \
        float *out, float *part, float *part_ms, qk_u32 *tickets, T *k, T *v, const float *qkv,    \
        const float *q_norm, const float *k_norm, const qk_i32 *pos, const float *inv_freq,        \
        qk_u32 heads, qk_u32 kv_heads, qk_u32 head_dim, qk_u32 n_rot, qk_u32 neox, qk_u32 ctx,     \
        qk_u32 window, qk_u32 splits, float scale, float softcap, float factor, float eps)         \
    {                                                                                              \
        extern __shared__ float shared[];                                                          \
        const token t = {out,      part, part_ms, tickets, qkv,    q_norm,  k_norm, inv_freq,      \
                         heads,    kv_heads, head_dim, n_rot, neox, ctx, window, splits,           \
                         (qk_u32)pos[0], scale, softcap, factor, eps};                             \
        attend_token<Cache>(t, k, v, shared);                                                      \
    }

#endif
