/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API's memory. */
#include "cudart/driver.h"

#include <string.h>

/* What the runtime has put into p, as an address. */
static CUresult give(CUdeviceptr *out, cudaError_t error, const void *p)
{
    *out = error == cudaSuccess ? qn__rt_address(p) : 0;
    return qn__driver_result(error);
}

CUresult cuMemAlloc(CUdeviceptr *p, size_t n)
{
    void *at = NULL;
    QN__DRIVER_CONTEXT(c);
    (void)c;
    if (!p || n == 0)
        return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t error = cudaMalloc(&at, n);
    return give(p, error, at);
}

CUresult cuMemFree(CUdeviceptr p)
{
    QN__DRIVER_RETURN(cudaFree(qn__rt_pointer(p)));
}

CUresult cuMemAllocPitch(CUdeviceptr *p, size_t *pitch, size_t width, size_t height,
                         unsigned int element)
{
    void *at = NULL;
    QN__DRIVER_CONTEXT(c);
    (void)c;
    if (!p || !pitch || width == 0 || height == 0 ||
        (element != 4 && element != 8 && element != 16))
        return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t error = cudaMallocPitch(&at, pitch, width, height);
    return give(p, error, at);
}

CUresult cuMemAllocManaged(CUdeviceptr *p, size_t n, unsigned int flags)
{
    void *at = NULL;
    QN__DRIVER_CONTEXT(c);
    (void)c;
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t error = cudaMallocManaged(&at, n, flags);
    return give(p, error, at);
}

CUresult cuMemAllocAsync(CUdeviceptr *p, size_t n, CUstream stream)
{
    void *at = NULL;
    QN__DRIVER_CONTEXT(c);
    (void)c;
    if (!p || n == 0)
        return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t error = cudaMallocAsync(&at, n, stream);
    return give(p, error, at);
}

CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
    QN__DRIVER_RETURN(cudaFreeAsync(qn__rt_pointer(p), stream));
}

CUresult cuMemAllocHost(void **p, size_t n)
{
    if (!p || n == 0)
        return CUDA_ERROR_INVALID_VALUE;
    QN__DRIVER_RETURN(cudaMallocHost(p, n));
}

CUresult cuMemHostAlloc(void **p, size_t n, unsigned int flags)
{
    if (!p || n == 0)
        return CUDA_ERROR_INVALID_VALUE;
    QN__DRIVER_RETURN(cudaHostAlloc(p, n, flags));
}

CUresult cuMemFreeHost(void *p)
{
    QN__DRIVER_RETURN(cudaFreeHost(p));
}

CUresult cuMemHostRegister(void *p, size_t n, unsigned int flags)
{
    QN__DRIVER_RETURN(cudaHostRegister(p, n, flags));
}

CUresult cuMemHostUnregister(void *p)
{
    QN__DRIVER_RETURN(cudaHostUnregister(p));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags)
{
    void *at = NULL;
    QN__DRIVER_CONTEXT(c);
    (void)c;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t error = cudaHostGetDevicePointer(&at, host, flags);
    return give(device, error, at);
}

CUresult cuMemGetInfo(size_t *free, size_t *total)
{
    QN__DRIVER_RETURN(cudaMemGetInfo(free, total));
}

CUresult cuMemGetAddressRange(CUdeviceptr *begin, size_t *n, CUdeviceptr p)
{
    QN__DRIVER_CONTEXT(c);
    (void)c;
    const struct qn__rt_block b = qn__rt_block_of(qn__rt_pointer(p));
    if (b.kind == QN__RT_UNKNOWN)
        return CUDA_ERROR_NOT_FOUND;
    if (begin)
        *begin = b.begin;
    if (n)
        *n = b.n;
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr p)
{
    QN__DRIVER_CONTEXT(c);
    cudaPointerAttributes a;
    const struct qn__rt_block b = qn__rt_block_of(qn__rt_pointer(p));
    if (!value || b.kind == QN__RT_UNKNOWN)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = qn__driver_result(cudaPointerGetAttributes(&a, qn__rt_pointer(p)));
    if (result != CUDA_SUCCESS)
        return result;
    const unsigned int type = b.kind == QN__RT_HOST ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    const unsigned long long device = qn__rt_address(a.devicePointer), begin = b.begin;
    const unsigned int managed = b.kind == QN__RT_MANAGED;
    CUcontext context = NULL;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        context = c->device == a.device ? c : qn__driver_primary(a.device);
        memcpy(value, &context, sizeof context);
        break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: memcpy(value, &type, sizeof type); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        if (!device)
            return CUDA_ERROR_INVALID_VALUE;
        memcpy(value, &device, sizeof device);
        break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!a.hostPointer)
            return CUDA_ERROR_INVALID_VALUE;
        memcpy(value, &a.hostPointer, sizeof a.hostPointer);
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: memcpy(value, &managed, sizeof managed); break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: memcpy(value, &a.device, sizeof a.device); break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: memcpy(value, &begin, sizeof begin); break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: memcpy(value, &b.n, sizeof b.n); break;
    default:
        return qn__driver_fail(CUDA_ERROR_NOT_SUPPORTED, "cuPointerGetAttribute: attribute %d",
                               (int)attribute);
    }
    return CUDA_SUCCESS;
}
