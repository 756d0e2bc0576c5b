/* SPDX-License-Identifier: Apache-2.0
 *
 * softmax: out[r][i] = exp(x[r][i] - m) / sum over k of exp(x[r][k] - m), m = max of the row
 *
 *   out, x     (rows, n) f32 or f16; out may be x
 *   rows, n    any
 *   grid       any; block any multiple of the wave; static shared only. A block per row; the _short
 *              kernels, for n up to 1024, take a wave per row
 *   computes   in f32; f16 is rounded once, to nearest even
 *   tolerance  f32 8e-6 |want| + 1e-37; f16 5e-4 |want| + 3e-8
 *   source     the definition, shifted by the maximum so that nothing overflows
 *
 * -inf gives 0. A row with a NaN, with +inf, or of -inf only becomes NaN.
 * Reads the row three times: it is in cache after the first, and one exp more costs less than
 * keeping the row in registers for every n. */
#include "quern_kernel.cuh"

template <class Team, class T> QK_DEVICE float row_max(const T *x, qk_u32 n)
{
    const qk_u32 width = qk_pack<T>::n;
    const qk_u64 packs = qk_packs(x, n);
    float part[qk_pack<T>::n];
#pragma unroll
    for (qk_u32 j = 0; j < width; j++)
        part[j] = -qk_inf();
    const qk_span s = qk_share(packs, Team::rank(), Team::size());
    for (qk_u64 p = s.begin; p < s.end; p += s.step) {
        float v[qk_pack<T>::n];
        qk_load_pack(v, x + p * width);
#pragma unroll
        for (qk_u32 j = 0; j < width; j++)
            part[j] = qk_max(part[j], v[j]);
    }
    float m = -qk_inf();
#pragma unroll
    for (qk_u32 j = 0; j < width; j++)
        m = qk_max(m, part[j]);
    const qk_u64 done = packs * width;
    const qk_span rest = qk_share(n - done, Team::rank(), Team::size());
    for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
        m = qk_max(m, qk_float(x[i]));
    return Team::template reduce<qk_greatest>(m);
}

template <class Team, class T> QK_DEVICE float sum_of_exp(const T *x, qk_u32 n, float m)
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
            part[j] += qk_expf(v[j] - m);
    }
    float sum = 0.0f;
#pragma unroll
    for (qk_u32 j = 0; j < width; j++)
        sum += part[j];
    const qk_u64 done = packs * width;
    const qk_span rest = qk_share(n - done, Team::rank(), Team::size());
    for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
        sum += qk_expf(qk_float(x[i]) - m);
    return Team::template reduce<qk_sum>(sum);
}

template <class T>
QK_DEVICE void write_row(T *out, const T *x, qk_u32 n, float m, float sum, qk_u32 rank,
                         qk_u32 size)
{
    const qk_u32 width = qk_pack<T>::n;
    const qk_u64 packs = qk_min(qk_packs(out, n), qk_packs(x, n));
    const float scale = 1.0f / sum;
    const qk_span s = qk_share(packs, rank, size);
    for (qk_u64 p = s.begin; p < s.end; p += s.step) {
        float v[qk_pack<T>::n];
        qk_load_pack(v, x + p * width);
#pragma unroll
        for (qk_u32 j = 0; j < width; j++)
            v[j] = qk_expf(v[j] - m) * scale;
        qk_store_pack(out + p * width, v);
    }
    const qk_u64 done = packs * width;
    const qk_span rest = qk_share(n - done, rank, size);
    for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
        qk_put(out + i, qk_expf(qk_float(x[i]) - m) * scale);
}

template <class Team, class T> QK_DEVICE void softmax(T *out, const T *x, qk_u32 rows, qk_u32 n)
{
    const qk_span mine = qk_share(rows, Team::index(), Team::count());
    for (qk_u64 r = mine.begin; r < mine.end; r += mine.step) {
        const T *row = x + r * n;
        const float m = row_max<Team>(row, n);
        const float sum = sum_of_exp<Team>(row, n, m);
        write_row(out + r * n, row, n, m, sum, Team::rank(), Team::size());
    }
}

extern "C" __global__ void softmax_f32(float *out, const float *x, qk_u32 rows, qk_u32 n)
{
    softmax<qk_block_team>(out, x, rows, n);
}

extern "C" __global__ void softmax_f16(qk_half *out, const qk_half *x, qk_u32 rows, qk_u32 n)
{
    softmax<qk_block_team>(out, x, rows, n);
}

extern "C" __global__ void softmax_f32_short(float *out, const float *x, qk_u32 rows, qk_u32 n)
{
    softmax<qk_small_team>(out, x, rows, n);
}

extern "C" __global__ void softmax_f16_short(qk_half *out, const qk_half *x, qk_u32 rows, qk_u32 n)
{
    softmax<qk_small_team>(out, x, rows, n);
}
