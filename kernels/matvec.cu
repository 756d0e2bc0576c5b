/* SPDX-License-Identifier: Apache-2.0
 *
 * matvec: y[r] = sum over i of w[r][i] * x[i], one token through one weight matrix
 *
 *   y          (rows) f32
 *   w          (rows, n) f32 or f16
 *   x          (n) f32
 *   rows, n    any
 *   grid       any; block any multiple of the wave; static shared only. A wave per row, on a CPU a
 *              thread
 *   computes   products and sums in f32
 *   tolerance  4e-6 S + 1e-37, S = sum of |terms|
 *   source     the definition
 *
 * Bound by reading w once; x stays in cache. */
#include "quern_kernel.cuh"

template <class T>
QK_DEVICE float dot(const T *w, const float *x, qk_u32 n, qk_u32 rank, qk_u32 size)
{
    const qk_u32 width = qk_pack<T>::n;
    const qk_u64 packs = qk_packs(x, n) ? qk_packs(w, n) : 0;
    float part[qk_pack<T>::n];
#pragma unroll
    for (qk_u32 j = 0; j < width; j++)
        part[j] = 0.0f;
    const qk_span s = qk_share(packs, rank, size);
    for (qk_u64 p = s.begin; p < s.end; p += s.step) {
        float a[qk_pack<T>::n], b[qk_pack<T>::n];
        qk_load_pack(a, w + p * width);
        qk_load_floats<T>(b, x + p * width);
#pragma unroll
        for (qk_u32 j = 0; j < width; j++)
            part[j] += a[j] * b[j];
    }
    float sum = 0.0f;
#pragma unroll
    for (qk_u32 j = 0; j < width; j++)
        sum += part[j];
    const qk_u64 done = packs * width;
    const qk_span rest = qk_share(n - done, rank, size);
    for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
        sum += qk_float(w[i]) * x[i];
    return sum;
}

template <class Team, class T>
QK_DEVICE void matvec(float *y, const T *w, const float *x, qk_u32 rows, qk_u32 n)
{
    const qk_span mine = qk_share(rows, Team::index(), Team::count());
    for (qk_u64 r = mine.begin; r < mine.end; r += mine.step) {
        const float part = dot(w + r * n, x, n, Team::rank(), Team::size());
        const float sum = Team::template reduce<qk_sum>(part);
        if (Team::rank() == 0)
            y[r] = sum;
    }
}

extern "C" __global__ void matvec_f32(float *__restrict__ y, const float *__restrict__ w,
                                      const float *__restrict__ x, qk_u32 rows, qk_u32 n)
{
    matvec<qk_small_team>(y, w, x, rows, n);
}

extern "C" __global__ void matvec_f16(float *__restrict__ y, const qk_half *__restrict__ w,
                                      const float *__restrict__ x, qk_u32 rows, qk_u32 n)
{
    matvec<qk_small_team>(y, w, x, rows, n);
}
