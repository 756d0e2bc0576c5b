/* SPDX-License-Identifier: Apache-2.0
 *
 * quern_tensor.cuh: what tensor cores take, for kernels over many tokens.
 *
 * QK_TENSOR is 1 on NVIDIA's GPUs from sm_80 on, and where the translator lowers the same
 * instructions, to C and for GPUs: there a kernel computes with blocks of whole warps of 32,
 * whatever a wave is. Where it is 0 the kernels have plain loops: on AMD's GPUs, and on processors
 * by OpenCL, whose compilers need minutes for the lowered ones.
 *
 * Fragments lie as PTX has them: lane l has of A (16 by 16) the pairs of columns 2 t and 2 t + 8 in
 * rows g and g + 8, of B (16 by 8) the pairs of rows 2 t and 2 t + 8 in column g, and of C the
 * columns 2 t and 2 t + 1 in rows g and g + 8, where g = l / 4 and t = l % 4. */
#ifndef QUERN_TENSOR_CUH
#define QUERN_TENSOR_CUH

#include "quern_kernel.cuh"

#if (defined(QK_NVIDIA) && __CUDA_ARCH__ >= 800) || defined(QUERN_C) ||                              \
    (defined(QUERN_OPENCL) && QK_COALESCE)
#define QK_TENSOR 1
#else
#define QK_TENSOR 0
#endif

/* Registers on a GPU; on a processor's memory, where unrolled products take a compiler minutes. */
#if QK_COALESCE
#define QK_TENSOR_UNROLL _Pragma("unroll")
#else
#define QK_TENSOR_UNROLL _Pragma("unroll 1")
#endif

#if QK_TENSOR

/* c += a b, f16 in, f32 out */
QK_DEVICE void qk_tensor_product(float *c, const qk_u32 *a, qk_u32 b0, qk_u32 b1)
{
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* Four matrices of 8 by 8, of which lanes 8 i to 8 i + 7 give the rows of number i. */
QK_DEVICE void qk_load_matrices(qk_u32 *r, const qk_half *row)
{
    const qk_u32 at = (qk_u32)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at)
                 : "memory");
}

QK_DEVICE void qk_load_transposed(qk_u32 *r, const qk_half *row)
{
    const qk_u32 at = (qk_u32)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at)
                 : "memory");
}

/* 16 bytes, which are there after the wait. */
QK_DEVICE void qk_copy_16(void *shared, const void *global)
{
    const qk_u32 to = (qk_u32)__cvta_generic_to_shared(shared);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
}

/* The same, or zeros; the address is valid in both cases. */
QK_DEVICE void qk_copy_16_if(void *shared, const void *global, bool copies)
{
    const qk_u32 to = (qk_u32)__cvta_generic_to_shared(shared), n = copies ? 16u : 0u;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(n)
                 : "memory");
}

QK_DEVICE void qk_copies_end()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* All but the last n groups have arrived. */
template <int n> QK_DEVICE void qk_copies_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
}

/* Over the four lanes that share rows of C. */
template <class Op> QK_DEVICE float qk_quad_reduce(float x)
{
    x = Op::of(x, __shfl_xor_sync(0xffffffffu, x, 1));
    return Op::of(x, __shfl_xor_sync(0xffffffffu, x, 2));
}

#endif

/* Where element i of a row of f16 inputs stands. A lane has four neighbours of each 16 weights in
 * tiles (quern_tiles.cuh), and a fragment two and two eight apart. Pairs stay together. */
QK_DEVICE qk_u64 qk_input_place(qk_u64 i, bool in_fours)
{
    return in_fours ? i / 16 * 16 + i % 4 / 2 * 8 + i % 16 / 4 * 2 + i % 2 : i;
}

#endif
