/* SPDX-License-Identifier: Apache-2.0
 *
 * Events. Streams here are all made with timing, so that every event can be timed. */
#include "cudart/runtime.h"

#include <stdlib.h>

struct CUevent_st {
    qn_event *event;
    struct qn__rt_device *device;
    bool timing, recorded;
};

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    QN__RT_DEVICE(d);
    if (!event || flags & ~(unsigned)(cudaEventBlockingSync | cudaEventDisableTiming))
        return flags & cudaEventInterprocess
                   ? qn__rt_fail(cudaErrorNotSupported,
                                 "cudaEventCreateWithFlags: events of several processes")
                   : qn__rt_error(cudaErrorInvalidValue);
    struct CUevent_st *const e = calloc(1, sizeof *e);
    if (!e)
        return qn__rt_error(cudaErrorMemoryAllocation);
    e->device = d;
    e->timing = !(flags & cudaEventDisableTiming);
    const qn_status s = qn_event_create(&e->event, d->device);
    if (s != QN_OK) {
        free(e);
        return qn__rt_status(s, "cudaEventCreate");
    }
    *event = e;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (!event)
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    qn_event_destroy(event->event);
    free(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t error;
    if (!event)
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    if (s->capturing)
        error = qn__rt_fail(cudaErrorStreamCaptureUnsupported,
                            "cudaEventRecord: a graph here is the work of one stream");
    else
        error = qn__rt_status(qn_event_record(event->event, s->stream), "cudaEventRecord");
    event->recorded |= error == cudaSuccess;
    qn__rt_stream_leave(s);
    return error;
}

/* The device's error sticks. */
static cudaError_t result(struct CUevent_st *e, qn_status s, const char *what)
{
    const cudaError_t error = qn__rt_status(s, what);
    if (s == QN_E_FAULT)
        e->device->sticky = error;
    return error;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    if (!event)
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    return result(event, qn_event_query(event->event), "cudaEventQuery");
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (!event)
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    return result(event, qn_event_sync(event->event), "cudaEventSynchronize");
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    double elapsed;
    if (!ms || !start || !end)
        return qn__rt_error(ms ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    if (!start->recorded || !end->recorded || !start->timing || !end->timing)
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    const cudaError_t error =
        qn__rt_status(qn_event_elapsed(&elapsed, start->event, end->event), "cudaEventElapsedTime");
    if (error == cudaSuccess)
        *ms = (float)elapsed;
    return error;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    cudaError_t error;
    if (!event || flags)
        return qn__rt_error(event ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    if (s->capturing)
        error = qn__rt_fail(cudaErrorStreamCaptureUnsupported,
                            "cudaStreamWaitEvent: a graph here is the work of one stream");
    else if (event->device != s->device) /* of another device: it is waited for now */
        error = result(event, qn_event_sync(event->event), "cudaStreamWaitEvent");
    else if (event->recorded)
        error = qn__rt_status(qn_stream_wait(s->stream, event->event), "cudaStreamWaitEvent");
    else
        error = cudaSuccess;
    qn__rt_stream_leave(s);
    return error;
}
