/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays: the texels of a texture of Quern's, which also has the surface object. They are copied
 * whole, so a copy of a part goes through the host: the array's texels are fetched, changed and put
 * back. Copies wait for the stream and end before they return. */
#include "cudart/arrays.h"

#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cudaArray *arrays;

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f)
{
    return (cudaChannelFormatDesc){x, y, z, w, f};
}

bool qn__rt_texel_of(qn_texel *texel, uint32_t *channels, size_t *bytes,
                     const cudaChannelFormatDesc *format)
{
    static const struct {
        cudaChannelFormatKind kind;
        int bits;
        qn_texel texel;
    } table[] = {
        {cudaChannelFormatKindUnsigned, 8, QN_TEXEL_U8},
        {cudaChannelFormatKindSigned, 8, QN_TEXEL_I8},
        {cudaChannelFormatKindUnsigned, 16, QN_TEXEL_U16},
        {cudaChannelFormatKindSigned, 16, QN_TEXEL_I16},
        {cudaChannelFormatKindUnsigned, 32, QN_TEXEL_U32},
        {cudaChannelFormatKindSigned, 32, QN_TEXEL_I32},
        {cudaChannelFormatKindFloat, 16, QN_TEXEL_F16},
        {cudaChannelFormatKindFloat, 32, QN_TEXEL_F32},
    };
    enum { BITS = 8 };
    const int rest[3] = {format->y, format->z, format->w};
    *channels = 1;
    for (int i = 0; i < 3 && rest[i]; i++) {
        if (rest[i] != format->x || *channels != (uint32_t)i + 1)
            return false;
        ++*channels;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].kind == format->f && table[i].bits == format->x) {
            *texel = table[i].texel;
            *bytes = (size_t)format->x / BITS * *channels;
            return *channels != 3;
        }
    return false;
}

bool qn__rt_is_array(const struct cudaArray *array)
{
    pthread_mutex_lock(&lock);
    const struct cudaArray *a = arrays;
    while (a && a != array)
        a = a->next;
    pthread_mutex_unlock(&lock);
    return a != NULL;
}

/* ---- making ---- */

static cudaError_t kind_of(struct cudaArray *a, const char *what)
{
    static const unsigned int known =
        cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
    enum { FACES = 6 };
    qn_texture_options *const o = &a->options;
    const cudaExtent *const e = &a->extent;
    const bool layered = a->flags & cudaArrayLayered, cube = a->flags & cudaArrayCubemap;
    if (a->flags & ~known || (layered && cube))
        return qn__rt_fail(cudaErrorNotSupported, "%s: an array with flags 0x%x", what, a->flags);
    if (e->width == 0 || e->width > UINT32_MAX || e->height > UINT32_MAX || e->depth > UINT32_MAX)
        return qn__rt_error(cudaErrorInvalidValue);
    if (cube && (e->height != e->width || e->depth != FACES))
        return qn__rt_fail(cudaErrorInvalidValue, "%s: a cube of %zu x %zu with %zu faces", what,
                           e->width, e->height, e->depth);
    if (layered)
        o->kind = e->height ? QN_TEXTURE_2D_LAYERED : QN_TEXTURE_1D_LAYERED;
    else if (cube)
        o->kind = QN_TEXTURE_CUBE;
    else
        o->kind = e->depth ? QN_TEXTURE_3D : e->height ? QN_TEXTURE_2D : QN_TEXTURE_1D;
    o->width = (uint32_t)e->width;
    o->height = cube ? 0 : (uint32_t)e->height;
    o->depth = cube ? 0 : (uint32_t)e->depth;
    return cudaSuccess;
}

static cudaError_t make(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                        unsigned int flags, const char *what)
{
    QN__RT_DEVICE(d);
    if (!array || !format)
        return qn__rt_error(cudaErrorInvalidValue);
    *array = NULL;
    struct cudaArray *const a = calloc(1, sizeof *a);
    if (!a)
        return qn__rt_error(cudaErrorMemoryAllocation);
    *a = (struct cudaArray){.device = d,
                            .format = *format,
                            .extent = extent,
                            .flags = flags,
                            .rows = extent.height ? extent.height : 1,
                            .slices = extent.depth ? extent.depth : 1};
    cudaError_t error = cudaSuccess;
    if (!qn__rt_texel_of(&a->options.texel, &a->options.channels, &a->element_bytes, format))
        error =
            qn__rt_fail(cudaErrorInvalidChannelDescriptor, "%s: channels of %d, %d, %d, %d bits",
                        what, format->x, format->y, format->z, format->w);
    if (error == cudaSuccess)
        error = kind_of(a, what);
    if (error == cudaSuccess)
        error = qn__rt_status(qn_texture_create(&a->texels, d->device, &a->options), what);
    if (error != cudaSuccess) {
        free(a);
        return error;
    }
    pthread_mutex_lock(&lock);
    a->next = arrays;
    arrays = a;
    pthread_mutex_unlock(&lock);
    *array = a;
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width,
                            size_t height, unsigned int flags)
{
    return make(array, format, (cudaExtent){width, height, 0}, flags, "cudaMallocArray");
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format,
                              cudaExtent extent, unsigned int flags)
{
    return make(array, format, extent, flags, "cudaMalloc3DArray");
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    if (!array)
        return cudaSuccess;
    pthread_mutex_lock(&lock);
    struct cudaArray **at = &arrays;
    while (*at && *at != array)
        at = &(*at)->next;
    const bool found = *at != NULL;
    if (found)
        *at = array->next;
    pthread_mutex_unlock(&lock);
    if (!found)
        return qn__rt_error(cudaErrorInvalidValue);
    const qn_status s = qn_texture_destroy(array->texels);
    free(array);
    return qn__rt_status(s, "cudaFreeArray");
}

void qn__rt_arrays_close(struct qn__rt_device *d)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        struct cudaArray *a = arrays;
        while (a && a->device != d)
            a = a->next;
        pthread_mutex_unlock(&lock);
        if (!a)
            return;
        cudaFreeArray(a);
    }
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array)
{
    if (!array || !qn__rt_is_array(array))
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    if (format)
        *format = array->format;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array)
{
    if (!format || !array)
        return qn__rt_error(cudaErrorInvalidValue);
    if (!qn__rt_is_array(array))
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    *format = array->format;
    return cudaSuccess;
}
