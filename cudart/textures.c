/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture and surface objects, each a texture of Quern's over an array's texels or over memory; and
 * texture references, which are variables of the kernels that hold an object. */
#include "cudart/arrays.h"

#include <stdlib.h>
#include <string.h>

struct object {
    struct object *next;
    struct qn__rt_device *device;
    qn_texture *texture;
    const void *reference; /* that it is bound to; NULL: an object of the program's */
    cudaResourceDesc resource;
    cudaTextureDesc how;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *objects;

static void add(struct object *o)
{
    pthread_mutex_lock(&lock);
    o->next = objects;
    objects = o;
    pthread_mutex_unlock(&lock);
}

/* The first of the device's with that number or bound to that reference, taken out where `out`. */
static struct object *find(const struct qn__rt_device *d, cudaTextureObject_t number,
                           const void *reference, bool out)
{
    pthread_mutex_lock(&lock);
    struct object **at = &objects;
    while (*at && ((*at)->device != d ||
                   (reference ? (*at)->reference != reference
                              : number && qn_texture_get_object((*at)->texture) != number)))
        at = &(*at)->next;
    struct object *const found = *at;
    if (found && out)
        *at = found->next;
    pthread_mutex_unlock(&lock);
    return found;
}

static cudaError_t destroy(struct object *o, const char *what)
{
    const qn_status s = qn_texture_destroy(o->texture);
    free(o);
    return qn__rt_status(s, what);
}

void qn__rt_textures_close(struct qn__rt_device *d)
{
    struct object *o;
    while ((o = find(d, 0, NULL, true)) != NULL)
        destroy(o, "cudaDeviceReset");
}

/* ---- from CUDA's descriptions to Quern's options ---- */

static cudaError_t set_memory(qn_texture_options *o, const cudaResourceDesc *r, const char *what)
{
    size_t element;
    const bool pitched = r->resType == cudaResourceTypePitch2D;
    const cudaChannelFormatDesc *const format =
        pitched ? &r->res.pitch2D.desc : &r->res.linear.desc;
    if (!qn__rt_texel_of(&o->texel, &o->channels, &element, format))
        return qn__rt_fail(cudaErrorInvalidChannelDescriptor, "%s: channels of %d, %d, %d, %d bits",
                           what, format->x, format->y, format->z, format->w);
    const size_t width = pitched ? r->res.pitch2D.width : r->res.linear.sizeInBytes / element;
    o->data = qn__rt_address(pitched ? r->res.pitch2D.devPtr : r->res.linear.devPtr);
    if (!o->data || width == 0 || width > INT32_MAX ||
        (pitched &&
         (r->res.pitch2D.height > INT32_MAX || r->res.pitch2D.pitchInBytes > UINT32_MAX)))
        return qn__rt_error(cudaErrorInvalidValue);
    o->kind = pitched ? QN_TEXTURE_2D : QN_TEXTURE_LINEAR;
    o->width = (uint32_t)width;
    if (pitched) {
        o->height = (uint32_t)r->res.pitch2D.height;
        o->pitch_bytes = (uint32_t)r->res.pitch2D.pitchInBytes;
    }
    return cudaSuccess;
}

static cudaError_t set_resource(qn_texture_options *o, const cudaResourceDesc *r, const char *what)
{
    const struct cudaArray *const a = r->res.array.array;
    switch (r->resType) {
    case cudaResourceTypeArray:
        if (!a || !qn__rt_is_array(a))
            return qn__rt_error(cudaErrorInvalidResourceHandle);
        *o = a->options;
        o->of = a->texels;
        return cudaSuccess;
    case cudaResourceTypeLinear:
    case cudaResourceTypePitch2D: return set_memory(o, r, what);
    case cudaResourceTypeMipmappedArray: break;
    }
    return qn__rt_fail(cudaErrorNotSupported, "%s: a mipmapped array; there is one level of detail",
                       what);
}

static cudaError_t set_reading(qn_texture_options *o, const cudaTextureDesc *t, const char *what)
{
    static const qn_texture_address addresses[] = {QN_ADDRESS_WRAP, QN_ADDRESS_CLAMP,
                                                   QN_ADDRESS_MIRROR, QN_ADDRESS_BORDER};
    if (t->sRGB)
        return qn__rt_fail(cudaErrorNotSupported, "%s: sRGB texels", what);
    for (int i = 0; i < 3; i++) {
        if ((unsigned)t->addressMode[i] > cudaAddressModeBorder)
            return qn__rt_error(cudaErrorInvalidValue);
        /* a direction always meets a cube */
        o->address[i] =
            o->kind == QN_TEXTURE_CUBE ? QN_ADDRESS_CLAMP : addresses[t->addressMode[i]];
    }
    /* floats are what they are */
    o->normalized_read = t->readMode == cudaReadModeNormalizedFloat && o->texel < QN_TEXEL_F16;
    if (o->kind != QN_TEXTURE_LINEAR) { /* which is read by its index alone */
        o->linear = t->filterMode == cudaFilterModeLinear;
        o->normalized_coordinates = t->normalizedCoords != 0;
    }
    if (o->texel >= QN_TEXEL_F16 || o->normalized_read)
        memcpy(o->border, t->borderColor, sizeof o->border);
    else
        for (int i = 0; i < 4; i++)
            if (t->borderColor[i] != 0)
                return qn__rt_fail(cudaErrorNotSupported,
                                   "%s: a border of %g where reads give integers", what,
                                   (double)t->borderColor[i]);
    return cudaSuccess;
}

static cudaError_t create(struct object **out, const cudaResourceDesc *resource,
                          const cudaTextureDesc *how, const void *reference, const char *what)
{
    QN__RT_DEVICE(d);
    qn_texture_options options = {0};
    cudaError_t error = set_resource(&options, resource, what);
    if (error == cudaSuccess)
        error = set_reading(&options, how, what);
    if (error != cudaSuccess)
        return error;
    struct object *const o = calloc(1, sizeof *o);
    if (!o)
        return qn__rt_error(cudaErrorMemoryAllocation);
    *o = (struct object){.device = d, .reference = reference, .resource = *resource, .how = *how};
    error = qn__rt_status(qn_texture_create(&o->texture, d->device, &options), what);
    if (error != cudaSuccess) {
        free(o);
        return error;
    }
    add(o);
    *out = o;
    return cudaSuccess;
}

/* ---- objects ---- */

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *t, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture,
                                    const cudaResourceViewDesc *view)
{
    struct object *o;
    if (!t || !resource || !texture)
        return qn__rt_error(cudaErrorInvalidValue);
    if (view)
        return qn__rt_fail(cudaErrorNotSupported,
                           "cudaCreateTextureObject: a view with a format of its own");
    const cudaError_t error = create(&o, resource, texture, NULL, "cudaCreateTextureObject");
    if (error == cudaSuccess)
        *t = qn_texture_get_object(o->texture);
    return error;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t)
{
    QN__RT_DEVICE(d);
    struct object *const o = t ? find(d, t, NULL, true) : NULL;
    return o ? destroy(o, "cudaDestroyTextureObject")
             : qn__rt_error(t ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t t)
{
    QN__RT_DEVICE(d);
    const struct object *const o = resource && t ? find(d, t, NULL, false) : NULL;
    if (!o)
        return qn__rt_error(cudaErrorInvalidValue);
    *resource = o->resource;
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, cudaTextureObject_t t)
{
    QN__RT_DEVICE(d);
    const struct object *const o = texture && t ? find(d, t, NULL, false) : NULL;
    if (!o)
        return qn__rt_error(cudaErrorInvalidValue);
    *texture = o->how;
    return cudaSuccess;
}

/* An array's surface lives as long as the array. */
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *s, const cudaResourceDesc *resource)
{
    if (!s || !resource || resource->resType != cudaResourceTypeArray)
        return qn__rt_error(cudaErrorInvalidValue);
    const struct cudaArray *const a = resource->res.array.array;
    if (!a || !qn__rt_is_array(a))
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    *s = qn_texture_get_surface(a->texels);
    return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s)
{
    (void)s;
    return cudaSuccess;
}

