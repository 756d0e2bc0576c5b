/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device is like, in CUDA's words. What only an NVIDIA GPU has (its compute capability) is
 * what translated kernels are told, too: 7.0. */
#include "cudart/runtime.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 12040,
    WARP = 32,
    TRANSLATED_MAJOR = 7, /* __CUDA_ARCH__ is 700 for the translator */
    THREADS_OF_UNIT = 2048,
    BLOCKS_OF_UNIT = 32,
    ALIGNMENT = 512,
    TEXTURE_SIDE = 32768,
    LAYERS = 2048
};

static int at_most(uint64_t n, int most)
{
    return n < (uint64_t)most ? (int)n : most;
}

/* "sm_90a" is 9.0 */
static void capability(cudaDeviceProp *p, const qn_device_info *i)
{
    p->major = TRANSLATED_MAJOR;
    p->minor = 0;
    if (strncmp(i->arch, "sm_", 3) == 0) {
        const int number = atoi(i->arch + 3);
        p->major = number / 10;
        p->minor = number % 10;
    }
}

static void pci(cudaDeviceProp *p, const qn_device_info *i)
{
    unsigned domain, bus, device;
    if (sscanf(i->pci, "%x:%x:%x", &domain, &bus, &device) == 3) {
        p->pciDomainID = (int)domain;
        p->pciBusID = (int)bus;
        p->pciDeviceID = (int)device;
    }
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device)
{
    cudaError_t error;
    struct qn__rt_device *const d = qn__rt_device_of(device, &error);
    if (!d || !prop)
        return qn__rt_error(d ? cudaErrorInvalidValue : error);
    const qn_device_info *const i = qn_device_get_info(d->device);
    const int shared = qn__rt_shares_memory(d);
    *prop = (cudaDeviceProp){
        .totalGlobalMem = i->memory_total_bytes,
        .sharedMemPerBlock = i->shared_bytes_max,
        .regsPerBlock = 64 << 10,
        .warpSize = i->wave_width > WARP ? (int)i->wave_width : WARP,
        .memPitch = INT_MAX,
        .maxThreadsPerBlock = at_most(i->block_threads_max, 1024),
        .maxThreadsDim = {at_most(i->block_max[0], 1024), at_most(i->block_max[1], 1024),
                          at_most(i->block_max[2], 64)},
        .maxGridSize = {at_most(i->grid_max[0], INT_MAX), at_most(i->grid_max[1], 65535),
                        at_most(i->grid_max[2], 65535)},
        .clockRate = (int)i->clock_mhz * 1000,
        .totalConstMem = 64 << 10,
        .textureAlignment = ALIGNMENT,
        .texturePitchAlignment = 32,
        .multiProcessorCount = (int)i->compute_units,
        .integrated = i->device_class != QN_DEVICE_DISCRETE,
        .canMapHostMemory = shared,
        .maxTexture1D = TEXTURE_SIDE,
        .maxTexture2D = {TEXTURE_SIDE, TEXTURE_SIDE},
        .maxTexture3D = {TEXTURE_SIDE / 16, TEXTURE_SIDE / 16, TEXTURE_SIDE / 16},
        .maxTexture1DLayered = {TEXTURE_SIDE, LAYERS},
        .maxTexture2DLayered = {TEXTURE_SIDE, TEXTURE_SIDE, LAYERS},
        .surfaceAlignment = ALIGNMENT,
        .concurrentKernels = 1,
        .asyncEngineCount = 1,
        .unifiedAddressing = 1,
        .l2CacheSize = 1 << 20,
        .maxThreadsPerMultiProcessor = THREADS_OF_UNIT,
        .sharedMemPerMultiprocessor = i->shared_bytes_max,
        .regsPerMultiprocessor = 64 << 10,
        .managedMemory = shared,
        .concurrentManagedAccess = shared,
        .pageableMemoryAccess = shared,
        .canUseHostPointerForRegisteredMem = shared,
        .hostRegisterSupported = shared,
        .cooperativeLaunch = strcmp(i->backend, "opencl") != 0,
        .sharedMemPerBlockOptin = i->shared_bytes_max,
        .maxBlocksPerMultiProcessor = BLOCKS_OF_UNIT,
        .memoryPoolsSupported = 1,
    };
    capability(prop, i);
    pci(prop, i);
    snprintf(prop->name, sizeof prop->name, "%s", i->name);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device)
{
    cudaDeviceProp p;
    if (!value)
        return qn__rt_error(cudaErrorInvalidValue);
    const cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error != cudaSuccess)
        return error;
    switch (attr) {
#define QN_ATTRIBUTE(attribute, from)                                                              \
    case attribute: *value = (int)(from); return cudaSuccess;
#include "cudart/attributes.def"
#undef QN_ATTRIBUTE
    }
    return qn__rt_fail(cudaErrorInvalidValue, "cudaDeviceGetAttribute: attribute %d is not served",
                       (int)attr);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int n, int device)
{
    cudaError_t error;
    struct qn__rt_device *const d = qn__rt_device_of(device, &error);
    if (!d || !id)
        return qn__rt_error(d ? cudaErrorInvalidValue : error);
    const char *const pci = qn_device_get_info(d->device)->pci;
    if (!pci[0])
        return qn__rt_fail(cudaErrorNotSupported, "cudaDeviceGetPCIBusId: %s is on no PCI bus",
                           qn_device_get_info(d->device)->id);
    if (n <= (int)strlen(pci))
        return qn__rt_error(cudaErrorInvalidValue);
    snprintf(id, (size_t)n, "%s", pci);
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    return cudaRuntimeGetVersion(version);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version)
        return qn__rt_error(cudaErrorInvalidValue);
    *version = VERSION;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    QN__RT_DEVICE(d);
    (void)d;
    if (least)
        *least = 0;
    if (greatest)
        *greatest = 0;
    return cudaSuccess;
}

