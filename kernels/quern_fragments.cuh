/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_fragments.cuh: products of 16 rows of weights with a few columns of x, a wave at a time.
 *
 * A wave of 32 lanes holds 16 rows by 32 elements: lane l has rows g = l / 4 and g + 8, and of each
 * the elements 4 t .. 4 t + 3 and 16 + 4 t .. 16 + 4 t + 3, where t = l % 4 (or 8 t .. 8 t + 7: the
 * order is the same for weights and x, so it does not matter which). Weights are f16: every code of
 * a block format is exact in it. x is two f16 numbers, high + low, after a power of two has brought
 * its largest element below 2^15: that keeps 22 bits.
 *
 * On NVIDIA's GPUs that is what mma.sync multiplies, with the high and low parts of up to four
 * tokens as its eight columns; lane l then has the sums of token t. Elsewhere lane l multiplies
 * what it holds, one token at a time, and its sums have to be added up over t. */
#ifndef QUERN_FRAGMENTS_CUH
#define QUERN_FRAGMENTS_CUH

#include "quern_kernel.cuh"

#if (defined(QK_NVIDIA) && __CUDA_ARCH__ >= 800) || defined(QUERN_HAS_PTX)
#define QK_FRAGMENTS 1
#define QK_COLUMNS 4 /* tokens at once */
#define QK_UNROLL_LINES _Pragma("unroll")
#else
#define QK_FRAGMENTS 0
#define QK_COLUMNS 1
#define QK_UNROLL_LINES _Pragma("unroll 1")
#endif
#define QK_LANES (QK_WAVE_WIDTH > 1 ? 32 : 1) /* threads that share a fragment */

/* -- pairs of f16 in a word, the first in the low half -- */

/* The words of 2 bytes as f16, minus `zero`: bytes (0, 1) or (2, 3) of w. */
template <int zero> QK_DEVICE qk_u32 qk_pair_of_bytes(qk_u32 w, int high)
{
#if QK_FRAGMENTS
    const qk_u32 biased = __byte_perm(w, 0x64646464u, high ? 0x4342u : 0x4140u);
    const qk_u32 bias = (0x6400u + zero) * 0x10001u; /* 1024 + zero */
    qk_u32 r;
    asm("sub.f16x2 %0, %1, %2;" : "=r"(r) : "r"(biased), "r"(bias));
    return r;
#else
    const qk_u32 at = high ? w >> 16 : w;
    const float v[2] = {(float)(int)(at & 255u) - zero, (float)(int)(at >> 8 & 255u) - zero};
    return qk_pair<qk_half>(v);
#endif
}

/* The low nibbles of bytes 0 and 2, and the high ones. */
QK_DEVICE qk_u32 qk_pair_of_low(qk_u32 w)
{
#if QK_FRAGMENTS
    qk_u32 r;
    asm("lop3.b32 %0, %1, 0x000f000f, 0x64006400, 0xea;\n\tsub.f16x2 %0, %0, %2;"
        : "=&r"(r)
        : "r"(w), "r"(0x64006400u));
    return r;
#else
    const float v[2] = {(float)(int)(w & 15u), (float)(int)(w >> 16 & 15u)};
    return qk_pair<qk_half>(v);
#endif
}

QK_DEVICE qk_u32 qk_pair_of_high(qk_u32 w)
{
#if QK_FRAGMENTS
    qk_u32 r; /* (1024 + 16 q) / 16 - 64 */
    asm("lop3.b32 %0, %1, 0x00f000f0, 0x64006400, 0xea;\n\tfma.rn.f16x2 %0, %0, %2, %3;"
        : "=&r"(r)
        : "r"(w), "r"(0x2c002c00u), "r"(0xd400d400u));
    return r;
#else
    return qk_pair_of_low(w >> 4);
#endif
}

/* -- products -- */

/* One lane's 8 elements of x in its column (NVIDIA: high or low of one token), or both parts. */
struct qk_column {
    qk_u32x4 part[QK_COLUMNS == 1 ? 2 : 1];
};

/* Sums of rows g and g + 8. */
struct qk_sums {
    float low, high;
};

/* Weights (rows g, g + 8) by 4 elements of this lane, with half `part` of a column. */
QK_DEVICE void qk_multiply(float *c, qk_u32 g0, qk_u32 g1, qk_u32 h0, qk_u32 h1,
                           const qk_column &x, int part)
{
    const qk_u32 b0 = part ? x.part[0].z : x.part[0].x, b1 = part ? x.part[0].w : x.part[0].y;
#if QK_FRAGMENTS
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(g0), "r"(h0), "r"(g1), "r"(h1), "r"(b0), "r"(b1));
#else
    const qk_u32 l0 = part ? x.part[1].z : x.part[1].x, l1 = part ? x.part[1].w : x.part[1].y;
    const qk_u32 high[2] = {b0, b1}, low[2] = {l0, l1}, g[2] = {g0, g1}, h[2] = {h0, h1};
#pragma unroll
    for (int i = 0; i < 2; i++) {
        float a[2], b[2], u[2], v[2];
        qk_unpair<qk_half>(a, high[i]);
        qk_unpair<qk_half>(b, low[i]);
        qk_unpair<qk_half>(u, g[i]);
        qk_unpair<qk_half>(v, h[i]);
        c[0] += u[0] * a[0] + u[1] * a[1];
        c[1] += u[0] * b[0] + u[1] * b[1];
        c[2] += v[0] * a[0] + v[1] * a[1];
        c[3] += v[0] * b[0] + v[1] * b[1];
    }
#endif
}

/* sum += scale times what was multiplied */
QK_DEVICE void qk_take(qk_sums *sum, const float *c, float low, float high)
{
    sum->low += low * (c[0] + c[1]);
    sum->high += high * (c[2] + c[3]);
}

/* -- copies that run ahead of their use -- */

#if QK_FRAGMENTS && defined(QK_NVIDIA)
#define QK_AHEAD_COPIES 1

QK_DEVICE void qk_copy_ahead(void *shared, const void *global)
{
    const qk_u32 to = (qk_u32)__cvta_generic_to_shared(shared);
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(global)
                 : "memory");
}

QK_DEVICE void qk_copy_ahead_8(void *shared, const void *global)
{
    const qk_u32 to = (qk_u32)__cvta_generic_to_shared(shared);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(global) : "memory");
}

QK_DEVICE void qk_end_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* All but the last n groups have arrived. */
template <int n> QK_DEVICE void qk_wait_groups()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
}
#else
#define QK_AHEAD_COPIES 0
#endif

#if QK_FRAGMENTS
QK_DEVICE void qk_wave_barrier()
{
    __syncwarp();
}
#endif

#endif
