/* SPDX-License-Identifier: Apache-2.0
 *
 * Among the machine's headers may be those of a CUDA SDK: of libraries that we have no stand-in
 * for. They include the SDK's basic headers from beside themselves, which would declare once more
 * what ours have declared. Each of those ends at once where the name it guards itself with is
 * known. */
#pragma clang system_header
#ifndef QN_STANDIN_GUARDS
#define QN_STANDIN_GUARDS

#include <cuComplex.h>
#include <cuda_runtime.h>
#include <library_types.h>

#define CU_COMPLEX_H_
#define __CHANNEL_DESCRIPTOR_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_PROFILER_API_H__
#define __CUDA_RUNTIME_API_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_FUNCTIONS_H__
#define __DRIVER_TYPES_H__
#define __LIBRARY_TYPES_H__
#define __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_INTRINSICS_H__
#define __SM_30_INTRINSICS_H__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_32_INTRINSICS_H__
#define __SM_35_ATOMIC_FUNCTIONS_H__
#define __SM_35_INTRINSICS_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__
#define __SM_61_INTRINSICS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_TYPES_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_HPP__
#define __VECTOR_TYPES_H__

#endif
