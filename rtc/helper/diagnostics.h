/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiler logs in one form, whichever compiler wrote them:
 *
 *     saxpy.cu:3:15: error: identifier "foo" is undefined
 *         y[i] = a * foo;
 *                    ^
 *
 * Input is what NVRTC ("file(line): error: ...", source line, caret) or clang and hipRTC
 * ("path:line:column: error: ...") print. The source line shown is taken from the job's own files,
 * so it is never a temporary file's. Folders in front of a job's file name are dropped.
 */
#ifndef QN_RTC_HELPER_DIAGNOSTICS_H
#define QN_RTC_HELPER_DIAGNOSTICS_H

#include "base/str.h"
#include "rtc/job/job.h"

/* Append what matters of `log`: errors with the notes that belong to them, warnings only on
 * request. Lines that are no diagnostic are dropped; when nothing is left and `is_failure`, the log
 * is added as it is, so a failure always says something. */
void qn__diagnostics_add(struct qn__str *out, const struct qn__job *job, const char *log,
                         bool warnings, bool is_failure);

/* First error line of the result, without its end of line: the short message of a failed compile.
 * In the arena; "" when there is none. */
const char *qn__diagnostics_first(struct qn__arena *arena, const char *diagnostics);

#endif
