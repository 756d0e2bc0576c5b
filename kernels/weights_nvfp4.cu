/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as nvfp4: blocks of 64 elements, an 8-bit float times a 4-bit float by 16. The
 * kernels and their contracts are in quern_weights.cuh.
 *
 *   0  scales  4 bytes: 4 bits of exponent, 3 of fraction; 0x7f is 0
 *   4  q       32 bytes: byte 8 s + j has elements 16 s + j (low half) and 16 s + 8 + j
 */
#include "quern_fp4.cuh"

struct nvfp4 : qk_blocks_of<nvfp4> {
    enum {
        elems = 64,
        bytes = 36,
        run = QK_RUN(4),
        runs = 1,
        gap = 0,
        scales = 1,
        zero = 0,
        has_scale = 1,
        has_offset = 0
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part * run;
    }
    static __device__ __forceinline__ void load(qk_piece<nvfp4> *q, const qk_u8 *block, qk_u32 part)
    {
        const qk_u32 s = start(part) / 16;
        qk_bytes<run> codes;
        qk_load_sixteen(&codes, block + 4 + 8 * s, start(part) % 16);
        qk_e2m1_floats(&q->v[0], codes);
        q->scale[0] = qk_e4m3_half(block[s]);
    }
};

QK_WEIGHT_KERNELS(nvfp4, nvfp4)
