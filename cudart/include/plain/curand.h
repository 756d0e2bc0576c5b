/* SPDX-License-Identifier: Apache-2.0
 *
 * cuRAND's host calls for files of C and C++ that have no kernels and may be compiled by any
 * compiler. */
#pragma GCC system_header
#ifndef QN_PLAIN_CURAND
#define QN_PLAIN_CURAND

#include <cuda_runtime.h>
#include <quern_curand_types.h>

#ifdef __cplusplus
extern "C" {
#endif
#define QN_RAND(name, parameters, note) curandStatus_t name parameters;
#include <quern_curand.def>
#undef QN_RAND
#ifdef __cplusplus
}
#endif

#endif
