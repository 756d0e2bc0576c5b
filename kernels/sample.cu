/* SPDX-License-Identifier: Apache-2.0
 *
 * What choosing a token from logits x (n) f32 asks of the device: a penalty for recent tokens, and
 * the k largest logits, so that only k pairs go to the host. The draw among them is the host's.
 *
 * repeat_penalty: out[i] = x[i] * (x[i] > 0 ? shrink : grow) for every i in ids; the rest of out
 *                 stays
 *   out        (n) f32, not x: an i that occurs twice gets the same value twice, by an atomic
 *              exchange, as two threads may store it at once
 *   ids        (n_ids) i32; those outside 0 .. n - 1 are skipped
 *
 * top_k, in three steps over groups of `group` neighbouring elements (the last may be shorter):
 *   best       (groups) i32, groups = ceil(n / group): the first of each group in order
 *   heads      (min(k, groups)) i32: the first k of best in order
 *   ids        (k) i32: the first k of all in order; value (k) f32: their x, bit for bit
 *   k          1 .. n
 *   order      by falling x, equal ones (-0 equals +0) by rising index; NaN after everything
 *
 *   grid       any; block any multiple of the wave; static shared only. A wave per group
 *   computes   comparisons, which are exact; the penalty is one multiplication
 *   tolerance  0
 *   source     the definition; the penalty: Keskar and others, arXiv:1909.05858, with the sign
 *              handled
 *
 * The k largest lie in the k groups with the largest heads: whatever lies elsewhere has k heads
 * before it. And none of them comes after the last of these heads, so few elements are left, each
 * of which finds its place by counting those before it. Nothing depends on the order of threads. */
#include "quern_kernel.cuh"

extern "C" __global__ void repeat_penalty_f32(float *__restrict__ out, const float *__restrict__ x,
                                              const qk_i32 *__restrict__ ids, qk_u32 n_ids,
                                              qk_u32 n, float shrink, float grow)
{
    const qk_span mine = qk_grid_share(n_ids);
    for (qk_u64 i = mine.begin; i < mine.end; i += mine.step) {
        const qk_u32 id = (qk_u32)ids[i];
        if (id < n) {
            const float y = x[id] * (x[id] > 0.0f ? shrink : grow);
            atomicExch((qk_u32 *)out + id, qk_bits_of_float(y));
        }
    }
}

/* The order as one number, greatest first; never 0 for an index below 2^32 - 1. */
QK_DEVICE qk_u64 key_of(float x, qk_u32 index)
{
    const qk_u32 bits = qk_bits_of_float(x);
    qk_u32 order = bits >> 31 ? ~bits : bits | 0x80000000u;
    if (bits == 0x80000000u)
        order = 0x80000000u; /* -0 as +0 */
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        order = 0; /* NaN */
    return (qk_u64)order << 32 | (qk_u32)~index;
}

QK_DEVICE qk_u64 key_at(const float *x, qk_i32 index)
{
    return key_of(x[index], (qk_u32)index);
}

QK_DEVICE qk_u32 index_of(qk_u64 key)
{
    return ~(qk_u32)key;
}

/* The logits and how they are divided. */
struct groups {
    const float *x;
    qk_u32 n, size;
};

QK_DEVICE qk_u32 groups_count(const groups &s)
{
    return (s.n + s.size - 1) / s.size;
}

/* The greatest key below `limit` in group g, 0 where there is none. A team calls it together. */
template <class Team> QK_DEVICE qk_u64 group_best(const groups &s, qk_u32 g, qk_u64 limit)
{
    const qk_u32 first = g * s.size;
    const qk_span mine = qk_share(qk_min(s.size, s.n - first), Team::rank(), Team::size());
    qk_u64 best = 0;
    for (qk_u64 i = mine.begin; i < mine.end; i += mine.step) {
        const qk_u64 key = key_of(s.x[first + i], first + (qk_u32)i);
        best = key < limit ? qk_max(best, key) : best;
    }
    return Team::template reduce<qk_greatest>(best);
}

/* How many elements of group g this thread finds before `key`. */
template <class Team> QK_DEVICE qk_u32 count_before(const groups &s, qk_u32 g, qk_u64 key)
{
    const qk_u32 first = g * s.size;
    const qk_span mine = qk_share(qk_min(s.size, s.n - first), Team::rank(), Team::size());
    qk_u32 count = 0;
    for (qk_u64 i = mine.begin; i < mine.end; i += mine.step)
        count += key_of(s.x[first + i], first + (qk_u32)i) > key;
    return count;
}

extern "C" __global__ void top_k_groups_f32(qk_i32 *__restrict__ best, const float *__restrict__ x,
                                            qk_u32 n, qk_u32 group)
{
    typedef qk_small_team Team;
    const groups s = {x, n, group};
    const qk_span mine = qk_share(groups_count(s), Team::index(), Team::count());
    for (qk_u64 g = mine.begin; g < mine.end; g += mine.step) {
        const qk_u64 key = group_best<Team>(s, (qk_u32)g, ~(qk_u64)0);
        if (Team::rank() == 0)
            best[g] = (qk_i32)index_of(key);
    }
}

extern "C" __global__ void top_k_heads_f32(qk_i32 *__restrict__ heads, const float *__restrict__ x,
                                           const qk_i32 *__restrict__ best, qk_u32 n_groups,
                                           qk_u32 k)
{
    typedef qk_small_team Team;
    const qk_span mine = qk_share(n_groups, Team::index(), Team::count());
    for (qk_u64 g = mine.begin; g < mine.end; g += mine.step) {
        const qk_u64 key = key_at(x, best[g]);
        const qk_span others = qk_share(n_groups, Team::rank(), Team::size());
        qk_u32 count = 0;
        for (qk_u64 i = others.begin; i < others.end; i += others.step)
            count += key_at(x, best[i]) > key;
        const qk_u32 place = Team::template reduce<qk_sum>(count);
        if (Team::rank() == 0 && place < k)
            heads[place] = best[g];
    }
}

/* How many elements of all come before `key`: they lie in groups whose heads do. */
template <class Team>
QK_DEVICE qk_u32 place_of(const groups &s, const qk_i32 *heads, qk_u32 n_heads, qk_u64 key)
{
    qk_u32 count = 0;
    for (qk_u32 c = 0; c < n_heads && key_at(s.x, heads[c]) >= key; c++)
        count += count_before<Team>(s, (qk_u32)heads[c] / s.size, key);
    return Team::template reduce<qk_sum>(count);
}

extern "C" __global__ void top_k_f32(qk_i32 *__restrict__ ids, float *__restrict__ value,
                                     const float *__restrict__ x, const qk_i32 *__restrict__ heads,
                                     qk_u32 n, qk_u32 group, qk_u32 k)
{
    typedef qk_small_team Team;
    const groups s = {x, n, group};
    const qk_u32 n_heads = qk_min(k, groups_count(s));
    const qk_u64 least = n_heads == k ? key_at(x, heads[k - 1]) : 1;
    const qk_span mine = qk_share(n_heads, Team::index(), Team::count());
    for (qk_u64 c = mine.begin; c < mine.end; c += mine.step) {
        qk_u64 key = key_at(x, heads[c]);
        qk_u32 place = place_of<Team>(s, heads, n_heads, key);
        while (place < k) { /* the group's elements in order, as long as they have a place */
            if (Team::rank() == 0) {
                ids[place] = (qk_i32)index_of(key);
                value[place] = x[index_of(key)];
            }
            key = group_best<Team>(s, (qk_u32)heads[c] / group, key);
            place = key >= least ? place_of<Team>(s, heads, n_heads, key) : k;
        }
    }
}
