/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program called clang runs in the end. It may be a script that adds options, a front end
 * such as ccache or hipcc, or a link whose target changes with every update. */
#ifndef QN_RTC_HELPER_REAL_PROGRAM_H
#define QN_RTC_HELPER_REAL_PROGRAM_H

#include "rtc/job/job.h"

/* Add to the answer of an identity job: to out->files the compiler that `program` runs, where that
 * is another file, and the libraries that are its compiler; out->runs then. QN_E_COMPILER,
 * QN_E_MEMORY */
qn_status qn__real_program(struct qn__job_result *out, struct qn__arena *arena,
                           const char *program);

#endif
