/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays, as their copies and the textures over them see them. */
#ifndef QN_CUDART_ARRAYS_H
#define QN_CUDART_ARRAYS_H

#include "cudart/runtime.h"

struct cudaArray {
    struct cudaArray *next;
    struct qn__rt_device *device;
    qn_texture *texels;
    qn_texture_options options; /* of texels */
    cudaChannelFormatDesc format;
    cudaExtent extent; /* as it was asked for */
    unsigned int flags;
    size_t element_bytes, rows, slices; /* one of each at least */
};

/* The format in Quern's words; false: there is no such one. */
bool qn__rt_texel_of(qn_texel *texel, uint32_t *channels, size_t *bytes,
                     const cudaChannelFormatDesc *format);

/* An array that was made and not freed. */
bool qn__rt_is_array(const struct cudaArray *array);

/* Copy with arrays at one end or both. */
cudaError_t qn__rt_copy_arrays(const cudaMemcpy3DParms *p, cudaStream_t stream, const char *what);

/* With a device: its arrays, texture objects and what references are bound to. */
void qn__rt_arrays_close(struct qn__rt_device *d);
void qn__rt_textures_close(struct qn__rt_device *d);

#endif
