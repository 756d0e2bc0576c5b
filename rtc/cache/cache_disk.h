/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache's folder.
 *
 *     images/ab/abcdef...   one entry (entry.h) per key, 0600; its mtime is when it was last used
 *     compilers/NAME        which compiler was found, and its identity (compilers.h)
 *     probes/KEY            what a device was found able to do (probe.c)
 *     locks/KEY             held while one process compiles that key, so that others may wait
 *     locks/compile-N       held for each compile that runs on this machine (slots.h)
 *     tmp/                  files being written; nobody looks for entries here
 *     totals                counters of all processes (totals.h)
 *     on-a-network          it has been said that this is a network file system
 *     quarantine/KEY        entries that turned out damaged or were refused by a driver
 *
 * The root is ours alone (0700, our user, no symbolic link, nothing else in it: cache_names.h),
 * which is why nothing below it needs more than "do not follow a link". Nothing here is ever fatal:
 * reading trouble is a miss, writing trouble is counted and said once.
 */
#ifndef QN_RTC_CACHE_CACHE_DISK_H
#define QN_RTC_CACHE_CACHE_DISK_H

#include "base/hash.h"
#include "rtc/cache/entry.h"

#include <stdbool.h>

/* The folder, opened at the first call of the process; "" with the reason in *why (may be NULL). */
const char *qn__disk_dir(const char **why);

/* Descriptor of the folder, for walks through it (cache_list.c); -1: memory only. */
int qn__disk_root(void);
/* The same without opening it: -1 also when nobody has asked for it yet. */
int qn__disk_root_in_use(void);

/* A file of ours below the root, whole, with a 0 behind it; free() it. NULL: none, or not ours. */
char *qn__disk_read(size_t *n, const char *name);

/* Look an entry up and verify it: its checksum, its own key, and its target.
 * The caller owns *image; the log lives in the arena (both may be NULL).
 * QN_E_NOT_FOUND  no entry, or a bad one, which is in quarantine now (counted, said once) */
qn_status qn__disk_find(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
                        const char *key_hex, const char *target);

/* Put an entry in its place, whole or not at all. */
void qn__disk_publish(const char *key_hex, const struct qn__str *entry);

/* Take an entry out because of `reason` (a driver refused it, ...). */
void qn__disk_quarantine(const char *key_hex, const char *reason);

/* Wait a little for other processes that compile this key; only to avoid doing the work twice.
 * *lock is -1 when there is no lock, for whatever reason. True: the entry has appeared meanwhile.
 */
bool qn__disk_lock(int *lock, const char *key_hex);
void qn__disk_unlock(int lock, const char *key_hex);

/* Small files below the root, behind a checksum: NULL when missing, unreadable or damaged; free()
 * the bytes. */
char *qn__disk_read_record(size_t *n, const char *name);
void qn__disk_write_record(const char *name, const struct qn__str *bytes);

#endif
