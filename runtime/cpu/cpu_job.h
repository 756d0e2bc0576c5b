/* SPDX-License-Identifier: Apache-2.0
 *
 * A job is a grid that is being run. Its blocks are dealt out as one range to each of so many
 * threads, to the same thread the same range each time the grid runs. Who has done his own takes
 * from the others', and who brings in the last block ends the job. */
#ifndef QN_RUNTIME_CPU_JOB_H
#define QN_RUNTIME_CPU_JOB_H

#include "runtime/cpu/cpu_run.h"
#include "runtime/cpu/cpu_wait.h"

struct qn__cpu_job;

/* Jobs are used again and never freed, so that a thread may look at one at any time. NULL: no
 * memory. Give back only when it does not run. */
struct qn__cpu_job *qn__cpu_job_take(uint32_t n_parts_max);
void qn__cpu_job_give(struct qn__cpu_job *job);

/* Called on the thread that ends the job, which may be dealt out again there. fault: NULL: none. */
typedef void qn__cpu_job_done(void *payload, const struct qn__cpu_fault *fault);

/* From here on threads may take part. The grid and what it points to stay until `done`. Returns
 * into how many parts, at least 1 and at most n_parts. */
uint32_t qn__cpu_job_deal(struct qn__cpu_job *job, const struct qn__cpu_grid *grid,
                          uint32_t n_parts, qn__cpu_job_done *done, void *payload);

/* Who takes part: threads of the pool by their number from 0 on, and one thread that waits for the
 * job, which has the last part where there are as many parts as there may be. Parts that are not
 * begun are begun at their front, and with the first, so a block may wait for earlier ones. */
struct qn__cpu_hand {
    uint32_t number;           /* QN__CPU_WAITER: who waits */
    uint32_t n_threads;        /* that a grid may have */
    bool is_spare;             /* may take parts that are not its own, though it has none */
    struct qn__cpu_job *spent; /* nothing is left of it to take, */
    uint32_t spent_generation; /* while this is its generation */
    bool has_passed;           /* it left something to others, not being spare */
};
enum { QN__CPU_WAITER = INT32_MAX };

/* False: there is nothing to take. */
bool qn__cpu_job_take_part(struct qn__cpu_job *job, struct qn__cpu_hand *hand);
bool qn__cpu_jobs_take_part(struct qn__cpu_hand *hand); /* in any */

uint32_t qn__cpu_jobs_open(void); /* how many have been dealt out and are not done */

/* A word that changes when the job is dealt out and when it ends. */
struct qn__cpu_word qn__cpu_job_word(const struct qn__cpu_job *job);

#endif
