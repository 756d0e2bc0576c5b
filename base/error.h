/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors: a status plus a thread-local message (see include/quern/status.h).
 *
 * A status other than QN_OK is born in exactly one place, qn__fail(), which stores the message with
 * it; everything above forwards it with QN_TRY or `goto out`. Lint refuses a bare `return QN_E_`.
 */
#ifndef QN_BASE_ERROR_H
#define QN_BASE_ERROR_H

#include <assert.h>
#include <quern/status.h>
#include <stddef.h>

#define QN__MESSAGE_MAX 1024

/* Store a message and return `s`. The message is cut at QN__MESSAGE_MAX - 1 bytes. */
qn_status qn__fail(qn_status s, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* The same with a driver's or the system's own code (qn_message_code). */
qn_status qn__fail_code(qn_status s, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), cold));

/* errno into the message: "<formatted>: No such file or directory". Status QN_E_IO. */
qn_status qn__fail_errno(const char *fmt, ...) __attribute__((format(printf, 1, 2), cold));

/* Put "<formatted>: " in front of the current message and return `s` unchanged. */
qn_status qn__fail_prefix(qn_status s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Carry a message across clean-up code or to another thread. */
struct qn__message {
    int code;
    char text[QN__MESSAGE_MAX];
};
void qn__message_save(struct qn__message *m);
void qn__message_restore(const struct qn__message *m);

/* Forward any failure of `expr`. */
#define QN_TRY(expr)                                                                               \
    do {                                                                                           \
        const qn_status qn__s = (expr);                                                            \
        if (qn__s != QN_OK)                                                                        \
            return qn__s;                                                                          \
    } while (0)

/* A caller's mistake at the public boundary: aborts in debug builds, QN_E_INVALID in release.
 * QN__NO_ABORT (tests of these very checks) turns the abort off. */
#if defined(NDEBUG) || defined(QN__NO_ABORT)
#define QN_ARG_CHECK(cond)                                                                         \
    do {                                                                                           \
        if (!(cond))                                                                               \
            return qn__fail(QN_E_INVALID, "%s: argument check: %s", __func__, #cond);              \
    } while (0)
#else
#define QN_ARG_CHECK(cond) assert(cond)
#endif

#endif
