/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries in the cache's folder (cache_folder.h). Nothing here is ever fatal: reading trouble is a
 * miss, writing trouble is counted and said once.
 */
#ifndef QN_RTC_CACHE_CACHE_DISK_H
#define QN_RTC_CACHE_CACHE_DISK_H

#include "base/hash.h"
#include "rtc/cache/entry.h"

#include <stdbool.h>

/* Look an entry up and verify it: its checksum, its own key, and its target. One that came from
 * elsewhere was asked for its signature when it came; here only whether its signer was revoked
 * since.
 * The caller owns *image; the log lives in the arena (both may be NULL).
 * QN_E_NOT_FOUND  no entry, or a bad one, which is in quarantine now (counted, said once) */
qn_status qn__disk_find(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
                        const char *key_hex, const char *target);

/* The same with the reason: QN_E_NOT_FOUND, QN_E_IO or QN_E_MEMORY, where nothing is known about
 * the entry; any other: it was bad, and is in quarantine now. */
qn_status qn__disk_load(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
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

#endif
