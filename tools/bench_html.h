/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of `quern bench` as one HTML page that needs nothing else: no script, no network. */
#ifndef QN_TOOLS_BENCH_HTML_H
#define QN_TOOLS_BENCH_HTML_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* runs[n - 1] is this run, those before it are earlier ones, oldest first. False after a complaint.
 */
bool qn__bench_html(const char *path, const json_t *const *runs, uint32_t n);

#endif
