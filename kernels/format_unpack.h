/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of each format of formats.def to floats: n elements, whole blocks of them. */
#ifndef QN_KERNELS_FORMAT_UNPACK_H
#define QN_KERNELS_FORMAT_UNPACK_H

#include <stdint.h>

extern const int8_t qn__iq4_nl_values[16];
extern const int8_t qn__e2m1_values[16]; /* twice what the 4-bit floats are */

/* Scale and minimum of sub-block i (0 .. 7) of q4_k and q5_k. */
void qn__scale_min_k(const uint8_t scales[12], int i, int *scale, int *min);

#define QN__FORMAT(name, gguf_type, block_elems, block_bytes)                                      \
    void qn__unpack_##name(float *out, const void *blocks, uint64_t n);
#include "kernels/formats.def"

#endif
