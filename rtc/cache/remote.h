/* SPDX-License-Identifier: Apache-2.0
 *
 * A cache that machines share, over HTTP: GET and PUT of $QUERN_REMOTE/KEY, as nginx with WebDAV,
 * bazel-remote or an object store offer it. Off unless QUERN_REMOTE is set, and asked only where
 * memory and disk have no entry.
 *
 * It can cost a bounded time and never a kernel: what arrives is verified like an entry from disk,
 * and any trouble is a miss, counted, said once, after which the server is left alone for a while.
 * The checksum finds damage, not malice: anyone who may write to the server decides what code the
 * readers run, so writing has a switch of its own (QUERN_REMOTE_PUT=1).
 *
 * Only images that compilers made go there. A driver's own binaries stay on their machine.
 */
#ifndef QN_RTC_CACHE_REMOTE_H
#define QN_RTC_CACHE_REMOTE_H

#include "rtc/cache/entry.h"

/* Fetch and verify an entry; its bytes are appended to *bytes, for the disk. The caller owns
 * *image; the log lives in the arena.
 * QN_E_NOT_FOUND  there is none, or no remote, or trouble */
qn_status qn__remote_find(qn_image **image, struct qn__entry_log *said, struct qn__arena *arena,
                          struct qn__str *bytes, const char *key_hex, const char *target);

/* Store an entry, where that is asked for. */
void qn__remote_publish(const char *key_hex, const struct qn__str *entry);

#endif
