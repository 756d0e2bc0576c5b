/* SPDX-License-Identifier: Apache-2.0
 *
 * HIP memory: allocations, pinned host memory, queued copies and fills. A HIP pointer, as a number,
 * is a qn_addr. */
#include "runtime/hip/hip_backend.h"
#include "runtime/hip/hip_driver.h"

#include <inttypes.h>

static void *pointer(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

qn_status qn__hip_heap_set(qn_device *dev, uint64_t bytes)
{
    QN_TRY(qn__hip_use(dev));
    if (!qn__hip.hipDeviceSetLimit)
        return qn__fail(QN_E_UNSUPPORTED,
                        "this HIP runtime has no hipDeviceSetLimit: the heap of kernels is as "
                        "large as it makes it");
    const hip_result r = qn__hip.hipDeviceSetLimit(HIP_LIMIT_HEAP, bytes);
    return r == HIP_OK ? QN_OK : qn__hip_fail(r, "a heap of %" PRIu64 " bytes", bytes);
}

qn_status qn__hip_alloc(qn_addr *out, qn_device *dev, uint64_t bytes)
{
    void *address = NULL;
    QN_TRY(qn__hip_use(dev));
    const hip_result r = qn__hip.hipMalloc(&address, bytes);
    if (r == HIP_E_OUT_OF_MEMORY) {
        size_t f = 0, t = 0;
        qn__hip.hipMemGetInfo(&f, &t);
        return qn__fail_code(QN_E_DEVICE_MEMORY, r,
                             "%" PRIu64 " bytes asked for on %s, %zu of %zu bytes are free", bytes,
                             dev->info.id, f, t);
    }
    if (r != HIP_OK)
        return qn__hip_fail(r, "allocating %" PRIu64 " bytes", bytes);
    *out = (uintptr_t)address;
    return QN_OK;
}

qn_status qn__hip_free(qn_device *dev, qn_addr addr)
{
    QN_TRY(qn__hip_use(dev));
    const hip_result r = qn__hip.hipFree(pointer(addr));
    return r == HIP_OK ? QN_OK : qn__hip_fail(r, "freeing 0x%" PRIx64, addr);
}

qn_status qn__hip_alloc_host(void **out, qn_device *dev, uint64_t bytes)
{
    QN_TRY(qn__hip_use(dev));
    const hip_result r = qn__hip.hipHostMalloc(out, bytes, 0);
    if (r == HIP_E_OUT_OF_MEMORY)
        return qn__fail_code(QN_E_MEMORY, r, "%" PRIu64 " bytes of pinned host memory asked for",
                             bytes);
    return r == HIP_OK ? QN_OK : qn__hip_fail(r, "pinning %" PRIu64 " bytes", bytes);
}

qn_status qn__hip_free_host(qn_device *dev, void *host)
{
    QN_TRY(qn__hip_use(dev));
    const hip_result r = qn__hip.hipHostFree(host);
    return r == HIP_OK ? QN_OK : qn__hip_fail(r, "freeing pinned memory %p", host);
}

qn_status qn__hip_copy(qn_stream *stream, enum qn__copy kind, uint64_t dst, uint64_t src,
                       uint64_t bytes)
{
    static const hip_copy_kind kinds[] = {[QN__COPY_UPLOAD] = HIP_COPY_UPLOAD,
                                          [QN__COPY_DOWNLOAD] = HIP_COPY_DOWNLOAD,
                                          [QN__COPY_DEVICE] = HIP_COPY_DEVICE};
    struct qn__hip_stream *s = (struct qn__hip_stream *)stream;
    QN_TRY(qn__hip_use(stream->device));
    const hip_result r =
        qn__hip.hipMemcpyAsync(pointer(dst), pointer(src), bytes, kinds[kind], s->handle);
    if (r != HIP_OK)
        return qn__hip_fail(r, "copying %" PRIu64 " bytes from 0x%" PRIx64 " to 0x%" PRIx64, bytes,
                            src, dst);
    s->n_captured++;
    return QN_OK;
}

qn_status qn__hip_fill(qn_stream *stream, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                       uint64_t n_elems)
{
    struct qn__hip_stream *s = (struct qn__hip_stream *)stream;
    hip_result r = HIP_E_INVALID_VALUE;
    QN_TRY(qn__hip_use(stream->device));
    switch (elem_bytes) {
    case 1:
        r = qn__hip.hipMemsetD8Async(pointer(dst), (unsigned char)value, n_elems, s->handle);
        break;
    case 2:
        r = qn__hip.hipMemsetD16Async(pointer(dst), (unsigned short)value, n_elems, s->handle);
        break;
    case 4: r = qn__hip.hipMemsetD32Async(pointer(dst), (int)value, n_elems, s->handle); break;
    }
    if (r != HIP_OK)
        return qn__hip_fail(r, "filling %" PRIu64 " elements of %u bytes at 0x%" PRIx64, n_elems,
                            elem_bytes, dst);
    s->n_captured++;
    return QN_OK;
}
