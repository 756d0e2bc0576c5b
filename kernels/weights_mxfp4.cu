/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as mxfp4: blocks of 32 elements, 2^(e - 127) times a 4-bit float. The kernels and
 * their contracts are in quern_weights.cuh.
 *
 *   0  e   a byte
 *   1  q   16 bytes: element j in the low half of byte j, element 16 + j in the high half
 *
 * Source: OCP Microscaling Formats (MX) 1.0. */
#include "quern_fp4.cuh"

struct mxfp4 : qk_blocks_of<mxfp4> {
    enum {
        elems = 32,
        bytes = 17,
        run = QK_RUN(4),
        runs = 2,
        gap = 16,
        scales = 1,
        zero = 0,
        has_scale = 1,
        has_offset = 0
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part * run;
    }
    static __device__ __forceinline__ void load(qk_piece<mxfp4> *q, const qk_u8 *block, qk_u32 part)
    {
        qk_bytes<run> codes;
        qk_load_bytes<run, 1>(&codes, block + 1 + start(part));
        qk_e2m1_floats(&q->v[0], qk_bits(codes, 0, 4));
        qk_e2m1_floats(&q->v[1], qk_bits(codes, 4, 4));
        q->scale[0] = qk_e8m0_half(block[0]);
    }
};

QK_WEIGHT_KERNELS(mxfp4, mxfp4)
