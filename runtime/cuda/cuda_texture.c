/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures as the CUDA driver has them: an array with a texture and a surface object over it, or a
 * texture object over linear or pitched memory. */
#include "runtime/cuda/cuda_backend.h"
#include "runtime/cuda/cuda_driver.h"

#include <inttypes.h>
#include <string.h>

static int format_of(qn_texel texel)
{
    static const int formats[] = {CU_FORMAT_U8,  CU_FORMAT_I8,  CU_FORMAT_U16, CU_FORMAT_I16,
                                  CU_FORMAT_U32, CU_FORMAT_I32, CU_FORMAT_F16, CU_FORMAT_F32};
    return formats[texel];
}

static qn_status make_array(cu_array *array, const qn_texture *t)
{
    const qn_texture_options *const o = &t->options;
    const bool is_layered = o->kind == QN_TEXTURE_1D_LAYERED || o->kind == QN_TEXTURE_2D_LAYERED;
    const bool is_cube = o->kind == QN_TEXTURE_CUBE;
    const cu_array_descriptor d = {
        .width = o->width,
        .height = is_cube ? o->width : o->height,
        .depth = is_cube ? 6 : o->depth,
        .format = format_of(o->texel),
        .channels = o->channels,
        .flags = CU_ARRAY_SURFACE | (is_layered ? CU_ARRAY_LAYERED : 0u) |
                 (is_cube ? CU_ARRAY_CUBE : 0u) | (o->kind == QN_TEXTURE_2D ? CU_ARRAY_GATHER : 0u),
    };
    const cu_result r = qn__cuda.cuArray3DCreate(array, &d);
    if (r == CU_E_OUT_OF_MEMORY)
        return qn__fail_code(QN_E_DEVICE_MEMORY, r,
                             "%" PRIu64 " bytes asked for on %s for a texture", t->bytes,
                             t->device->info.id);
    if (r == CU_E_INVALID_VALUE)
        return qn__fail_code(QN_E_LIMIT, r, "%s takes no texture of %zu x %zu x %zu",
                             t->device->info.id, d.width, d.height, d.depth);
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "making an array of %" PRIu64 " bytes", t->bytes);
}

qn_status qn__cuda_texture_open(qn_texture *t)
{
    static const int addresses[] = {CU_ADDRESS_CLAMP, CU_ADDRESS_WRAP, CU_ADDRESS_MIRROR,
                                    CU_ADDRESS_BORDER};
    const qn_texture_options *const o = &t->options;
    QN_TRY(qn__cuda_use(t->device));
    cu_resource_desc resource = {.type = CU_RESOURCE_ARRAY};
    if (o->pitch_bytes) {
        resource.type = CU_RESOURCE_PITCH2D;
        resource.of.pitched.address = o->data;
        resource.of.pitched.format = format_of(o->texel);
        resource.of.pitched.channels = o->channels;
        resource.of.pitched.width = o->width;
        resource.of.pitched.height = o->height;
        resource.of.pitched.pitch_bytes = o->pitch_bytes;
    } else if (o->data) {
        resource.type = CU_RESOURCE_LINEAR;
        resource.of.linear.address = o->data;
        resource.of.linear.format = format_of(o->texel);
        resource.of.linear.channels = o->channels;
        resource.of.linear.bytes = t->bytes;
    } else {
        cu_array array = o->of ? o->of->array : NULL;
        if (!o->of)
            QN_TRY(make_array(&array, t));
        t->array = array;
        resource.of.array = array;
    }
    cu_texture_desc d = {
        .filter = o->linear ? CU_FILTER_LINEAR : 0,
        .flags =
            (qn__texture_reads_integers(o) ? CU_READ_INTEGERS : 0u) |
            (o->normalized_coordinates || o->kind == QN_TEXTURE_CUBE ? CU_NORMALIZED_COORDINATES
                                                                     : 0u),
    };
    for (int i = 0; i < 3; i++)
        d.address[i] = addresses[o->address[i]];
    memcpy(d.border, o->border, sizeof d.border);
    cu_tex_object object = 0;
    cu_surf_object surface = 0;
    cu_result r = qn__cuda.cuTexObjectCreate(&object, &resource, &d, NULL);
    if (r == CU_OK && !o->data)
        r = qn__cuda.cuSurfObjectCreate(&surface, &resource);
    t->object = object;
    t->surface = surface;
    if (r == CU_E_INVALID_VALUE && o->data)
        return qn__fail_code(
            QN_E_LIMIT, r,
            "%s takes no texture of %zu texels a row at 0x%llx: too many, or not aligned",
            t->device->info.id, (size_t)o->width, (unsigned long long)o->data);
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "making a texture object");
}

void qn__cuda_texture_close(qn_texture *t)
{
    if (qn__cuda_use(t->device) != QN_OK)
        return;
    if (t->surface)
        qn__cuda.cuSurfObjectDestroy(t->surface);
    if (t->object)
        qn__cuda.cuTexObjectDestroy(t->object);
    if (t->array && !t->options.of)
        qn__cuda.cuArrayDestroy(t->array);
}

qn_status qn__cuda_texture_copy(qn_texture *t, enum qn__copy kind, void *host)
{
    const cu_memcpy3d_end memory = {
        .memory_type = CU_MEMORY_HOST, .host = host, .pitch = t->row_bytes, .height = t->rows};
    const cu_memcpy3d_end array = {.memory_type = CU_MEMORY_ARRAY, .array = t->array};
    const cu_memcpy3d c = {.src = kind == QN__COPY_UPLOAD ? memory : array,
                           .dst = kind == QN__COPY_UPLOAD ? array : memory,
                           .width_bytes = t->row_bytes,
                           .height = t->rows,
                           .depth = t->slices};
    QN_TRY(qn__cuda_use(t->device));
    cu_result r = qn__cuda.cuMemcpy3D(&c);
    if (r == CU_OK) /* our streams do not wait for the one that this copy is on */
        r = qn__cuda.cuStreamSynchronize(NULL);
    return r == CU_OK ? QN_OK
                      : qn__cuda_fail(r, "copying a texture of %" PRIu64 " bytes", t->bytes);
}
