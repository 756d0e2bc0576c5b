/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler for CPUs: the translator's C, then clang and a linker. */
#ifndef QN_RTC_HELPER_JOB_CPU_H
#define QN_RTC_HELPER_JOB_CPU_H

#include "rtc/job/job.h"

/* Never fails itself: everything is in *out, all of it in the arena. */
void qn__job_run_cpu(struct qn__job_result *out, struct qn__arena *arena,
                     const struct qn__job *job);

#endif
