/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures: what an option may be, and the textures of backends whose driver has none that
 * translated kernels could read. Those are texels in device memory without gaps, and a description
 * of them that the kernels' own code follows (compiler/frontend/include/quern_texture_sample.h). */
#include "runtime/backend.h"
#include "runtime/stream_queue.h"

#include <inttypes.h>
#include <string.h>

/* As in quern_texture_sample.h, which reads it. */
struct description {
    uint64_t texels;
    uint32_t width, height, depth, layers;
    uint32_t format, channels, texel_bytes;
    uint32_t address[3];
    uint32_t is_linear, is_normalised_read, has_normalised_coordinates, row_bytes;
    float border[4];
};

static bool is_layered(qn_texture_kind kind)
{
    return kind == QN_TEXTURE_1D_LAYERED || kind == QN_TEXTURE_2D_LAYERED;
}

static uint32_t texel_bytes(const qn_texture_options *o)
{
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 2, 4};
    return bytes[o->texel] * o->channels;
}

static qn_status check_sizes(const qn_texture_options *o)
{
    static const char *const names[] = {"2D",         "1D",   "3D",    "1D layered",
                                        "2D layered", "cube", "linear"};
    const char *const name = names[o->kind];
    const bool has_height =
        o->kind == QN_TEXTURE_2D || o->kind == QN_TEXTURE_2D_LAYERED || o->kind == QN_TEXTURE_3D;
    const bool has_depth = o->kind == QN_TEXTURE_3D || is_layered(o->kind);
    if (!o->width || o->width > INT32_MAX)
        return qn__fail(QN_E_INVALID, "width %" PRIu32 " of a texture: not 1 to 2147483647",
                        o->width);
    if (has_height != (o->height != 0) || o->height > INT32_MAX)
        return qn__fail(QN_E_INVALID, "height %" PRIu32 " of a %s texture: %s", o->height, name,
                        has_height ? "not 1 to 2147483647" : "must be 0");
    if (has_depth != (o->depth != 0) || o->depth > INT32_MAX)
        return qn__fail(QN_E_INVALID, "depth %" PRIu32 " of a %s texture: %s", o->depth, name,
                        has_depth ? "not 1 to 2147483647" : "must be 0");
    return QN_OK;
}

static qn_status check(const qn_texture_options *o)
{
    if ((unsigned)o->kind > QN_TEXTURE_LINEAR)
        return qn__fail(QN_E_INVALID, "texture kind %d: there is none", (int)o->kind);
    if ((unsigned)o->texel > QN_TEXEL_F32)
        return qn__fail(QN_E_INVALID, "texel %d: there is none", (int)o->texel);
    if (o->channels != 1 && o->channels != 2 && o->channels != 4)
        return qn__fail(QN_E_INVALID, "%" PRIu32 " channels of a texture: not 1, 2 or 4",
                        o->channels);
    QN_TRY(check_sizes(o));
    for (int i = 0; i < 3; i++) {
        if ((unsigned)o->address[i] > QN_ADDRESS_BORDER)
            return qn__fail(QN_E_INVALID, "address mode %d of axis %d: there is none",
                            (int)o->address[i], i);
        if (o->kind == QN_TEXTURE_CUBE && o->address[i] != QN_ADDRESS_CLAMP)
            return qn__fail(QN_E_INVALID, "address mode %d of axis %d: cubes clamp",
                            (int)o->address[i], i);
    }
    if (o->normalized_read && o->texel > QN_TEXEL_I16)
        return qn__fail(QN_E_INVALID, "normalized_read: for integers of 8 and 16 bits");
    if (o->linear && qn__texture_reads_integers(o))
        return qn__fail(QN_E_INVALID, "linear: reads that give integers cannot be blended; "
                                      "normalized_read gives floats");
    for (int i = 0; i < 4; i++)
        if (o->border[i] != 0 && qn__texture_reads_integers(o))
            return qn__fail(QN_E_INVALID, "border[%d] %g: reads that give integers have 0 there", i,
                            (double)o->border[i]);
    const bool is_linear = o->kind == QN_TEXTURE_LINEAR;
    const bool is_pitched = o->kind == QN_TEXTURE_2D && o->pitch_bytes != 0;
    if ((is_linear || is_pitched) != (o->data != 0))
        return qn__fail(QN_E_INVALID, "data 0x%" PRIx64 ": %s", o->data,
                        is_linear || is_pitched
                            ? "the texture needs memory"
                            : "only a linear or a 2D texture with pitch_bytes reads the caller's "
                              "memory");
    if (o->pitch_bytes && !is_pitched)
        return qn__fail(QN_E_INVALID, "pitch_bytes %" PRIu32 ": for 2D textures alone",
                        o->pitch_bytes);
    if (is_pitched && (o->pitch_bytes % texel_bytes(o) != 0 ||
                       o->pitch_bytes < (uint64_t)o->width * texel_bytes(o)))
        return qn__fail(
            QN_E_INVALID,
            "pitch_bytes %" PRIu32 ": %s a row of %" PRIu32 " texels of %" PRIu32 " bytes",
            o->pitch_bytes, o->pitch_bytes % texel_bytes(o) ? "no multiple of a texel in" : "below",
            o->width, texel_bytes(o));
    if (is_linear && (o->linear || o->normalized_coordinates))
        return qn__fail(QN_E_INVALID, "linear memory is read by its index: no blending and no "
                                      "normalized coordinates");
    return QN_OK;
}

