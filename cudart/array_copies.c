/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies to and from arrays. */
#include "cudart/arrays.h"

#include <stdlib.h>
#include <string.h>

static size_t row_bytes(const struct cudaArray *a)
{
    return a->extent.width * a->element_bytes;
}

static bool fits(const struct cudaArray *a, cudaPos at, cudaExtent part)
{
    return at.x <= a->extent.width && part.width <= a->extent.width - at.x && at.y <= a->rows &&
           part.height <= a->rows - at.y && at.z <= a->slices && part.depth <= a->slices - at.z;
}

/* All of the array's texels, in the host's memory. */
static cudaPitchedPtr texels_of(const struct cudaArray *a, char *bytes)
{
    return (cudaPitchedPtr){bytes, row_bytes(a), row_bytes(a), a->rows};
}

static cudaError_t copy_memory(cudaPitchedPtr to, cudaPos to_pos, cudaPitchedPtr from,
                               cudaPos from_pos, cudaExtent part, cudaMemcpyKind kind)
{
    const cudaMemcpy3DParms p = {.srcPtr = from,
                                 .srcPos = from_pos,
                                 .dstPtr = to,
                                 .dstPos = to_pos,
                                 .extent = part,
                                 .kind = kind};
    return cudaMemcpy3D(&p);
}

static char *fetch(const struct cudaArray *a, cudaError_t *error, const char *what)
{
    char *const bytes = malloc(qn_texture_get_bytes(a->texels));
    *error = bytes ? qn__rt_status(qn_texture_download(bytes, a->texels), what)
                   : qn__rt_error(cudaErrorMemoryAllocation);
    if (*error == cudaSuccess)
        return bytes;
    free(bytes);
    return NULL;
}

static bool is_whole(const struct cudaArray *a, cudaExtent part)
{
    return part.width == a->extent.width && part.height == a->rows && part.depth == a->slices;
}

/* Into an array; `from` and its position are in bytes. */
static cudaError_t copy_in(struct cudaArray *a, cudaPos at, cudaPitchedPtr from, cudaPos from_pos,
                           cudaExtent part, cudaMemcpyKind kind, const char *what)
{
    cudaError_t error = cudaSuccess;
    char *const bytes =
        is_whole(a, part) ? calloc(1, qn_texture_get_bytes(a->texels)) : fetch(a, &error, what);
    if (!bytes)
        return error == cudaSuccess ? qn__rt_error(cudaErrorMemoryAllocation) : error;
    at.x *= a->element_bytes;
    part.width *= a->element_bytes;
    const bool from_device = kind == cudaMemcpyDeviceToDevice;
    error = copy_memory(texels_of(a, bytes), at, from, from_pos, part,
                        from_device                 ? cudaMemcpyDeviceToHost
                        : kind == cudaMemcpyDefault ? kind
                                                    : cudaMemcpyHostToHost);
    if (error == cudaSuccess)
        error = qn__rt_status(qn_texture_upload(a->texels, bytes), what);
    free(bytes);
    return error;
}

static cudaError_t copy_out(cudaPitchedPtr to, cudaPos to_pos, const struct cudaArray *a,
                            cudaPos at, cudaExtent part, cudaMemcpyKind kind, const char *what)
{
    cudaError_t error;
    char *const bytes = fetch(a, &error, what);
    if (!bytes)
        return error;
    at.x *= a->element_bytes;
    part.width *= a->element_bytes;
    const bool to_device = kind == cudaMemcpyDeviceToDevice;
    error = copy_memory(to, to_pos, texels_of(a, bytes), at, part,
                        to_device                   ? cudaMemcpyHostToDevice
                        : kind == cudaMemcpyDefault ? kind
                                                    : cudaMemcpyHostToHost);
    free(bytes);
    return error;
}

static cudaError_t copy_between(const cudaMemcpy3DParms *p, const char *what)
{
    cudaError_t error;
    const struct cudaArray *const from = p->srcArray;
    if (from->element_bytes != p->dstArray->element_bytes)
        return qn__rt_error(cudaErrorInvalidValue);
    char *const bytes = fetch(from, &error, what);
    if (!bytes)
        return error;
    const cudaPos at = {p->srcPos.x * from->element_bytes, p->srcPos.y, p->srcPos.z};
    error = copy_in(p->dstArray, p->dstPos, texels_of(from, bytes), at, p->extent,
                    cudaMemcpyHostToDevice, what);
    free(bytes);
    return error;
}

