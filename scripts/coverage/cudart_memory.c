/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA runtime's memory, on libquern: see cudart.c. A device pointer is Quern's address of the
 * same bytes, so that programs may add to it and keep it in structs. Where kernels can be given
 * host memory (CPUs), managed and mapped memory are plain memory; elsewhere they are refused. */
#include "scripts/coverage/cudart.h"

#include <stdio.h>
#include <string.h>

static void *address(qn_addr a)
{
    void *p;
    memcpy(&p, &a, sizeof p);
    return p;
}

static qn_addr device_address(const void *p)
{
    qn_addr a = 0;
    memcpy(&a, &p, sizeof p);
    return a;
}

cudaError_t cudaMalloc(void **out, size_t n_bytes)
{
    qn_addr a;
    if (n_bytes == 0)
        n_bytes = 1;
    cudart_check(qn_memory_alloc(&a, cudart_device(), n_bytes));
    /* a GPU's first memory is all zeroes, which some programs count on */
    cudart_check(qn_memory_fill(cudart_device(), a, 0, 1, n_bytes, NULL));
    *out = address(a);
    return cudaSuccess;
}

cudaError_t cudaFree(void *p)
{
    cudart_check(qn_memory_free(cudart_device(), device_address(p)));
    return cudaSuccess;
}

cudaError_t cudaMallocManaged(void **out, size_t n_bytes, unsigned flags)
{
    if (!cudart_memory_is_shared())
        cudart_refuse("managed memory on a device with memory of its own");
    return cudaMalloc(out, n_bytes);
}

cudaError_t cudaMallocHost(void **out, size_t n_bytes)
{
    if (cudart_memory_is_shared())
        return cudaMalloc(out, n_bytes);
    cudart_check(qn_memory_alloc_host(out, cudart_device(), n_bytes));
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **out, size_t n_bytes, unsigned flags)
{
    return cudaMallocHost(out, n_bytes);
}

cudaError_t cudaFreeHost(void *p)
{
    if (cudart_memory_is_shared())
        return cudaFree(p);
    cudart_check(qn_memory_free_host(cudart_device(), p));
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *p, size_t n_bytes, unsigned flags)
{
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *p)
{
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **out, void *p, unsigned flags)
{
    if (!cudart_memory_is_shared())
        cudart_refuse("host memory in a kernel on a device with memory of its own");
    *out = p;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t n_bytes, enum cudaMemcpyKind kind)
{
    qn_stream *const s = cudart_stream();
    switch (kind) {
    case cudaMemcpyHostToDevice:
        cudart_check(qn_memory_upload(cudart_device(), device_address(to), from, n_bytes, s));
        break;
    case cudaMemcpyDeviceToHost:
        cudart_check(qn_memory_download(cudart_device(), to, device_address(from), n_bytes, s));
        break;
    case cudaMemcpyDeviceToDevice:
        cudart_check(
            qn_memory_copy(cudart_device(), device_address(to), device_address(from), n_bytes, s));
        break;
    default:
        if (kind == cudaMemcpyDefault && !cudart_memory_is_shared())
            cudart_refuse("cudaMemcpyDefault on a device with memory of its own");
        memmove(to, from, n_bytes);
    }
    return cudart_finish();
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n_bytes, enum cudaMemcpyKind kind,
                            cudaStream_t on)
{
    return cudaMemcpy(to, from, n_bytes, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t n_bytes, size_t n_rows, enum cudaMemcpyKind kind)
{
    for (size_t i = 0; i < n_rows; i++)
        cudaMemcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch, n_bytes, kind);
    return cudaSuccess;
}

static qn_addr symbol_part(const void *symbol, size_t n_bytes, size_t offset)
{
    uint64_t size_bytes = 0;
    const qn_addr a = cudart_symbol_address(symbol, &size_bytes);
    if (a && (offset > size_bytes || n_bytes > size_bytes - offset))
        cudart_refuse("%zu bytes at %zu of a symbol of %llu", n_bytes, offset,
                      (unsigned long long)size_bytes);
    return a ? a + offset : 0;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t n_bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    const qn_addr a = symbol_part(symbol, n_bytes, offset);
    if (!a) { /* or the compiler would have kept it */
        fprintf(stderr, "cudart: no translated kernel uses a variable that is copied to\n");
        return cudaSuccess;
    }
    return cudaMemcpy(address(a), from, n_bytes, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t n_bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t on)
{
    return cudaMemcpyToSymbol(symbol, from, n_bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t n_bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    const qn_addr a = symbol_part(symbol, n_bytes, offset);
    if (!a)
        cudart_refuse("a variable is read that no translated kernel has");
    return cudaMemcpy(to, address(a), n_bytes, kind);
}

cudaError_t cudaGetSymbolAddress(void **out, const void *symbol)
{
    const qn_addr a = symbol_part(symbol, 0, 0);
    if (!a)
        cudart_refuse("the address of a variable that no translated kernel has");
    *out = address(a);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *to, int value, size_t n_bytes)
{
    qn_stream *const s = cudart_stream();
    cudart_check(
        qn_memory_fill(cudart_device(), device_address(to), (unsigned char)value, 1, n_bytes, s));
    return cudart_finish();
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t n_bytes, cudaStream_t on)
{
    return cudaMemset(to, value, n_bytes);
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t n_bytes, struct cudaMemLocation where,
                                 unsigned flags, cudaStream_t on)
{
    return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void *p, size_t n_bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation where)
{
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    uint64_t n_free, n_total;
    cudart_check(qn_device_memory(cudart_device(), &n_free, &n_total));
    *free_bytes = n_free;
    *total_bytes = n_total;
    return cudaSuccess;
}
