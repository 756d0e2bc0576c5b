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
 *   grid       kv_heads * splits; block a multiple of the wave, at most 512; dynamic shared:
 *              qn__token_attention_bytes()
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
#include "quern_early.cuh"
#include "quern_ready.cuh"

struct token {
    float *out, *part, *part_ms;
    qk_ready ready; /* codes null: not wanted */
    qk_u32 *tickets;
    const float *qkv, *q_norm, *k_norm, *inv_freq;
    qk_u32 heads, kv_heads, head_dim, n_rot, neox, ctx, window, splits, rows, pos;
    float scale, softcap, factor, eps;
};

/* Sines and cosines of the position, by all threads: they depend on no product. */
QK_DEVICE void turns(float *to, const token &t)
{
#pragma unroll 1
    for (qk_u32 k = qk_thread(); k < t.n_rot / 2; k += qk_threads()) {
        float s, c;
        qk_sincosf((float)(qk_i32)t.pos * t.inv_freq[k], &s, &c);
        to[2 * k] = s * t.factor;
        to[2 * k + 1] = c * t.factor;
    }
}

/* A head with its norm and rope, by one wave. */
QK_DEVICE void turned(float *to, const float *from, const float *norm, const float *turn,
                      const token &t)
{
    float by = 1.0f;
    if (norm) {
        float squares = 0.0f;
        for (qk_u32 i = qk_lane(); i < t.head_dim; i += QK_WAVE_WIDTH)
            squares += from[i] * from[i];
        by = 1.0f / qk_sqrtf(qk_wave_reduce<qk_sum>(squares) / (float)t.head_dim + t.eps);
    }
#pragma unroll 2
    for (qk_u32 k = qk_lane(); k < t.n_rot / 2; k += QK_WAVE_WIDTH) {
        const qk_u32 a = t.neox ? k : 2 * k, b = t.neox ? k + t.n_rot / 2 : 2 * k + 1;
        const float s = turn[2 * k], c = turn[2 * k + 1];
        const float p = from[a] * by * (norm ? norm[a] : 1.0f);
        const float q = from[b] * by * (norm ? norm[b] : 1.0f);
        to[a] = p * c - q * s;
        to[b] = p * s + q * c;
    }
#pragma unroll 1
    for (qk_u32 i = t.n_rot + qk_lane(); i < t.head_dim; i += QK_WAVE_WIDTH)
        to[i] = from[i] * by * (norm ? norm[i] : 1.0f);
}

QK_DEVICE void store_row(qk_half *cache, qk_u64 row, const float *x, qk_u32 head_dim)
{
#pragma unroll 1
    for (qk_u32 i = qk_thread(); i < head_dim; i += qk_threads())
        qk_put(cache + row * head_dim + i, x[i]);
}

QK_DEVICE void store_row(qk_u8 *cache, qk_u64 row, const float *x, qk_u32 head_dim)
{
    const qk_u32 blocks = head_dim / BLOCK_ELEMS;
#pragma unroll 1
    for (qk_u32 i = qk_thread(); i < blocks; i += qk_threads())
        pack(cache + (row * blocks + i) * BLOCK_BYTES, x + i * BLOCK_ELEMS);
}

QK_DEVICE float element_of(const qk_half *cache, qk_u64 at)
{
    return qk_float(cache[at]);
}

QK_DEVICE float element_of(const qk_u8 *cache, qk_u64 at)
{
    const qk_u8 *block = cache + at / BLOCK_ELEMS * BLOCK_BYTES;
    return qk_half_at(block) * (float)(qk_i8)block[2 + at % BLOCK_ELEMS];
}

/* What another block wrote. */
QK_DEVICE float from_others(const float *p)
{
#ifdef QK_NVIDIA
    return __ldcg(p);
#else
    return *(const volatile float *)p;
#endif
}

/* Shared memory of a block: `rows` positions at once, each row of the cache as f32 with room. */
struct rooms {
    float *q, *turn, *keys, *values, *scores, *sums, *most, *weight, *less;
    qk_u32 stride;
};

enum { ROOM = 4 };

