/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/cache.h: the kernel cache in front of the compilers.
 *
 * Folder: $QUERN_CACHE_DIR, else $XDG_CACHE_HOME/quern, else ~/.cache/quern. Trouble with the disk
 * never fails a kernel: one warning through the log callback, then memory only.
 *
 * Behind the folder there may be a cache that machines share over HTTP (QUERN_REMOTE=http://...;
 * QUERN_REMOTE_PUT=1 to store there too). Trouble with it never fails a kernel either.
 */
#ifndef QUERN_CACHE_H
#define QUERN_CACHE_H

#include <quern/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Since the process started. */
typedef struct qn_cache_counters {
    uint64_t memory_hits, disk_hits, misses, compiles, quarantined, publish_errors;
    double compile_ms;
    uint64_t helpers_started;
    uint64_t remote_hits, remote_puts, remote_errors;
} qn_cache_counters;

QN_API void qn_cache_get_counters(qn_cache_counters *out);

/* The folder in use, or "" with the reason in *why (static or process-lifetime strings; why may be
 * NULL) when the cache is memory only. */
QN_API const char *qn_cache_get_dir(const char **why);

/* Warnings and notes of the library (one line each, no newline). NULL callback: stderr for warnings
 * unless QUERN_LOG=quiet; QUERN_LOG=debug shows everything. Call before other threads start. */
typedef enum qn_log_level { QN_LOG_DEBUG, QN_LOG_INFO, QN_LOG_WARNING } qn_log_level;
typedef void (*qn_log_callback)(qn_log_level level, const char *line, void *payload);
QN_API void qn_log_set_callback(qn_log_callback callback, void *payload);

#ifdef __cplusplus
}
#endif
#endif
