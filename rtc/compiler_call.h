/* SPDX-License-Identifier: Apache-2.0
 *
 * One call of the compiler that a request has chosen. */
#ifndef QN_RTC_COMPILER_CALL_H
#define QN_RTC_COMPILER_CALL_H

#include "rtc/job/job.h"
#include "rtc/key/request.h"

/* Run the compiler, whatever the caches hold. *out is the compiler's result, in the request's
 * arena; a failed compile is a failure of this function with its message complete. */
qn_status qn__compiler_call(struct qn__job_result *out, struct qn__request *r);

#endif
