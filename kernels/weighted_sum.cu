/* SPDX-License-Identifier: Apache-2.0
 *
 * weighted_sum: out[r][i] = sum over e of weight[r][e] * x[r][e][i], the outputs of the experts of a
 * token joined by their gates
 *
 *   out        (rows, n) f32 or f16; not x
 *   x          (rows, experts, n) the same type
 *   weight     (rows, experts) f32
 *   rows, experts, n  any; 0 experts give 0
 *   grid       any; block any multiple of the wave; shared none
 *   computes   in f32, experts in order; f16 is rounded once, to nearest even
 *   tolerance  f32 1e-6 S + 1e-37; f16 that plus 5e-4 |want| + 3e-8; S = sum of |terms|
 *   source     Shazeer and others, arXiv:1701.06538 */
#include "quern_kernel.cuh"

/* A work item is a pack of one row, or, where rows are not aligned, one element. */
template <class T>
QK_DEVICE void weighted_sum(T *out, const T *x, const float *weight, qk_u32 rows, qk_u32 experts,
                            qk_u32 n)
{
    const qk_u32 width = qk_pack<T>::n;
    const bool whole = n % width == 0 && qk_packs(out, width) && qk_packs(x, width);
    const qk_u32 packs = whole ? n / width : 0;
    const qk_span s = qk_grid_share((qk_u64)rows * packs);
    for (qk_u64 i = s.begin; i < s.end; i += s.step) {
        const qk_u64 r = i / packs, at = i % packs * width;
        float sum[qk_pack<T>::n];
#pragma unroll
        for (qk_u32 j = 0; j < width; j++)
            sum[j] = 0.0f;
        for (qk_u32 e = 0; e < experts; e++) {
            const float w = weight[r * experts + e];
            float v[qk_pack<T>::n];
            qk_load_pack(v, x + (r * experts + e) * n + at);
#pragma unroll
            for (qk_u32 j = 0; j < width; j++)
                sum[j] += w * v[j];
        }
        qk_store_pack(out + r * n + at, sum);
    }
    const qk_span rest = qk_grid_share(whole ? 0 : (qk_u64)rows * n);
    for (qk_u64 i = rest.begin; i < rest.end; i += rest.step) {
        const qk_u64 r = i / n, at = i % n;
        float sum = 0.0f;
        for (qk_u32 e = 0; e < experts; e++)
            sum += weight[r * experts + e] * qk_float(x[(r * experts + e) * n + at]);
        qk_put(out + i, sum);
    }
}

extern "C" __global__ void weighted_sum_f32(float *__restrict__ out, const float *__restrict__ x,
                                            const float *__restrict__ weight, qk_u32 rows,
                                            qk_u32 experts, qk_u32 n)
{
    weighted_sum(out, x, weight, rows, experts, n);
}

extern "C" __global__ void weighted_sum_f16(qk_half *__restrict__ out,
                                            const qk_half *__restrict__ x,
                                            const float *__restrict__ weight, qk_u32 rows,
                                            qk_u32 experts, qk_u32 n)
{
    weighted_sum(out, x, weight, rows, experts, n);
}
