/* SPDX-License-Identifier: Apache-2.0
 *
 * __device__ and __constant__ variables, by their addresses in the host. */
#include "cudart/runtime.h"

static cudaError_t part(qn_addr *address, const void *symbol, size_t n, size_t offset, bool reads)
{
    uint64_t size = 0;
    QN__RT_DEVICE(d);
    const cudaError_t error = qn__rt_variable_on(address, &size, d, symbol, reads);
    if (error != cudaSuccess)
        return error;
    if (offset > size || n > size - offset)
        return qn__rt_error(cudaErrorInvalidValue);
    *address += offset;
    return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t n, size_t offset,
                               cudaMemcpyKind kind)
{
    qn_addr a;
    const cudaError_t error = part(&a, symbol, n, offset, false);
    return error == cudaSuccess ? cudaMemcpy(qn__rt_pointer(a), from, n, kind) : error;
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t n, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream)
{
    qn_addr a;
    const cudaError_t error = part(&a, symbol, n, offset, false);
    return error == cudaSuccess ? cudaMemcpyAsync(qn__rt_pointer(a), from, n, kind, stream) : error;
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t n, size_t offset,
                                 cudaMemcpyKind kind)
{
    qn_addr a;
    const cudaError_t error = part(&a, symbol, n, offset, true);
    return error == cudaSuccess ? cudaMemcpy(to, qn__rt_pointer(a), n, kind) : error;
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t n, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream)
{
    qn_addr a;
    const cudaError_t error = part(&a, symbol, n, offset, true);
    return error == cudaSuccess ? cudaMemcpyAsync(to, qn__rt_pointer(a), n, kind, stream) : error;
}

cudaError_t cudaGetSymbolAddress(void **p, const void *symbol)
{
    qn_addr a;
    if (!p)
        return qn__rt_error(cudaErrorInvalidValue);
    const cudaError_t error = part(&a, symbol, 0, 0, false);
    if (error == cudaSuccess)
        *p = qn__rt_pointer(a);
    return error;
}

cudaError_t cudaGetSymbolSize(size_t *n, const void *symbol)
{
    qn_addr a;
    uint64_t size;
    if (!n)
        return qn__rt_error(cudaErrorInvalidValue);
    QN__RT_DEVICE(d);
    const cudaError_t error = qn__rt_variable_on(&a, &size, d, symbol, false);
    if (error == cudaSuccess)
        *n = size;
    return error;
}
