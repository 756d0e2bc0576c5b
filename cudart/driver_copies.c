/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API's copies and fills. */
#include "cudart/driver.h"

#include <string.h>

static void *at(CUdeviceptr p)
{
    return qn__rt_pointer(p);
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n)
{
    QN__DRIVER_RETURN(cudaMemcpy(at(to), at(from), n, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
    QN__DRIVER_RETURN(cudaMemcpyAsync(at(to), at(from), n, cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t n)
{
    QN__DRIVER_RETURN(cudaMemcpy(at(to), from, n, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t n)
{
    QN__DRIVER_RETURN(cudaMemcpy(to, at(from), n, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t n)
{
    QN__DRIVER_RETURN(cudaMemcpy(at(to), at(from), n, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t n, CUstream stream)
{
    QN__DRIVER_RETURN(cudaMemcpyAsync(at(to), from, n, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t n, CUstream stream)
{
    QN__DRIVER_RETURN(cudaMemcpyAsync(to, at(from), n, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
    QN__DRIVER_RETURN(cudaMemcpyAsync(at(to), at(from), n, cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t n)
{
    if (!qn__driver_is_context(to_context) || !qn__driver_is_context(from_context))
        return CUDA_ERROR_INVALID_CONTEXT;
    QN__DRIVER_RETURN(
        cudaMemcpyPeer(at(to), to_context->device, at(from), from_context->device, n));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t n, CUstream stream)
{
    if (!qn__driver_is_context(to_context) || !qn__driver_is_context(from_context))
        return CUDA_ERROR_INVALID_CONTEXT;
    QN__DRIVER_RETURN(
        cudaMemcpyPeerAsync(at(to), to_context->device, at(from), from_context->device, n, stream));
}

/* ---- of several rows ---- */

/* One end of a copy. */
struct end {
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, pitch, height;
};

static bool is_host(const struct end *e)
{
    return e->type == CU_MEMORYTYPE_HOST;
}

/* Into the runtime's form; a pitch of 0 is a row without a gap. */
static CUresult put_end(cudaPitchedPtr *p, cudaPos *pos, const struct end *e, size_t width,
                        size_t height)
{
    if (e->type != CU_MEMORYTYPE_HOST && e->type != CU_MEMORYTYPE_DEVICE &&
        e->type != CU_MEMORYTYPE_UNIFIED)
        return e->type == CU_MEMORYTYPE_ARRAY
                   ? qn__driver_fail(CUDA_ERROR_NOT_SUPPORTED, "cuMemcpy: of an array")
                   : CUDA_ERROR_INVALID_VALUE;
    p->ptr = is_host(e) ? qn__rt_pointer(qn__rt_address(e->host)) : at(e->device);
    p->pitch = e->pitch ? e->pitch : width + e->x;
    p->xsize = width;
    p->ysize = e->height ? e->height : height + e->y;
    *pos = (cudaPos){e->x, e->y, e->z};
    return CUDA_SUCCESS;
}

static CUresult copy_rows(const struct end *to, const struct end *from, cudaExtent extent,
                          CUstream stream, bool waits)
{
    cudaMemcpy3DParms p = {.extent = extent};
    QN__DRIVER_CONTEXT(c);
    (void)c;
    CUresult result = put_end(&p.srcPtr, &p.srcPos, from, extent.width, extent.height);
    if (result == CUDA_SUCCESS)
        result = put_end(&p.dstPtr, &p.dstPos, to, extent.width, extent.height);
    if (result != CUDA_SUCCESS)
        return result;
    p.kind = to->type == CU_MEMORYTYPE_UNIFIED || from->type == CU_MEMORYTYPE_UNIFIED
                 ? cudaMemcpyDefault
             : is_host(to)   ? (is_host(from) ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost)
             : is_host(from) ? cudaMemcpyHostToDevice
                             : cudaMemcpyDeviceToDevice;
    return qn__driver_result(waits ? cudaMemcpy3D(&p) : cudaMemcpy3DAsync(&p, stream));
}

/* What both structs say of an end, src or dst. */
#define QN_END(p, side)                                                                            \
    .type = (p)->side##MemoryType, .host = (p)->side##Host, .device = (p)->side##Device,           \
    .array = (p)->side##Array, .x = (p)->side##XInBytes, .y = (p)->side##Y,                        \
    .pitch = (p)->side##Pitch

static CUresult copy_2d(const CUDA_MEMCPY2D *p, CUstream stream, bool waits)
{
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    const struct end to = {QN_END(p, dst)}, from = {QN_END(p, src)};
    return copy_rows(&to, &from, (cudaExtent){p->WidthInBytes, p->Height, 1}, stream, waits);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy)
{
    return copy_2d(copy, NULL, true);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy)
{
    return copy_2d(copy, NULL, true);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    return copy_2d(copy, stream, false);
}

static CUresult copy_3d(const CUDA_MEMCPY3D *p, CUstream stream, bool waits)
{
    if (!p || p->srcLOD || p->dstLOD)
        return CUDA_ERROR_INVALID_VALUE;
    const struct end to = {QN_END(p, dst), .z = p->dstZ, .height = p->dstHeight},
                     from = {QN_END(p, src), .z = p->srcZ, .height = p->srcHeight};
    return copy_rows(&to, &from, (cudaExtent){p->WidthInBytes, p->Height, p->Depth}, stream, waits);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy)
{
    return copy_3d(copy, NULL, true);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    return copy_3d(copy, stream, false);
}

/* ---- fills ---- */

static CUresult fill(CUdeviceptr p, size_t pitch, unsigned int value, unsigned int element,
                     size_t width, size_t height, CUstream stream, bool waits, const char *what)
{
    QN__DRIVER_CONTEXT(c);
    (void)c;
    if (!p || p % element || pitch % element || (height > 1 && width * element > pitch))
        return CUDA_ERROR_INVALID_VALUE;
    return qn__driver_result(
        qn__rt_fill(at(p), pitch, value, element, width, height, stream, waits, what));
}

CUresult cuMemsetD8(CUdeviceptr p, unsigned char value, size_t n)
{
    return fill(p, 0, value, 1, n, 1, NULL, true, "cuMemsetD8");
}

CUresult cuMemsetD16(CUdeviceptr p, unsigned short value, size_t n)
{
    return fill(p, 0, value, 2, n, 1, NULL, true, "cuMemsetD16");
}

CUresult cuMemsetD32(CUdeviceptr p, unsigned int value, size_t n)
{
    return fill(p, 0, value, 4, n, 1, NULL, true, "cuMemsetD32");
}

CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char value, size_t n, CUstream stream)
{
    return fill(p, 0, value, 1, n, 1, stream, false, "cuMemsetD8Async");
}

CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short value, size_t n, CUstream stream)
{
    return fill(p, 0, value, 2, n, 1, stream, false, "cuMemsetD16Async");
}

CUresult cuMemsetD32Async(CUdeviceptr p, unsigned int value, size_t n, CUstream stream)
{
    return fill(p, 0, value, 4, n, 1, stream, false, "cuMemsetD32Async");
}

CUresult cuMemsetD2D8(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height)
{
    return fill(p, pitch, value, 1, width, height, NULL, true, "cuMemsetD2D8");
}

CUresult cuMemsetD2D16(CUdeviceptr p, size_t pitch, unsigned short value, size_t width,
                       size_t height)
{
    return fill(p, pitch, value, 2, width, height, NULL, true, "cuMemsetD2D16");
}

CUresult cuMemsetD2D32(CUdeviceptr p, size_t pitch, unsigned int value, size_t width, size_t height)
{
    return fill(p, pitch, value, 4, width, height, NULL, true, "cuMemsetD2D32");
}