QK_DEVICE rooms rooms_of(float *shared, const token &t, qk_u32 group)
{
    rooms m;
    m.stride = t.head_dim + ROOM;
    m.keys = shared;
    m.values = m.keys + t.rows * m.stride;
    m.q = m.values + t.rows * m.stride;
    m.turn = m.q + (group + 1) * t.head_dim;
    m.scores = m.turn + t.head_dim;
    m.sums = m.scores + group * t.rows;
    m.most = m.sums + group * t.head_dim;
    m.weight = m.most + group;
    m.less = m.weight + group;
    return m;
}

/* Rows [from, end) of a head of the cache, a run a thread. */
template <class Cache>
QK_DEVICE void stage_rows(float *to, const void *cache, qk_u64 head, qk_u32 from, qk_u32 end,
                          const token &t, qk_u32 stride)
{
    const qk_u32 each = (t.head_dim + RUN - 1) / RUN;
#pragma unroll 4
    for (qk_u32 i = qk_thread(); i < (end - from) * each; i += qk_threads()) {
        const qk_u32 row = i / each, at = i % each * RUN;
        qk_run<RUN> run;
        Cache::load(&run, cache, (head + from + row) * t.head_dim + at, t.head_dim - at);
        store_run(to + row * stride + at, run, t.head_dim - at);
    }
}

/* Four floats on 16 bytes. */
QK_DEVICE void load_four(float *v, const float *p)
{
#if QK_COALESCE
    qk_load_pack(v, p);
#else
    for (int j = 0; j < 4; j++)
        v[j] = p[j];
#endif
}

