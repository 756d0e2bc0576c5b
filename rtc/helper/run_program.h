/* SPDX-License-Identifier: Apache-2.0
 *
 * Run a program without a shell and keep what it says. */
#ifndef QN_RTC_HELPER_RUN_PROGRAM_H
#define QN_RTC_HELPER_RUN_PROGRAM_H

#include "base/arena.h"
#include "base/error.h"

struct qn__program_output {
    const char *text; /* stdout and stderr together, in the arena, at most 4 MiB */
    int code;         /* exit code; 128 + signal when it was killed */
};

/* args[0] is the file, ended by NULL; folder: where it runs, NULL: here. No input.
 * QN_E_COMPILER  it cannot be started */
qn_status qn__run_program(struct qn__program_output *out, struct qn__arena *arena,
                          const char *const *args, const char *folder);

#endif
