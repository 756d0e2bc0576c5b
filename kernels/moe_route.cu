/* SPDX-License-Identifier: Apache-2.0
 *
 * moe_route: the k experts of each token with the largest logits, and their softmax weights
 *
 *   ids        (tokens, k) i32: experts by falling logit, the lower index first where two are equal
 *   weight     (tokens, k) f32: scale exp(logit - m) / sum over all experts, or over the k chosen
 *              ones where normalise is not 0
 *   logits     (tokens, experts) f32
 *   k          1 .. experts
 *   grid       any; block any multiple of the wave; static shared only. A wave per token
 *   computes   in f32; comparisons are exact
 *   tolerance  ids 0; weight 8e-6 |want| + 1e-37
 *   source     Mixtral, arXiv:2401.04088
 *
 * Logit and index travel as one 64-bit key whose order is the order wanted, so the next expert is
 * the greatest key below the last one. NaN counts as smallest. */
#include "quern_kernel.cuh"

QK_DEVICE qk_u64 key_of(float x, qk_u64 index)
{
    const qk_u32 bits = qk_bits_of_float(x + 0.0f); /* -0 becomes +0 */
    const qk_u32 order = bits >> 31 ? ~bits : bits | 0x80000000u;
    const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    return (qk_u64)(is_nan ? 0u : order) << 32 | (qk_u32) ~(qk_u32)index;
}

template <class Team>
QK_DEVICE void route(qk_i32 *ids, float *weight, const float *logits, qk_u32 experts, qk_u32 k,
                     qk_u32 normalise, float scale)
{
    const qk_span mine = qk_share(experts, Team::rank(), Team::size());
    qk_u64 last = ~(qk_u64)0;
    float most = 0.0f, sum = 0.0f;
    for (qk_u32 c = 0; c < k; c++) {
        qk_u64 best = 0;
        for (qk_u64 i = mine.begin; i < mine.end; i += mine.step) {
            const qk_u64 key = key_of(logits[i], i);
            best = key < last ? qk_max(best, key) : best;
        }
        last = Team::template reduce<qk_greatest>(best);
        const qk_u32 expert = ~(qk_u32)last;
        const float logit = logits[expert];
        most = c == 0 ? logit : most;
        const float e = qk_expf(logit - most);
        sum += e;
        if (Team::rank() == 0) {
            ids[c] = (qk_i32)expert;
            weight[c] = e;
        }
    }
    if (!normalise) {
        float all = 0.0f;
        for (qk_u64 i = mine.begin; i < mine.end; i += mine.step)
            all += qk_expf(logits[i] - most);
        sum = Team::template reduce<qk_sum>(all);
    }
    if (Team::rank() == 0)
        for (qk_u32 c = 0; c < k; c++)
            weight[c] = weight[c] / sum * scale;
}

extern "C" __global__ void moe_route_f32(qk_i32 *__restrict__ ids, float *__restrict__ weight,
                                         const float *__restrict__ logits, qk_u32 tokens,
                                         qk_u32 experts, qk_u32 k, qk_u32 normalise, float scale)
{
    typedef qk_small_team Team;
    const qk_span mine = qk_share(tokens, Team::index(), Team::count());
    for (qk_u64 t = mine.begin; t < mine.end; t += mine.step)
        route<Team>(ids + t * k, weight + t * k, logits + t * experts, experts, k, normalise,
                    scale);
}
