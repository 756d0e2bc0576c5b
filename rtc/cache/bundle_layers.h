/* SPDX-License-Identifier: Apache-2.0
 *
 * The bundles in front of the disk cache, and the search through them.
 *
 * In order: those added by qn_cache_add_bundle(); QUERN_BUNDLE, a list with colons; PROGRAM.qnb
 * beside the program; every *.qnb in the system's folders ($PREFIX/share/quern/bundles and
 * /usr/share/quern/bundles). Those that are not named but found must be trusted (base/trust.h).
 * They are opened at the first search and stay open. A bundle that is damaged or not trusted is
 * reported once and left out. */
#ifndef QN_RTC_CACHE_BUNDLE_LAYERS_H
#define QN_RTC_CACHE_BUNDLE_LAYERS_H

#include "rtc/cache/bundle_file.h"
#include "runtime/target.h"

struct qn__bundle_hit {
    const qn_bundle *bundle;
    uint32_t row;
    int rank; /* qn__target_rank() */
};
enum { QN__BUNDLE_HITS_MAX = 16 };

/* Entries of that source that run on the device, best first; of equal ones the earlier bundle's.
 * exact: only those for that very target. Returns how many. */
uint32_t qn__bundles_search(struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX], const char *source_hex,
                            const struct qn__target *device, bool exact);

/* Every bundle, for reports: NULL past the last. They are never closed. */
const qn_bundle *qn__bundles_get(uint32_t index);

#endif
