/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the cache folder within its bounds: by bytes and by number of entries, least recently used
 * first. */
#ifndef QN_RTC_CACHE_CACHE_BOUND_H
#define QN_RTC_CACHE_CACHE_BOUND_H

#include "base/error.h"

#include <stdint.h>

struct qn__cache_bounds {
    uint64_t bytes, entries;
};

/* QUERN_CACHE_MAX_BYTES ("500M", "2G") and QUERN_CACHE_MAX_ENTRIES, else 2 GiB and 50,000. */
struct qn__cache_bounds qn__cache_bounds(void);

/* Remove entries until nine tenths of each bound hold, if one is exceeded: first those that were
 * set aside as damaged, then the least recently used. root: the cache folder's descriptor.
 * *removed: how many were removed that were of use. Other processes may do the same at the same
 * time. QN_E_IO, QN_E_MEMORY: not all entries could be seen, so no image was removed. */
qn_status qn__cache_bound(uint64_t *removed, int root, const struct qn__cache_bounds *bounds);

#endif
