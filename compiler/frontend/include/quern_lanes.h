/* SPDX-License-Identifier: Apache-2.0
 *
 * Sixteen numbers at once, for kernels whose work-items are vectors (builtins/lanes.def). */
#ifndef QN_QUERN_LANES_H
#define QN_QUERN_LANES_H

typedef int __qn_i32x16 __attribute__((ext_vector_type(16)));
typedef float __qn_f32x16 __attribute__((ext_vector_type(16)));
typedef unsigned short __qn_u16x16 __attribute__((ext_vector_type(16)));

__device__ __attribute__((const)) __qn_i32x16 __qn_dot4_lanes(__qn_i32x16 sum, __qn_i32x16 codes,
                                                              int x) __asm__("__qn_dot4_lanes");
__device__ __attribute__((const)) __qn_f32x16
__qn_f16_lanes(__qn_u16x16 bits) __asm__("__qn_f16_lanes");
__device__ void __qn_prefetch(const unsigned char *p) __asm__("__qn_prefetch");

#endif
