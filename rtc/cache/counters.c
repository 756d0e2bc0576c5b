/* SPDX-License-Identifier: Apache-2.0
 *
 * Process-wide counters; relaxed, because they are read for reports and order nothing. */
#include "rtc/cache/counters.h"

#include <quern/cache.h>

struct qn__counters qn__counters;

void qn__counts_now(struct qn__counts *out)
{
#define QN__READ(name) out->name = atomic_load_explicit(&qn__counters.name, memory_order_relaxed);
    QN__COUNTERS(QN__READ)
#undef QN__READ
}

void qn__counts_publish(qn_cache_counters *out, const struct qn__counts *c)
{
    *out = (qn_cache_counters){
        .memory_hits = c->memory_hits,
        .disk_hits = c->disk_hits,
        .bundle_hits = c->bundle_hits,
        .misses = c->misses,
        .compiles = c->compiles,
        .quarantined = c->quarantined,
        .publish_errors = c->publish_errors,
        .compile_ms = (double)c->compile_us * 1e-3,
        .helpers_started = c->helpers_started,
        .remote_hits = c->remote_hits,
        .remote_puts = c->remote_puts,
        .remote_errors = c->remote_errors,
    };
}

void qn_cache_get_counters(qn_cache_counters *out)
{
    struct qn__counts now;
    qn__counts_now(&now);
    qn__counts_publish(out, &now);
}
