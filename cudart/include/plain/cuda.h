/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API for files of C and C++ that have no kernels and may be compiled by any compiler.
 */
#pragma GCC system_header
#ifndef QN_PLAIN_CUDA
#define QN_PLAIN_CUDA

#include <cuda_runtime.h>
#ifdef __cplusplus
#include <quern_driver.h>
#else
#include <quern_driver_types.h>

#define QN_DRIVER(group, name, parameters, note) extern CUresult name parameters;
#include <quern_driver.def>
#undef QN_DRIVER
#endif

#endif
