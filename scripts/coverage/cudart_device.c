/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA runtime's devices, errors, streams, events and graphs, on libquern: see cudart.c. There
 * is one device and one stream; as each call waits for its work, an event is a time of the clock.
 */
#include "scripts/coverage/cudart.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct CUevent_st {
    double ms;
};

/* ---- devices ---- */

cudaError_t cudaGetDeviceCount(int *out)
{
    *out = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *out)
{
    *out = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int i)
{
    return i == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceReset(void)
{
    return cudart_finish();
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudart_finish();
}

cudaError_t cudaDeviceCanAccessPeer(int *out, int a, int b)
{
    *out = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int i, unsigned flags)
{
    return cudaErrorPeerAccessUnsupported;
}

cudaError_t cudaDeviceDisablePeerAccess(int i)
{
    return cudaErrorPeerAccessNotEnabled;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if (limit == cudaLimitMallocHeapSize)
        cudart_check(qn_device_set_heap(cudart_device(), value));
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int i)
{
    const qn_device_info *const d = qn_device_get_info(cudart_device());
    if (i != 0)
        return cudaErrorInvalidDevice;
    *out = (struct cudaDeviceProp){
        .totalGlobalMem = d->memory_total_bytes,
        .sharedMemPerBlock = d->shared_bytes_max,
        .sharedMemPerMultiprocessor = d->shared_bytes_max,
        .sharedMemPerBlockOptin = d->shared_bytes_max,
        .totalConstMem = 64 << 10,
        .regsPerBlock = 64 << 10,
        .regsPerMultiprocessor = 64 << 10,
        .warpSize = 32,
        .maxThreadsPerBlock = d->block_threads_max < 1024 ? (int)d->block_threads_max : 1024,
        .maxThreadsPerMultiProcessor = 2048,
        .maxThreadsDim = {1024, 1024, 64},
        .maxGridSize = {0x7fffffff, 65535, 65535},
        .maxBlocksPerMultiProcessor = 16,
        .multiProcessorCount = (int)d->compute_units,
        .l2CacheSize = 1 << 20,
        .memoryBusWidth = 64,
        .major = 7,
        .minor = 5,
        .canMapHostMemory = cudart_memory_is_shared(),
        .managedMemory = cudart_memory_is_shared(),
        .unifiedAddressing = cudart_memory_is_shared(),
        .integrated = cudart_memory_is_shared(),
    };
    snprintf(out->name, sizeof out->name, "%s", d->name);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *out, enum cudaDeviceAttr attribute, int i)
{
    struct cudaDeviceProp p;
    const cudaError_t error = cudaGetDeviceProperties(&p, i);
    if (error != cudaSuccess)
        return error;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *out = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *out = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *out = (int)p.sharedMemPerBlockOptin; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *out = (int)p.sharedMemPerMultiprocessor;
        break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *out = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrMultiProcessorCount: *out = p.multiProcessorCount; break;
    case cudaDevAttrWarpSize: *out = p.warpSize; break;
    case cudaDevAttrClockRate: *out = 1000000; break;
    case cudaDevAttrMemoryClockRate: *out = 1000000; break;
    case cudaDevAttrGlobalMemoryBusWidth: *out = p.memoryBusWidth; break;
    case cudaDevAttrManagedMemory: *out = p.managedMemory; break;
    case cudaDevAttrConcurrentManagedAccess: *out = p.managedMemory; break;
    case cudaDevAttrComputeCapabilityMajor: *out = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *out = p.minor; break;
    default: cudart_refuse("device attribute %d", (int)attribute);
    }
    return cudaSuccess;
}

/* ---- errors: none, as what fails ends the program ---- */

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

cudaError_t cudaPeekAtLastError(void)
{
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaSuccess ? "no error" : "error";
}

const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaSuccess ? "cudaSuccess" : "cudaError";
}

/* ---- streams, events, graphs ---- */

cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    *out = (cudaStream_t)(void *)cudart_stream(); /* the only one */
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    return cudaStreamCreate(out);
}

cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    return cudart_finish();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags)
{
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    *out = calloc(1, sizeof **out);
    return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    return cudaEventCreate(out);
}

cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    free(e);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    e->ms = 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t e)
{
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b)
{
    *ms = (float)(b->ms - a->ms);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t s, enum cudaStreamCaptureMode mode)
{
    cudart_check(qn_stream_capture_begin(cudart_stream()));
    cudart_set_capturing(true);
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *out)
{
    qn_graph *graph;
    cudart_set_capturing(false);
    cudart_check(qn_stream_capture_end(&graph, cudart_stream()));
    *out = (cudaGraph_t)(void *)graph;
    return cudaSuccess;
}

/* A graph and what can be launched of it are one here, which cudaGraphExecDestroy() leaves alone.
 */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
    *out = (cudaGraphExec_t)(void *)graph;
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t s)
{
    cudart_check(qn_graph_launch((qn_graph *)(void *)graph, cudart_stream()));
    return cudart_finish();
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph)
{
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    qn_graph_destroy((qn_graph *)(void *)graph);
    return cudaSuccess;
}
