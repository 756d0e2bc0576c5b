/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills. Where a pointer leads the table of allocations knows; of memory that is not in
 * it (variables of kernels, the host's own) the kind of the copy is believed. */
#include "cudart/arrays.h"

#include <string.h>

/* Is the address the device's? A kernel's variable is, and is in no table. */
static bool is_device(const void *p, bool said)
{
    const enum qn__rt_kind kind = qn__rt_block_of(p).kind;
    return kind == QN__RT_UNKNOWN ? said : kind != QN__RT_HOST;
}

cudaError_t qn__rt_copy(struct CUstream_st *s, void *to, const void *from, size_t n,
                        cudaMemcpyKind kind, const char *what)
{
    qn_device *const dev = s->device->device;
    if (n == 0)
        return cudaSuccess;
    if (!to || !from)
        return qn__rt_error(cudaErrorInvalidValue);
    if ((unsigned)kind > cudaMemcpyDefault)
        return qn__rt_error(cudaErrorInvalidMemcpyDirection);
    const bool to_device =
        is_device(to, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice);
    const bool from_device =
        is_device(from, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice);
    qn_status status;
    if (to_device && from_device && to != from) {
        status = qn_memory_copy(dev, qn__rt_address(to), qn__rt_address(from), n, s->stream);
    } else if (to_device && !from_device) {
        status = qn_memory_upload(dev, qn__rt_address(to), from, n, s->stream);
    } else if (from_device && !to_device) {
        status = qn_memory_download(dev, to, qn__rt_address(from), n, s->stream);
    } else {
        if (s->capturing)
            return qn__rt_fail(cudaErrorStreamCaptureUnsupported,
                               "%s: a graph here copies no host memory", what);
        status = qn_stream_sync(s->stream);
        if (status == QN_OK)
            memmove(to, from, n);
    }
    const cudaError_t error = qn__rt_status(status, what);
    if (status == QN_E_FAULT)
        s->device->sticky = error;
    return error;
}

/* Is a copy that the host may not touch while it goes on? Other memory of the host's may be gone
 * when the call has returned. */
static bool may_go_on(const void *p)
{
    return qn__rt_block_of(p).kind != QN__RT_UNKNOWN;
}

struct rows {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, to_slice, from_slice;
    cudaExtent extent; /* width in bytes */
    cudaMemcpyKind kind;
};

static cudaError_t copy_rows(const struct rows *r, cudaStream_t stream, bool waits,
                             const char *what)
{
    cudaError_t error;
    const bool in_one =
        r->to_pitch == r->extent.width && r->from_pitch == r->extent.width && r->extent.depth == 1;
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    error = cudaSuccess;
    if (in_one)
        error = qn__rt_copy(s, r->to, r->from, r->extent.width * r->extent.height, r->kind, what);
    for (size_t z = 0; !in_one && z < r->extent.depth; z++)
        for (size_t y = 0; y < r->extent.height && error == cudaSuccess; y++)
            error = qn__rt_copy(s, (char *)r->to + z * r->to_slice + y * r->to_pitch,
                                (const char *)r->from + z * r->from_slice + y * r->from_pitch,
                                r->extent.width, r->kind, what);
    if (error == cudaSuccess && !s->capturing &&
        (waits || !may_go_on(r->to) || !may_go_on(r->from)))
        error = qn__rt_stream_wait(s, what);
    qn__rt_stream_leave(s);
    return error;
}

static cudaError_t copy_flat(void *to, const void *from, size_t n, cudaMemcpyKind kind,
                             cudaStream_t stream, bool waits, const char *what)
{
    const struct rows r = {
        .to = to, .from = from, .to_pitch = n, .from_pitch = n, .extent = {n, 1, 1}, .kind = kind};
    return copy_rows(&r, stream, waits, what);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind kind)
{
    return copy_flat(to, from, n, kind, NULL, true, "cudaMemcpy");
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return copy_flat(to, from, n, kind, stream, false, "cudaMemcpyAsync");
}

static cudaError_t copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                           size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                           bool waits, const char *what)
{
    const struct rows r = {.to = to,
                           .from = from,
                           .to_pitch = to_pitch,
                           .from_pitch = from_pitch,
                           .extent = {width, height, 1},
                           .kind = kind};
    if (width > to_pitch || width > from_pitch)
        return qn__rt_error(cudaErrorInvalidPitchValue);
    return copy_rows(&r, stream, waits, what);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind)
{
    return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, NULL, true, "cudaMemcpy2D");
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream, false,
                   "cudaMemcpy2DAsync");
}

