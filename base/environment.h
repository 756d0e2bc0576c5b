/* SPDX-License-Identifier: Apache-2.0
 *
 * The one place where environment variables are read. A program that runs with the rights of
 * another user than the one who started it (set-user-ID, file capabilities) must not believe them:
 * there every variable counts as not set, no configuration file is read, nothing is written to a
 * cache, and only the helpers that were installed with the library are run. */
#ifndef QN_BASE_ENVIRONMENT_H
#define QN_BASE_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

/* NULL: not set. "" is a value. One of ours that is not set may have a line in a configuration file
 * (configuration.h): then it has the value that stands there. */
const char *qn__getenv(const char *name);

/* Is it set by whoever started the program, and not by a file? */
bool qn__is_in_environment(const char *name);

/* What the configuration files say; nothing for a privileged program. */
struct qn__conf;
const struct qn__conf *qn__configuration(void);

bool qn__is_privileged(void);

/* Folders for programs, as in PATH. */
const char *qn__program_path(void);

/* A number for what all variables hold; another one when any has changed. */
uint64_t qn__environment_now(void);

/* The same of those that say where programs and libraries are to be found, ours among them. */
uint64_t qn__environment_of_search(void);

/* The same of those that programs take over from a shell: not its own notes (PWD, SHLVL, _), and
 * not ours. */
uint64_t qn__environment_of_programs(void);

#endif
