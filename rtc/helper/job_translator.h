/* SPDX-License-Identifier: Apache-2.0
 *
 * The translator as a compiler: OpenCL C. */
#ifndef QN_RTC_HELPER_JOB_TRANSLATOR_H
#define QN_RTC_HELPER_JOB_TRANSLATOR_H

#include "base/error.h"
#include "rtc/job/job.h"

/* Never fails itself: everything is in *out, all of it in the arena. */
void qn__job_run_translator(struct qn__job_result *out, struct qn__arena *arena,
                            const struct qn__job *job);

/* The parts of it that other compilers begin with. The text is for `profile`; out->bytes is the
 * text, with a 0 after it. */
qn_status qn__job_identify_translator(struct qn__job_result *out, struct qn__arena *arena,
                                      const char *clang);
qn_status qn__job_translate(struct qn__job_result *out, struct qn__arena *arena,
                            const struct qn__job *job, const char *clang, const char *profile);

#endif
