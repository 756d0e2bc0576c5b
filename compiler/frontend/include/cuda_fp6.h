/* SPDX-License-Identifier: Apache-2.0
 *
 * 6-bit floats, one a byte: e2m3 (bias 1, largest 7.5) and e3m2 (bias 3, largest 28). */
#pragma clang system_header
#ifndef QN_STANDIN_FP6
#define QN_STANDIN_FP6

#include <quern_small_float.h>

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;
enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };

QN__BOTH int __qn_fp6_digits(__nv_fp6_interpretation_t kind)
{
    return kind == __NV_E2M3 ? 3 : 2;
}
QN__BOTH int __qn_fp6_bias(__nv_fp6_interpretation_t kind)
{
    return kind == __NV_E2M3 ? 1 : 3;
}
QN__SMALL_FUNCTIONS(6, 8, __nv_fp6_storage_t, __nv_fp6x2_storage_t)
QN__SMALL_TYPES(6, 8, e2m3, __NV_E2M3, __nv_fp6_storage_t, __nv_fp6x2_storage_t,
                __nv_fp6x4_storage_t)
QN__SMALL_TYPES(6, 8, e3m2, __NV_E3M2, __nv_fp6_storage_t, __nv_fp6x2_storage_t,
                __nv_fp6x4_storage_t)

#endif
