/* SPDX-License-Identifier: Apache-2.0
 *
 * 4-bit floats, e2m1 (bias 1, largest 6), two a byte. */
#pragma clang system_header
#ifndef QN_STANDIN_FP4
#define QN_STANDIN_FP4

#include <quern_small_float.h>

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };

QN__BOTH int __qn_fp4_digits(__nv_fp4_interpretation_t)
{
    return 1;
}
QN__BOTH int __qn_fp4_bias(__nv_fp4_interpretation_t)
{
    return 1;
}
QN__SMALL_FUNCTIONS(4, 4, __nv_fp4_storage_t, __nv_fp4x2_storage_t)
QN__SMALL_TYPES(4, 4, e2m1, __NV_E2M1, __nv_fp4_storage_t, __nv_fp4x2_storage_t,
                __nv_fp4x4_storage_t)

#endif
