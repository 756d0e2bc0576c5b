/* SPDX-License-Identifier: Apache-2.0
 *
 * rmsnorm: out[r][i] = x[r][i] / sqrt(mean(x[r]^2) + eps) * weight[i]
 *
 *   out, x     (rows, n) f32 or f16; out may be x
 *   weight     (n) f32
 *   rows, n    any
 *   grid       any; block any multiple of the wave; static shared only. A block per row; the _short
 *              kernels, for n up to 1024, take a wave per row
 *   computes   in f32; f16 is rounded once, to nearest even
 *   tolerance  f32 4e-6 |want|; f16 5e-4 |want| + 3e-8
 *   source     Zhang, Sennrich, arXiv:1910.07467 */
#include "quern_kernel.cuh"

/* Sum of squares of one row, on every thread of the team. */
template <class Team, class T> QK_DEVICE float sum_of_squares(const T *x, qk_u32 n)
{
    const qk_u32 width = qk_pack<T>::n;
    const qk_u64 packs = qk_packs(x, n);
    float part[qk_pack<T>::n];
#pragma unroll
    for (qk_u32 j = 0; j < width; j++)
        part[j] = 0.0f;
    const qk_span s = qk_share(packs, Team::rank(), Team::size());
    for (qk_u64 p = s.begin; p < s.end; p += s.step) {
        float v[qk_pack<T>::n];
        qk_load_pack(v, x + p * width);
#pragma unroll
        for (qk_u32 j = 0; j < width; j++)
            part[j] += v[j] * v[j];
    }
    float sum = 0.0f;
#pragma unroll
    for (qk_u32 j = 0; j < width; j++)
        sum += part[j];
    const qk_u64 done = packs * width;
    const qk_span rest = qk_share(n - done, Team::rank(), Team::size());
    for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step) {
        const float v = qk_float(x[i]);
        sum += v * v;
    }
    return Team::template reduce<qk_sum>(sum);
}

template <class T>
QK_DEVICE void scale_row(T *out, const T *x, const float *weight, qk_u32 n, float scale,
                         qk_u32 rank, qk_u32 size)
{
    const qk_u32 width = qk_pack<T>::n;
    const qk_u64 packs = qk_packs(weight, n) ? qk_min(qk_packs(out, n), qk_packs(x, n)) : 0;
    const qk_span s = qk_share(packs, rank, size);
    for (qk_u64 p = s.begin; p < s.end; p += s.step) {
        float v[qk_pack<T>::n], w[qk_pack<T>::n];
        qk_load_pack(v, x + p * width);
        qk_load_floats<T>(w, weight + p * width);
#pragma unroll
        for (qk_u32 j = 0; j < width; j++)
            v[j] = v[j] * scale * w[j];
        qk_store_pack(out + p * width, v);
    }
    const qk_u64 done = packs * width;
    const qk_span rest = qk_share(n - done, rank, size);
    for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
        qk_put(out + i, qk_float(x[i]) * scale * weight[i]);
}

template <class Team, class T>
QK_DEVICE void rmsnorm(T *out, const T *x, const float *weight, qk_u32 rows, qk_u32 n, float eps)
{
    const qk_span mine = qk_share(rows, Team::index(), Team::count());
    for (qk_u64 r = mine.begin; r < mine.end; r += mine.step) {
        const T *row = x + r * n;
        const float mean = sum_of_squares<Team>(row, n) / (float)n;
        scale_row(out + r * n, row, weight, n, 1.0f / qk_sqrtf(mean + eps), Team::rank(),
                  Team::size());
    }
}

extern "C" __global__ void rmsnorm_f32(float *out, const float *x,
                                       const float *__restrict__ weight, qk_u32 rows, qk_u32 n,
                                       float eps)
{
    rmsnorm<qk_block_team>(out, x, weight, rows, n, eps);
}

extern "C" __global__ void rmsnorm_f16(qk_half *out, const qk_half *x,
                                       const float *__restrict__ weight, qk_u32 rows, qk_u32 n,
                                       float eps)
{
    rmsnorm<qk_block_team>(out, x, weight, rows, n, eps);
}

extern "C" __global__ void rmsnorm_f32_short(float *out, const float *x,
                                             const float *__restrict__ weight, qk_u32 rows,
                                             qk_u32 n, float eps)
{
    rmsnorm<qk_small_team>(out, x, weight, rows, n, eps);
}

extern "C" __global__ void rmsnorm_f16_short(qk_half *out, const qk_half *x,
                                             const float *__restrict__ weight, qk_u32 rows,
                                             qk_u32 n, float eps)
{
    rmsnorm<qk_small_team>(out, x, weight, rows, n, eps);
}
