/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as tq1_0: blocks of 256 elements, d (trit - 1), with up to five digits of base 3
 * in a byte. The kernels and their contracts are in quern_weights.cuh.
 *
 *   0  q   48 bytes: digit n of byte m < 32 is element 32 n + m, that of byte 32 + m 160 + 16 n + m
 *  48  h   4 bytes: digit n < 4 of byte m is element 240 + 4 n + m
 *  52  d   f16
 *
 * The 243 numbers of five digits are spread over a byte's 256: times 3^n, modulo 256, times 3, the
 * carry is digit n. */
#include "quern_trits.cuh"

struct tq1_0 : qk_blocks_of<tq1_0> {
    enum {
        elems = 256,
        bytes = 54,
        run = QK_RUN(4),
        runs = 1,
        gap = 0,
        scales = 1,
        zero = 1,
        has_scale = 1,
        has_offset = 0
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return part * run;
    }
    static __device__ __forceinline__ void load(qk_piece<tq1_0> *q, const qk_u8 *block, qk_u32 part)
    {
        const qk_u32 at = start(part);
        qk_bytes<run> codes;
        if (at >= 240)
            qk_load_last_trits(&codes, block + 48, (at - 240) / 4);
        else if (at >= 160)
            qk_load_trits(&codes, block + 32 + at % 16, (at - 160) / 16);
        else
            qk_load_trits(&codes, block + at % 32, at / 32);
        qk_to_floats(&q->v[0], codes);
        q->scale[0] = qk_half_at(block + 52);
    }
};

QK_WEIGHT_KERNELS(tq1_0, tq1_0)
