/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory. A device pointer is Quern's address of the same bytes, so that programs may add to it and
 * keep it in structs. All that was allocated is in one sorted table: it says which copies a pointer
 * needs. Where host and device share their memory (CPU devices) a kernel may be given either's, so
 * managed and mapped memory are plain allocations of the device there. */
#include "cudart/runtime.h"

#include <stdlib.h>
#include <string.h>

enum { PITCH = 512 };

static struct {
    struct qn__rt_block *blocks; /* by address; none overlap */
    size_t n, capacity;
} table;

void *qn__rt_pointer(qn_addr a)
{
    return (void *)(uintptr_t)a;
}

qn_addr qn__rt_address(const void *p)
{
    return (qn_addr)(uintptr_t)p;
}

/* The first block that ends behind the address; the lock is held. */
static size_t position(uintptr_t at)
{
    size_t low = 0, high = table.n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (table.blocks[middle].begin + table.blocks[middle].n > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

struct qn__rt_block qn__rt_block_of(const void *p)
{
    const uintptr_t at = (uintptr_t)p;
    struct qn__rt_block found = {0};
    pthread_mutex_lock(&qn__rt_lock);
    const size_t i = position(at);
    if (i < table.n && table.blocks[i].begin <= at)
        found = table.blocks[i];
    pthread_mutex_unlock(&qn__rt_lock);
    return found;
}

static bool remember(const struct qn__rt_block *b)
{
    pthread_mutex_lock(&qn__rt_lock);
    if (table.n == table.capacity) {
        const size_t capacity = table.capacity ? table.capacity * 2 : 64;
        struct qn__rt_block *const grown = realloc(table.blocks, capacity * sizeof *grown);
        if (!grown) {
            pthread_mutex_unlock(&qn__rt_lock);
            return false;
        }
        table.blocks = grown;
        table.capacity = capacity;
    }
    const size_t i = position(b->begin);
    memmove(table.blocks + i + 1, table.blocks + i, (table.n - i) * sizeof *table.blocks);
    table.blocks[i] = *b;
    table.n++;
    pthread_mutex_unlock(&qn__rt_lock);
    return true;
}

/* Take out the block that begins there. */
static struct qn__rt_block forget(const void *p)
{
    struct qn__rt_block found = {0};
    pthread_mutex_lock(&qn__rt_lock);
    const size_t i = position((uintptr_t)p);
    if (i < table.n && table.blocks[i].begin == (uintptr_t)p) {
        found = table.blocks[i];
        table.n--;
        memmove(table.blocks + i, table.blocks + i + 1, (table.n - i) * sizeof *table.blocks);
    }
    pthread_mutex_unlock(&qn__rt_lock);
    return found;
}

/* ---- allocations ---- */

static cudaError_t allocate(void **p, struct qn__rt_device *d, size_t n, enum qn__rt_kind kind,
                            const char *what)
{
    qn_addr a = 0;
    if (!p)
        return qn__rt_error(cudaErrorInvalidValue);
    *p = NULL;
    if (n == 0)
        return cudaSuccess;
    qn_status s = qn_memory_alloc(&a, d->device, n);
    /* a GPU's first memory is all zeros, which some programs count on */
    if (s == QN_OK && qn__rt_shares_memory(d))
        s = qn_memory_fill(d->device, a, 0, 1, n, NULL);
    if (s == QN_E_LIMIT)
        return qn__rt_fail(cudaErrorMemoryAllocation, "%s: %s", what, qn_message());
    if (s != QN_OK)
        return qn__rt_status(s, what);
    const struct qn__rt_block b = {qn__rt_address(qn__rt_pointer(a)), n, kind, true, d};
    if (!remember(&b)) {
        qn_memory_free(d->device, a);
        return qn__rt_error(cudaErrorMemoryAllocation);
    }
    *p = qn__rt_pointer(a);
    return cudaSuccess;
}

static void give_back(const struct qn__rt_block *b, qn_status *s)
{
    if (b->kind == QN__RT_HOST && !qn__rt_shares_memory(b->device))
        *s = qn_memory_free_host(b->device->device, (void *)b->begin);
    else
        *s = qn_memory_free(b->device->device, b->begin);
}

static cudaError_t release(void *p, bool host, const char *what)
{
    QN__RT_DEVICE(d);
    (void)d;
    if (!p)
        return cudaSuccess;
    const struct qn__rt_block b = forget(p);
    if (b.kind != QN__RT_UNKNOWN && b.is_ours && (b.kind == QN__RT_HOST) == host) {
        qn_status s;
        give_back(&b, &s);
        return qn__rt_status(s, what);
    }
    if (b.kind != QN__RT_UNKNOWN)
        remember(&b); /* it has just been there */
    return qn__rt_error(cudaErrorInvalidValue);
}

void qn__rt_memory_release(struct qn__rt_device *d)
{
    for (;;) {
        struct qn__rt_block b = {0};
        pthread_mutex_lock(&qn__rt_lock);
        for (size_t i = 0; i < table.n && !b.begin; i++)
            if (table.blocks[i].device == d)
                b = table.blocks[i];
        pthread_mutex_unlock(&qn__rt_lock);
        if (!b.begin)
            return;
        qn_status s;
        forget((void *)b.begin);
        if (b.is_ours)
            give_back(&b, &s);
    }
}

cudaError_t cudaMalloc(void **p, size_t n)
{
    QN__RT_DEVICE(d);
    return allocate(p, d, n, QN__RT_DEVICE_MEMORY, "cudaMalloc");
}

cudaError_t cudaFree(void *p)
{
    return release(p, false, "cudaFree");
}

cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t stream)
{
    cudaError_t error;
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    qn__rt_stream_leave(s);
    return allocate(p, s->device, n, QN__RT_DEVICE_MEMORY, "cudaMallocAsync");
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
    cudaError_t error;
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    qn__rt_stream_leave(s);
    return release(p, false, "cudaFreeAsync"); /* waits for all streams */
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    QN__RT_DEVICE(d);
    const size_t bytes = (width + PITCH - 1) / PITCH * PITCH;
    if (!pitch || (height && bytes > SIZE_MAX / height))
        return qn__rt_error(cudaErrorInvalidValue);
    *pitch = bytes;
    return allocate(p, d, bytes * height, QN__RT_DEVICE_MEMORY, "cudaMallocPitch");
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent)
{
    if (!p || (extent.height && extent.depth > SIZE_MAX / extent.height))
        return qn__rt_error(cudaErrorInvalidValue);
    p->xsize = extent.width;
    p->ysize = extent.height;
    return cudaMallocPitch(&p->ptr, &p->pitch, extent.width, extent.height * extent.depth);
}

/* ---- memory of both sides ---- */

static cudaError_t refuse_unshared(const struct qn__rt_device *d, const char *what)
{
    return qn__rt_fail(cudaErrorNotSupported,
                       "%s: host and kernels share no memory on %s; copy, or run on a CPU "
                       "(QUERN_DEVICE=cpu:0)",
                       what, qn_device_get_info(d->device)->id);
}

cudaError_t cudaMallocManaged(void **p, size_t n, unsigned int flags)
{
    QN__RT_DEVICE(d);
    if (!p || n == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return qn__rt_error(cudaErrorInvalidValue);
    if (!qn__rt_shares_memory(d))
        return refuse_unshared(d, "cudaMallocManaged");
    return allocate(p, d, n, QN__RT_MANAGED, "cudaMallocManaged");
}

static cudaError_t allocate_host(void **p, size_t n, unsigned flags, const char *what)
{
    QN__RT_DEVICE(d);
    if (!p || flags & ~7u)
        return qn__rt_error(cudaErrorInvalidValue);
    if (qn__rt_shares_memory(d))
        return allocate(p, d, n, QN__RT_HOST, what);
    if (flags & cudaHostAllocMapped)
        return refuse_unshared(d, what);
    *p = NULL;
    if (n == 0)
        return cudaSuccess;
    const qn_status s = qn_memory_alloc_host(p, d->device, n);
    if (s != QN_OK)
        return qn__rt_status(s, what);
    const struct qn__rt_block b = {(uintptr_t)*p, n, QN__RT_HOST, true, d};
    if (remember(&b))
        return cudaSuccess;
    qn_memory_free_host(d->device, *p);
    *p = NULL;
    return qn__rt_error(cudaErrorMemoryAllocation);
}

cudaError_t cudaMallocHost(void **p, size_t n)
{
    return allocate_host(p, n, cudaHostAllocDefault, "cudaMallocHost");
}

cudaError_t cudaHostAlloc(void **p, size_t n, unsigned int flags)
{
    return allocate_host(p, n, flags, "cudaHostAlloc");
}

cudaError_t cudaFreeHost(void *p)
{
    return release(p, true, "cudaFreeHost");
}

cudaError_t cudaHostRegister(void *p, size_t n, unsigned int flags)
{
    QN__RT_DEVICE(d);
    if (!p || n == 0 || flags & ~0xfu)
        return qn__rt_error(cudaErrorInvalidValue);
    if (!qn__rt_shares_memory(d))
        return refuse_unshared(d, "cudaHostRegister");
    if (qn__rt_block_of(p).kind != QN__RT_UNKNOWN)
        return qn__rt_error(cudaErrorHostMemoryAlreadyRegistered);
    const struct qn__rt_block b = {(uintptr_t)p, n, QN__RT_HOST, false, d};
    return remember(&b) ? cudaSuccess : qn__rt_error(cudaErrorMemoryAllocation);
}

cudaError_t cudaHostUnregister(void *p)
{
    const struct qn__rt_block b = forget(p);
    if (b.kind == QN__RT_HOST && !b.is_ours)
        return cudaSuccess;
    if (b.kind != QN__RT_UNKNOWN)
        remember(&b);
    return qn__rt_error(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    QN__RT_DEVICE(d);
    if (!device || !host || flags)
        return qn__rt_error(cudaErrorInvalidValue);
    if (!qn__rt_shares_memory(d))
        return refuse_unshared(d, "cudaHostGetDevicePointer");
    if (qn__rt_block_of(host).kind == QN__RT_UNKNOWN)
        return qn__rt_error(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

/* ---- questions ---- */

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    QN__RT_DEVICE(d);
    uint64_t n_free, n_total;
    if (!free || !total)
        return qn__rt_error(cudaErrorInvalidValue);
    const qn_status s = qn_device_memory(d->device, &n_free, &n_total);
    if (s != QN_OK)
        return qn__rt_status(s, "cudaMemGetInfo");
    *free = n_free;
    *total = n_total;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *p)
{
    QN__RT_DEVICE(d);
    if (!attributes || !p)
        return qn__rt_error(cudaErrorInvalidValue);
    const struct qn__rt_block b = qn__rt_block_of(p);
    const bool on_device = b.kind == QN__RT_DEVICE_MEMORY || b.kind == QN__RT_MANAGED ||
                           (b.kind == QN__RT_HOST && qn__rt_shares_memory(d));
    const bool on_host = b.kind != QN__RT_DEVICE_MEMORY;
    static const cudaMemoryType types[] = {
        [QN__RT_UNKNOWN] = cudaMemoryTypeUnregistered,
        [QN__RT_DEVICE_MEMORY] = cudaMemoryTypeDevice,
        [QN__RT_HOST] = cudaMemoryTypeHost,
        [QN__RT_MANAGED] = cudaMemoryTypeManaged,
    };
    *attributes = (cudaPointerAttributes){
        .type = types[b.kind],
        .device = b.device ? b.device->index : d->index,
        .devicePointer = on_device ? qn__rt_pointer(qn__rt_address(p)) : NULL,
        .hostPointer = on_host ? qn__rt_pointer(qn__rt_address(p)) : NULL,
    };
    return cudaSuccess;
}
