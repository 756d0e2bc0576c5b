/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of many tokens with weights stored as f16. The contract is in quern_product.cuh. Rows
 * are read as they are stored. */
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) /* that this is here has it compiled for sm_90a */
#define QK_WIDE 1
#else
#define QK_WIDE 0
#endif
#include "quern_product.cuh"

struct product_of_f16 {
    enum { piece_bytes = 16 * PIECE * 2, in_fours = 0 };
    static __device__ __forceinline__ float one(const qk_u8 *w, qk_u32 row, qk_u32 k, qk_u32 n)
    {
        return qk_float(((const qk_half *)w)[(qk_u64)row * n + k]);
    }
#if QK_TENSOR
    static __device__ __forceinline__ qk_u32 place(qk_u32 j)
    {
        return ring_place(j / 8, j % 8);
    }
    static __device__ __forceinline__ qk_u64 source(qk_u32 strip, qk_u32 piece, qk_u32 j, qk_u32 n)
    {
        return ((qk_u64)(strip * 16 + j / 8) * n + piece * PIECE) * 2 + j % 8 * 16;
    }
    static __device__ __forceinline__ void fragments(qk_u32 (*a)[4], const qk_u8 *strip, qk_u32,
                                                     int i, qk_u32 lane)
    {
QK_TENSOR_UNROLL
        for (int s = 0; s < 2; s++)
            qk_load_matrices(
                a[s], (const qk_half *)(strip + ring_place(lane % 16, 4 * i + 2 * s + lane / 16)));
    }
#endif
};

QK_PRODUCT_KERNEL(f16, product_of_f16)
