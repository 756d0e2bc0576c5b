/* SPDX-License-Identifier: Apache-2.0
 *
 * The log callback. QUERN_LOG=quiet silences stderr, QUERN_LOG=debug shows every level there. */
#include "base/log.h"

#include "base/environment.h"
#include "base/str.h"
#include "base/threads.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static qn_log_callback callback;
static void *callback_payload;

void qn_log_set_callback(qn_log_callback cb, void *payload)
{
    callback = cb;
    callback_payload = payload;
}

bool qn__log_wants(qn_log_level level)
{
    if (callback)
        return true;
    const char *want = qn__getenv("QUERN_LOG");
    if (qn__equal(want, "debug"))
        return true;
    return level >= QN_LOG_WARNING && !qn__equal(want, "quiet");
}

static void print(qn_log_level level, const char *line)
{
    struct qn__quiet quiet;
    qn__quiet_begin(&quiet);
    fprintf(stderr, "quern: %s%s\n", level == QN_LOG_WARNING ? "warning: " : "", line);
    qn__quiet_end(&quiet);
}

void qn__log(qn_log_level level, const char *fmt, ...)
{
    if (!qn__log_wants(level))
        return;
    char line[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    for (char *p = line; *p; p++) /* names of files and bundles may be anybody's */
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = *p == '\n' || *p == '\t' ? ' ' : '?';
    if (callback)
        callback(level, line, callback_payload);
    else
        print(level, line);
}
