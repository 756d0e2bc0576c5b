/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking through the entries of the cache folder, for lists and for the question why something was
 * not found. */
#ifndef QN_RTC_CACHE_CACHE_LIST_H
#define QN_RTC_CACHE_CACHE_LIST_H

#include "rtc/cache/entry.h"

#include <sys/stat.h>

/* Called for each entry; summary is NULL where head or fields are damaged, and lives until the call
 * returns. False ends the walk. */
typedef bool qn__disk_visitor(void *payload, const char *key, const struct stat *st,
                              const struct qn__entry_summary *summary);

/* Reads heads and fields, not payloads. Entries that vanish meanwhile are left out.
 * QN_E_IO, QN_E_MEMORY: something could not be read; the rest was visited all the same. */
qn_status qn__disk_walk(qn__disk_visitor *visit, void *payload);

/* The name of the main source in an image's fields; "" where there is none. *n: its length. */
const char *qn__fields_name(size_t *n, const char *fields);

#endif
