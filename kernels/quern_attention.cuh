/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_attention.cuh: attention over the KV cache, one token at a time or a prompt at once.
 *
 * out = sum over positions p of softmax(s)[p] v[p], where s[p] = scale * (q . k[p]), and with
 * softcap c > 0: c tanh(s[p] / c)
 *
 *   q, out      (tokens, heads, head_dim) f32; heads is a multiple of kv_heads; query head h reads
 *               key-value head h / (heads / kv_heads)
 *   k, v        (kv_heads, ctx, head_dim) f16, or q8_0 in blocks of 32 along head_dim
 *   pos         (tokens) i32: a token at pos sees the positions [max(0, pos - window + 1), pos], or
 *               from 0 where window is 0; in a prompt pos rises by one per token
 *   sinks       (heads) f32, of the kernels with that name: exp(sinks[h]) is added to what the
 *               softmax divides by, neither scaled nor capped; it is a part of the first piece
 *   head_dim    a multiple of 8 (q8_0: of 32), up to 256
 *   grid        any; block any multiple of the wave; shared none. A wave per item
 *   computes    in f32, softmax by a running maximum
 *   tolerance   4e-6 sum of weight |v| (decode: of exp(s - m) |v|, and 4e-6 of exp's sum); twice
 *               that where softcap is used
 *   source      Dao, arXiv:2307.08691; the split over positions: "flash decoding"
 *
 * attention_decode_<cache>: one token. The positions are divided in `splits` pieces, and each piece
 * of each head leaves m = its greatest s, the sum of exp(s - m), and that sum weighted with v:
 * part (heads, splits, head_dim), part_ms (heads, splits, 2). A piece without positions has m -3e38
 * and sums 0. attention_combine makes one of them.
 * attention_prompt_<cache>: all tokens of a prompt, whose keys are in the cache already.
 *
 * Both are one loop: a wave takes N queries of one key-value head, so that a key is loaded once for
 * all. The lanes of a wave are laid over a row of the cache with a run of elements each, and what
 * is left of the wave takes the next rows; on a CPU one thread walks the whole row, run by run.
 * Each cache and each of the two is a file of its own: a program builds what it runs. */
#ifndef QUERN_ATTENTION_CUH
#define QUERN_ATTENTION_CUH

#include "quern_pieces.cuh"

/* In front of a loop over what a GPU holds in registers and a CPU in memory: to unroll it there
 * costs PoCL seconds and brings nothing. */
#if QK_WAVE_WIDTH > 1
#define QK_UNROLL_WAVE _Pragma("unroll")
#else
#define QK_UNROLL_WAVE _Pragma("unroll 1")
#endif

enum {
    RUN = QK_RUN(8),
    IS_WAVE = QK_WAVE_WIDTH > 1,
    HEAD_DIM_MAX = 256,
    RUNS = IS_WAVE ? 1 : HEAD_DIM_MAX / RUN, /* of a row in one lane */
};

/* Finite, so that the difference of two of them is not NaN. */
QK_DEVICE float least()
{
    return -3.0e38f;
}

/* -- rows -- */

/* The first `count` elements of a run, the others 0. A row's last run is short only on a CPU. */
template <class T> QK_DEVICE void load_run(qk_run<RUN> *out, const T *p, qk_u32 count)
{
    if (RUN == 8 || count >= RUN) {
        qk_load_numbers(out, p);
    } else {
        alignas(64) float v[RUN];
#pragma unroll 1
        for (qk_u32 j = 0; j < RUN; j++)
            v[j] = j < count ? qk_float(p[j]) : 0.0f;
        qk_load_run(out, v);
    }
}

QK_DEVICE void load_run(qk_run<RUN> *out, const float *p, qk_u32 count)
{
    if (RUN == 8 || count >= RUN) {
        qk_load_run(out, p);
    } else {
        alignas(64) float v[RUN];
#pragma unroll 1
        for (qk_u32 j = 0; j < RUN; j++)
            v[j] = j < count ? p[j] : 0.0f;
        qk_load_run(out, v);
    }
}

QK_DEVICE void store_run(float *p, const qk_run<RUN> &a, qk_u32 count)
{
    if (RUN == 8 || count >= RUN) {
        qk_store_run(p, a);
    } else {
        alignas(64) float v[RUN];
        qk_store_run(v, a);
#pragma unroll 1
        for (qk_u32 j = 0; j < count; j++)
            p[j] = v[j];
    }
}

struct cache_f16 {
    static __device__ __forceinline__ qk_u32 row_bytes(qk_u32 head_dim)
    {
        return head_dim * 2;
    }
    static __device__ __forceinline__ void load(qk_run<RUN> *out, const void *cache, qk_u64 at,
                                                qk_u32 count)
    {
        load_run(out, (const qk_half *)cache + at, count);
    }
};

struct cache_q8_0 {
    static __device__ __forceinline__ qk_u32 row_bytes(qk_u32 head_dim)
    {
        return head_dim / 32 * 34;
    }
    static __device__ __forceinline__ void load(qk_run<RUN> *out, const void *cache, qk_u64 at,
                                                qk_u32)
    {
        const qk_u8 *block = (const qk_u8 *)cache + at / 32 * 34;
        qk_bytes<RUN> codes;
        qk_load_bytes<RUN, 2>(&codes, block + 2 + at % 32);
        qk_signed_to_floats(out, codes);
        qk_scale_run(out, qk_half_at(block), 0.0f);
    }
};

/* -- N queries against a range of positions -- */

/* Where a lane stands: its first element of a row, and which of the rows loaded at once. */
struct lane {
    qk_u32 first, row, rows, row_lanes;
};

QK_DEVICE lane lane_of(qk_u32 head_dim)
{
    lane l;
    l.row_lanes = 1;
    while (IS_WAVE && l.row_lanes * RUN < head_dim)
        l.row_lanes *= 2;
    l.first = qk_lane() % l.row_lanes * RUN;
    l.row = qk_lane() / l.row_lanes;
    l.rows = QK_WAVE_WIDTH / l.row_lanes;
    return l;
}

/* The running softmax of N queries. Query i sees the positions [from[i], to[i]). */
template <int N> struct queries {
    qk_run<RUN> q[N][RUNS], sum[N][RUNS];
    float most[N], weight[N];
    qk_u32 from[N], to[N];
};

template <int N> QK_DEVICE void clear(queries<N> *a)
{
    QK_UNROLL_WAVE
    for (int i = 0; i < N; i++) {
        a->most[i] = least();
        a->weight[i] = 0.0f;
#pragma unroll 1
        for (int r = 0; r < RUNS; r++) {
            qk_clear_run(&a->q[i][r]);
            qk_clear_run(&a->sum[i][r]);
        }
    }
}

template <int N>
QK_DEVICE void load_query(queries<N> *a, int i, const float *q, qk_u32 head_dim, float scale,
                          const lane &l)
{
#pragma unroll 1
    for (int r = 0; r < RUNS; r++) {
        const qk_u32 at = l.first + r * RUN;
        if (at < head_dim) {
            load_run(&a->q[i][r], q + at, head_dim - at);
            qk_scale_run(&a->q[i][r], scale, 0.0f);
        }
    }
}

/* A score besides those of the positions, once among the lanes. */
template <int N> QK_DEVICE void add_sink(queries<N> *a, int i, float s, const lane &l)
{
    a->most[i] = s;
    a->weight[i] = l.row == 0 ? 1.0f : 0.0f;
}

QK_DEVICE float capped(float s, float softcap)
{
    return softcap > 0.0f ? softcap * qk_tanhf(s / softcap) : s;
}

#if QK_WAVE_WIDTH > 1
/* One step: rows p, p + l.rows, ... of AHEAD loads, for all queries. All loads first, and the sums
 * over lanes side by side: nothing here waits for more than one of a kind. */
template <class Cache, int N, int AHEAD>
QK_DEVICE void step(queries<N> *a, const void *k, const void *v, qk_u64 head, qk_u32 p, qk_u32 end,
                    qk_u32 head_dim, float softcap, const lane &l)
{
    float e[N][AHEAD];
    qk_run<RUN> key[AHEAD], value[AHEAD];
    const bool has_run = l.first < head_dim;
#pragma unroll
    for (int u = 0; u < AHEAD; u++) { /* past the end: the last row, masked below */
        const qk_u64 row = (head + qk_min(p + u * l.rows, end - 1)) * head_dim;
        const qk_u64 at = row + (has_run ? l.first : 0);
        Cache::load(&key[u], k, at, head_dim - l.first);
        Cache::load(&value[u], v, at, head_dim - l.first);
    }
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            qk_partial<RUN> dot;
            qk_clear(&dot);
            qk_add_products(&dot, key[u], a->q[i][0]);
            e[i][u] = has_run ? qk_total(dot) : 0.0f;
        }
#pragma unroll 1
    for (qk_u32 mask = 1; mask < l.row_lanes; mask *= 2)
#pragma unroll
        for (int i = 0; i < N; i++)
#pragma unroll
            for (int u = 0; u < AHEAD; u++)
                e[i][u] += qk_shuffle_xor(e[i][u], mask);
    if (softcap > 0.0f)
#pragma unroll
        for (int i = 0; i < N; i++)
#pragma unroll
            for (int u = 0; u < AHEAD; u++)
                e[i][u] = softcap * qk_tanhf(e[i][u] / softcap);
#pragma unroll
    for (int i = 0; i < N; i++) {
        float most = a->most[i];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            const qk_u32 here = p + u * l.rows;
            const bool is_seen = here < end && here >= a->from[i] && here < a->to[i];
            e[i][u] = is_seen ? e[i][u] : -qk_inf();
            most = qk_max(most, e[i][u]);
        }
        const float less = qk_expf(a->most[i] - most);
        a->most[i] = most;
        a->weight[i] *= less;
        qk_scale_run(&a->sum[i][0], less, 0.0f);
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            const float w = qk_expf(e[i][u] - most);
            a->weight[i] += w;
            qk_add_run(&a->sum[i][0], value[u], w);
        }
    }
}
#else
/* One step: rows p, p + l.rows, ... of AHEAD loads, for all queries. */
template <class Cache, int N, int AHEAD>
QK_DEVICE void step(queries<N> *a, const void *k, const void *v, qk_u64 head, qk_u32 p, qk_u32 end,
                    qk_u32 head_dim, float softcap, const lane &l)
{
    float e[N][AHEAD];
#if defined(QUERN_C) && !QK_COALESCE
    static_assert(N * AHEAD <= 16, "totals and exponentials are taken of sixteen");
    alignas(64) float together[16] = {};
    qk_f32x16 dots[16];
#pragma unroll
    for (int i = N * AHEAD; i < 16; i++)
        dots[i] = 0.0f;
#endif
    QK_UNROLL_WAVE
    for (int u = 0; u < AHEAD; u++) {
        const qk_u32 here = p + u * l.rows; /* past the end: masked, and the last row loaded */
        const qk_u64 row = (head + qk_min(here, end - 1)) * head_dim;
        qk_partial<RUN> dot[N];
#pragma unroll
        for (int i = 0; i < N; i++)
            qk_clear(&dot[i]);
#pragma unroll 1
        for (int r = 0; r < RUNS; r++) {
            const qk_u32 at = l.first + r * RUN;
            if (at >= head_dim)
                break;
            qk_run<RUN> key;
            Cache::load(&key, k, row + at, head_dim - at);
#pragma unroll
            for (int i = 0; i < N; i++)
                qk_add_products(&dot[i], key, a->q[i][r]);
        }
#pragma unroll
        for (int i = 0; i < N; i++) {
#if defined(QUERN_C) && !QK_COALESCE
            dots[i * AHEAD + u] = dot[i].sum;
        }
    }
    qk_totals(together, dots);
    for (int u = 0; u < AHEAD; u++) {
        const qk_u32 here = p + u;
#pragma unroll
        for (int i = 0; i < N; i++) {
            const float s = together[i * AHEAD + u];
#else
            const float s = qk_total(dot[i]);
#endif
            const bool is_seen = here < end && here >= a->from[i] && here < a->to[i];
            e[i][u] = is_seen ? capped(s, softcap) : -qk_inf();
        }
    }
    QK_UNROLL_WAVE
    for (int i = 0; i < N; i++) {
        float most = a->most[i];
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            most = qk_max(most, e[i][u]);
        if (most > a->most[i]) {
            const float less = qk_expf(a->most[i] - most);
            a->most[i] = most;
            a->weight[i] *= less;
#pragma unroll 1
            for (int r = 0; r < RUNS; r++)
                qk_scale_run(&a->sum[i][r], less, 0.0f);
        }
#if defined(QUERN_C) && !QK_COALESCE
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            together[i * AHEAD + u] = e[i][u] - most;
    }
    for (int i = 0; i < 16; i++)
        together[i] = qk_expf(together[i]);
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            e[i][u] = together[i * AHEAD + u];
            a->weight[i] += e[i][u];
        }
