/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast a device reads: the roof under which a token is decoded. */
#ifndef QN_ENGINE_BANDWIDTH_H
#define QN_ENGINE_BANDWIDTH_H

#include "base/error.h"

#include <quern/memory.h>

/* GB/s (10^9 bytes) of reading `bytes` at `memory`, as often as it takes to read 64 MB on a CPU, 2
 * GB on a GPU; the best of several passes. Memory smaller than a cache measures the cache, as a
 * model that small does. Errors: those of building and launching. */
qn_status qn__bandwidth_measure(double *out_gb_per_s, qn_device *dev, qn_addr memory,
                                uint64_t bytes);

#endif
