/* SPDX-License-Identifier: Apache-2.0
 *
 * A point in a stream's queue that was recorded, and who waits for it. */
#ifndef QN_RUNTIME_CPU_MARK_H
#define QN_RUNTIME_CPU_MARK_H

#include "runtime/cpu/cpu_pool.h"

#include <sys/types.h>

struct qn__cpu_waiter { /* a queue that goes no further until the mark is reached */
    struct qn__cpu_waiter *next;
    void (*resume)(void *payload); /* on the thread that reaches it */
    void *payload;
};

struct qn__cpu_mark {
    atomic_uint refs; /* the event's, the queue's, and of each queue that is to wait for it */
    atomic_uint is_done, sleepers; /* for qn__cpu_await() */
    uint64_t ns;                   /* when */
    struct qn__cpu_job *job;       /* of its stream */
    pid_t maker;                   /* in a forked child of it nobody reaches the mark any more */
    struct qn__cpu_waiter *waiting;
};

/* QN_E_FAULT: it is not reached, and was recorded before fork(). */
qn_status qn__cpu_mark_check(const struct qn__cpu_mark *m);

struct qn__cpu_mark *qn__cpu_mark_create(struct qn__cpu_job *job); /* NULL: no memory */
void qn__cpu_mark_release(struct qn__cpu_mark *m);                 /* NULL is fine */

void qn__cpu_mark_reach(struct qn__cpu_mark *m);
/* Be told when it is reached; false: it was already. */
bool qn__cpu_mark_stop(struct qn__cpu_mark *m, struct qn__cpu_waiter *w);

#endif
