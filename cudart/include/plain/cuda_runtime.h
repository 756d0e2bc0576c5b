/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API for files of C and C++ that have no kernels and may be compiled by any compiler.
 */
#pragma GCC system_header
#ifndef QN_PLAIN_RUNTIME
#define QN_PLAIN_RUNTIME

#include <stddef.h>

#define CUDART_VERSION 12040
#define CUDA_VERSION   12040
#define CUDARTAPI
#define CUDART_CB
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n)    __attribute__((aligned(n)))
/* Sources ask for the guards of CUDA's headers. */
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
#ifdef __cplusplus
#include <vector_types.h>

#include <vector_functions.h>

#include <quern_cc.h>
#else
#include <quern_plain_c.h>
#endif

#endif