/* Scores of the first n rows, then their exponentials, and what they weigh. */
QK_DEVICE void score_rows(const rooms &m, const token &t, qk_u32 group, qk_u32 n)
{
#pragma unroll 1
    for (qk_u32 i = qk_thread(); i < group * t.rows; i += qk_threads()) {
        const qk_u32 row = i % t.rows, h = i / t.rows;
        const float *key = m.keys + row * m.stride, *q = m.q + h * t.head_dim;
        float dot[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        if (row >= n)
            continue;
#pragma unroll 4
        for (qk_u32 d = 0; d < t.head_dim; d += 4) {
            float a[4], b[4];
            load_four(a, key + d);
            load_four(b, q + d);
            for (int j = 0; j < 4; j++)
                dot[j] += a[j] * b[j];
        }
        const float s = ((dot[0] + dot[1]) + (dot[2] + dot[3])) * t.scale;
        m.scores[i] = capped(s, t.softcap);
    }
    qk_barrier();
#pragma unroll 1
    for (qk_u32 h = qk_thread() / QK_WAVE_WIDTH; h < group; h += qk_threads() / QK_WAVE_WIDTH) {
        float *scores = m.scores + h * t.rows, most = m.most[h], weight = 0.0f;
#pragma unroll 1
        for (qk_u32 row = qk_lane(); row < n; row += QK_WAVE_WIDTH)
            most = qk_max(most, scores[row]);
        most = qk_wave_reduce<qk_greatest>(most);
#pragma unroll 1
        for (qk_u32 row = qk_lane(); row < n; row += QK_WAVE_WIDTH) {
            scores[row] = qk_expf(scores[row] - most);
            weight += scores[row];
        }
        weight = qk_wave_reduce<qk_sum>(weight);
        if (qk_lane() == 0) {
            m.less[h] = qk_expf(m.most[h] - most);
            m.weight[h] = m.weight[h] * m.less[h] + weight;
            m.most[h] = most;
        }
    }
    qk_barrier();
}

QK_DEVICE void add_rows(const rooms &m, const token &t, qk_u32 group, qk_u32 n)
{
#pragma unroll 1
    for (qk_u32 i = qk_thread(); i < group * t.head_dim / 2; i += qk_threads()) {
        const qk_u32 h = i / (t.head_dim / 2), d = i % (t.head_dim / 2) * 2;
        const float *scores = m.scores + h * t.rows, *value = m.values + d;
        float a = m.sums[2 * i] * m.less[h], b = m.sums[2 * i + 1] * m.less[h];
#pragma unroll 8
        for (qk_u32 row = 0; row < n; row++) {
            a += scores[row] * value[row * m.stride];
            b += scores[row] * value[row * m.stride + 1];
        }
        m.sums[2 * i] = a;
        m.sums[2 * i + 1] = b;
    }
}

/* What each of a group's pieces counts for, a wave a head; `shares` (group, pieces) is shared
 * memory. Then the pieces together, in m.sums. */
QK_DEVICE void weigh_pieces(const rooms &m, const token &t, qk_u32 first, qk_u32 group,
                            qk_u32 pieces, float *shares)
{
    const qk_u32 waves = qk_threads() / QK_WAVE_WIDTH;
#pragma unroll 1
    for (qk_u32 h = qk_thread() / QK_WAVE_WIDTH; h < group; h += waves) {
        const float *ms = t.part_ms + (qk_u64)(first + h) * t.splits * 2;
        float *share = shares + h * pieces, most = least(), weight = 0.0f;
#pragma unroll 1
        for (qk_u32 s = qk_lane(); s < pieces; s += QK_WAVE_WIDTH) {
            share[s] = from_others(ms + 2 * s);
            most = qk_max(most, share[s]);
        }
        most = qk_wave_reduce<qk_greatest>(most);
#pragma unroll 1
        for (qk_u32 s = qk_lane(); s < pieces; s += QK_WAVE_WIDTH) {
            share[s] = qk_expf(share[s] - most);
            weight += share[s] * from_others(ms + 2 * s + 1);
        }
        weight = qk_wave_reduce<qk_sum>(weight);
        if (qk_lane() == 0)
            m.weight[h] = weight;
    }
}

QK_DEVICE void combine_pieces(const rooms &m, const token &t, qk_u32 first, qk_u32 group,
                              qk_u32 pieces, const float *shares)
{
#pragma unroll 2
    for (qk_u32 i = qk_thread(); i < group * t.head_dim; i += qk_threads()) {
        const qk_u32 h = i / t.head_dim, d = i % t.head_dim;
        const float *part = t.part + (qk_u64)(first + h) * t.splits * t.head_dim + d;
        float sum = 0.0f;
#pragma unroll 4
        for (qk_u32 s = 0; s < pieces; s++)
            sum += shares[h * pieces + s] * from_others(part + (qk_u64)s * t.head_dim);
        m.sums[i] = sum;
    }
}

/* What is in m.sums divided by its weight, from head `first` on. */
QK_DEVICE void put_out(const rooms &m, const token &t, qk_u32 first, qk_u32 group)
{
    const qk_u32 all = group * t.head_dim, base = first * t.head_dim;
#if QK_WAVE_WIDTH > 1
    const qk_u32 end = (all + QK_WAVE_WIDTH - 1) / QK_WAVE_WIDTH * QK_WAVE_WIDTH;
#pragma unroll 1
    for (qk_u32 i = qk_thread(); i < end; i += qk_threads()) {
        const qk_u32 at = qk_min(i, all - 1);
        const float v = m.sums[at] / m.weight[at / t.head_dim];
        if (i < all)
            t.out[base + i] = v;
        if (t.ready.codes)
            qk_put_ready(t.ready, base + i, v, v, i < all);
    }
#else
    for (qk_u32 i = qk_thread(); i < all; i += qk_threads())
        m.sums[i] = t.out[base + i] = m.sums[i] / m.weight[i / t.head_dim];
    qk_barrier();
    for (qk_u32 i = qk_thread() * READY; t.ready.codes && i < all; i += qk_threads() * READY)
        qk_put_sixteen(t.ready, base + i, m.sums + i, 0);
#endif
}

/* A block's share: a key-value head, its queries from `first` on, positions [begin, end). */
struct token_part {
    qk_u32 kv_head, group, first, begin, end;
    bool has_new;
};

#include "quern_token_fragments.cuh"

/* One block's positions, `rows` at a time. Then sums, most and weight of rooms are whole. */
template <class Cache, class T>
QK_DEVICE void attend_rows(const token &t, const rooms &m, const token_part &b, T *k, T *v)
{
    const qk_u32 wave = qk_thread() / QK_WAVE_WIDTH, waves = qk_threads() / QK_WAVE_WIDTH;
    const qk_u32 group = b.group, old = b.end - b.has_new;
    const float *key = t.qkv + (qk_u64)(t.heads + b.kv_head) * t.head_dim;
    const float *value = key + (qk_u64)t.kv_heads * t.head_dim;
    const qk_u64 head = (qk_u64)b.kv_head * t.ctx;
    stage_rows<Cache>(m.keys, k, head, b.begin, qk_min(old, b.begin + t.rows), t, m.stride);
    stage_rows<Cache>(m.values, v, head, b.begin, qk_min(old, b.begin + t.rows), t, m.stride);
    turns(m.turn, t);
#pragma unroll 1
    for (qk_u32 i = qk_thread(); i < group * t.head_dim; i += qk_threads())
        m.sums[i] = 0.0f;
#pragma unroll 1
    for (qk_u32 h = qk_thread(); h < group; h += qk_threads()) {
        m.most[h] = least();
        m.weight[h] = 0.0f;
    }
    qk_barrier();
    qk_wait_for_previous();
    qk_next_may_start();
#pragma unroll 1
    for (qk_u32 h = wave; h < group + b.has_new; h += waves)
        turned(m.q + h * t.head_dim, h < group ? t.qkv + (qk_u64)(b.first + h) * t.head_dim : key,
               h < group ? t.q_norm : t.k_norm, m.turn, t);
    qk_barrier();
#pragma unroll 1
    for (qk_u32 at = b.begin; at < b.end; at += t.rows) {
        const qk_u32 n = qk_min(t.rows, b.end - at);
        const bool brings_new = b.has_new && at + n == b.end;
        if (at > b.begin) {
            stage_rows<Cache>(m.keys, k, head, at, qk_min(old, at + n), t, m.stride);
            stage_rows<Cache>(m.values, v, head, at, qk_min(old, at + n), t, m.stride);
        }
        if (brings_new) {
            store_row(k, head + t.pos, m.q + group * t.head_dim, t.head_dim);
            store_row(v, head + t.pos, value, t.head_dim);
        }
        qk_barrier();
        if (brings_new) { /* as the cache gives it back */
#pragma unroll 1
            for (qk_u32 i = qk_thread(); i < t.head_dim; i += qk_threads()) {
                const qk_u64 from = (head + t.pos) * t.head_dim + i;
                m.keys[(n - 1) * m.stride + i] = element_of(k, from);
                m.values[(n - 1) * m.stride + i] = element_of(v, from);
            }
        }
        qk_barrier();
        score_rows(m, t, group, n);
        add_rows(m, t, group, n);
        qk_barrier();
    }
}

enum { PIECE = 64, SIXTEEN = 16 }; /* positions a block takes at least, where not by fragments */

/* Does the block read the cache by fragments? Its waves' sums fit into the room of the rows then.
 */

QK_DEVICE bool by_fragments(const token &, qk_u32, const qk_u8 *)
{
    return false;
}

QK_DEVICE bool by_fragments(const token &t, qk_u32 group, const qk_half *)
{
#if QK_FRAGMENTS
    const qk_u32 waves = qk_threads() / QK_WAVE_WIDTH;
    return (t.head_dim == 64 || t.head_dim == 128) && group <= 4 && 2 * waves <= t.rows &&
           waves * group <= 2 * t.rows;
#else
    (void)t;
    (void)group;
    return false;
#endif
}

QK_DEVICE void attend_part(const token &t, const rooms &m, const token_part &b, qk_u8 *k, qk_u8 *v)
{
    attend_rows<cache_q8_0>(t, m, b, k, v);
}

QK_DEVICE void attend_part(const token &t, const rooms &m, const token_part &b, qk_half *k,
                           qk_half *v)
{
#if QK_FRAGMENTS
    if (by_fragments(t, b.group, k) && t.head_dim == 64)
        attend_fragments<1>(t, m, b, k, v);
    else if (by_fragments(t, b.group, k))
        attend_fragments<2>(t, m, b, k, v);
    else
#endif
        attend_rows<cache_f16>(t, m, b, k, v);
}

/* `k`, `v`: the cache, of elements or bytes. */
template <class T> QK_DEVICE void attend_token(const token &t, T *k, T *v, float *shared)
{
    __shared__ qk_u32 ticket;
    const qk_u32 group = t.heads / t.kv_heads, kv_head = qk_block() / t.splits;
    const qk_u32 split = qk_block() % t.splits, first = kv_head * group;
    const qk_u32 low = first_seen(t.pos, t.window), high = t.pos + 1;
    const qk_u32 least_piece =
        by_fragments(t, group, k) ? qk_threads() / QK_WAVE_WIDTH * SIXTEEN : (qk_u32)PIECE;
    const qk_u32 piece = qk_max((high - low + t.splits - 1) / t.splits, least_piece);
    const qk_u32 pieces = (high - low + piece - 1) / piece;
    if (split >= pieces)
        return;
    const qk_u32 begin = low + split * piece, end = qk_min(high, begin + piece);
    const token_part b = {kv_head, group, first, begin, end, end == high};
    const rooms m = rooms_of(shared, t, group);
    attend_part(t, m, b, k, v);
    if (pieces > 1) {
#pragma unroll 1
        for (qk_u32 i = qk_thread(); i < group * t.head_dim; i += qk_threads()) {
            const qk_u32 h = i / t.head_dim, d = i % t.head_dim;
            const qk_u64 at = (qk_u64)(first + h) * t.splits + split;
            t.part[at * t.head_dim + d] = m.sums[i];
            if (d == 0) {
                t.part_ms[2 * at] = m.most[h];
                t.part_ms[2 * at + 1] = m.weight[h];
            }
        }
        __threadfence();
        qk_barrier();
        if (qk_thread() == 0)
            ticket = atomicAdd(t.tickets + kv_head, 1u);
        qk_barrier();
        if (ticket != pieces - 1)
            return;
        __threadfence();
        weigh_pieces(m, t, first, group, pieces, m.keys);
        qk_barrier();
        combine_pieces(m, t, first, group, pieces, m.keys);
        if (qk_thread() == 0)
            t.tickets[kv_head] = 0;
        qk_barrier();
    }
    put_out(m, t, first, group);
}

#define QK_TOKEN_KERNEL(name, T)                                                                   \
    extern "C" __global__ void __launch_bounds__(512) name(                                        \
        float *out, qk_half *ready_codes, float *ready_numbers, float *part, float *part_ms,       \
        qk_u32 *tickets, T *k, T *v, const float *qkv, const float *q_norm, const float *k_norm,   \
        const qk_i32 *pos, const float *inv_freq, qk_u32 heads, qk_u32 kv_heads, qk_u32 head_dim,  \
        qk_u32 n_rot, qk_u32 neox, qk_u32 ctx, qk_u32 window, qk_u32 splits, qk_u32 rows,          \
        float scale, float softcap, float factor, float eps)                                       \
    {                                                                                              \
        extern __shared__ float shared[];                                                          \
        const token t = {out,                                                                      \
                         part,                                                                     \
                         part_ms,                                                                  \
                         {ready_codes, ready_numbers, heads * head_dim},                           \
                         tickets,                                                                  \
                         qkv,                                                                      \
                         q_norm,                                                                   \
                         k_norm,                                                                   \
                         inv_freq,                                                                 \
                         heads,                                                                    \
                         kv_heads,                                                                 \
                         head_dim,                                                                 \
                         n_rot,                                                                    \
                         neox,                                                                     \
                         ctx,                                                                      \
                         window,                                                                   \
                         splits,                                                                   \
                         rows,                                                                     \
                         (qk_u32)pos[0],                                                           \
                         scale,                                                                    \
                         softcap,                                                                  \
                         factor,                                                                   \
                         eps};                                                                     \
        attend_token(t, k, v, shared);                                                             \
    }

#endif
