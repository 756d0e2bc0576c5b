/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_token_fragments.cuh: attention of quern_attention_token.cuh by mma.sync, over a cache of
 * f16 with heads of 64 or 128 elements, up to four queries of a key-value head (there is room for
 * eight).
 *
 * A wave takes sixteen positions at a time. Its lanes read keys and values as they are stored, 16
 * bytes at once, into the registers that mma takes: which elements a lane has is the same for both
 * factors, so their order does not matter. The queries are rows 0 to 7 of an mma with their high
 * parts and rows 8 to 15 with the low ones, so a lane has both sums of a score; scores, in two
 * parts again, are where the product with values needs them. Waves meet once, when all have ended.
 */
#ifndef QUERN_TOKEN_FRAGMENTS_CUH
#define QUERN_TOKEN_FRAGMENTS_CUH

#include "quern_fragments.cuh"

#if QK_FRAGMENTS

enum { STEP = 16, SCALED = 14 };

/* Sixteen positions: of each a lane's part. */
template <int HALVES> struct sixteen {
    qk_column key[2][2 * HALVES];
    qk_u32x4 value[HALVES][4];
};

/* Which row of a wave's sixteen a lane has as value `i`. */
QK_DEVICE qk_u32 value_row(int i)
{
    return qk_lane() % 4 * 2 + i / 2 * 8 + i % 2;
}

/* Rows from `at` on, zeros from `end` on. */
template <int HALVES>
QK_DEVICE void load_sixteen(sixteen<HALVES> *r, const qk_half *k, const qk_half *v, qk_u64 head,
                            qk_u32 at, qk_u32 end)
{
    const qk_u32 g = qk_lane() / 4, t = qk_lane() % 4, dim = HALVES * 64;
    const qk_u32x4 zero = {0, 0, 0, 0};
#pragma unroll
    for (int tile = 0; tile < 2; tile++) {
        const qk_u32 row = at + tile * 8 + g;
        const qk_half *from = k + (head + row) * dim + t * 8;
#pragma unroll
        for (int j = 0; j < 2 * HALVES; j++)
            r->key[tile][j].part[0] = row < end ? *(const qk_u32x4 *)(from + j * 32) : zero;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const qk_u32 row = at + value_row(i);
        const qk_half *from = v + (head + row) * dim + g * 8;
#pragma unroll
        for (int half = 0; half < HALVES; half++)
            r->value[half][i] = row < end ? *(const qk_u32x4 *)(from + half * 64) : zero;
    }
}

/* The new row is not in the cache yet. */
template <int HALVES>
QK_DEVICE void put_new(sixteen<HALVES> *r, const qk_half *key, const qk_half *value, qk_u32 row)
{
    const qk_u32 g = qk_lane() / 4, t = qk_lane() % 4;
#pragma unroll
    for (int tile = 0; tile < 2; tile++)
        if (row == tile * 8 + g)
#pragma unroll
            for (int j = 0; j < 2 * HALVES; j++)
                r->key[tile][j].part[0] = *(const qk_u32x4 *)(key + j * 32 + t * 8);
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (row == value_row(i))
#pragma unroll
            for (int half = 0; half < HALVES; half++)
                r->value[half][i] = *(const qk_u32x4 *)(value + half * 64 + g * 8);
}

QK_DEVICE qk_u32 pair_of(qk_half low, qk_half high)
{
    return (qk_u32)high.bits << 16 | low.bits;
}

/* A pair in two parts. */
QK_DEVICE void divide_pair(qk_u32 *high, qk_u32 *low, float a, float b)
{
    const qk_half p = qk_half_of(a), q = qk_half_of(b);
    *high = pair_of(p, q);
    *low = pair_of(qk_half_of(a - qk_float(p)), qk_half_of(b - qk_float(q)));
}

/* A lane's query is row g. */
template <int HALVES> struct flow {
    float sum[HALVES][16]; /* elements half * 64 + t * 16 + ... */
    float most, weight;
};

