/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA memory: allocations, pinned host memory, queued copies and fills. A CUdeviceptr is a
 * qn_addr. */
#include "runtime/cuda/cuda_backend.h"
#include "runtime/cuda/cuda_driver.h"

#include <inttypes.h>

/* The driver takes it only before a kernel that allocates is launched. */
qn_status qn__cuda_heap_set(qn_device *dev, uint64_t bytes)
{
    QN_TRY(qn__cuda_use(dev));
    const cu_result r = qn__cuda.cuCtxSetLimit(CU_LIMIT_HEAP, bytes);
    if (r == CU_E_INVALID_VALUE)
        return qn__fail_code(QN_E_INVALID, r,
                             "the heap of %s has been made, as a kernel that allocates was "
                             "launched: say how large it is before that",
                             dev->info.id);
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "a heap of %" PRIu64 " bytes", bytes);
}

qn_status qn__cuda_alloc(qn_addr *out, qn_device *dev, uint64_t bytes)
{
    cu_deviceptr address = 0;
    QN_TRY(qn__cuda_use(dev));
    const cu_result r = qn__cuda.cuMemAlloc(&address, bytes);
    if (r == CU_E_OUT_OF_MEMORY) {
        size_t f = 0, t = 0;
        qn__cuda.cuMemGetInfo(&f, &t);
        return qn__fail_code(QN_E_DEVICE_MEMORY, r,
                             "%" PRIu64 " bytes asked for on %s, %zu of %zu bytes are free", bytes,
                             dev->info.id, f, t);
    }
    if (r != CU_OK)
        return qn__cuda_fail(r, "allocating %" PRIu64 " bytes", bytes);
    *out = address;
    return QN_OK;
}

qn_status qn__cuda_free(qn_device *dev, qn_addr addr)
{
    QN_TRY(qn__cuda_use(dev));
    const cu_result r = qn__cuda.cuMemFree(addr);
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "freeing 0x%" PRIx64, addr);
}

qn_status qn__cuda_alloc_host(void **out, qn_device *dev, uint64_t bytes)
{
    QN_TRY(qn__cuda_use(dev));
    const cu_result r = qn__cuda.cuMemHostAlloc(out, bytes, CU_HOST_PORTABLE);
    if (r == CU_E_OUT_OF_MEMORY)
        return qn__fail_code(QN_E_MEMORY, r, "%" PRIu64 " bytes of pinned host memory asked for",
                             bytes);
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "pinning %" PRIu64 " bytes", bytes);
}

qn_status qn__cuda_free_host(qn_device *dev, void *host)
{
    QN_TRY(qn__cuda_use(dev));
    const cu_result r = qn__cuda.cuMemFreeHost(host);
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "freeing pinned memory %p", host);
}

qn_status qn__cuda_copy(qn_stream *s, enum qn__copy kind, uint64_t dst, uint64_t src,
                        uint64_t bytes)
{
    const cu_stream stream = ((struct qn__cuda_stream *)s)->handle;
    cu_result r = CU_OK;
    QN_TRY(qn__cuda_use(s->device));
    switch (kind) {
    case QN__COPY_UPLOAD:
        r = qn__cuda.cuMemcpyHtoDAsync(dst, (const void *)(uintptr_t)src, bytes, stream);
        break;
    case QN__COPY_DOWNLOAD:
        r = qn__cuda.cuMemcpyDtoHAsync((void *)(uintptr_t)dst, src, bytes, stream);
        break;
    case QN__COPY_DEVICE: r = qn__cuda.cuMemcpyDtoDAsync(dst, src, bytes, stream); break;
    }
    return r == CU_OK
               ? QN_OK
               : qn__cuda_fail(r, "copying %" PRIu64 " bytes from 0x%" PRIx64 " to 0x%" PRIx64,
                               bytes, src, dst);
}

qn_status qn__cuda_fill(qn_stream *s, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                        uint64_t n_elems)
{
    const cu_stream stream = ((struct qn__cuda_stream *)s)->handle;
    cu_result r = CU_E_INVALID_VALUE;
    QN_TRY(qn__cuda_use(s->device));
    switch (elem_bytes) {
    case 1: r = qn__cuda.cuMemsetD8Async(dst, (unsigned char)value, n_elems, stream); break;
    case 2: r = qn__cuda.cuMemsetD16Async(dst, (unsigned short)value, n_elems, stream); break;
    case 4: r = qn__cuda.cuMemsetD32Async(dst, value, n_elems, stream); break;
    }
    return r == CU_OK ? QN_OK
                      : qn__cuda_fail(r, "filling %" PRIu64 " elements of %u bytes at 0x%" PRIx64,
                                      n_elems, elem_bytes, dst);
}
