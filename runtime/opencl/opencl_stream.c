/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams are in-order queues, events are markers in them.
 *
 * A queue cannot be asked whether it is idle. A query puts a marker after what was queued and
 * looks at it; later queries look at the same marker until something new is queued, so polling
 * ends. Where kernels with assertions were queued, the end of a wait looks whether one failed.
 * Whoever waits without blocking flushes first, or a lazy driver would never start. */
#include "base/device_buffers.h"
#include "runtime/deadline.h"
#include "runtime/opencl/opencl_backend.h"
#include "runtime/opencl/opencl_driver.h"

#include <stdlib.h>
#include <string.h>

/* -- streams -- */

qn_status qn__opencl_stream_open(qn_stream **out, qn_device *device, bool timing)
{
    struct qn__opencl_device *dev = (struct qn__opencl_device *)device;
    cl_int code;
    *out = NULL;
    struct qn__opencl_stream *s = qn__alloc(1, sizeof *s);
    if (!s)
        return qn__fail(QN_E_MEMORY, "no memory for a stream");
    s->device = dev;
    s->queue = qn__cl.CreateCommandQueue(dev->context, dev->id,
                                         timing ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    if (code != CL_SUCCESS) {
        free(s);
        return qn__opencl_fail(code, "clCreateCommandQueue");
    }
    *out = &s->base;
    return QN_OK;
}

static void drop_event(cl_event *e)
{
    if (*e)
        qn__cl.ReleaseEvent(*e);
    *e = NULL;
}

void qn__opencl_stream_close(qn_stream *stream)
{
    struct qn__opencl_stream *s = (struct qn__opencl_stream *)stream;
    qn__cl.Finish(s->queue);
    drop_event(&s->marker);
    qn__cl.ReleaseCommandQueue(s->queue);
    free(s);
}

/* QN_OK, QN_E_NOT_READY, or what went wrong before the event. */
static qn_status event_status(cl_event e)
{
    cl_int status = CL_COMPLETE;
    QN__CL_TRY(
        qn__cl.GetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
        "clGetEventInfo");
    if (status < 0)
        return qn__fail_code(QN_E_FAULT, status, "a command failed with OpenCL error %d", status);
    if (status != CL_COMPLETE)
        return qn__fail(QN_E_NOT_READY, "still working");
    return QN_OK;
}

static qn_status event_status_until(cl_event e, uint64_t ns)
{
    const struct qn__deadline d = qn__deadline_in(ns);
    qn_status status;
    while ((status = event_status(e)) == QN_E_NOT_READY && qn__deadline_pause(&d))
        ;
    return status;
}

static qn_status put_marker(cl_event *e, struct qn__opencl_stream *s)
{
    drop_event(e);
    QN__CL_TRY(qn__cl.EnqueueMarkerWithWaitList(s->queue, 0, NULL, e),
               "clEnqueueMarkerWithWaitList");
    QN__CL_TRY(qn__cl.Flush(s->queue), "clFlush");
    return QN_OK;
}

/* Did an assertion of a kernel fail? The device goes on, so the buffer is made ready again. */
static qn_status take_fault(struct qn__opencl_stream *s)
{
    struct qn__opencl_device *const dev = s->device;
    struct qn__fault fault;
    const char zero = 0;
    void *at;
    if (!atomic_exchange_explicit(&s->has_assertions, false, memory_order_acq_rel))
        return QN_OK;
    memcpy(&at, &dev->fault, sizeof at);
    QN__CL_TRY(
        qn__cl.EnqueueSVMMemcpy(dev->queue, CL_TRUE, &fault, at, sizeof fault, 0, NULL, NULL),
        "reading failed assertions");
    if (!fault.is_set)
        return QN_OK;
    QN__CL_TRY(qn__cl.EnqueueSVMMemFill(dev->queue, at, &zero, 1, sizeof fault, 0, NULL, NULL),
               "clearing failed assertions");
    QN__CL_TRY(qn__cl.Finish(dev->queue), "clFinish");
    return qn__fail(QN_E_FAULT, "%.*s:%u: %s%.*s", (int)sizeof fault.file, fault.file, fault.line,
                    fault.text[0] ? "assertion failed: " : "trap", (int)sizeof fault.text,
                    fault.text);
}

/* With a marker of its own, because others than the stream's thread may wait. */
static qn_status wait_until(struct qn__opencl_stream *s, uint64_t ns)
{
    cl_event marker = NULL;
    qn_status status = put_marker(&marker, s);
    if (status == QN_OK)
        status = event_status_until(marker, ns);
    drop_event(&marker);
    return status == QN_OK ? take_fault(s) : status;
}

qn_status qn__opencl_stream_wait(qn_stream *stream, uint64_t ns)
{
    struct qn__opencl_stream *s = (struct qn__opencl_stream *)stream;
    if (ns == QN__FOREVER) {
        QN__CL_TRY(qn__cl.Finish(s->queue), "clFinish");
        return take_fault(s);
    }
    if (ns)
        return wait_until(s, ns);
    if (!s->marker || s->marked_at != s->n_queued) {
        QN_TRY(put_marker(&s->marker, s));
        s->marked_at = s->n_queued;
    }
    QN_TRY(event_status(s->marker));
    return take_fault(s);
}

qn_status qn__opencl_stream_wait_event(qn_stream *stream, qn_event *event)
{
    struct qn__opencl_stream *s = (struct qn__opencl_stream *)stream;
    const struct qn__opencl_event *e = (const struct qn__opencl_event *)event;
    s->n_queued++;
    QN__CL_TRY(qn__cl.EnqueueBarrierWithWaitList(s->queue, 1, &e->handle, NULL),
               "clEnqueueBarrierWithWaitList");
    return QN_OK;
}

/* -- events -- */

qn_status qn__opencl_event_open(qn_event **out, qn_device *dev)
{
    (void)dev;
    struct qn__opencl_event *e = qn__alloc(1, sizeof *e);
    *out = e ? &e->base : NULL;
    return e ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for an event");
}

void qn__opencl_event_close(qn_event *event)
{
    struct qn__opencl_event *e = (struct qn__opencl_event *)event;
    drop_event(&e->handle);
    free(e);
}

qn_status qn__opencl_event_record(qn_event *event, qn_stream *stream)
{
    struct qn__opencl_stream *s = (struct qn__opencl_stream *)stream;
    s->n_queued++;
    return put_marker(&((struct qn__opencl_event *)event)->handle, s);
}

qn_status qn__opencl_event_wait(qn_event *event, uint64_t ns)
{
    struct qn__opencl_event *e = (struct qn__opencl_event *)event;
    if (ns == QN__FOREVER) {
        QN__CL_TRY(qn__cl.WaitForEvents(1, &e->handle), "clWaitForEvents");
        return event_status(e->handle);
    }
    return event_status_until(e->handle, ns);
}

static qn_status end_of(uint64_t *ns, const struct qn__opencl_event *e)
{
    QN_TRY(event_status(e->handle));
    QN__CL_TRY(
        qn__cl.GetEventProfilingInfo(e->handle, CL_PROFILING_COMMAND_END, sizeof *ns, ns, NULL),
        "clGetEventProfilingInfo");
    return QN_OK;
}

qn_status qn__opencl_event_elapsed(double *out_ms, qn_event *a, qn_event *b)
{
    uint64_t from, to;
    QN_TRY(end_of(&from, (const struct qn__opencl_event *)a));
    QN_TRY(end_of(&to, (const struct qn__opencl_event *)b));
    *out_ms = ((double)to - (double)from) * 1e-6;
    return QN_OK;
}