template <int HALVES>
QK_DEVICE void take_sixteen(flow<HALVES> *f, const sixteen<HALVES> &r, const qk_half *parts,
                            float by, float softcap, qk_u32 n)
{
    const qk_u32 g = qk_lane() / 4, t = qk_lane() % 4, dim = HALVES * 64;
    float c[2][4] = {{0.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 0.0f}}, s[2][2];
#pragma unroll
    for (int j = 0; j < 2 * HALVES; j++) {
        const qk_u32x4 a = *(const qk_u32x4 *)(parts + j * 32 + t * 8);
        const qk_u32x4 b = *(const qk_u32x4 *)(parts + dim + j * 32 + t * 8);
#pragma unroll
        for (int tile = 0; tile < 2; tile++) {
            qk_multiply(c[tile], a.x, a.y, b.x, b.y, r.key[tile][j], 0);
            qk_multiply(c[tile], a.z, a.w, b.z, b.w, r.key[tile][j], 1);
        }
    }
    float most = f->most;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float *const to = &s[i / 2][i % 2];
        *to = capped((c[i / 2][i % 2] + c[i / 2][i % 2 + 2]) * by, softcap);
        *to = value_row(i) < n ? *to : -qk_inf();
        most = qk_max(most, *to);
    }
    most = qk_max(most, qk_shuffle_xor(most, 1));
    most = qk_max(most, qk_shuffle_xor(most, 2));
    const float less = qk_expf(f->most - most);
    qk_u32 high[2], low[2];
    f->most = most;
    f->weight *= less;
#pragma unroll
    for (int tile = 0; tile < 2; tile++) {
        const float p = qk_expf(s[tile][0] - most), q = qk_expf(s[tile][1] - most);
        f->weight += p + q;
        divide_pair(high + tile, low + tile, p * (1 << SCALED), q * (1 << SCALED));
    }
#pragma unroll
    for (int half = 0; half < HALVES; half++)
#pragma unroll
        for (int j = 0; j < 8; j++) {
            float e[4] = {0.0f, 0.0f, 0.0f, 0.0f};
            qk_u32 w[4];
            qk_column x;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const qk_u32x4 &v = r.value[half][i];
                w[i] = j < 2 ? v.x : j < 4 ? v.y : j < 6 ? v.z : v.w;
            }
            x.part[0].x = __byte_perm(w[0], w[1], j % 2 ? 0x7632u : 0x5410u);
            x.part[0].y = __byte_perm(w[2], w[3], j % 2 ? 0x7632u : 0x5410u);
            qk_multiply(e, high[0], high[1], low[0], low[1], x, 0);
            f->sum[half][j] = f->sum[half][j] * less + (e[0] + e[2]);
            f->sum[half][8 + j] = f->sum[half][8 + j] * less + (e[1] + e[3]);
        }
}

/* A head in two parts of a power of two, by which its scores are to be multiplied. By one wave. */
QK_DEVICE float divide_head(qk_half *to, const float *x, qk_u32 head_dim)
{
    float largest = 0.0f;
    for (qk_u32 i = qk_lane(); i < head_dim; i += QK_WAVE_WIDTH)
        largest = qk_max(largest, x[i] < 0.0f ? -x[i] : x[i]);
    const int up = qk_scaling(qk_wave_reduce<qk_greatest>(largest));
    for (qk_u32 i = qk_lane(); i < head_dim; i += QK_WAVE_WIDTH) {
        const float scaled = x[i] * qk_power_of_two(up);
        to[i] = qk_half_of(scaled);
        to[head_dim + i] = qk_half_of(scaled - qk_float(to[i]));
    }
    return qk_power_of_two(-up);
}

/* Queries, the new key, the new value, a wave each, as the waves read them: `parts` (group + 1,
 * head_dim, 2). The new row goes into the cache. */
QK_DEVICE void divide_heads(qk_half *parts, const rooms &m, const token &t, const token_part &b,
                            qk_half *k, qk_half *v)
{
    const qk_u32 wave = qk_thread() / QK_WAVE_WIDTH, waves = qk_threads() / QK_WAVE_WIDTH;
    const float *key = t.qkv + (qk_u64)(t.heads + b.kv_head) * t.head_dim;
    const float *value = key + (qk_u64)t.kv_heads * t.head_dim;
    qk_half *news = parts + b.group * t.head_dim * 2;
    const qk_u64 row = ((qk_u64)b.kv_head * t.ctx + t.pos) * t.head_dim;
#pragma unroll 1
    for (qk_u32 h = wave; h < b.group + (b.has_new ? 2 : 0); h += waves) {
        float *const own = m.keys + h * m.stride;
        if (h <= b.group)
            turned(own, h < b.group ? t.qkv + (qk_u64)(b.first + h) * t.head_dim : key,
                   h < b.group ? t.q_norm : t.k_norm, m.turn, t);
        qk_wave_barrier();
        if (h < b.group) {
            const float by = divide_head(parts + h * t.head_dim * 2, own, t.head_dim);
            if (qk_lane() == 0)
                m.less[h] = by * t.scale;
        } else {
            const bool is_key = h == b.group;
            for (qk_u32 i = qk_lane(); i < t.head_dim; i += QK_WAVE_WIDTH) {
                const qk_half x = qk_half_of(is_key ? own[i] : value[i]);
                news[(is_key ? 0 : t.head_dim) + i] = x;
                (is_key ? k : v)[row + i] = x;
            }
        }
    }
}

