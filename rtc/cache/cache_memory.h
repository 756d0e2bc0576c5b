/* SPDX-License-Identifier: Apache-2.0
 *
 * Images this process has used, and single flight: threads that ask for the same key at the same
 * time share one compile. */
#ifndef QN_RTC_CACHE_CACHE_MEMORY_H
#define QN_RTC_CACHE_CACHE_MEMORY_H

#include "base/str.h"
#include "runtime/image.h"

struct qn__flight; /* a key that one thread is working on */

/* What a flight ended with, beside the image. Strings are malloc'd or NULL. */
struct qn__flight_end {
    qn_status status;
    char *text, *raw; /* of a failed compile */
};

/* One of three things happens:
 *   *image is set: a hit, the caller owns a reference.
 *   *flight is set: no thread has it; the caller makes it and ends with qn__memory_leave().
 *   neither: another thread tried and failed; *end holds copies of its texts, which the
 *            caller frees, and its status and message are this call's. */
qn_status qn__memory_enter(qn_image **image, struct qn__flight **flight, struct qn__flight_end *end,
                           const char *key_hex);

/* End a flight with an image (for the threads that wait; and with `keep` for later, with a
 * reference of the cache's own) or, with image NULL, with this thread's message and `s`. text and
 * raw are copied and may be NULL. */
void qn__memory_leave(struct qn__flight *flight, qn_image *image, bool keep, qn_status s,
                      const char *text, const char *raw);

/* The image, with a reference for the caller, or NULL. Never waits. */
qn_image *qn__memory_get(const char *key_hex);

/* Keep, replace or forget (image NULL) an image. */
void qn__memory_put(const char *key_hex, qn_image *image);

#endif