static cudaError_t copy_3d(const cudaMemcpy3DParms *p, cudaStream_t stream, bool waits,
                           const char *what)
{
    if (!p)
        return qn__rt_error(cudaErrorInvalidValue);
    if (p->srcArray || p->dstArray)
        return qn__rt_copy_arrays(p, stream, what);
    const cudaPitchedPtr *const to = &p->dstPtr, *const from = &p->srcPtr;
    const struct rows r = {
        .to = (char *)to->ptr + (p->dstPos.z * to->ysize + p->dstPos.y) * to->pitch + p->dstPos.x,
        .from = (const char *)from->ptr + (p->srcPos.z * from->ysize + p->srcPos.y) * from->pitch +
                p->srcPos.x,
        .to_pitch = to->pitch,
        .from_pitch = from->pitch,
        .to_slice = to->pitch * to->ysize,
        .from_slice = from->pitch * from->ysize,
        .extent = p->extent,
        .kind = p->kind};
    if (p->extent.width > to->pitch || p->extent.width > from->pitch)
        return qn__rt_error(cudaErrorInvalidPitchValue);
    return copy_rows(&r, stream, waits, what);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p)
{
    return copy_3d(p, NULL, true, "cudaMemcpy3D");
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return copy_3d(p, stream, false, "cudaMemcpy3DAsync");
}

/* ---- between devices ---- */

static cudaError_t copy_through_host(struct qn__rt_device *to_device, void *to,
                                     struct qn__rt_device *from_device, const void *from, size_t n)
{
    enum { PIECE = 1 << 20 };
    static char piece[PIECE];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    qn_status s = QN_OK;
    pthread_mutex_lock(&lock);
    for (size_t at = 0; at < n && s == QN_OK; at += PIECE) {
        const size_t part = n - at < PIECE ? n - at : PIECE;
        s = qn_memory_download(from_device->device, piece, qn__rt_address(from) + at, part, NULL);
        if (s == QN_OK)
            s = qn_memory_upload(to_device->device, qn__rt_address(to) + at, piece, part, NULL);
    }
    pthread_mutex_unlock(&lock);
    return qn__rt_status(s, "cudaMemcpyPeer");
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t n)
{
    cudaError_t error;
    struct qn__rt_device *const a = qn__rt_device_of(to_device, &error), *const b =
                                                                             a ? qn__rt_device_of(
                                                                                     from_device,
                                                                                     &error)
                                                                               : NULL;
    if (!b)
        return qn__rt_error(error);
    if (n == 0 || (a == b && to == from))
        return cudaSuccess;
    if (!to || !from)
        return qn__rt_error(cudaErrorInvalidValue);
    if (a != b)
        return copy_through_host(a, to, b, from, n);
    return qn__rt_status(
        qn_memory_copy(a->device, qn__rt_address(to), qn__rt_address(from), n, NULL),
        "cudaMemcpyPeer");
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t n, cudaStream_t stream)
{
    const cudaError_t error = cudaStreamSynchronize(stream);
    return error == cudaSuccess ? cudaMemcpyPeer(to, to_device, from, from_device, n) : error;
}

/* ---- fills ---- */

static cudaError_t fill(const struct rows *r, uint32_t value, uint32_t element_bytes,
                        cudaStream_t stream, bool waits, const char *what)
{
    cudaError_t error;
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    qn_status status = QN_OK;
    for (size_t z = 0; z < r->extent.depth; z++)
        for (size_t y = 0; y < r->extent.height && status == QN_OK && r->extent.width; y++)
            status = qn_memory_fill(s->device->device,
                                    qn__rt_address(r->to) + z * r->to_slice + y * r->to_pitch,
                                    value, element_bytes, r->extent.width, s->stream);
    error = qn__rt_status(status, what);
    if (status == QN_E_FAULT)
        s->device->sticky = error;
    if (error == cudaSuccess && waits && !s->capturing)
        error = qn__rt_stream_wait(s, what);
    qn__rt_stream_leave(s);
    return error;
}

cudaError_t qn__rt_fill(void *p, size_t pitch, uint32_t value, uint32_t element_bytes, size_t width,
                        size_t height, cudaStream_t stream, bool waits, const char *what)
{
    return fill(&(struct rows){.to = p, .to_pitch = pitch, .extent = {width, height, 1}}, value,
                element_bytes, stream, waits, what);
}

static cudaError_t fill_bytes(const struct rows *r, int byte, cudaStream_t stream, bool waits,
                              const char *what)
{
    return fill(r, (unsigned char)byte, 1, stream, waits, what);
}

cudaError_t cudaMemset(void *p, int byte, size_t n)
{
    return fill_bytes(&(struct rows){.to = p, .extent = {n, 1, 1}}, byte, NULL, true, "cudaMemset");
}

cudaError_t cudaMemsetAsync(void *p, int byte, size_t n, cudaStream_t stream)
{
    return fill_bytes(&(struct rows){.to = p, .extent = {n, 1, 1}}, byte, stream, false,
                      "cudaMemsetAsync");
}

cudaError_t cudaMemset2D(void *p, size_t pitch, int byte, size_t width, size_t height)
{
    if (width > pitch)
        return qn__rt_error(cudaErrorInvalidPitchValue);
    return fill_bytes(&(struct rows){.to = p, .to_pitch = pitch, .extent = {width, height, 1}},
                      byte, NULL, true, "cudaMemset2D");
}

cudaError_t cudaMemset3D(cudaPitchedPtr p, int byte, cudaExtent extent)
{
    if (extent.width > p.pitch)
        return qn__rt_error(cudaErrorInvalidPitchValue);
    return fill_bytes(
        &(struct rows){
            .to = p.ptr, .to_pitch = p.pitch, .to_slice = p.pitch * p.ysize, .extent = extent},
        byte, NULL, true, "cudaMemset3D");
}
