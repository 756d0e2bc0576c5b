/* SPDX-License-Identifier: Apache-2.0
 *
 * Events. Each recording is a mark of its own, so that recording again moves the event and leaves
 * alone who waits for the earlier one. */
#include "runtime/cpu/cpu_stream.h"
#include "runtime/deadline.h"

#include <stdlib.h>

struct cpu_event {
    qn_event base;
    struct qn__cpu_mark *mark; /* the last recording */
};

qn_status qn__cpu_event_open(qn_event **out, qn_device *dev)
{
    (void)dev;
    struct cpu_event *e = qn__alloc(1, sizeof *e);
    *out = e ? &e->base : NULL;
    return e ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for an event");
}

void qn__cpu_event_close(qn_event *event)
{
    struct cpu_event *e = (struct cpu_event *)event;
    qn__cpu_mark_release(e->mark);
    free(e);
}

qn_status qn__cpu_event_record(qn_event *event, qn_stream *stream)
{
    struct cpu_event *e = (struct cpu_event *)event;
    struct qn__cpu_stream *s = (struct qn__cpu_stream *)stream;
    struct qn__cpu_mark *m = qn__cpu_mark_create(s->job);
    if (!m)
        return qn__fail(QN_E_MEMORY, "no memory to record an event");
    const qn_status status = qn__cpu_queue_mark(s, m, false);
    if (status != QN_OK) {
        qn__cpu_mark_release(m);
        return status;
    }
    qn__cpu_mark_release(e->mark);
    e->mark = m;
    return QN_OK;
}

qn_status qn__cpu_event_wait(qn_event *event, uint64_t ns)
{
    struct qn__cpu_mark *m = ((struct cpu_event *)event)->mark;
    const struct qn__deadline d = qn__deadline_in(ns);
    QN_TRY(qn__cpu_mark_check(m));
    if (ns != QN__FOREVER && !atomic_load_explicit(&m->is_done, memory_order_acquire))
        qn__cpu_pool_replace_waiter();
    while (!atomic_load_explicit(&m->is_done, memory_order_acquire)) {
        const uint64_t left = ns == QN__FOREVER ? ns : qn__deadline_left(&d);
        if (!left)
            return qn__fail(QN_E_NOT_READY, "still working");
        qn__cpu_job_wait(m->job, ns == QN__FOREVER, &m->is_done, 0, &m->sleepers, left);
    }
    return QN_OK;
}

qn_status qn__cpu_stream_wait_event(qn_stream *stream, qn_event *event)
{
    struct qn__cpu_mark *const m = ((struct cpu_event *)event)->mark;
    QN_TRY(qn__cpu_mark_check(m));
    return qn__cpu_queue_mark((struct qn__cpu_stream *)stream, m, true);
}

qn_status qn__cpu_event_elapsed(double *out_ms, qn_event *a, qn_event *b)
{
    const struct qn__cpu_mark *const from = ((struct cpu_event *)a)->mark;
    const struct qn__cpu_mark *const to = ((struct cpu_event *)b)->mark;
    if (!atomic_load_explicit(&from->is_done, memory_order_acquire) ||
        !atomic_load_explicit(&to->is_done, memory_order_acquire))
        return qn__fail(QN_E_NOT_READY, "still working");
    *out_ms = ((double)to->ns - (double)from->ns) * 1e-6;
    return QN_OK;
}
