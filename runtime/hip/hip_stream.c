/* SPDX-License-Identifier: Apache-2.0
 *
 * HIP streams, events and the launch.
 *
 * The launch is the hot path: no allocation, no lock, no look-up. All it adds to the runtime's call
 * is making the device current. */
#include "runtime/deadline.h"
#include "runtime/hip/hip_backend.h"
#include "runtime/hip/hip_driver.h"

#include <inttypes.h>
#include <stdlib.h>

/* AMD's dispatch packet holds grid * block of an axis in 32 bits. */
static qn_status check_work_items(const qn_kernel *kernel, const qn_dims *d)
{
    for (int i = 0; i < 3; i++) {
        const uint64_t items = (uint64_t)d->grid[i] * d->block[i];
        if (items > UINT32_MAX)
            return qn__fail(
                QN_E_LIMIT,
                "%s: %u blocks of %u threads along %c are %" PRIu64 " threads: HIP allows %u",
                kernel->info.name, d->grid[i], d->block[i], "xyz"[i], items, UINT32_MAX);
    }
    return QN_OK;
}

qn_status qn__hip_launch(qn_stream *stream, const qn_kernel *kernel, const qn_dims *dims,
                         void *const *args)
{
    struct qn__hip_stream *s = (struct qn__hip_stream *)stream;
    QN_TRY(check_work_items(kernel, dims));
    QN_TRY(qn__hip_use(stream->device));
    const hip_result r = qn__hip.hipModuleLaunchKernel(
        ((const struct qn__hip_kernel *)kernel)->handle, dims->grid[0], dims->grid[1],
        dims->grid[2], dims->block[0], dims->block[1], dims->block[2], dims->shared_bytes,
        s->handle, (void **)(uintptr_t)args, NULL);
    if (r != HIP_OK)
        return qn__hip_fail(r, "%s: grid %u %u %u, block %u %u %u, %u shared bytes",
                            kernel->info.name, dims->grid[0], dims->grid[1], dims->grid[2],
                            dims->block[0], dims->block[1], dims->block[2], dims->shared_bytes);
    s->n_captured++;
    return QN_OK;
}

qn_status qn__hip_launch_cooperative(qn_stream *stream, const qn_kernel *kernel,
                                     const qn_dims *dims, void *const *args)
{
    struct qn__hip_stream *s = (struct qn__hip_stream *)stream;
    QN_TRY(check_work_items(kernel, dims));
    QN_TRY(qn__hip_use(stream->device));
    if (!qn__hip.hipModuleLaunchCooperativeKernel)
        return qn__fail(QN_E_UNSUPPORTED, "%s: this driver has no cooperative launch",
                        kernel->info.name);
    const hip_result r = qn__hip.hipModuleLaunchCooperativeKernel(
        ((const struct qn__hip_kernel *)kernel)->handle, dims->grid[0], dims->grid[1],
        dims->grid[2], dims->block[0], dims->block[1], dims->block[2], dims->shared_bytes,
        s->handle, (void **)(uintptr_t)args);
    if (r == HIP_OK)
        return QN_OK;
    if (r == HIP_E_COOPERATIVE_TOO_LARGE)
        return qn__fail(QN_E_LIMIT,
                        "%s: grid %u %u %u of blocks of %u %u %u threads does not fit on the "
                        "device at once",
                        kernel->info.name, dims->grid[0], dims->grid[1], dims->grid[2],
                        dims->block[0], dims->block[1], dims->block[2]);
    return qn__hip_fail(r, "%s: cooperative launch, grid %u %u %u, block %u %u %u",
                        kernel->info.name, dims->grid[0], dims->grid[1], dims->grid[2],
                        dims->block[0], dims->block[1], dims->block[2]);
}

qn_status qn__hip_stream_open(qn_stream **out, qn_device *dev, bool timing)
{
    (void)timing; /* costs nothing until an event is recorded */
    *out = NULL;
    QN_TRY(qn__hip_use(dev));
    struct qn__hip_stream *s = qn__alloc(1, sizeof *s);
    if (!s)
        return qn__fail(QN_E_MEMORY, "making a stream");
    const hip_result r = qn__hip.hipStreamCreateWithFlags(&s->handle, HIP_NON_BLOCKING);
    if (r != HIP_OK) {
        free(s);
        return qn__hip_fail(r, "hipStreamCreateWithFlags");
    }
    *out = &s->base;
    return QN_OK;
}

