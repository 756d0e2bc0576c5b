/* SPDX-License-Identifier: Apache-2.0
 *
 * An image: immutable, counted, one allocation arena. rtc/ makes and stores them, backends load
 * them. */
#ifndef QN_RUNTIME_IMAGE_H
#define QN_RUNTIME_IMAGE_H

#include "base/arena.h"
#include "base/signature.h"

#include <quern/compile.h>
#include <stdatomic.h>

struct qn_image {
    atomic_uint refs;
    struct qn__arena arena; /* holds everything below */
    qn_image_info info;     /* info.bytes: payload, 0 behind it */
    struct qn__reflection reflection;
    const void *reflection_wire; /* as stored in entries */
    size_t reflection_wire_n;
};

/* Copies everything; reflection comes in its wire form (n 0: nothing is known). The caller owns one
 * reference. QN_E_CORRUPT (reflection), QN_E_MEMORY */
qn_status qn__image_create(qn_image **out, const char *target, const char *compiler,
                           qn_image_kind kind, const void *bytes, size_t n, const void *reflection,
                           size_t reflection_n);

#endif