/* The texels of another texture are read as that has them. */
static qn_status check_shared(const qn_texture_options *o, const qn_device *dev)
{
    const qn_texture *const of = o->of;
    const qn_texture_options *const b = of ? &of->options : NULL;
    if (!of)
        return QN_OK;
    if (of->device != dev || b->data || o->data)
        return qn__fail(QN_E_INVALID, "texels of another texture: %s",
                        of->device != dev ? "it belongs to another device"
                                          : "they are the caller's memory");
    if (b->kind != o->kind || b->texel != o->texel || b->channels != o->channels ||
        b->width != o->width || b->height != o->height || b->depth != o->depth)
        return qn__fail(QN_E_INVALID,
                        "texels of another texture: kind, format or sizes are others");
    return QN_OK;
}

/* -- in device memory -- */

static qn_status open_described(qn_texture *t)
{
    static const uint8_t addresses[] = {1, 0, 2, 3}; /* CUDA's numbers */
    const qn_texture_options *const o = &t->options;
    struct description d = {
        .texels = o->data,
        .width = o->width,
        .height = o->kind == QN_TEXTURE_CUBE ? o->width
                  : o->height                ? o->height
                                             : 1,
        .depth = o->kind == QN_TEXTURE_3D ? o->depth : 1,
        .layers = o->kind == QN_TEXTURE_CUBE ? 6
                  : is_layered(o->kind)      ? o->depth
                                             : 1,
        .format = o->texel,
        .channels = o->channels,
        .texel_bytes = texel_bytes(o),
        .is_linear = o->linear,
        .is_normalised_read = o->normalized_read,
        .has_normalised_coordinates = o->normalized_coordinates || o->kind == QN_TEXTURE_CUBE,
        .row_bytes = o->pitch_bytes ? o->pitch_bytes : (uint32_t)t->row_bytes,
    };
    for (int i = 0; i < 3; i++)
        d.address[i] = addresses[o->address[i]];
    memcpy(d.border, o->border, sizeof d.border);
    if (o->of) {
        d.texels = t->texels = o->of->texels;
    } else if (!o->data) {
        QN_TRY(qn_memory_alloc(&t->texels, t->device, t->bytes));
        d.texels = t->texels;
    }
    QN_TRY(qn_memory_alloc(&t->object, t->device, sizeof d));
    t->surface = o->data ? 0 : t->object;
    return qn_memory_upload(t->device, t->object, &d, sizeof d, NULL);
}

static void close_described(qn_texture *t)
{
    qn_memory_free(t->device, t->object);
    if (!t->options.of)
        qn_memory_free(t->device, t->texels);
}

/* -- calls -- */

static void release(qn_texture *t)
{
    if (t->device->backend->texture_close)
        t->device->backend->texture_close(t);
    else
        close_described(t);
    qn__device_release(t->device);
    free(t);
}

