/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the helper programs are, and which library one lacks that did not start.
 *
 * There are two: `quern-translate` has the translator and links LLVM, `quern-rtc` has every other
 * compiler and links none. Which one a job needs follows from the name of its compiler. */
#ifndef QN_RTC_CLIENT_HELPER_FIND_H
#define QN_RTC_CLIENT_HELPER_FIND_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>

/* File of the program that runs that compiler, in the arena: what $QUERN_RTC or $QUERN_TRANSLATE
 * names, beside the running program, beside the library, libexec, PATH. One that is merely found
 * and that others may have put there (base/trust.h) is left out. QN_E_COMPILER  not found: the
 * message says where it was looked for */
qn_status qn__helper_find(const char **path, struct qn__arena *arena, const char *compiler);

/* The same without that question, as qn__locate_any() (rtc/job/locate.h). */
qn_status qn__helper_find_any(const char **path, struct qn__arena *arena, const char *compiler);

/* Open what was found, after another look at it, to run it by the descriptor: what is run is what
 * was looked at. -1: to be run by its name, which the user gave, or which is a script's in folders
 * that nobody else may write. QN_E_IO */
qn_status qn__helper_open(int *fd, const char *path, const char *compiler);

/* Does that variable name something that cannot be run? */
bool qn__helper_is_misnamed(const char *compiler);

/* If what a helper said while it died is the loader's complaint about a library, *out becomes
 * "cannot start, because the library ... is missing; ..." with what to install. */
bool qn__helper_lacks_library(struct qn__str *out, const char *said);

#endif
