/* SPDX-License-Identifier: Apache-2.0
 *
 * From a request to its image; lookup.c shows the way. Logs may be NULL. */
#ifndef QN_RTC_LOOKUP_H
#define QN_RTC_LOOKUP_H

#include "rtc/cache/bundle_layers.h"
#include "rtc/key/request.h"

/* The image, from memory, disk or a compiler (not from bundles); fills log (may be NULL). */
qn_status qn__lookup_image(qn_image **out, struct qn__request *r, qn_log *log);

/* Set the request's image aside in every layer: a driver refused it. */
void qn__lookup_forget(struct qn__request *r, const char *reason);

/* Is there a bundle, and may it answer this request? */
bool qn__lookup_may_ask_bundles(const struct qn__request *r);

/* The image from a bundle: for the request's own target, or with `device`, the best that runs
 * there. A driver that refuses it: count n_refused up and ask again. QN_E_NOT_FOUND */
qn_status qn__lookup_bundle(qn_image **out, struct qn__request *r, const struct qn__target *device,
                            qn_log *log);

/* The two halves of that, for a caller that looks before it reads. */
uint32_t qn__lookup_rows(struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX],
                         const struct qn__request *r, const struct qn__target *device, bool exact);
qn_status qn__lookup_read(qn_image **out, const struct qn__bundle_hit *hit, struct qn__request *r,
                          qn_log *log);

/* Fail with QN_E_CACHE_MISS and the reason: for mode must-hit. */
qn_status qn__lookup_miss(const struct qn__request *r);

#endif
