/* SPDX-License-Identifier: Apache-2.0
 *
 * 8-bit floats.
 */
#pragma clang system_header
#ifndef QN_STANDIN_HIP_FP8_H
#define QN_STANDIN_HIP_FP8_H

#include <cuda_fp8.h>

typedef __nv_fp8_e4m3 __hip_fp8_e4m3;
typedef __nv_fp8_e5m2 __hip_fp8_e5m2;
typedef __nv_fp8x2_e4m3 __hip_fp8x2_e4m3;
typedef __nv_fp8x4_e4m3 __hip_fp8x4_e4m3;

#endif