cudaError_t qn__rt_copy_arrays(const cudaMemcpy3DParms *p, cudaStream_t stream, const char *what)
{
    cudaError_t error;
    if ((p->srcArray && !qn__rt_is_array(p->srcArray)) ||
        (p->dstArray && !qn__rt_is_array(p->dstArray)))
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    if ((unsigned)p->kind > cudaMemcpyDefault)
        return qn__rt_error(cudaErrorInvalidMemcpyDirection);
    if ((p->srcArray && !fits(p->srcArray, p->srcPos, p->extent)) ||
        (p->dstArray && !fits(p->dstArray, p->dstPos, p->extent)))
        return qn__rt_error(cudaErrorInvalidValue);
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    error = s->capturing
                ? qn__rt_fail(cudaErrorStreamCaptureUnsupported, "%s: of an array in a graph", what)
                : qn__rt_stream_wait(s, what);
    qn__rt_stream_leave(s);
    if (error != cudaSuccess)
        return error;
    if (p->extent.width == 0 || p->extent.height == 0 || p->extent.depth == 0)
        return cudaSuccess;
    if (p->srcArray && p->dstArray)
        return copy_between(p, what);
    return p->dstArray
               ? copy_in(p->dstArray, p->dstPos, p->srcPtr, p->srcPos, p->extent, p->kind, what)
               : copy_out(p->dstPtr, p->dstPos, p->srcArray, p->srcPos, p->extent, p->kind, what);
}

/* ---- the calls of two dimensions ---- */

/* Bytes as the array's elements. */
static bool elements(size_t *n, const struct cudaArray *a, size_t bytes)
{
    *n = bytes / a->element_bytes;
    return bytes % a->element_bytes == 0;
}

static cudaError_t copy_2d(const struct cudaArray *array, bool in, size_t x, size_t y,
                           const void *memory, size_t pitch, size_t width, size_t height,
                           cudaMemcpyKind kind, cudaStream_t stream, const char *what)
{
    cudaMemcpy3DParms p = {.kind = kind};
    if (!array || !memory || !qn__rt_is_array(array))
        return qn__rt_error(array && memory ? cudaErrorInvalidResourceHandle
                                            : cudaErrorInvalidValue);
    if (width > pitch)
        return qn__rt_error(cudaErrorInvalidPitchValue);
    cudaPos at = {0, y, 0};
    p.extent.height = height;
    p.extent.depth = 1;
    if (!elements(&at.x, array, x) || !elements(&p.extent.width, array, width))
        return qn__rt_error(cudaErrorInvalidValue);
    const cudaPitchedPtr end = {qn__rt_pointer(qn__rt_address(memory)), pitch, width, height};
    struct cudaArray *const a = qn__rt_pointer(qn__rt_address(array));
    if (in) {
        p.srcPtr = end;
        p.dstArray = a;
        p.dstPos = at;
    } else {
        p.dstPtr = end;
        p.srcArray = a;
        p.srcPos = at;
    }
    return qn__rt_copy_arrays(&p, stream, what);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind)
{
    return copy_2d(to, true, x, y, from, pitch, width, height, kind, NULL, "cudaMemcpy2DToArray");
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    return copy_2d(to, true, x, y, from, pitch, width, height, kind, stream,
                   "cudaMemcpy2DToArrayAsync");
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind)
{
    return copy_2d(from, false, x, y, to, pitch, width, height, kind, NULL,
                   "cudaMemcpy2DFromArray");
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
    return copy_2d(from, false, x, y, to, pitch, width, height, kind, stream,
                   "cudaMemcpy2DFromArrayAsync");
}

/* n bytes that go on in the next row: whole rows, or a part of one. */
static cudaError_t copy_flat(const struct cudaArray *array, bool in, size_t x, size_t y,
                             const void *memory, size_t n, cudaMemcpyKind kind, const char *what)
{
    if (!array || !qn__rt_is_array(array))
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    const size_t row = row_bytes(array);
    if (x + n <= row)
        return copy_2d(array, in, x, y, memory, n, n, 1, kind, NULL, what);
    if (x || n % row)
        return qn__rt_fail(
            cudaErrorNotSupported,
            "%s: %zu bytes from byte %zu of a row of %zu on: neither a part of a row "
            "nor whole rows",
            what, n, x, row);
    return copy_2d(array, in, 0, y, memory, row, row, n / row, kind, NULL, what);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t n,
                              cudaMemcpyKind kind)
{
    return copy_flat(to, true, x, y, from, n, kind, "cudaMemcpyToArray");
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t n,
                                cudaMemcpyKind kind)
{
    return copy_flat(from, false, x, y, to, n, kind, "cudaMemcpyFromArray");
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t x, size_t y, size_t width,
                                     size_t height, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms p = {.srcArray = qn__rt_pointer(qn__rt_address(from)),
                           .dstArray = to,
                           .srcPos = {0, y, 0},
                           .dstPos = {0, to_y, 0},
                           .extent = {0, height, 1},
                           .kind = kind};
    if (!from || !to || !qn__rt_is_array(from) || !qn__rt_is_array(to))
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    if (!elements(&p.srcPos.x, from, x) || !elements(&p.dstPos.x, to, to_x) ||
        !elements(&p.extent.width, from, width))
        return qn__rt_error(cudaErrorInvalidValue);
    return qn__rt_copy_arrays(&p, NULL, "cudaMemcpy2DArrayToArray");
}
