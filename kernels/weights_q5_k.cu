/* SPDX-License-Identifier: Apache-2.0
 *
 * Weights stored as q5_k: blocks of 256 elements, d scale q - dmin min by 32. The kernels and their
 * contracts are in quern_weights.cuh.
 *
 *   0  d, dmin   f16
 *   4  scales    8 scales and 8 minima of 6 bits: qk_scales_k()
 *  16  h   32 bytes: the fifth bit of element 32 i + l is bit i of byte l
 *  48  q   128 bytes: byte 32 g + l has element 64 g + l low and 64 g + 32 + l high
 */
#include "quern_weights.cuh"

struct q5_k : qk_blocks_of<q5_k> {
    enum {
        elems = 256,
        bytes = 176,
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
    static __device__ __forceinline__ void load(qk_piece<q5_k> *q, const qk_u8 *block, qk_u32 part)
    {
        const qk_u32 group = start(part) / 64, at = start(part) % 64;
        qk_bytes<run> fifth[halves];
#pragma unroll
        for (int k = 0; k < halves; k++)
            qk_load_bytes<run, 8>(&fifth[k], block + 16 + at + k * run);
#pragma unroll
        for (int g = 0; g < groups; g++)
#pragma unroll
            for (int k = 0; k < halves; k++) {
                qk_run<run> *to = q->v + 2 * halves * g + k;
                qk_bytes<run> codes;
                qk_load_bytes<run, 8>(&codes, block + 48 + (group + g) * 32 + at + k * run);
                qk_to_floats(
                    to, qk_above(qk_bits(codes, 0, 4), qk_bits(fifth[k], 2 * (group + g), 1), 4));
                qk_to_floats(to + halves, qk_above(qk_bits(codes, 4, 4),
                                                   qk_bits(fifth[k], 2 * (group + g) + 1, 1), 4));
            }
        qk_scales_k<scales>(q->scale, q->offset, block, 2 * group);
    }
};

QK_WEIGHT_KERNELS(q5_k, q5_k)
