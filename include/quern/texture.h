/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/texture.h: textures and surfaces, for kernels that take a cudaTextureObject_t or
 * cudaSurfaceObject_t.
 *
 * A qn_texture owns its texels and says how they are read. qn_texture_get_object() is the kernel's
 * argument, a number of 64 bits, and may lie in a struct that kernels follow. On CUDA it is the
 * driver's own object over an array of the driver's. On OpenCL and on cpu:0 translated kernels
 * compute what the hardware would (docs/textures.md), and the number is the address of a
 * description in device memory. HIP devices are refused. There is one level of detail.
 *
 * Functions that copy do so at once, after everything queued on any stream of the device, as those
 * of memory.h do without a stream.
 */
#ifndef QUERN_TEXTURE_H
#define QUERN_TEXTURE_H

#include <quern/memory.h>
#include <quern/module.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_texture qn_texture;

typedef enum qn_texture_kind {
    QN_TEXTURE_2D = 0, /* tex2D, tex2Dgather */
    QN_TEXTURE_1D,
    QN_TEXTURE_3D,
    QN_TEXTURE_1D_LAYERED,
    QN_TEXTURE_2D_LAYERED,
    QN_TEXTURE_CUBE,   /* width x width, six faces: +x -x +y -y +z -z */
    QN_TEXTURE_LINEAR, /* tex1Dfetch: `width` texels of the caller's memory at `data` */
} qn_texture_kind;

typedef enum qn_texel {
    QN_TEXEL_U8 = 0,
    QN_TEXEL_I8,
    QN_TEXEL_U16,
    QN_TEXEL_I16,
    QN_TEXEL_U32,
    QN_TEXEL_I32,
    QN_TEXEL_F16,
    QN_TEXEL_F32,
} qn_texel;

/* What lies outside. Wrap and mirror need normalised coordinates; without, CUDA clamps. */
typedef enum qn_texture_address {
    QN_ADDRESS_CLAMP = 0, /* the texel at the edge */
    QN_ADDRESS_WRAP,
    QN_ADDRESS_MIRROR,
    QN_ADDRESS_BORDER, /* `border` */
} qn_texture_address;

/* Zero means default everywhere; width and channels have none. */
typedef struct qn_texture_options {
    qn_texture_kind kind;
    qn_texel texel;
    uint32_t channels; /* 1, 2 or 4 */
    uint32_t width;
    uint32_t height;               /* of 2D, 2D layered and 3D; else 0 */
    uint32_t depth;                /* of 3D; the layers of layered ones; else 0 */
    qn_texture_address address[3]; /* per axis; clamp for cubes */
    bool linear;                   /* blend the nearest texels; else take the nearest */
    /* Reads give floats in [0, 1] or [-1, 1], of integers of 8 and 16 bits. Without, integers stay
     * what they are and cannot be blended. */
    bool normalized_read;
    bool normalized_coordinates; /* 0 to 1 is the whole axis; else texels. Cubes have none */
    float border[4];             /* 0 where reads give integers */
    qn_addr data;         /* the caller's texels, of QN_TEXTURE_LINEAR, and of QN_TEXTURE_2D with
                           * pitch_bytes: borrowed until qn_texture_destroy() */
    uint32_t pitch_bytes; /* of `data`, from one row to the next: a multiple of a texel's bytes */
    /* Read the texels of this one, in another way; NULL: of its own. Kind, format and sizes are
     * the same, and it is destroyed after this one. */
    const struct qn_texture *of;
} qn_texture_options;

/* Make a texture; its texels are undefined. The caller owns *out: qn_texture_destroy() before
 * qn_device_close().
 * QN_E_INVALID        an option is out of range or does not fit another; the message says which
 * QN_E_LIMIT          more texels than the device takes
 * QN_E_DEVICE_MEMORY  as qn_memory_alloc()
 * QN_E_UNSUPPORTED    a HIP device */
QN_CHECKED qn_status qn_texture_create(qn_texture **out, qn_device *dev,
                                       const qn_texture_options *options);

/* Give it back; NULL is fine. Waits for everything queued on the device's streams.
 * QN_E_FAULT, QN_E_TIMEOUT  as qn_memory_free(); after QN_E_TIMEOUT nothing is given back */
QN_API qn_status qn_texture_destroy(qn_texture *texture);

/* The cudaTextureObject_t and the cudaSurfaceObject_t; the second is 0 where there is `data`.
 * Kernels that write the surface and read the texture see in one launch what was there before. */
QN_API uint64_t qn_texture_get_object(const qn_texture *texture);
QN_API uint64_t qn_texture_get_surface(const qn_texture *texture);

/* Let a texture reference of the module, `texture<float, 2> name;`, or a surface reference stand
 * for this texture, in launches from now on; NULL: for none. Waits for everything queued on the
 * device's streams. What the source's host part sets in the reference's members has no effect.
 * QN_E_NOT_FOUND    no reference of that name that a kernel uses
 * QN_E_INVALID      that variable is none
 * QN_E_UNSUPPORTED  a CUDA or HIP device: their compilers know no references (CUDA since 12) */
QN_CHECKED qn_status qn_texture_bind(qn_module *mod, const char *name, const qn_texture *texture);

/* How many bytes all texels are: rows without gaps, then slices, layers or faces. */
QN_API uint64_t qn_texture_get_bytes(const qn_texture *texture);

/* Copy all texels, qn_texture_get_bytes() of them.
 * QN_E_INVALID              there is `data`: that memory is the caller's
 * QN_E_FAULT, QN_E_TIMEOUT  as qn_memory_upload() without a stream */
QN_CHECKED qn_status qn_texture_upload(qn_texture *texture, const void *texels);
QN_CHECKED qn_status qn_texture_download(void *texels, qn_texture *texture);

#ifdef __cplusplus
}
#endif
#endif
