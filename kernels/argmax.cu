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
#include "quern_early.cuh"

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

/* Greatest key among this thread's elements of one row. */
template <class T> QK_DEVICE qk_u64 best_of_mine(const T *x, qk_u32 n)
{
    const qk_u32 width = qk_pack<T>::n;
    const qk_u64 packs = qk_packs(x, n);
    qk_u64 part[qk_pack<T>::n];
#pragma unroll
    for (qk_u32 j = 0; j < width; j++)
        part[j] = 0;
    const qk_span s = qk_share(packs, qk_thread(), qk_threads());
    for (qk_u64 p = s.begin; p < s.end; p += s.step) {
        float v[qk_pack<T>::n];
        qk_load_pack(v, x + p * width);
#pragma unroll
        for (qk_u32 j = 0; j < width; j++)
            part[j] = qk_max(part[j], key_of(v[j], p * width + j));
    }
    qk_u64 best = 0;
#pragma unroll
    for (qk_u32 j = 0; j < width; j++)
        best = qk_max(best, part[j]);
    const qk_u64 done = packs * width;
    const qk_span rest = qk_share(n - done, qk_thread(), qk_threads());
    for (qk_u64 i = done + rest.begin; i < done + rest.end; i += rest.step)
        best = qk_max(best, key_of(qk_float(x[i]), i));
    return best;
}

template <class T> QK_DEVICE void argmax(qk_u32 *out, const T *x, qk_u32 rows, qk_u32 n)
{
    const qk_span mine = qk_share(rows, qk_block(), qk_blocks());
    for (qk_u64 r = mine.begin; r < mine.end; r += mine.step) {
        const qk_u64 best = qk_block_reduce<qk_greatest>(best_of_mine(x + r * n, n));
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

/* The same of a single row, and in out[1] the bits of the maximum; by the first block alone. */
extern "C" __global__ void choose_f32(qk_u32 *__restrict__ out, const float *__restrict__ x,
                                      qk_u32 n)
{
    qk_next_may_start();
    qk_wait_for_previous();
    if (qk_block() > 0)
        return;
    const qk_u32 at = ~(qk_u32)qk_block_reduce<qk_greatest>(best_of_mine(x, n));
    if (qk_thread() == 0) {
        out[0] = at;
        out[1] = n ? qk_bits_of_float(x[at]) : 0;
    }
}
