/* SPDX-License-Identifier: Apache-2.0
 *
 * Who keeps us waiting: the holder of a flock(2) lock, from the kernel's list in /proc/locks. */
#ifndef QN_BASE_LOCK_HOLDER_H
#define QN_BASE_LOCK_HOLDER_H

#include "base/str.h"

struct qn__lock_holder {
    long pid; /* 0: unknown, as when it runs in another container or on another machine */
    bool is_stopped;
};

/* Of a file that is open here. */
struct qn__lock_holder qn__lock_holder(int fd);

/* "process 12 (prewarm), which is stopped". */
void qn__lock_holder_print(struct qn__str *out, const struct qn__lock_holder *holder);

#endif
