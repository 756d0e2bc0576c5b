/* SPDX-License-Identifier: Apache-2.0
 *
 * What the cache calls its files. Any other file in its folder is never removed, and a folder with
 * other files that has not been the cache's before is refused (QUERN_CACHE_DIR=$HOME). */
#ifndef QN_RTC_CACHE_CACHE_NAMES_H
#define QN_RTC_CACHE_CACHE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The folder of bundle_serials.h, which stays when the cache is cleared. */
extern const char qn__cache_serials[];

/* An entry of images/, quarantine/, probes/, headers/, locks/ or serials/: 64 hexadecimal digits.
 */
bool qn__cache_is_key(const char *name);

/* A file of tmp/: what qn__cache_temporary() makes, and "totals-" with a process's number. */
bool qn__cache_is_temporary(const char *name);
void qn__cache_temporary(char *out, size_t capacity, unsigned serial, unsigned random);

/* Is `name` one of ours in this folder below the root? */
bool qn__cache_is_ours(const char *folder, const char *name);

/* True when the folder has only our files in it, or has been the cache's before; else *out names
 * one that is not ours. Hidden files do not count. */
bool qn__cache_is_own(char *out, size_t capacity, int root);

#endif
