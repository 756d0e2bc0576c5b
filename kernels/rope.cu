/* SPDX-License-Identifier: Apache-2.0
 *
 * rope: rotary position embedding. With angle a = float(pos[t] * inv_freq[k]), each pair (p, q) of
 * a head becomes factor * (p cos a - q sin a, p sin a + q cos a).
 *
 *   out, x     (tokens, heads, head_dim) f32 or f16; out may be x
 *   pos        (tokens) i32
 *   inv_freq   (n_rot / 2) f32: base^(-2k/n_rot) in the plain case; scaled models bring theirs
 *   factor     1, or what yarn scales attention by
 *   n_rot      even, 2 .. head_dim; elements from n_rot on are copied
 *   pairs      _neox: (k, k + n_rot/2), as GPT-NeoX and Hugging Face lay heads out; _normal:
 *              (2k, 2k + 1)
 *   grid       any; block any multiple of the wave; shared none. A wave per head
 *   computes   in f32; the angle is the f32 product, rounded, as models were trained with
 *   tolerance  f32 1e-6 factor (|p| + |q|); f16 that plus 5e-4 |want| + 3e-8
 *   source     Su and others, arXiv:2104.09864 */
#include "quern_kernel.cuh"

struct neox {
    static __device__ __forceinline__ qk_u32 first(qk_u32 k, qk_u32)
    {
        return k;
    }
    static __device__ __forceinline__ qk_u32 second(qk_u32 k, qk_u32 n_rot)
    {
        return k + n_rot / 2;
    }
};

struct normal {
    static __device__ __forceinline__ qk_u32 first(qk_u32 k, qk_u32)
    {
        return 2 * k;
    }
    static __device__ __forceinline__ qk_u32 second(qk_u32 k, qk_u32)
    {
        return 2 * k + 1;
    }
};

/* A team per head: the pairs, then the copied elements after them. */
template <class Pairs, class Team, class T>
QK_DEVICE void rope(T *out, const T *x, const qk_i32 *pos, const float *inv_freq, qk_u32 tokens,
                    qk_u32 heads, qk_u32 head_dim, qk_u32 n_rot, float factor)
{
    const qk_span mine = qk_share((qk_u64)tokens * heads, Team::index(), Team::count());
    for (qk_u64 head = mine.begin; head < mine.end; head += mine.step) {
        const T *from = x + head * head_dim;
        T *to = out + head * head_dim;
        const float at = (float)pos[head / heads];
        const qk_span pairs = qk_share(n_rot / 2, Team::rank(), Team::size());
        for (qk_u32 k = pairs.begin; k < pairs.end; k += pairs.step) {
            const float angle = at * inv_freq[k];
            float s, c;
            qk_sincosf(angle, &s, &c);
            s *= factor;
            c *= factor;
            const qk_u32 a = Pairs::first(k, n_rot), b = Pairs::second(k, n_rot);
            const float p = qk_float(from[a]), q = qk_float(from[b]);
            qk_put(to + a, p * c - q * s);
            qk_put(to + b, p * s + q * c);
        }
        const qk_span rest = qk_share(head_dim - n_rot, Team::rank(), Team::size());
        for (qk_u64 i = n_rot + rest.begin; i < n_rot + rest.end; i += rest.step)
            to[i] = from[i];
    }
}

extern "C" __global__ void rope_neox_f32(float *out, const float *x, const qk_i32 *__restrict__ pos,
                                         const float *__restrict__ inv_freq, qk_u32 tokens,
                                         qk_u32 heads, qk_u32 head_dim, qk_u32 n_rot, float factor)
{
    rope<neox, qk_small_team>(out, x, pos, inv_freq, tokens, heads, head_dim, n_rot, factor);
}

extern "C" __global__ void rope_neox_f16(qk_half *out, const qk_half *x,
                                         const qk_i32 *__restrict__ pos,
                                         const float *__restrict__ inv_freq, qk_u32 tokens,
                                         qk_u32 heads, qk_u32 head_dim, qk_u32 n_rot, float factor)
{
    rope<neox, qk_small_team>(out, x, pos, inv_freq, tokens, heads, head_dim, n_rot, factor);
}

extern "C" __global__ void rope_normal_f32(float *out, const float *x,
                                           const qk_i32 *__restrict__ pos,
                                           const float *__restrict__ inv_freq, qk_u32 tokens,
                                           qk_u32 heads, qk_u32 head_dim, qk_u32 n_rot,
                                           float factor)
{
    rope<normal, qk_small_team>(out, x, pos, inv_freq, tokens, heads, head_dim, n_rot, factor);
}

extern "C" __global__ void rope_normal_f16(qk_half *out, const qk_half *x,
                                           const qk_i32 *__restrict__ pos,
                                           const float *__restrict__ inv_freq, qk_u32 tokens,
                                           qk_u32 heads, qk_u32 head_dim, qk_u32 n_rot,
                                           float factor)
{
    rope<normal, qk_small_team>(out, x, pos, inv_freq, tokens, heads, head_dim, n_rot, factor);
}