/* All of a block's positions; what came of each wave is added up in m.sums, with m.most and
 * m.weight. m.keys and m.values are room for the waves' sums. */
template <int HALVES>
QK_DEVICE void attend_fragments(const token &t, const rooms &m, const token_part &b, qk_half *k,
                                qk_half *v)
{
    const qk_u32 wave = qk_thread() / QK_WAVE_WIDTH, waves = qk_threads() / QK_WAVE_WIDTH;
    const qk_u32 g = qk_lane() / 4, lane = qk_lane() % 4, dim = HALVES * 64;
    const qk_u32 old = b.end - b.has_new, mine = qk_min(g, b.group - 1);
    const qk_u32 busy = qk_min(waves, (b.end - b.begin + STEP - 1) / STEP);
    const qk_u64 head = (qk_u64)b.kv_head * t.ctx;
    qk_half *const parts = (qk_half *)m.q, *const news = parts + b.group * dim * 2;
    float *const mosts = m.scores, *const weights = mosts + waves * b.group;
    qk_u32 at = b.begin + wave * STEP;
    sixteen<HALVES> r;
    flow<HALVES> f;
    load_sixteen(&r, k, v, head, at, old);
    turns(m.turn, t);
    f.most = least();
    f.weight = 0.0f;
#pragma unroll
    for (int half = 0; half < HALVES; half++)
#pragma unroll
        for (int i = 0; i < 16; i++)
            f.sum[half][i] = 0.0f;
    qk_barrier();
    qk_wait_for_previous();
    qk_next_may_start();
    divide_heads(parts, m, t, b, k, v);
    qk_barrier();
    const float by = m.less[mine];
#pragma unroll 1
    while (at < b.end) {
        if (b.has_new && at <= t.pos && t.pos < at + STEP)
            put_new(&r, news, news + dim, t.pos - at);
        take_sixteen(&f, r, parts + mine * dim * 2, by, t.softcap, b.end - at);
        at += waves * STEP;
        if (at < b.end)
            load_sixteen(&r, k, v, head, at, old);
    }
    f.weight += qk_shuffle_xor(f.weight, 1);
    f.weight += qk_shuffle_xor(f.weight, 2);
    if (lane == 0 && g < b.group)
        mosts[wave * b.group + g] = f.most;
    qk_barrier();
    float most = f.most;
#pragma unroll 4
    for (qk_u32 w = 0; w < busy; w++)
        most = qk_max(most, mosts[w * b.group + mine]);
    const float less = qk_expf(f.most - most);
    if (wave < busy && g < b.group) {
        float *to = m.keys + (wave * b.group + g) * m.stride + lane * 16;
        const float share = less / (1 << SCALED);
#pragma unroll
        for (int half = 0; half < HALVES; half++)
#pragma unroll
            for (int i = 0; i < 16; i++)
                to[half * 64 + i] = f.sum[half][i] * share;
        if (lane == 0) {
            weights[wave * b.group + g] = f.weight * less;
            m.most[g] = most; /* the same of all waves */
        }
    }
    qk_barrier();
#pragma unroll 1
    for (qk_u32 i = qk_thread(); i < b.group * dim; i += qk_threads()) {
        const qk_u32 h = i / dim, d = i % dim;
        float sum = 0.0f, weight = 0.0f;
#pragma unroll 4
        for (qk_u32 w = 0; w < busy; w++) {
            sum += m.keys[(w * b.group + h) * m.stride + d];
            weight += weights[w * b.group + h];
        }
        m.sums[i] = sum;
        if (d == 0)
            m.weight[h] = weight;
    }
    qk_barrier();
}

#endif
#endif
