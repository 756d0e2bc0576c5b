/* SPDX-License-Identifier: Apache-2.0
 *
 * bfloat16, under HIP's older name.
 */
#pragma clang system_header
#ifndef QN_STANDIN_HIP_BFLOAT16_H
#define QN_STANDIN_HIP_BFLOAT16_H

#include <cuda_bf16.h>

typedef __nv_bfloat16 hip_bfloat16;

#endif
