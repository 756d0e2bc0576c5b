/* SPDX-License-Identifier: Apache-2.0
 *
 * hipRTC as a compiler: AMD code objects. */
#ifndef QN_RTC_HELPER_JOB_HIPRTC_H
#define QN_RTC_HELPER_JOB_HIPRTC_H

#include "rtc/job/job.h"

/* Never fails itself: everything is in *out, all of it in the arena. */
void qn__job_run_hiprtc(struct qn__job_result *out, struct qn__arena *arena,
                        const struct qn__job *job);

#endif
