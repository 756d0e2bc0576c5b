/* SPDX-License-Identifier: Apache-2.0
 *
 * Files: read whole, write so that a reader sees the old file or the new one and never half. */
#ifndef QN_BASE_FILE_H
#define QN_BASE_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read a regular file of at most limit_bytes. *bytes has a 0 after it (not counted); free() it.
 * QN_E_IO; QN_E_LIMIT when larger. */
qn_status qn__file_read(char **bytes, size_t *n, const char *path, size_t limit_bytes);

/* May a new file be renamed over `path`? A device, a pipe or a folder would be lost that way.
 * QN_E_IO */
qn_status qn__file_check_replaceable(const char *path);

/* Write beside `path` under a private name, fsync, rename over it. Nothing is left behind on
 * failure. mode as for open(2). QN_E_IO */
qn_status qn__file_write_atomic(const char *path, const void *bytes, size_t n, unsigned mode);

/* Make the folder and its parents (mode for those made). QN_E_IO */
qn_status qn__file_make_dirs(const char *path, unsigned mode);

bool qn__file_exists(const char *path);
bool qn__file_is_dir(const char *path);
bool qn__file_is_executable(const char *path);

/* "a/b" from "a" and "b"; malloc'd, NULL when out of memory. An absolute b is returned alone. */
char *qn__path_join(const char *a, const char *b);

/* Folder part of a path, "." when it has none; malloc'd. */
char *qn__path_dir(const char *path);
const char *qn__path_base(const char *path); /* after the last '/', inside `path` */

/* Folder of the program that runs (/proc/self/exe); false where unknown. */
bool qn__path_of_program(char *out, size_t capacity);

/* A new private folder under $TMPDIR or /tmp. free() the name. QN_E_IO */
qn_status qn__temp_dir_create(char **out);
/* From now on below that folder, whose name is borrowed; to be called before other threads run. */
void qn__temp_dirs_go_to(const char *folder);
/* Remove a folder and all in it, at most 64 levels deep; errors are ignored. */
void qn__temp_dir_remove(const char *path);

/* Find a program in PATH; malloc'd name or NULL. What others may have put there is left out
 * (trust.h has `how`; NULL asks no such question); a name with a / is taken as it is, from the
 * working folder. */
char *qn__find_program(const char *name, const char *how);

/* Milliseconds of a clock that only goes forward. */
double qn__now_ms(void);

#endif
