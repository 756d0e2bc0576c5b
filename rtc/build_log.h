/* SPDX-License-Identifier: Apache-2.0
 *
 * The qn_log that a caller of qn_compile() and its like may pass. NULL: the caller wants none, and
 * nothing happens. */
#ifndef QN_RTC_BUILD_LOG_H
#define QN_RTC_BUILD_LOG_H

#include "rtc/key/request.h"

/* Where the image came from, and under which key it is kept. */
void qn__log_origin(qn_log *log, qn_origin origin, const char *key);

/* The texts, from what a compiler said (job names become the user's): everything of a failure, and
 * warnings of a success where the caller asks for them. The translator's own, which are about right
 * results, are always there. */
void qn__log_fill(qn_log *log, const struct qn__request *r, const char *diagnostics,
                  const char *raw, bool failed);

/* Another text in one place of it, which owns it then. NULL: none, until the next call. */
void qn__log_set(char **at, char *text);

/* Empty texts where it has none. */
void qn__log_complete(qn_log *log);

#endif
