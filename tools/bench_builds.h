/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a source takes to become a module: rows of the kind "build". */
#ifndef QN_TOOLS_BENCH_BUILDS_H
#define QN_TOOLS_BENCH_BUILDS_H

#include <jansson.h>
#include <quern/quern.h>
#include <stdbool.h>

/* Three rows: "compiled" (three samples, the cache left out), "from disk" (finding the key, and
 * reading and verifying the entry), "from a bundle" (the same from a bundle of this one image, its
 * opening included). False where one of them could not be measured. */
bool qn__bench_builds(json_t *rows, qn_device *dev, const qn_source *source, const char *what);

#endif
