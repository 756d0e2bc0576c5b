/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program hands to cuModuleLoadData(): an address, behind which there is one of several
 * formats, each of which says how long it is. */
#ifndef QN_CUDART_LOADED_IMAGE_H
#define QN_CUDART_LOADED_IMAGE_H

#include "cudart/driver.h"

struct qn__loaded_image {
    const char *name;            /* for messages; of a carried program */
    const unsigned char *fields; /* of a carried program (carried_program.h); NULL: bare bytes */
    const void *bytes;           /* a cubin or PTX */
    size_t n;
    char *owned_name, *owned_bytes;
};

/* Which one it is, if the device can run it; else the error, with its reason on stderr.
 *   limit  how many bytes there are; 0: not known */
CUresult qn__loaded_image_read(struct qn__loaded_image *out, const void *bytes, size_t limit,
                               const qn_device_info *device);
void qn__loaded_image_release(struct qn__loaded_image *image);

/* A carried program as text, in the place of PTX, which programs take for a string: lines of
 * hexadecimal digits. The caller owns it; NULL: no memory. */
char *qn__loaded_image_text(const void *bytes, size_t n);

#endif
