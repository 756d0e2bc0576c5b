/* SPDX-License-Identifier: Apache-2.0
 *
 * Included in front of every source that is translated (clang -include). It makes CUDA's language:
 * the keywords, threadIdx and the like, vector types, and the declarations of every device
 * function of compiler/model/builtins.def. No vendor SDK is read.
 *
 * A device function comes in one of two shapes. A *builtin* is declared here and defined nowhere:
 * its call stays in the LLVM IR under the name in QN__BUILTIN, and the row of that name in
 * builtins.def says what OpenCL C it becomes. A *wrapper* is C++ that is inlined away: overloads
 * (`sin(float)`), templates, and functions that are one expression (`__ldg(p)` is `*p`).
 * Builtins have C++ linkage and an assembler name, so clang does not take `sinf` for the C
 * library's and the host's own declaration of it can stand beside it.
 *
 * The prelude declares nothing of the C or C++ library: a source for NVRTC may typedef uint64_t
 * itself. What nvcc includes on its own (math.h, stdlib.h, string.h) comes with cuda_runtime.h and
 * with the first standard header a source includes (see quern_host.h).
 */
#pragma clang system_header
#ifndef QN_STANDIN_PRELUDE
#define QN_STANDIN_PRELUDE

#define __host__     __attribute__((host))
#define __device__   __attribute__((device))
#define __global__   __attribute__((global))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__  __attribute__((device))
#define __grid_constant__
#define __forceinline__        inline __attribute__((always_inline))
#define __inline_hint__        inline
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n)           __attribute__((aligned(n)))
#define __builtin_align__(n)   __attribute__((aligned(n)))
#define _ALIGNAS(n)            __attribute__((aligned(n))) /* of CUDA 12's own headers */
#define __maxnreg__(n)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __device_builtin__
#define __cudart_builtin__
#define __thread__      __thread
#define __location__(a) __attribute__((a))
/* NVIDIA's compiler knows [[no_unique_address]] from C++20 on, and passes over it before. */
#if __cplusplus < 202002L
#define no_unique_address __no_unique_address_before_cxx20__
#endif
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDA_CB

#define __CUDACC__                   1
#define __NVCC__                     1
#define __CUDACC_VER_MAJOR__         12
#define __CUDACC_VER_MINOR__         4
#define __CUDACC_VER_BUILD__         0
#define __CUDACC_EXTENDED_LAMBDA__   1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define CUDART_VERSION               12040
#define CUDA_VERSION                 12040
/* Sources ask for the guards of CUDA's headers. */
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
#define __QUERN__ 1 /* for sources that ask */

/* QN__PURE: the result depends on the arguments alone, so equal calls may be merged. */
#define QN__BUILTIN(type, name, parameters) __device__ type name parameters __asm__(#name)
#define QN__PURE(type, name, parameters)                                                           \
    __device__ type name parameters __asm__(#name) __attribute__((const))
#define QN__INLINE static __device__ inline __attribute__((always_inline))
#define QN__BOTH   static __host__ __device__ inline __attribute__((always_inline))

#include <stddef.h>
#include <vector_functions.h>
#include <vector_types.h>

/* Loads of these are recognised by name (compiler/model/builtins.c). */
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
static constexpr int warpSize = 32;

#include <quern_atomic.h>
#include <quern_convert.h>
#include <quern_integer.h>
#include <quern_math.h>
#include <quern_memory.h>
#include <quern_runtime.h>
#include <quern_runtime_rare.h>
#include <quern_simd.h>
#include <quern_texture.h>
#include <quern_texture_read.h>
#include <quern_warp.h>

#endif
