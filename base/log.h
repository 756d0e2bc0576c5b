/* SPDX-License-Identifier: Apache-2.0
 *
 * One line to the user's log callback (quern/cache.h), else to stderr for warnings. */
#ifndef QN_BASE_LOG_H
#define QN_BASE_LOG_H

#include <quern/cache.h>
#include <stdatomic.h>
#include <stdbool.h>

void qn__log(qn_log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool qn__log_wants(qn_log_level level);

/* Say something at most once a process. */
#define QN__WARN_ONCE(...)                                                                         \
    do {                                                                                           \
        static atomic_flag qn__said = ATOMIC_FLAG_INIT;                                            \
        if (!atomic_flag_test_and_set(&qn__said))                                                  \
            qn__log(QN_LOG_WARNING, __VA_ARGS__);                                                  \
    } while (0)

#endif
