/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads of a cooperative launch, one for each block: blocks may wait for one another, by
 * grid.sync() or by hand, so each of them has to go on whatever the others do. The pool's threads
 * run one block after the other and cannot promise that.
 *
 * The grid runs phase by phase: a block that comes to grid.sync() sleeps until all are there. */
#ifndef QN_RUNTIME_CPU_CREW_H
#define QN_RUNTIME_CPU_CREW_H

#include "runtime/cpu/cpu_pool.h"

enum { QN__CPU_CREW_MAX = 1024 }; /* blocks */

/* Threads that wait to be told. QN_E_LIMIT: too many, or the system does not give so many. */
qn_status qn__cpu_crew_gather(struct qn__cpu_crew **out, uint32_t n_blocks, const char *kernel);

void qn__cpu_crew_dismiss(struct qn__cpu_crew *crew); /* the threads go without having run */

/* Run the grid, which stays until `done`; it is called on one of the threads, which then go. */
void qn__cpu_crew_run(struct qn__cpu_crew *crew, const struct qn__cpu_grid *grid,
                      qn__cpu_job_done *done, void *payload);

#endif
