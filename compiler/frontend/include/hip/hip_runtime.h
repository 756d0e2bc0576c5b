/* SPDX-License-Identifier: Apache-2.0
 *
 * HIP sources: the language is CUDA's, with launch macros, names for indices, arithmetic on vector
 * types, and a few more atomics. They are translated as HIP code for a wave of 32, so sources that
 * ask which platform they are on take their NVIDIA path.
 */
#pragma clang system_header
#ifndef QN_STANDIN_HIP_RUNTIME
#define QN_STANDIN_HIP_RUNTIME

#include <hip/hip_runtime_api.h>
#include <hip/hip_vector_operators.h>

#define __HIPCC__               1
#define __HIP__                 1
#define __HIP_PLATFORM_NVIDIA__ 1
#define __HIP_PLATFORM_NVCC__   1
#define HIP_VERSION_MAJOR       6
#define HIP_VERSION_MINOR       0
#define HIP_VERSION             60000000
#ifdef __CUDA_ARCH__
#define __HIP_DEVICE_COMPILE__ 1
#endif

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x  blockIdx.x
#define hipBlockIdx_y  blockIdx.y
#define hipBlockIdx_z  blockIdx.z
#define hipBlockDim_x  blockDim.x
#define hipBlockDim_y  blockDim.y
#define hipBlockDim_z  blockDim.z
#define hipGridDim_x   gridDim.x
#define hipGridDim_y   gridDim.y
#define hipGridDim_z   gridDim.z

#define HIP_KERNEL_NAME(...)           __VA_ARGS__
#define HIP_SYMBOL(x)                  x
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)                               \
    do {                                                                                           \
        kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__);                              \
    } while (0)

/* Atomics that HIP has and CUDA does not. */
QN__ATOMIC(atomicMin, min, float, f32)
QN__ATOMIC(atomicMax, max, float, f32)
QN__ATOMIC(atomicMin, min, double, f64)
QN__ATOMIC(atomicMax, max, double, f64)
QN__ATOMIC(atomicExch, exch, double, f64)
QN__INLINE void atomicAddNoRet(float *p, float v)
{
    __qn_atomic_add_f32(p, v);
}
QN__INLINE float unsafeAtomicAdd(float *p, float v)
{
    return __qn_atomic_add_f32(p, v);
}
QN__INLINE double unsafeAtomicAdd(double *p, double v)
{
    return __qn_atomic_add_f64(p, v);
}
QN__INLINE float safeAtomicAdd(float *p, float v)
{
    return __qn_atomic_add_f32(p, v);
}
QN__INLINE double safeAtomicAdd(double *p, double v)
{
    return __qn_atomic_add_f64(p, v);
}
QN__INLINE unsigned long atomicAdd(unsigned long *p, unsigned long v)
{
    return __qn_atomic_add_u64((unsigned long long *)p, v);
}
QN__INLINE unsigned long atomicCAS(unsigned long *p, unsigned long seen, unsigned long v)
{
    return __qn_atomic_cas_u64((unsigned long long *)p, seen, v);
}

/* Wave functions: as in CUDA, a wave is 32 work-items. */
QN__INLINE unsigned int __lane_id()
{
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31;
}
QN__INLINE unsigned long long __lanemask_lt()
{
    return (1ull << __lane_id()) - 1;
}

#endif
