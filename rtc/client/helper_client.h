/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's side of the helper programs: keeps a few of them running, gives each one job at a
 * time, and turns a crash or a hang into an error message.
 *
 * A helper has the environment and the working folder of its start. One that was started under
 * others than there are now is used no more. */
#ifndef QN_RTC_CLIENT_HELPER_CLIENT_H
#define QN_RTC_CLIENT_HELPER_CLIENT_H

#include "rtc/job/job.h"

/* Run a job in the helper that has its compiler and wait for it; threads may call this side by
 * side. Over all processes with this cache folder, as many run at once as the machine has
 * processors (slots.h).
 *   what     names the work in messages: "saxpy.cu for hip:gfx90a with hiprtc"
 *   limit_s  0: QUERN_COMPILE_TIMEOUT, else 120
 * QN_OK: *out is what the compiler said, which may be a failure (out->status).
 * QN_E_COMPILER  the helper is missing, crashed, or ran out of time and was killed */
qn_status qn__helper_run(struct qn__job_result *out, struct qn__arena *arena,
                         const struct qn__job *job, const char *what, uint32_t limit_s);

/* From now on jobs go to helpers that are started from now on: a compiler's files have changed, and
 * those that run may have the old ones loaded. */
void qn__helpers_renew(void);

#endif