void qn__hip_stream_close(qn_stream *stream)
{
    struct qn__hip_stream *s = (struct qn__hip_stream *)stream;
    if (!s)
        return;
    if (qn__hip_use(stream->device) == QN_OK) {
        qn__hip.hipStreamSynchronize(s->handle); /* not every runtime's destroy waits */
        qn__hip.hipStreamDestroy(s->handle);
    }
    free(s);
}

qn_status qn__hip_stream_wait(qn_stream *stream, uint64_t ns)
{
    const hip_stream handle = ((struct qn__hip_stream *)stream)->handle;
    hip_result r;
    QN_TRY(qn__hip_use(stream->device));
    if (ns == QN__FOREVER) {
        r = qn__hip.hipStreamSynchronize(handle);
    } else {
        const struct qn__deadline d = qn__deadline_in(ns);
        while ((r = qn__hip.hipStreamQuery(handle)) == HIP_E_NOT_READY && qn__deadline_pause(&d))
            ;
    }
    return r == HIP_OK ? QN_OK : qn__hip_fail(r, "waiting for a stream");
}

qn_status qn__hip_stream_wait_event(qn_stream *stream, qn_event *event)
{
    const struct qn__hip_event *e = (struct qn__hip_event *)event;
    QN_TRY(qn__hip_use(stream->device));
    const hip_result r =
        qn__hip.hipStreamWaitEvent(((struct qn__hip_stream *)stream)->handle, e->last, 0);
    return r == HIP_OK ? QN_OK : qn__hip_fail(r, "making a stream wait for an event");
}

qn_status qn__hip_event_open(qn_event **out, qn_device *dev)
{
    (void)dev;
    struct qn__hip_event *e = qn__alloc(1, sizeof *e);
    *out = e ? &e->base : NULL;
    return e ? QN_OK : qn__fail(QN_E_MEMORY, "making an event");
}

void qn__hip_event_close(qn_event *event)
{
    struct qn__hip_event *e = (struct qn__hip_event *)event;
    if (!e)
        return;
    if (qn__hip_use(event->device) == QN_OK) {
        if (e->plain)
            qn__hip.hipEventDestroy(e->plain);
        if (e->timed)
            qn__hip.hipEventDestroy(e->timed);
    }
    free(e);
}

qn_status qn__hip_event_record(qn_event *event, qn_stream *stream)
{
    struct qn__hip_event *e = (struct qn__hip_event *)event;
    hip_event *which = stream->timing ? &e->timed : &e->plain;
    QN_TRY(qn__hip_use(stream->device));
    hip_result r = HIP_OK;
    if (!*which)
        r = qn__hip.hipEventCreateWithFlags(which, stream->timing ? 0 : HIP_EVENT_NO_TIMING);
    if (r == HIP_OK)
        r = qn__hip.hipEventRecord(*which, ((struct qn__hip_stream *)stream)->handle);
    if (r != HIP_OK)
        return qn__hip_fail(r, "recording an event");
    e->last = *which;
    return QN_OK;
}

qn_status qn__hip_event_wait(qn_event *event, uint64_t ns)
{
    const struct qn__hip_event *e = (struct qn__hip_event *)event;
    hip_result r;
    QN_TRY(qn__hip_use(event->device));
    if (ns == QN__FOREVER) {
        r = qn__hip.hipEventSynchronize(e->last);
    } else {
        const struct qn__deadline d = qn__deadline_in(ns);
        while ((r = qn__hip.hipEventQuery(e->last)) == HIP_E_NOT_READY && qn__deadline_pause(&d))
            ;
    }
    return r == HIP_OK ? QN_OK : qn__hip_fail(r, "waiting for an event");
}

qn_status qn__hip_event_elapsed(double *out_ms, qn_event *a, qn_event *b)
{
    float ms = 0;
    QN_TRY(qn__hip_use(a->device));
    const hip_result r = qn__hip.hipEventElapsedTime(&ms, ((struct qn__hip_event *)a)->last,
                                                     ((struct qn__hip_event *)b)->last);
    if (r != HIP_OK)
        return qn__hip_fail(r, "time between two events");
    *out_ms = ms;
    return QN_OK;
}
