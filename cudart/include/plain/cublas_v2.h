/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS for files of C and C++ that have no kernels and may be compiled by any compiler. Halves
 * are two bytes, which such files pass on. */
#pragma GCC system_header
#ifndef QN_PLAIN_CUBLAS
#define QN_PLAIN_CUBLAS

#include <cuda_runtime.h>
#include <library_types.h>

#ifndef __CUDA_FP16_H__
typedef struct __half {
    unsigned short bits;
} __half;
typedef __half half;
#endif
#include <quern_cublas.h>

#endif