#else
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            e[i][u] = qk_expf(e[i][u] - most);
            a->weight[i] += e[i][u];
        }
    }
#endif
    QK_UNROLL_WAVE
    for (int u = 0; u < AHEAD; u++) {
        const qk_u64 row = (head + qk_min(p + u * l.rows, end - 1)) * head_dim;
#pragma unroll 1
        for (int r = 0; r < RUNS; r++) {
            const qk_u32 at = l.first + r * RUN;
            if (at >= head_dim)
                break;
            qk_run<RUN> value;
            Cache::load(&value, v, row + at, head_dim - at);
#pragma unroll
            for (int i = 0; i < N; i++)
                qk_add_run(&a->sum[i][r], value, e[i][u]);
        }
    }
}
#endif

/* The lanes of a wave that took different rows become one result, which all of them get. */
template <int N> QK_DEVICE void merge(queries<N> *a, const lane &l)
{
    for (qk_u32 mask = l.row_lanes; mask < QK_WAVE_WIDTH; mask *= 2)
        QK_UNROLL_WAVE
    for (int i = 0; i < N; i++) {
        const float most = qk_max(a->most[i], qk_shuffle_xor(a->most[i], mask));
        const float less = qk_expf(a->most[i] - most);
        a->most[i] = most;
        a->weight[i] *= less;
        a->weight[i] += qk_shuffle_xor(a->weight[i], mask);
#pragma unroll 1
        for (int r = 0; r < RUNS; r++) {
            qk_scale_run(&a->sum[i][r], less, 0.0f);
            qk_add_shuffled(&a->sum[i][r], mask);
        }
    }
}

