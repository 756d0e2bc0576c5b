/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/cache.h: the kernel cache in front of the compilers.
 *
 * Folder: $QUERN_CACHE_DIR, else $XDG_CACHE_HOME/quern, else ~/.cache/quern. Trouble with the disk
 * never fails a kernel: one warning through the log callback, then memory only.
 *
 * After the folder a cache that machines share over HTTP is asked where QUERN_REMOTE=https://...
 * names one (QUERN_REMOTE_PUT=1 and a key to sign with in QUERN_REMOTE_KEY to store there too).
 * With QUERN_BUNDLE_KEYS only what one of those keys has signed is taken from it. Trouble with it
 * never fails a kernel either.
 *
 * Before the folder come bundles (bundle.h): those added here, those QUERN_BUNDLE names
 * (separated by colons), PROGRAM.qnb beside the program, and *.qnb in $PREFIX/share/quern/bundles
 * and /usr/share/quern/bundles. A bundle is asked first, by source and target and not by compiler:
 * whoever ships one decides what runs.
 *
 * QUERN_CACHE_MODE says what a process may do:
 *
 *     normal     look up; compile and store what is missing
 *     read-only  look up; compile what is missing; write nothing
 *     must-hit   look up; what is missing is QN_E_CACHE_MISS, and the message says how the nearest
 *                entry differs
 *     off        compile
 *     refresh    compile and store
 */
#ifndef QUERN_CACHE_H
#define QUERN_CACHE_H

#include <quern/compile.h>
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
    uint64_t bundle_hits;
} qn_cache_counters;

QN_API void qn_cache_get_counters(qn_cache_counters *out);

/* The same over all processes that used the folder, from the time its numbers begin. A process
 * writes its own down when it stores an entry and when it ends, so one that was killed leaves its
 * last ones out; one that may not write there, or opened no folder because bundles had everything,
 * is not in it. qn_cache_clear() starts from 0. QN_E_IO: no folder is in use */
typedef struct qn_cache_totals {
    int64_t since_s; /* seconds since 1970; 0: nothing was counted yet */
    uint64_t processes;
    qn_cache_counters counters;
} qn_cache_totals;

QN_CHECKED qn_status qn_cache_get_totals(qn_cache_totals *out);

/* Start those numbers from 0; entries stay. Processes that run add what they count from then on,
 * and what they had counted and not yet written down. QN_E_IO: no folder is in use, or the numbers
 * cannot be removed */
QN_CHECKED qn_status qn_cache_zero_totals(void);

/* How large the folder may grow: QUERN_CACHE_MAX_BYTES and QUERN_CACHE_MAX_ENTRIES, or what they
 * are by default. Either pointer may be NULL. */
QN_API void qn_cache_get_limits(uint64_t *bytes, uint64_t *entries);

/* The folder in use, or "" with the reason in *why (static or process-lifetime strings; why may be
 * NULL) when the cache is memory only. */
QN_API const char *qn_cache_get_dir(const char **why);

/* "nfs", "lustre", "fuse", ...: the folder lies on a network file system; "" where it does not. It
 * is used all the same, without locks, and a warning says so once. */
QN_API const char *qn_cache_get_network(void);

/* Add a bundle, after those added before. It stays for the life of the process, and so
 * must the bytes of the second form (an MPI rank may have got them from another).
 * QN_E_IO, QN_E_CORRUPT (damaged, or not signed by a key of QUERN_BUNDLE_KEYS), QN_E_UNSUPPORTED */
QN_CHECKED qn_status qn_cache_add_bundle(const char *path);
QN_CHECKED qn_status qn_cache_add_bundle_bytes(const char *name, const void *bytes,
                                               size_t size_bytes);

/* "normal", "read-only", "must-hit", "off" or "refresh", from now on. QN_E_INVALID */
QN_CHECKED qn_status qn_cache_set_mode(const char *name);

/* -- what is in the folder -- */

typedef struct qn_cache_entry {
    const char *key;      /* 64 hex digits */
    const char *target;   /* "" where the entry is damaged, as the rest */
    const char *compiler; /* as qn_image_info */
    const char *name;     /* of the main source file */
    qn_image_kind kind;
    uint64_t size_bytes; /* of the file */
    int64_t used_s;      /* last use, seconds since 1970, to the hour */
    const char *origin;  /* as qn_image_get_origin() */
    const char *signer;
    bool is_verified; /* as qn_image_is_verified() */
} qn_cache_entry;

/* List the entries, those used last first. Heads are read, payloads are not: qn_cache_verify() does
 * that. The caller owns *out: free(*out) (strings are in the same piece). QN_E_IO, QN_E_MEMORY */
QN_CHECKED qn_status qn_cache_list(const qn_cache_entry **out, uint32_t *n);

/* Load an entry, verified. key: 64 hex digits, or 8 or more of the first ones.
 * The caller owns *out. QN_E_NOT_FOUND; QN_E_INVALID (several begin so); QN_E_CORRUPT (it was set
 * aside); QN_E_IO, QN_E_MEMORY */
QN_CHECKED qn_status qn_cache_load(qn_image **out, const char *key);

typedef struct qn_cache_report {
    uint64_t entries, bytes; /* looked at */
    uint64_t removed, removed_bytes;
} qn_cache_report;

/* Read every entry whole; the damaged ones are set aside and counted as removed. QN_E_IO,
 * QN_E_MEMORY: something could not be read, and nothing is known about it. */
QN_CHECKED qn_status qn_cache_verify(qn_cache_report *out);

/* Remove the least recently used entries until the bounds hold; 0: those of the environment.
 * QN_E_IO, QN_E_MEMORY: not all could be seen, so none is removed. */
QN_CHECKED qn_status qn_cache_gc(qn_cache_report *out, uint64_t max_bytes, uint64_t max_entries);

/* Remove everything but the numbers of the newest signed bundles, which protect from older ones.
 * Programs that run meanwhile make what they need again. */
QN_CHECKED qn_status qn_cache_clear(qn_cache_report *out);

/* -- what the library says -- */

/* Warnings and notes of the library (one line each, no newline). NULL callback: stderr for warnings
 * unless QUERN_LOG=quiet; QUERN_LOG=debug shows everything. Call before other threads start. */
typedef enum qn_log_level { QN_LOG_DEBUG, QN_LOG_INFO, QN_LOG_WARNING } qn_log_level;
typedef void (*qn_log_callback)(qn_log_level level, const char *line, void *payload);
QN_API void qn_log_set_callback(qn_log_callback callback, void *payload);

#ifdef __cplusplus
}
#endif
#endif
