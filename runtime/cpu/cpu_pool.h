/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads that run grids, one pool for the process. A thread that waits for a job (cpu_job.h)
 * takes part in it.
 *
 * The pool begins with the first job that is posted. Its threads look for jobs for a moment after
 * the last one, then they sleep. After fork() the child begins anew. */
#ifndef QN_RUNTIME_CPU_POOL_H
#define QN_RUNTIME_CPU_POOL_H

#include "runtime/cpu/cpu_job.h"

/* How many threads a grid may have: QUERN_THREADS, else as many as affinity and the quotas of
 * control groups leave. Looked up once. */
uint32_t qn__cpu_threads(void);

/* A job that fits the pool. NULL: no memory. */
struct qn__cpu_job *qn__cpu_pool_job(void);

/* Run a grid; it and what it points to stay until `done`. The job is not posted yet. */
void qn__cpu_job_post(struct qn__cpu_job *job, const struct qn__cpu_grid *grid,
                      qn__cpu_job_done *done, void *payload);

/* Take part in the job where something is left of it, else wait until the number is not `seen` any
 * more, for at most `ns` (QN__FOREVER: no limit), or until the job is posted again; returns for no
 * reason as well. `sleepers`: see qn__cpu_await(). may_help: false where the thread may not be kept
 * by a kernel that never ends; a thread of the pool has its place then. */
void qn__cpu_job_wait(struct qn__cpu_job *job, bool may_help, atomic_uint *number, unsigned seen,
                      atomic_uint *sleepers, uint64_t ns);

/* Nobody who waits will help: let a thread of the pool do it. */
void qn__cpu_pool_replace_waiter(void);

/* How many threads the pool has now, for tests. */
uint32_t qn__cpu_pool_size(void);

#endif
