/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory is coarse-grain shared virtual memory: an address means the same in kernels and in
 * structs, and the host moves bytes only by queued copies. OpenCL drivers check little and crash on
 * a bad address, so the live allocations are kept in a sorted table, and every copy is held against
 * it. Pinned host memory is a mapped buffer on GPUs and plain memory on CPUs. */
#include "runtime/opencl/opencl_memory.h"
#include "runtime/opencl/opencl_backend.h"
#include "runtime/opencl/opencl_driver.h"

#include <stdlib.h>
#include <string.h>

/* -- the table -- */

/* Number of ranges that start at or before addr. */
static uint32_t ranges_upto(const struct qn__opencl_ranges *r, uint64_t addr)
{
    uint32_t low = 0, high = r->n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (r->items[middle].start <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The range that holds addr, or NULL. */
static struct qn__opencl_range *ranges_find(const struct qn__opencl_ranges *r, uint64_t addr)
{
    const uint32_t n = ranges_upto(r, addr);
    if (!n || addr - r->items[n - 1].start >= r->items[n - 1].bytes)
        return NULL;
    return &r->items[n - 1];
}

static qn_status ranges_add(struct qn__opencl_ranges *r, struct qn__opencl_range range)
{
    if (r->n == r->capacity) {
        const uint32_t capacity = r->capacity ? 2 * r->capacity : 64;
        struct qn__opencl_range *items = realloc(r->items, capacity * sizeof *items);
        if (!items)
            return qn__fail(QN_E_MEMORY, "no memory for the table of %u allocations", capacity);
        r->items = items;
        r->capacity = capacity;
    }
    const uint32_t at = ranges_upto(r, range.start);
    memmove(&r->items[at + 1], &r->items[at], (r->n - at) * sizeof *r->items);
    r->items[at] = range;
    r->n++;
    return QN_OK;
}

static void ranges_remove(struct qn__opencl_ranges *r, struct qn__opencl_range *range)
{
    const size_t at = (size_t)(range - r->items);
    memmove(range, range + 1, (r->n - at - 1) * sizeof *range);
    r->n--;
}

static void *pointer(uint64_t addr)
{
    return (void *)(uintptr_t)addr;
}

/* -- device memory -- */

static qn_status alloc_locked(qn_addr *out, struct qn__opencl_device *dev, uint64_t bytes)
{
    const uint64_t left = dev->memory_bytes - dev->allocated_bytes;
    void *p = bytes <= left ? qn__cl.SVMAlloc(dev->context, CL_MEM_READ_WRITE, bytes, 0) : NULL;
    if (!p)
        return qn__fail(QN_E_DEVICE_MEMORY, "%llu bytes asked for, %llu of %llu are free",
                        (unsigned long long)bytes, (unsigned long long)left,
                        (unsigned long long)dev->memory_bytes);
    const struct qn__opencl_range range = {.start = (uintptr_t)p, .bytes = bytes};
    const qn_status s = ranges_add(&dev->memory, range);
    if (s != QN_OK) {
        qn__cl.SVMFree(dev->context, p);
        return s;
    }
    dev->allocated_bytes += bytes;
    atomic_fetch_add_explicit(&dev->generation, 1, memory_order_release);
    *out = range.start;
    return QN_OK;
}

qn_status qn__opencl_alloc(qn_addr *out, qn_device *device, uint64_t bytes)
{
    struct qn__opencl_device *dev = (struct qn__opencl_device *)device;
    *out = 0;
    if (bytes > dev->alloc_bytes_max)
        return qn__fail(QN_E_LIMIT, "%llu bytes in one piece: the driver allows %llu",
                        (unsigned long long)bytes, (unsigned long long)dev->alloc_bytes_max);
    pthread_mutex_lock(&device->lock);
    const qn_status s = alloc_locked(out, dev, bytes);
    pthread_mutex_unlock(&device->lock);
    return s;
}

qn_status qn__opencl_free(qn_device *device, qn_addr addr)
{
    struct qn__opencl_device *dev = (struct qn__opencl_device *)device;
    pthread_mutex_lock(&device->lock);
    struct qn__opencl_range *range = ranges_find(&dev->memory, addr);
    const bool is_start = range && range->start == addr;
    if (is_start) {
        dev->allocated_bytes -= range->bytes;
        ranges_remove(&dev->memory, range);
        atomic_fetch_add_explicit(&dev->generation, 1, memory_order_release);
        qn__cl.SVMFree(dev->context, pointer(addr));
    }
    pthread_mutex_unlock(&device->lock);
    return is_start ? QN_OK
                    : qn__fail(QN_E_INVALID, "0x%llx is not the start of a live allocation",
                               (unsigned long long)addr);
}

qn_status qn__opencl_show_memory(struct qn__opencl_device *dev, struct qn__opencl_clone *clone)
{
    const uint32_t now = atomic_load_explicit(&dev->generation, memory_order_acquire);
    if (clone->generation == now)
        return QN_OK;
    cl_int code = CL_SUCCESS;
    pthread_mutex_lock(&dev->base.lock);
    const uint32_t n = dev->memory.n;
    void **pointers = qn__alloc(n, sizeof *pointers);
    for (uint32_t i = 0; pointers && i < n; i++)
        pointers[i] = pointer(dev->memory.items[i].start);
    if (pointers && n)
        code = qn__cl.SetKernelExecInfo(clone->handle, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                        n * sizeof *pointers, pointers);
    pthread_mutex_unlock(&dev->base.lock);
    if (!pointers)
        return qn__fail(QN_E_MEMORY, "no memory for a list of %u allocations", n);
    free(pointers);
    QN__CL_TRY(code, "clSetKernelExecInfo");
    clone->generation = now;
    return QN_OK;
}

/* -- host memory -- */

static qn_status alloc_plain(struct qn__opencl_range *range)
{
    void *p;
    if (posix_memalign(&p, 4096, range->bytes))
        return qn__fail(QN_E_MEMORY, "%llu bytes of host memory asked for",
                        (unsigned long long)range->bytes);
    range->start = (uintptr_t)p;
    return QN_OK;
}

static qn_status alloc_mapped(struct qn__opencl_range *range, struct qn__opencl_device *dev)
{
    cl_int code;
    range->mapped = qn__cl.CreateBuffer(dev->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                        range->bytes, NULL, &code);
    QN__CL_TRY(code, "clCreateBuffer of %llu bytes of host memory",
               (unsigned long long)range->bytes);
    void *p =
        qn__cl.EnqueueMapBuffer(dev->queue, range->mapped, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                range->bytes, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        qn__cl.ReleaseMemObject(range->mapped);
        return qn__opencl_fail(code, "clEnqueueMapBuffer");
    }
    range->start = (uintptr_t)p;
    return QN_OK;
}

static void free_range(struct qn__opencl_device *dev, const struct qn__opencl_range *range)
{
    if (!range->mapped) {
        free(pointer(range->start));
        return;
    }
    qn__cl.EnqueueUnmapMemObject(dev->queue, range->mapped, pointer(range->start), 0, NULL, NULL);
    qn__cl.Finish(dev->queue);
    qn__cl.ReleaseMemObject(range->mapped);
}

qn_status qn__opencl_alloc_host(void **out, qn_device *device, uint64_t bytes)
{
    struct qn__opencl_device *dev = (struct qn__opencl_device *)device;
    struct qn__opencl_range range = {.bytes = bytes};
    *out = NULL;
    pthread_mutex_lock(&device->lock);
    qn_status s = dev->is_cpu ? alloc_plain(&range) : alloc_mapped(&range, dev);
    if (s == QN_OK) {
        s = ranges_add(&dev->host, range);
        if (s == QN_OK)
            *out = pointer(range.start);
        else
            free_range(dev, &range);
    }
    pthread_mutex_unlock(&device->lock);
    return s;
}

qn_status qn__opencl_free_host(qn_device *device, void *host)
{
    struct qn__opencl_device *dev = (struct qn__opencl_device *)device;
    pthread_mutex_lock(&device->lock);
    struct qn__opencl_range *range = ranges_find(&dev->host, (uintptr_t)host);
    const bool is_start = range && range->start == (uintptr_t)host;
    if (is_start) {
        free_range(dev, range);
        ranges_remove(&dev->host, range);
    }
    pthread_mutex_unlock(&device->lock);
    return is_start ? QN_OK
                    : qn__fail(QN_E_INVALID, "%p is not the start of a live allocation", host);
}

void qn__opencl_release_memory(struct qn__opencl_device *dev)
{
    for (uint32_t i = 0; i < dev->memory.n; i++)
        qn__cl.SVMFree(dev->context, pointer(dev->memory.items[i].start));
    for (uint32_t i = 0; i < dev->host.n; i++)
        free_range(dev, &dev->host.items[i]);
    free(dev->memory.items);
    free(dev->host.items);
}

/* -- copies and fills -- */

qn_status qn__opencl_check_range(struct qn__opencl_device *dev, const char *what, uint64_t addr,
                                 uint64_t bytes)
{
    pthread_mutex_lock(&dev->base.lock);
    const struct qn__opencl_range *found = ranges_find(&dev->memory, addr);
    const struct qn__opencl_range range = found ? *found : (struct qn__opencl_range){0};
    pthread_mutex_unlock(&dev->base.lock);
    if (!found)
        return qn__fail(QN_E_INVALID, "%s 0x%llx is in no allocation of this device", what,
                        (unsigned long long)addr);
    if (bytes > range.bytes - (addr - range.start))
        return qn__fail(QN_E_INVALID,
                        "%s 0x%llx and %llu bytes leave their allocation of %llu bytes at 0x%llx",
                        what, (unsigned long long)addr, (unsigned long long)bytes,
                        (unsigned long long)range.bytes, (unsigned long long)range.start);
    return QN_OK;
}

qn_status qn__opencl_copy(qn_stream *stream, enum qn__copy kind, uint64_t dst, uint64_t src,
                          uint64_t bytes)
{
    struct qn__opencl_stream *s = (struct qn__opencl_stream *)stream;
    if (kind != QN__COPY_DOWNLOAD)
        QN_TRY(qn__opencl_check_range(s->device, "destination", dst, bytes));
    if (kind != QN__COPY_UPLOAD)
        QN_TRY(qn__opencl_check_range(s->device, "source", src, bytes));
    s->n_queued++;
    QN__CL_TRY(qn__cl.EnqueueSVMMemcpy(s->queue, CL_FALSE, pointer(dst), pointer(src), bytes, 0,
                                       NULL, NULL),
               "clEnqueueSVMMemcpy");
    return QN_OK;
}

qn_status qn__opencl_fill(qn_stream *stream, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                          uint64_t n_elems)
{
    struct qn__opencl_stream *s = (struct qn__opencl_stream *)stream;
    QN_TRY(qn__opencl_check_range(s->device, "destination", dst, n_elems * elem_bytes));
    s->n_queued++;
    /* the low bytes come first: hosts of OpenCL devices are little-endian */
    QN__CL_TRY(qn__cl.EnqueueSVMMemFill(s->queue, pointer(dst), &value, elem_bytes,
                                        n_elems * elem_bytes, 0, NULL, NULL),
               "clEnqueueSVMMemFill");
    return QN_OK;
}
