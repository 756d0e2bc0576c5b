/* SPDX-License-Identifier: Apache-2.0
 *
 * Floats to blocks of each format that Quern writes: n floats, whole blocks of them. */
#ifndef QN_KERNELS_FORMAT_PACK_H
#define QN_KERNELS_FORMAT_PACK_H

#include <stdint.h>

void qn__pack_f32(void *blocks, const float *in, uint64_t n);
void qn__pack_f16(void *blocks, const float *in, uint64_t n);
void qn__pack_bf16(void *blocks, const float *in, uint64_t n);
void qn__pack_q4_0(void *blocks, const float *in, uint64_t n);
void qn__pack_q4_1(void *blocks, const float *in, uint64_t n);
void qn__pack_q5_0(void *blocks, const float *in, uint64_t n);
void qn__pack_q5_1(void *blocks, const float *in, uint64_t n);
void qn__pack_q8_0(void *blocks, const float *in, uint64_t n);
void qn__pack_iq4_nl(void *blocks, const float *in, uint64_t n);
void qn__pack_q4_k(void *blocks, const float *in, uint64_t n);
void qn__pack_q5_k(void *blocks, const float *in, uint64_t n);
void qn__pack_q6_k(void *blocks, const float *in, uint64_t n);

#endif
