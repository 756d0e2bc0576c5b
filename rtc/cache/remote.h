/* SPDX-License-Identifier: Apache-2.0
 *
 * A cache that machines share, over HTTP: GET and PUT of $QUERN_REMOTE/KEY, as nginx with WebDAV,
 * bazel-remote or an object store offer it. Off unless QUERN_REMOTE is set, and asked only where
 * memory and disk have no entry.
 *
 * It can cost a bounded time and never a kernel: what arrives is verified like an entry from disk,
 * and any trouble is a miss, counted, said once, after which the server is left alone for a while.
 *
 * A checksum finds damage, not malice, so entries are signed (signed_entry.h). Storing needs a
 * switch (QUERN_REMOTE_PUT=1) and a secret key (QUERN_REMOTE_KEY, a file); reading needs none. A
 * signature that is there must be right; with QUERN_BUNDLE_KEYS it must be there, and of a key that
 * is trusted. That is asked once, here: on disk the entry has its origin and no signature.
 *
 * Reading and storing may have a login each (QUERN_REMOTE_LOGIN, QUERN_REMOTE_PUT_LOGIN), and one
 * is never sent for the other.
 *
 * Only images that compilers made go there. A driver's own binaries stay on their machine.
 */
#ifndef QN_RTC_CACHE_REMOTE_H
#define QN_RTC_CACHE_REMOTE_H

#include "rtc/cache/entry.h"

/* Fetch and verify an entry. The caller owns *image, which has its origin; the log lives in the
 * arena.
 * QN_E_NOT_FOUND  there is none, or no remote, or trouble, or nobody who is trusted signed it */
qn_status qn__remote_find(qn_image **image, struct qn__entry_log *said, struct qn__arena *arena,
                          const char *key_hex, const char *target);

/* Would an entry be stored now? */
bool qn__remote_takes(void);

/* Sign and store an entry (of the kind QN__ENTRY_FOR_AWAY), where that is asked for. */
void qn__remote_publish(const char *key_hex, const struct qn__str *entry);

#endif
