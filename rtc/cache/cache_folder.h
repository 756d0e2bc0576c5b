/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache's folder.
 *
 *     images/ab/abcdef...   one entry (entry.h) per key, 0600; its mtime is when it was last used
 *     compilers/NAME        which compiler was found, and its identity (rtc/key/compilers.h)
 *     probes/KEY            what a device was found to be able to do (rtc/probe.c)
 *     drivers/KEY           how a driver behaved when it was tried out (rtc/key/driver_record.h)
 *     builds/KEY            held while an OpenCL driver builds that key for the first time; or why
 *                           it must not (rtc/build_mark.h)
 *     headers/KEY           which headers of the machine an image was made with: its key is made
 *                           from this one and theirs (rtc/key/header_notes.h)
 *     serials/KEY           the newest bundle of a signer and name (bundle_serials.h)
 *     locks/KEY             held while one process compiles that key, so that others may wait
 *     locks/compile-N       held for each compile that runs on this machine (slots.h)
 *     tmp/                  files being written; never searched for entries
 *     totals                counters of all processes (totals.h)
 *     on-a-network          the warning about a network file system was given
 *     quarantine/KEY        entries that turned out damaged or were refused by a driver
 *
 * The root is ours alone (0700, our user, no symbolic link, nothing else in it: cache_names.h),
 * which is why nothing below it needs more than "do not follow a link". Nothing here is ever fatal:
 * reading trouble is a miss, writing trouble is counted and said once.
 */
#ifndef QN_RTC_CACHE_CACHE_FOLDER_H
#define QN_RTC_CACHE_CACHE_FOLDER_H

#include "base/str.h"

#include <dirent.h>
#include <stdbool.h>
#include <sys/stat.h>

enum { QN__CACHE_NAME_BYTES = 160 }; /* room for a file's name below the root */

/* The folder, opened at the first call of the process; "" with the reason in *why (may be NULL). */
const char *qn__folder_dir(const char **why);

/* Its descriptor, for names below it; -1: memory only. */
int qn__folder_root(void);
/* The same without opening it: -1 also before the first call that opens it. */
int qn__folder_root_in_use(void);

/* Open a folder below `at` to look through it; *out is NULL where there is none. QN_E_IO */
qn_status qn__folder_list(DIR **out, int at, const char *name);
/* Its next name. NULL at its end, and where it cannot be read on: that is *status, unless there was
 * trouble before. */
const struct dirent *qn__folder_next(qn_status *status, DIR *d, const char *name);

/* A folder below the root, made where it is not there. */
bool qn__folder_make(const char *name);

/* Read a regular file that only we may write, whole, with a 0 after it; free() it. *st: which file
 * it was. Its last use is recorded.
 * QN_E_NOT_FOUND, QN_E_CORRUPT, QN_E_IO, QN_E_MEMORY */
qn_status qn__folder_read_file(char **bytes, size_t *n, struct stat *st, const char *name);

/* The same for a caller that wants only the bytes; NULL: none, or not ours. */
char *qn__folder_read(size_t *n, const char *name);

/* Put a file in its place, whole or not at all; the folders above it are made. */
void qn__folder_write(const char *name, const struct qn__str *bytes);

/* Small files that begin with a checksum: NULL when missing, unreadable or damaged; free() the
 * bytes. */
char *qn__folder_read_record(size_t *n, const char *name);
void qn__folder_write_record(const char *name, const struct qn__str *bytes);

#endif
