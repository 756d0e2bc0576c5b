/* SPDX-License-Identifier: Apache-2.0
 *
 * The one constructor of failures, and the thread-local message of qn_message(). */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifndef QN_VERSION
#define QN_VERSION "0.1.0"
#endif

static _Thread_local struct qn__message current;

const char *qn_version(void)
{
    return QN_VERSION;
}

const char *qn_status_name(qn_status s)
{
    switch (s) {
#define CASE(name, value, text)                                                                    \
    case name: return #name;
        QN_STATUS_LIST(CASE)
#undef CASE
    }
    return "unknown status";
}

const char *qn_status_text(qn_status s)
{
    switch (s) {
#define CASE(name, value, text)                                                                    \
    case name: return text;
        QN_STATUS_LIST(CASE)
#undef CASE
    }
    return "unknown status";
}

const char *qn_message(void)
{
    return current.text;
}

int qn_message_code(void)
{
    return current.code;
}

/* Format into a buffer of its own first: an argument may be the current message. */
static void set_message(int code, const char *fmt, va_list ap)
{
    char text[QN__MESSAGE_MAX];
    vsnprintf(text, sizeof text, fmt, ap);
    for (char *p = text; *p; p++) /* one line, and nothing that a terminal would obey */
        if (*p == '\n' || *p == '\r' || *p == '\t')
            *p = ' ';
        else if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = '?';
    memcpy(current.text, text, sizeof text);
    current.code = code;
}

qn_status qn__fail(qn_status s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    set_message(0, fmt, ap);
    va_end(ap);
    return s;
}

qn_status qn__fail_code(qn_status s, int code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    set_message(code, fmt, ap);
    va_end(ap);
    return s;
}

qn_status qn__fail_errno(const char *fmt, ...)
{
    const int code = errno;
    va_list ap;
    va_start(ap, fmt);
    set_message(code, fmt, ap);
    va_end(ap);
    const size_t used = strlen(current.text);
    snprintf(current.text + used, sizeof current.text - used, ": %s", strerror(code));
    return QN_E_IO;
}

qn_status qn__fail_prefix(qn_status s, const char *fmt, ...)
{
    char prefix[QN__MESSAGE_MAX / 2];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(prefix, sizeof prefix, fmt, ap);
    va_end(ap);
    const int code = current.code;
    qn__fail_code(s, code, "%s: %s", prefix, current.text);
    return s;
}

void qn__message_save(struct qn__message *m)
{
    *m = current;
}

void qn__message_restore(const struct qn__message *m)
{
    current = *m;
}
