/* SPDX-License-Identifier: Apache-2.0
 *
 * What the cache did, counted by every thread: the numbers that qn_cache_get_counters() and, over
 * processes, qn_cache_get_totals() report. */
#ifndef QN_RTC_CACHE_COUNTERS_H
#define QN_RTC_CACHE_COUNTERS_H

#include <quern/cache.h>
#include <stdatomic.h>
#include <stdint.h>

/* The only list; a new counter goes at its end, because the file of totals has them in this order.
 */
#define QN__COUNTERS(COUNTER)                                                                      \
    COUNTER(memory_hits)                                                                           \
    COUNTER(disk_hits)                                                                             \
    COUNTER(bundle_hits)                                                                           \
    COUNTER(remote_hits)                                                                           \
    COUNTER(misses)                                                                                \
    COUNTER(compiles)                                                                              \
    COUNTER(compile_us)                                                                            \
    COUNTER(helpers_started)                                                                       \
    COUNTER(quarantined)                                                                           \
    COUNTER(publish_errors)                                                                        \
    COUNTER(remote_puts)                                                                           \
    COUNTER(remote_errors)

struct qn__counters {
#define QN__FIELD(name) atomic_uint_least64_t name;
    QN__COUNTERS(QN__FIELD)
#undef QN__FIELD
};

/* The same numbers at one moment. */
struct qn__counts {
#define QN__FIELD(name) uint64_t name;
    QN__COUNTERS(QN__FIELD)
#undef QN__FIELD
};

extern struct qn__counters qn__counters;

void qn__counts_now(struct qn__counts *out);
void qn__counts_publish(qn_cache_counters *out,
                        const struct qn__counts *c); /* as people see them */

static inline void qn__count(atomic_uint_least64_t *counter, uint64_t n)
{
    atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

#endif
