/* SPDX-License-Identifier: Apache-2.0
 *
 * Which threads of the pool sleep, and waking as many as a job is for. */
#ifndef QN_RUNTIME_CPU_SLEEPERS_H
#define QN_RUNTIME_CPU_SLEEPERS_H

#include "runtime/cpu/cpu_wait.h"

enum { QN__CPU_THREADS_MAX = 1024 };

/* Counts the jobs that were announced. A thread reads it before it looks for a job. */
atomic_uint *qn__cpu_epoch(void);

/* There is a job for the first `wanted` threads. may_be_busy: other jobs run, at which these may
 * be; then others do as well. */
void qn__cpu_announce(uint32_t wanted, bool may_be_busy);

/* A thread of that number found no job after it had read `seen`: it sleeps until it is woken, and
 * wakes others before it goes on. */
void qn__cpu_fall_asleep(uint32_t number, unsigned seen);

#endif
