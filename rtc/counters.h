/* SPDX-License-Identifier: Apache-2.0
 *
 * What the cache did, counted by every thread: the numbers behind qn_cache_get_counters(). */
#ifndef QN_RTC_COUNTERS_H
#define QN_RTC_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

struct qn__counters {
    atomic_uint_least64_t memory_hits, disk_hits, misses, compiles, quarantined, publish_errors,
        helpers_started, compile_us, bundle_hits, remote_hits, remote_puts, remote_errors;
};

extern struct qn__counters qn__counters;

static inline void qn__count(atomic_uint_least64_t *counter, uint64_t n)
{
    atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

#endif
