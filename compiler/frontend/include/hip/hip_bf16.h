/* SPDX-License-Identifier: Apache-2.0
 *
 * bfloat16, under HIP's names.
 */
#pragma clang system_header
#ifndef QN_STANDIN_HIP_BF16_H
#define QN_STANDIN_HIP_BF16_H

#include <cuda_bf16.h>

typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat162 __hip_bfloat162;
typedef __nv_bfloat16_raw __hip_bfloat16_raw;
typedef __nv_bfloat162_raw __hip_bfloat162_raw;

#endif