/* ---- references ---- */

/* Put the object, or none, into the variable that the kernels read. */
static cudaError_t set_reference(struct qn__rt_device *d, const void *reference, uint64_t number,
                                 const char *what)
{
    qn_addr at;
    uint64_t n;
    const cudaError_t error = qn__rt_variable_on(&at, &n, d, reference, false);
    if (error != cudaSuccess)
        return error == cudaErrorInvalidSymbol ? qn__rt_error(cudaErrorInvalidTexture) : error;
    if (n != sizeof number)
        return qn__rt_fail(cudaErrorNotSupported,
                           "%s: this device's compiler knows no texture references: pass a "
                           "cudaTextureObject_t",
                           what);
    return qn__rt_status(qn_memory_upload(d->device, at, &number, sizeof number, NULL), what);
}

static cudaError_t unbind(struct qn__rt_device *d, const void *reference, const char *what)
{
    struct object *const old = find(d, 0, reference, true);
    return old ? destroy(old, what) : cudaSuccess;
}

cudaError_t cudaUnbindTexture(const struct textureReference *reference)
{
    QN__RT_DEVICE(d);
    if (!reference)
        return qn__rt_error(cudaErrorInvalidTexture);
    const cudaError_t error = set_reference(d, reference, 0, "cudaUnbindTexture");
    const cudaError_t gone = unbind(d, reference, "cudaUnbindTexture");
    return error != cudaSuccess ? error : gone;
}

cudaError_t __qn_bind_texture(const struct textureReference *reference, cudaTextureReadMode mode,
                              const cudaResourceDesc *resource)
{
    static const char what[] = "cudaBindTexture";
    struct object *o;
    QN__RT_DEVICE(d);
    if (!reference || !resource)
        return qn__rt_error(cudaErrorInvalidTexture);
    cudaTextureDesc how = {.filterMode = reference->filterMode,
                           .readMode = mode,
                           .sRGB = reference->sRGB,
                           .normalizedCoords = reference->normalized};
    memcpy(how.addressMode, reference->addressMode, sizeof how.addressMode);
    cudaError_t error = unbind(d, reference, what);
    if (error == cudaSuccess)
        error = create(&o, resource, &how, reference, what);
    return error == cudaSuccess
               ? set_reference(d, reference, qn_texture_get_object(o->texture), what)
               : error;
}

size_t __qn_bytes_from(const void *p)
{
    const struct qn__rt_block b = qn__rt_block_of(p);
    return b.kind == QN__RT_UNKNOWN ? 0 : b.begin + b.n - (uintptr_t)p;
}
