/* SPDX-License-Identifier: Apache-2.0
 *
 * Host halves of programs that `quern cc` builds: what the stand-in headers only declare so that it
 * parses, and here has to run. The functions themselves are in the library (cudart/calls.def). */
#pragma clang system_header
#ifndef QN_CC
#define QN_CC

#include <quern_runtime.h>

extern "C" unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                   cudaStream_t stream = 0);
extern "C" cudaError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                                 cudaStream_t *stream);
extern "C" cudaError_t hipLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                       size_t shared, cudaStream_t stream);

inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                        unsigned long long flags)
{
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                        cudaGraphNode_t *bad, char *log, size_t n)
{
    if (bad)
        *bad = 0;
    if (log && n)
        *log = 0;
    return cudaGraphInstantiateWithFlags(exec, graph, 0);
}

/* Hints about managed memory, which is where both sides use it already. */
inline cudaError_t __qn_is_managed(const void *p)
{
    cudaPointerAttributes a;
    const cudaError_t error = cudaPointerGetAttributes(&a, p);
    return error != cudaSuccess || a.type == cudaMemoryTypeManaged ? error : cudaErrorInvalidValue;
}
inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t, int, cudaStream_t)
{
    return __qn_is_managed(p);
}
inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t, cudaMemLocation, unsigned int,
                                        cudaStream_t)
{
    return __qn_is_managed(p);
}
inline cudaError_t cudaMemAdvise(const void *p, size_t, cudaMemoryAdvise, int)
{
    return __qn_is_managed(p);
}
inline cudaError_t cudaMemAdvise(const void *p, size_t, cudaMemoryAdvise, cudaMemLocation)
{
    return __qn_is_managed(p);
}

/* Blocks as large as may be, and as many as run at once. */
template <class T, class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block,
                                                                  T kernel, F shared, int limit)
{
    cudaFuncAttributes a;
    int device, units, blocks = 0, best = 0;
    cudaError_t error = cudaFuncGetAttributes(&a, (const void *)kernel);
    if (error == cudaSuccess)
        error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);
    const int most = limit > 0 && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock;
    for (int n = most; error == cudaSuccess && n > 0; n -= n % 32 ? n % 32 : 32) {
        int active;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, (const void *)kernel, n,
                                                              shared(n));
        if (error == cudaSuccess && active * n > blocks * best) {
            best = n;
            blocks = active;
        }
    }
    if (error == cudaSuccess) {
        *block = best;
        *min_grid = blocks * units;
    }
    return error;
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block, T kernel,
                                                      size_t shared, int limit)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        min_grid, block, kernel, [=](int) { return shared; }, limit);
}

#ifdef __CUDACC__
#undef __managed__
#define __managed__ __attribute__((managed))
#endif

#endif