/* ---- limits and hints ---- */

static const size_t stack_bytes = 1024, printf_bytes = 1 << 20;

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value)
{
    QN__RT_DEVICE(d);
    switch (limit) {
    case cudaLimitMallocHeapSize: {
        const qn_status s = qn_device_set_heap(d->device, value);
        if (s == QN_OK)
            d->heap_bytes = value;
        return qn__rt_status(s, "cudaDeviceSetLimit");
    }
    case cudaLimitStackSize:
    case cudaLimitPrintfFifoSize:
    case cudaLimitMaxL2FetchGranularity:
    case cudaLimitPersistingL2CacheSize: return cudaSuccess; /* bounds, and none is needed */
    case cudaLimitDevRuntimeSyncDepth:
    case cudaLimitDevRuntimePendingLaunchCount: break;
    }
    return qn__rt_error(cudaErrorUnsupportedLimit);
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit)
{
    QN__RT_DEVICE(d);
    if (!value)
        return qn__rt_error(cudaErrorInvalidValue);
    switch (limit) {
    case cudaLimitMallocHeapSize:
        *value = d->heap_bytes ? d->heap_bytes : QN_HEAP_BYTES_DEFAULT;
        return cudaSuccess;
    case cudaLimitStackSize: *value = stack_bytes; return cudaSuccess;
    case cudaLimitPrintfFifoSize: *value = printf_bytes; return cudaSuccess;
    default: return qn__rt_error(cudaErrorUnsupportedLimit);
    }
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config)
{
    return config > cudaFuncCachePreferEqual ? qn__rt_error(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config)
{
    return config > cudaSharedMemBankSizeEightByte ? qn__rt_error(cudaErrorInvalidValue)
                                                   : cudaSuccess;
}

cudaError_t cudaProfilerStart(void)
{
    QN__RT_DEVICE(d);
    (void)d;
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaProfilerStart();
}
