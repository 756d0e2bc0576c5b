/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches, and what is known of kernels. */
#include "cudart/runtime.h"

enum { NESTED = 16 };

/* What <<< >>> said; the arguments of a launch may launch others. */
static _Thread_local struct {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
} calls[NESTED];
static _Thread_local unsigned n_calls;

unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    if (n_calls == NESTED) {
        qn__rt_fail(cudaErrorInvalidConfiguration, "%d launches in the arguments of launches",
                    NESTED);
        return 1;
    }
    calls[n_calls].grid = grid;
    calls[n_calls].block = block;
    calls[n_calls].shared = shared;
    calls[n_calls++].stream = stream;
    return 0;
}

cudaError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, cudaStream_t *stream)
{
    if (n_calls == 0)
        return qn__rt_error(cudaErrorMissingConfiguration);
    n_calls--;
    *grid = calls[n_calls].grid;
    *block = calls[n_calls].block;
    *shared = calls[n_calls].shared;
    *stream = calls[n_calls].stream;
    return cudaSuccess;
}

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    return __hipPushCallConfiguration(grid, block, shared, stream);
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    return __hipPopCallConfiguration(grid, block, shared, stream);
}

static bool is_empty(dim3 d)
{
    return d.x == 0 || d.y == 0 || d.z == 0;
}

cudaError_t qn__rt_launch(struct qn__rt_device *d, const qn_kernel *kernel, const char *symbol,
                          dim3 grid, dim3 block, void **arguments, size_t shared,
                          cudaStream_t stream, bool cooperative)
{
    cudaError_t error;
    if (is_empty(grid) || is_empty(block) || shared > UINT32_MAX)
        return qn__rt_error(cudaErrorInvalidConfiguration);
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    const qn_dims dims = {.grid = {grid.x, grid.y, grid.z},
                          .block = {block.x, block.y, block.z},
                          .shared_bytes = (uint32_t)shared};
    const qn_status status = cooperative
                                 ? qn_stream_launch_cooperative(s->stream, kernel, &dims, arguments)
                                 : qn_stream_launch(s->stream, kernel, &dims, arguments);
    if (status == QN_E_LIMIT && cooperative)
        error = qn__rt_fail(cudaErrorCooperativeLaunchTooLarge, "%s: %s", symbol, qn_message());
    else
        error = qn__rt_status(status, "launch");
    if (status == QN_E_FAULT)
        d->sticky = error;
    qn__rt_stream_leave(s);
    return error;
}

static cudaError_t launch(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared,
                          cudaStream_t stream, bool cooperative)
{
    cudaError_t error;
    const char *symbol;
    QN__RT_DEVICE(d);
    const qn_kernel *const kernel = qn__rt_kernel_on(d, host, &symbol, &error);
    return kernel ? qn__rt_launch(d, kernel, symbol, grid, block, arguments, shared, stream,
                                  cooperative)
                  : qn__rt_error(error);
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    return launch(kernel, grid, block, arguments, shared, stream, false);
}

cudaError_t hipLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                            size_t shared, cudaStream_t stream)
{
    return launch(kernel, grid, block, arguments, shared, stream, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared, cudaStream_t stream)
{
    return launch(kernel, grid, block, arguments, shared, stream, true);
}

/* ---- what is known of a kernel ---- */

cudaError_t qn__rt_kernel_attributes(cudaFuncAttributes *out, struct qn__rt_device *d,
                                     const qn_kernel *kernel, const char *symbol)
{
    enum { CODE_VERSION = 70, THREADS_MAX = 1024 };
    qn_kernel_attributes a;
    const cudaError_t error = qn__rt_status(qn_kernel_get_attributes(&a, kernel), symbol);
    if (error != cudaSuccess)
        return error;
    const uint64_t most = qn_device_get_info(d->device)->shared_bytes_max;
    *out = (cudaFuncAttributes){
        /* the source's; NVIDIA's OpenCL keeps a byte more for itself */
        .sharedSizeBytes = qn_kernel_get_info(kernel)->static_shared_bytes,
        .localSizeBytes = a.local_bytes,
        .maxThreadsPerBlock =
            a.block_threads_max < THREADS_MAX ? (int)a.block_threads_max : THREADS_MAX,
        .numRegs = (int)a.registers,
        .ptxVersion = CODE_VERSION,
        .binaryVersion = CODE_VERSION,
        .maxDynamicSharedSizeBytes =
            most > a.static_shared_bytes ? (int)(most - a.static_shared_bytes) : 0,
        .preferredShmemCarveout = cudaSharedmemCarveoutDefault,
    };
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel)
{
    cudaError_t error;
    const char *symbol;
    QN__RT_DEVICE(d);
    if (!attributes)
        return qn__rt_error(cudaErrorInvalidValue);
    const qn_kernel *const k = qn__rt_kernel_on(d, kernel, &symbol, &error);
    return k ? qn__rt_kernel_attributes(attributes, d, k, symbol) : qn__rt_error(error);
}

cudaError_t qn__rt_kernel_set_attribute(const cudaFuncAttributes *a, cudaFuncAttribute attribute,
                                        int value)
{
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        return value < 0 || value > a->maxDynamicSharedSizeBytes
                   ? qn__rt_fail(cudaErrorInvalidValue,
                                 "cudaFuncSetAttribute: %d bytes of shared memory, where %d are to "
                                 "be had",
                                 value, a->maxDynamicSharedSizeBytes)
                   : cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout: return cudaSuccess;
    default:
        return qn__rt_fail(cudaErrorNotSupported, "cudaFuncSetAttribute: attribute %d",
                           (int)attribute);
    }
}

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value)
{
    cudaFuncAttributes a;
    const cudaError_t error = cudaFuncGetAttributes(&a, kernel);
    return error == cudaSuccess ? qn__rt_kernel_set_attribute(&a, attribute, value) : error;
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, cudaFuncCache config)
{
    cudaFuncAttributes a;
    return config > cudaFuncCachePreferEqual ? qn__rt_error(cudaErrorInvalidValue)
                                             : cudaFuncGetAttributes(&a, kernel);
}

cudaError_t qn__rt_occupancy(int *n, struct qn__rt_device *d, const cudaFuncAttributes *a,
                             int block, size_t shared)
{
    cudaDeviceProp p;
    if (!n || block <= 0)
        return qn__rt_error(cudaErrorInvalidValue);
    const cudaError_t error = cudaGetDeviceProperties(&p, d->index);
    if (error != cudaSuccess)
        return error;
    const size_t bytes = a->sharedSizeBytes + shared;
    const int warps = (block + p.warpSize - 1) / p.warpSize;
    *n = block > a->maxThreadsPerBlock ? 0 : p.maxThreadsPerMultiProcessor / (warps * p.warpSize);
    if (*n > p.maxBlocksPerMultiProcessor)
        *n = p.maxBlocksPerMultiProcessor;
    if (bytes && (size_t)*n > p.sharedMemPerMultiprocessor / bytes)
        *n = (int)(p.sharedMemPerMultiprocessor / bytes);
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *kernel, int block,
                                                          size_t shared)
{
    cudaFuncAttributes a;
    QN__RT_DEVICE(d);
    const cudaError_t error = cudaFuncGetAttributes(&a, kernel);
    return error == cudaSuccess ? qn__rt_occupancy(n, d, &a, block, shared) : error;
}
