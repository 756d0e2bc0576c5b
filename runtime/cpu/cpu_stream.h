/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream is a queue of operations, of which at most one runs. Whoever adds to an idle queue, or
 * ends an operation, goes on with the next: copies, fills, marks and small grids on its own thread,
 * other grids by the pool. */
#ifndef QN_RUNTIME_CPU_STREAM_H
#define QN_RUNTIME_CPU_STREAM_H

#include "runtime/cpu/cpu_backend.h"
#include "runtime/cpu/cpu_mark.h"

struct qn__cpu_operation;

struct qn__cpu_stream {
    qn_stream base;
    pthread_mutex_t lock; /* guards the queue, `is_busy` and the fault */
    struct qn__cpu_operation *first, *last, *spare;
    struct qn__cpu_operation *running; /* a grid, or a wait for a mark */
    bool is_busy; /* somebody is going on with it, or something runs that will */
    bool has_fault;
    struct qn__message fault; /* the first one since the last wait */
    atomic_uint n_queued;
    struct qn__cpu_job *job;
    char apart[QN__CPU_LINE_BYTES]; /* from what others write while one waits for n_done */
    atomic_uint n_done, sleepers;
    char apart_too[QN__CPU_LINE_BYTES];
    struct qn__cpu_waiter waiter;
    struct qn__cpu_stream *next, *prev; /* of all, for fork() */
};

/* Add a mark to the queue, or a wait for one; each takes a reference of its own. */
qn_status qn__cpu_queue_mark(struct qn__cpu_stream *s, struct qn__cpu_mark *m, bool is_wait);
#endif
