/* SPDX-License-Identifier: Apache-2.0
 *
 * One lock for the lists of all marks: they are short, and touched rarely. */
#include "runtime/cpu/cpu_mark.h"

#include "base/arena.h"
#include "base/forks.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Guards who waits for a mark: held for moments. */
static pthread_mutex_t waiting = PTHREAD_MUTEX_INITIALIZER;
QN__FORK_PART(&waiting, NULL)

struct qn__cpu_mark *qn__cpu_mark_create(struct qn__cpu_job *job)
{
    struct qn__cpu_mark *m = qn__alloc(1, sizeof *m);
    if (m) {
        atomic_init(&m->refs, 1);
        m->job = job;
        m->maker = getpid();
    }
    return m;
}

qn_status qn__cpu_mark_check(const struct qn__cpu_mark *m)
{
    return atomic_load_explicit(&m->is_done, memory_order_acquire) || m->maker == getpid()
               ? QN_OK
               : qn__fail(QN_E_FAULT, "what was queued before fork() is not done in the child");
}

void qn__cpu_mark_release(struct qn__cpu_mark *m)
{
    if (m && atomic_fetch_sub_explicit(&m->refs, 1, memory_order_acq_rel) == 1)
        free(m);
}

void qn__cpu_mark_reach(struct qn__cpu_mark *m)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    m->ns = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
    pthread_mutex_lock(&waiting);
    struct qn__cpu_waiter *w = m->waiting;
    m->waiting = NULL;
    atomic_store_explicit(&m->is_done, 1, memory_order_release);
    pthread_mutex_unlock(&waiting);
    if (atomic_load(&m->sleepers))
        qn__cpu_wake_all(&m->is_done);
    for (struct qn__cpu_waiter *next; w; w = next) {
        next = w->next;
        w->resume(w->payload);
    }
}

bool qn__cpu_mark_stop(struct qn__cpu_mark *m, struct qn__cpu_waiter *w)
{
    pthread_mutex_lock(&waiting);
    const bool is_done = atomic_load_explicit(&m->is_done, memory_order_relaxed);
    if (!is_done) {
        w->next = m->waiting;
        m->waiting = w;
    }
    pthread_mutex_unlock(&waiting);
    return !is_done;
}
