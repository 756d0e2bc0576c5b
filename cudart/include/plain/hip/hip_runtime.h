/* SPDX-License-Identifier: Apache-2.0
 *
 * HIP's names, for files that have no kernels. */
#pragma GCC system_header
#ifdef __cplusplus
#include <cuda_runtime.h>
#include <hip/hip_names.h>
#else
#error "hip_runtime_api.h in C is not served: compile the file as C++"
#endif