template <class Cache, int N, int AHEAD>
QK_DEVICE void attend(queries<N> *a, const void *k, const void *v, qk_u64 head, qk_u32 begin,
                      qk_u32 end, qk_u32 head_dim, float softcap, const lane &l)
{
    for (qk_u32 p = begin; p < end; p += AHEAD * l.rows)
        step<Cache, N, AHEAD>(a, k, v, head, p + l.row, end, head_dim, softcap, l);
    merge(a, l);
}

template <int N>
QK_DEVICE void store_sum(float *out, queries<N> *a, int i, qk_u32 head_dim, float scale,
                         const lane &l)
{
#pragma unroll 1
    for (int r = 0; r < RUNS; r++) {
        const qk_u32 at = l.first + r * RUN;
        if (at < head_dim && l.row == 0) {
            qk_scale_run(&a->sum[i][r], scale, 0.0f);
            store_run(out + at, a->sum[i][r], head_dim - at);
        }
    }
}

QK_DEVICE qk_u32 first_seen(qk_u32 pos, qk_u32 window)
{
    return window && pos >= window ? pos - window + 1 : 0;
}

/* -- one token -- */

/* Items: (key-value head, N of its query heads, piece). */
template <class Cache, int N>
QK_DEVICE void decode(float *part, float *part_ms, const float *q, const void *k, const void *v,
                      const qk_i32 *pos, qk_u32 heads, qk_u32 kv_heads, qk_u32 head_dim, qk_u32 ctx,
                      qk_u32 window, qk_u32 splits, float scale, float softcap, const float *sinks)
{
    const lane l = lane_of(head_dim);
    const qk_u32 group = heads / kv_heads, chunks = (group + N - 1) / N;
    const qk_u32 at = (qk_u32)pos[0], low = first_seen(at, window), high = at + 1;
    const qk_u32 piece = (high - low + splits - 1) / splits;
    /* There may be fewer items than waves: neighbouring ones go to different blocks. */
    const qk_span mine =
        qk_share((qk_u64)kv_heads * chunks * splits,
                 qk_thread() / QK_WAVE_WIDTH * qk_blocks() + qk_block(), qk_wave_team::count());
    for (qk_u64 item = mine.begin; item < mine.end; item += mine.step) {
        const qk_u32 split = (qk_u32)(item % splits), chunk = (qk_u32)(item / splits) % chunks;
        const qk_u32 kv_head = (qk_u32)(item / splits) / chunks;
        const qk_u32 first = kv_head * group + chunk * N;
        const qk_u32 n = qk_min((qk_u32)N, group - chunk * N);
        const qk_u32 begin = qk_min(high, low + split * piece), end = qk_min(high, begin + piece);
        queries<N> a;
        clear(&a);
        QK_UNROLL_WAVE
        for (int i = 0; i < N; i++) {
            a.from[i] = begin;
            a.to[i] = end;
            const qk_u32 head = first + qk_min((qk_u32)i, n - 1);
            load_query(&a, i, q + (qk_u64)head * head_dim, head_dim, scale, l);
            if (sinks && split == 0)
                add_sink(&a, i, sinks[head], l);
        }
        attend<Cache, N, 4>(&a, k, v, (qk_u64)kv_head * ctx, begin, end, head_dim, softcap, l);
        QK_UNROLL_WAVE
        for (int i = 0; i < N; i++) {
            if ((qk_u32)i >= n)
                continue;
            const qk_u64 slot = (qk_u64)(first + i) * splits + split;
            store_sum(part + slot * head_dim, &a, i, head_dim, 1.0f, l);
            if (l.row == 0 && l.first == 0) {
                part_ms[2 * slot] = a.most[i];
                part_ms[2 * slot + 1] = a.weight[i];
            }
        }
    }
}

