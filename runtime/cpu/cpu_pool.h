/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads that run grids, one pool for the process.
 *
 * A job is a grid that is being run. Its blocks are dealt out as one range to each thread; who has
 * done his own takes from the others'. Whoever finds nothing left leaves, and the last to leave
 * ends the job. A thread that waits for a job takes part in it.
 *
 * The pool begins with the first job that is posted. Its threads look for jobs for a moment after
 * the last one, then they sleep. After fork() the child begins anew. */
#ifndef QN_RUNTIME_CPU_POOL_H
#define QN_RUNTIME_CPU_POOL_H

#include "runtime/cpu/cpu_run.h"

#include <stdatomic.h>

struct qn__cpu_job;

/* How many threads a grid may have: QUERN_THREADS, else as many as affinity and the quotas of
 * control groups leave. Looked up once. */
uint32_t qn__cpu_threads(void);

/* Jobs are used again and never freed, so that a thread may look at one at any time. NULL: no
 * memory. Give back only when it is not posted. */
struct qn__cpu_job *qn__cpu_job_take(void);
void qn__cpu_job_give(struct qn__cpu_job *job);

/* Called on the thread that ends the job, which may be posted again there. fault: NULL: none. */
typedef void qn__cpu_job_done(void *payload, const struct qn__cpu_fault *fault);

/* Run a grid; it and what it points to stay until `done`. The job is not posted yet. */
void qn__cpu_job_post(struct qn__cpu_job *job, const struct qn__cpu_grid *grid,
                      qn__cpu_job_done *done, void *payload);

/* Take part in it. False: there is nothing of it left to take. */
bool qn__cpu_job_help(struct qn__cpu_job *job);

/* Nobody who waits will help: let a thread of the pool do it. */
void qn__cpu_pool_replace_waiter(void);

/* Waiting for a number that others change: for a moment awake, then asleep, for at most `ns`
 * (QN__FOREVER: no limit). Returns when it is not `seen` any more, when the time is up, or for no
 * reason. `sleepers` counts those asleep; who changes the number wakes them. */
void qn__cpu_await(atomic_uint *number, unsigned seen, atomic_uint *sleepers, uint64_t ns);
void qn__cpu_wake_all(atomic_uint *number, atomic_uint *sleepers);

/* How many threads the pool has now, for tests. */
uint32_t qn__cpu_pool_size(void);

#endif
