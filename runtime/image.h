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

/* Where an image belongs in caches and bundles (rtc/key/key.h): digests in hex, the key's fields
 * one a line, and for a driver's binary the block shapes it is complete for. "" where unknown. */
struct qn__image_notes {
    const char *key, *request, *source, *fields, *shapes;
};

/* Who made it, as far as this machine can tell: not what the image says of itself, but what was
 * found when it came here (rtc/cache/origin.h). from: "here", "server URL", "bundle FILE", or ""
 * where unknown. signer: the public key whose signature was right, 64 hex digits, or "". */
struct qn__image_origin {
    const char *from, *signer;
};

struct qn_image {
    atomic_uint refs;
    struct qn__arena arena; /* holds everything below */
    void *block;            /* but the payload, where that was adopted; else NULL */
    qn_image_info info;     /* info.bytes: payload, 0 after it; NULL: let go */
    struct qn__reflection reflection;
    const void *reflection_wire; /* as stored in entries */
    size_t reflection_wire_n;
    struct qn__image_notes notes;
    struct qn__image_origin origin;
};

/* Copies everything; reflection comes in its wire form (n 0: nothing is known). The caller owns one
 * reference. QN_E_CORRUPT (reflection), QN_E_MEMORY */
qn_status qn__image_create(qn_image **out, const char *target, const char *compiler,
                           qn_image_kind kind, const void *bytes, size_t n, const void *reflection,
                           size_t reflection_n);

/* The same for bytes inside a block from malloc(), with a 0 after them: they are not copied, and
 * the block goes with the image, or at once on a failure. */
qn_status qn__image_adopt(qn_image **out, const char *target, const char *compiler,
                          qn_image_kind kind, void *block, const void *bytes, size_t n,
                          const void *reflection, size_t reflection_n);

/* Copy the notes into an image that is not shared yet. QN_E_MEMORY */
qn_status qn__image_note(qn_image *image, const struct qn__image_notes *notes);
qn_status qn__image_set_origin(qn_image *image, const struct qn__image_origin *origin);

#endif
