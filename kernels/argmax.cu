/* SPDX-License-Identifier: Apache-2.0
 *
 * argmax: out[r] = the lowest index i with x[r][i] = max of the row
 *
 *   out        (rows) u32
 *   x          (rows, n) f32 or f16
 *   rows, n    any; n 0 writes 0xffffffff
 *   grid       any; block any multiple of the wave; static shared only. A block per row
 *   computes   nothing: comparisons are exact, -0 equals +0
 *   tolerance  0
 *   source     the definition
 *
 * NaN counts as greater than everything, so the first NaN of a row wins: broken logits are seen, not
 * hidden. Value and index travel as one 64-bit key whose order is the order wanted: the value's bits
 * made monotonic above, the index inverted below. */
#include "quern_kernel.cuh"

QK_DEVICE qk_u64 key_of(float x, qk_u64 index)
{
    const qk_u32 bits = qk_bits_of_float(x);
    qk_u32 order = bits >> 31 ? ~bits : bits | 0x80000000u;
    if (bits == 0x80000000u)
        order = 0x80000000u; /* -0 as +0 */
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        order = 0xffffffffu; /* NaN */
    return (qk_u64)order << 32 | (qk_u32)~(qk_u32)index;
}

template <class T> QK_DEVICE void argmax(qk_u32 *out, const T *x, qk_u32 rows, qk_u32 n)
{
    for (qk_u32 r = qk_block(); r < rows; r += qk_blocks()) {
        qk_u64 best = 0;
        const qk_span s = qk_share(n, qk_thread(), qk_threads());
        for (qk_u64 i = s.begin; i < s.end; i += s.step)
            best = qk_max(best, key_of(qk_float(x[(qk_u64)r * n + i]), i));
        best = qk_block_reduce<qk_greatest>(best);
        if (qk_thread() == 0)
            out[r] = ~(qk_u32)best;
    }
}

extern "C" __global__ void argmax_f32(qk_u32 *__restrict__ out, const float *__restrict__ x,
                                      qk_u32 rows, qk_u32 n)
{
    argmax(out, x, rows, n);
}

extern "C" __global__ void argmax_f16(qk_u32 *__restrict__ out, const qk_half *__restrict__ x,
                                      qk_u32 rows, qk_u32 n)
{
    argmax(out, x, rows, n);
}
