/* SPDX-License-Identifier: Apache-2.0
 *
 * Scheduling. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_SCHED_H
#define QN_STD_SCHED_H

#include <sys/types.h>

#define SCHED_OTHER 0
#define SCHED_FIFO  1
#define SCHED_RR    2
struct sched_param {
    int sched_priority;
};
extern "C" {
int sched_yield(void);
int sched_setscheduler(pid_t, int, const struct sched_param *);
int sched_getscheduler(pid_t);
int sched_get_priority_max(int);
int sched_get_priority_min(int);
}

#endif
