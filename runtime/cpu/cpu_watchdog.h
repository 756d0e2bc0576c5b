/* SPDX-License-Identifier: Apache-2.0
 *
 * Ends blocks that do not end (QUERN_CPU_WATCHDOG): a thread of its own looks at how long each
 * thread has been at what it took of a grid, and sends a signal to one that is late. */
#ifndef QN_RUNTIME_CPU_WATCHDOG_H
#define QN_RUNTIME_CPU_WATCHDOG_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Of a thread that runs blocks. */
struct qn__cpu_watched {
    _Atomic uint64_t since_ns; /* 0: it runs none; QN__CPU_LATE: it is to end them */
    pthread_t thread;
    struct qn__cpu_watched *next, *prev;
};

#define QN__CPU_LATE UINT64_MAX

/* 0: nobody is watched. */
uint32_t qn__cpu_watchdog_seconds(void);

/* Of this thread, before its first block and at its end. */
void qn__cpu_watch_add(struct qn__cpu_watched *w);
void qn__cpu_watch_drop(struct qn__cpu_watched *w);

/* Blocks begin; starts the thread that watches where this process has none. */
void qn__cpu_watch_begin(struct qn__cpu_watched *w);
void qn__cpu_watch_end(struct qn__cpu_watched *w);

#endif