qn_status qn_texture_create(qn_texture **out, qn_device *dev, const qn_texture_options *options)
{
    QN_ARG_CHECK(out != NULL);
    *out = NULL;
    QN_ARG_CHECK(dev != NULL && options != NULL);
    QN_TRY(check(options));
    QN_TRY(check_shared(options, dev));
    if (dev->backend->no_textures)
        return qn__fail(QN_E_UNSUPPORTED, "%s: %s", dev->info.id, dev->backend->no_textures);
    const uint64_t rows = options->kind == QN_TEXTURE_CUBE ? options->width
                          : options->height                ? options->height
                                                           : 1;
    const uint64_t slices = options->kind == QN_TEXTURE_CUBE ? 6
                            : options->depth                 ? options->depth
                                                             : 1;
    const uint64_t row = (uint64_t)options->width * texel_bytes(options);
    if (row > INT32_MAX || rows * row > UINT64_MAX / slices / 2)
        return qn__fail(QN_E_LIMIT,
                        "%" PRIu64 " bytes a row, %" PRIu64 " rows, %" PRIu64
                        " slices: rows are below 2 GiB, and all of it must be addressable",
                        row, rows, slices);
    qn_texture *const t = qn__alloc(1, sizeof *t);
    if (!t)
        return qn__fail(QN_E_MEMORY, "no memory for a texture");
    *t = (qn_texture){.device = qn__device_retain(dev),
                      .options = *options,
                      .bytes = row * rows * slices,
                      .row_bytes = row,
                      .rows = rows,
                      .slices = slices};
    const qn_status s =
        dev->backend->texture_open ? dev->backend->texture_open(t) : open_described(t);
    if (s != QN_OK) {
        struct qn__message m;
        qn__message_save(&m);
        release(t);
        qn__message_restore(&m);
        return s;
    }
    *out = t;
    return QN_OK;
}

qn_status qn_texture_destroy(qn_texture *t)
{
    if (!t)
        return QN_OK;
    const qn_status waited = qn__device_wait(t->device);
    if (waited == QN_E_TIMEOUT)
        return waited;
    struct qn__message m;
    qn__message_save(&m);
    release(t);
    if (waited != QN_OK)
        qn__message_restore(&m);
    return waited;
}

uint64_t qn_texture_get_object(const qn_texture *t)
{
    return t->object;
}
qn_status qn_texture_bind(qn_module *mod, const char *name, const qn_texture *texture)
{
    QN_ARG_CHECK(mod != NULL && name != NULL);
    qn_device *const dev = mod->device;
    const uint64_t object = texture ? texture->object : 0;
    qn_addr at;
    uint64_t bytes;
    if (dev->backend->texture_open || dev->backend->no_textures)
        return qn__fail(QN_E_UNSUPPORTED,
                        "%s: its compiler knows no texture references: pass a cudaTextureObject_t",
                        dev->info.id);
    if (texture && texture->device != dev)
        return qn__fail(QN_E_INVALID, "%s: the texture belongs to another device than %s", name,
                        dev->info.id);
    QN_TRY(qn_module_find_global(&at, &bytes, mod, name));
    if (bytes != sizeof object)
        return qn__fail(QN_E_INVALID, "%s: a variable of %llu bytes, no texture reference", name,
                        (unsigned long long)bytes);
    return qn_memory_upload(dev, at, &object, sizeof object, NULL);
}

uint64_t qn_texture_get_surface(const qn_texture *t)
{
    return t->surface;
}
uint64_t qn_texture_get_bytes(const qn_texture *t)
{
    return t->bytes;
}

static qn_status copy(qn_texture *t, enum qn__copy kind, void *host)
{
    if (t->options.data)
        return qn__fail(QN_E_INVALID, "this texture's memory is the caller's: copy there");
    if (!t->device->backend->texture_copy)
        return kind == QN__COPY_UPLOAD
                   ? qn_memory_upload(t->device, t->texels, host, t->bytes, NULL)
                   : qn_memory_download(t->device, host, t->texels, t->bytes, NULL);
    QN_TRY(qn__device_wait(t->device));
    return t->device->backend->texture_copy(t, kind, host);
}

qn_status qn_texture_upload(qn_texture *t, const void *texels)
{
    QN_ARG_CHECK(t != NULL && texels != NULL);
    void *host;
    memcpy(&host, &texels, sizeof host); /* only read */
    return copy(t, QN__COPY_UPLOAD, host);
}

qn_status qn_texture_download(void *texels, qn_texture *t)
{
    QN_ARG_CHECK(t != NULL && texels != NULL);
    return copy(t, QN__COPY_DOWNLOAD, texels);
}