/* As many query heads at once as share a key-value head, up to four. Where work-items are loops
 * (QUERN_C) one that has nothing to do takes as long as one that has. */
template <class Cache>
QK_DEVICE void decode_heads(float *part, float *part_ms, const float *q, const void *k,
                            const void *v, const qk_i32 *pos, qk_u32 heads, qk_u32 kv_heads,
                            qk_u32 head_dim, qk_u32 ctx, qk_u32 window, qk_u32 splits, float scale,
                            float softcap, const float *sinks = nullptr)
{
#if defined(QUERN_C)
    if (heads == kv_heads) {
        decode<Cache, 1>(part, part_ms, q, k, v, pos, heads, kv_heads, head_dim, ctx, window,
                         splits, scale, softcap, sinks);
        return;
    }
#endif
    decode<Cache, 4>(part, part_ms, q, k, v, pos, heads, kv_heads, head_dim, ctx, window, splits,
                     scale, softcap, sinks);
}

/* -- a prompt -- */

/* Items: (query head, N tokens), the tokens that see most first. */
template <class Cache, int N>
QK_DEVICE void prompt(float *out, const float *q, const void *k, const void *v, const qk_i32 *pos,
                      qk_u32 tokens, qk_u32 heads, qk_u32 kv_heads, qk_u32 head_dim, qk_u32 ctx,
                      qk_u32 window, float scale, float softcap, const float *sinks = nullptr)
{
    const lane l = lane_of(head_dim);
    const qk_u32 tiles = (tokens + N - 1) / N;
    const qk_span mine =
        qk_share((qk_u64)tiles * heads, qk_wave_team::index(), qk_wave_team::count());
    for (qk_u64 item = mine.begin; item < mine.end; item += mine.step) {
        const qk_u32 head = (qk_u32)(item % heads), kv_head = head / (heads / kv_heads);
        const qk_u32 first = (tiles - 1 - (qk_u32)(item / heads)) * N;
        const qk_u32 n = qk_min((qk_u32)N, tokens - first);
        queries<N> a;
        clear(&a);
        QK_UNROLL_WAVE
        for (int i = 0; i < N; i++) {
            const qk_u32 t = first + qk_min((qk_u32)i, n - 1), at = (qk_u32)pos[t];
            a.from[i] = first_seen(at, window);
            a.to[i] = at + 1;
            load_query(&a, i, q + ((qk_u64)t * heads + head) * head_dim, head_dim, scale, l);
            if (sinks)
                add_sink(&a, i, sinks[head], l);
        }
        attend<Cache, N, 2>(&a, k, v, (qk_u64)kv_head * ctx, a.from[0], a.to[N - 1], head_dim,
                            softcap, l);
        QK_UNROLL_WAVE
        for (int i = 0; i < N; i++)
            if ((qk_u32)i < n)
                store_sum(out + ((qk_u64)(first + i) * heads + head) * head_dim, &a, i, head_dim,
                          1.0f / a.weight[i], l);
    }
}

#endif
