/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as q4_k: blocks of 256 elements, d scale q - dmin min by 32. The kernels and their
 * contracts are in quern_weights.cuh.
 *
 *   0  d, dmin   f16
 *   4  scales    8 scales and 8 minima of 6 bits: qk_scales_k()
 *  16  q   128 bytes: byte 32 g + l has element 64 g + l low and 64 g + 32 + l high
 */
#include "quern_weights.cuh"

struct q4_k : qk_blocks_of<q4_k> {
    enum {
        elems = 256,
        bytes = 144,
        run = QK_RUN(8),
        groups = QK_COALESCE ? 1 : 2, /* of 64 elements in a piece */
        halves = QK_COALESCE ? 1 : 2, /* runs of a sub-block of 32 */
        runs = 2 * halves * groups,
        gap = 32 / halves,
        scales = 2 * groups,
        zero = 0,
        has_scale = 1,
        has_offset = 1
    };
    static __device__ __forceinline__ qk_u32 start(qk_u32 part)
    {
        return QK_COALESCE ? part / 4 * 64 + part % 4 * run : part * (64 * groups);
    }
    static __device__ __forceinline__ void load(qk_piece<q4_k> *q, const qk_u8 *block, qk_u32 part)
    {
        const qk_u32 group = start(part) / 64, at = start(part) % 64;
#pragma unroll
        for (int g = 0; g < groups; g++)
#pragma unroll
            for (int k = 0; k < halves; k++) {
                qk_run<run> *to = q->v + 2 * halves * g + k;
                qk_bytes<run> codes;
                qk_load_bytes<run, 8>(&codes, block + 16 + (group + g) * 32 + at + k * run);
                qk_to_floats(to, qk_bits(codes, 0, 4));
                qk_to_floats(to + halves, qk_bits(codes, 4, 4));
            }
        qk_scales_k<scales>(q->scale, q->offset, block, 2 * group);
    }
};

QK_WEIGHT_KERNELS(q4_k, q4_k)
