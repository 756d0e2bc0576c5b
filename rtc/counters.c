/* SPDX-License-Identifier: Apache-2.0
 *
 * Process-wide counters; relaxed, because they are read for reports and order nothing. */
#include "rtc/counters.h"

#include <quern/cache.h>

struct qn__counters qn__counters;

static uint64_t get(atomic_uint_least64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

void qn_cache_get_counters(qn_cache_counters *out)
{
    struct qn__counters *c = &qn__counters;
    *out = (qn_cache_counters){
        .memory_hits = get(&c->memory_hits),
        .disk_hits = get(&c->disk_hits),
        .bundle_hits = get(&c->bundle_hits),
        .misses = get(&c->misses),
        .compiles = get(&c->compiles),
        .quarantined = get(&c->quarantined),
        .publish_errors = get(&c->publish_errors),
        .compile_ms = (double)get(&c->compile_us) * 1e-3,
        .helpers_started = get(&c->helpers_started),
        .remote_hits = get(&c->remote_hits),
        .remote_puts = get(&c->remote_puts),
        .remote_errors = get(&c->remote_errors),
    };
}
