/* SPDX-License-Identifier: Apache-2.0
 *
 * clang as a compiler of AMD code objects: the compilers "clang" and "hipcc". */
#ifndef QN_RTC_HELPER_JOB_CLANG_H
#define QN_RTC_HELPER_JOB_CLANG_H

#include "rtc/job/job.h"

/* Never fails itself: everything is in *out, all of it in the arena. */
void qn__job_run_clang(struct qn__job_result *out, struct qn__arena *arena,
                       const struct qn__job *job);

#endif
