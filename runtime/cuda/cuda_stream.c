/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA streams, events and the launch.
 *
 * The launch is the hot path: no allocation, no lock, no look-up. All it adds to the driver's call
 * is making the context current and one atomic load. */
#include "runtime/cuda/cuda_backend.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/deadline.h"

#include <stdlib.h>

/* Let the kernel take all the shared memory a block may have. A launch above 48 KiB needs it once;
 * asking for the most, not for this launch's size, makes it the same from every thread. */
static qn_status raise_shared_limit(struct qn__cuda_kernel *k, uint32_t wanted)
{
    QN_TRY(qn__kernel_describe(&k->base));
    if (wanted <= atomic_load_explicit(&k->shared_bytes_ready, memory_order_acquire))
        return QN_OK;
    if (wanted > k->shared_bytes_max)
        return qn__fail(QN_E_LIMIT,
                        "%s: %u bytes of dynamic shared memory, this kernel may have %u here",
                        k->base.info.name, wanted, k->shared_bytes_max);
    const cu_result r = qn__cuda.cuFuncSetAttribute(k->handle, CU_FUNC_DYNAMIC_SHARED_BYTES,
                                                    (int)k->shared_bytes_max);
    if (r != CU_OK)
        return qn__cuda_fail(r, "%s: %u bytes of dynamic shared memory", k->base.info.name,
                             k->shared_bytes_max);
    atomic_store_explicit(&k->shared_bytes_ready, k->shared_bytes_max, memory_order_release);
    return QN_OK;
}

qn_status qn__cuda_launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                          void *const *args)
{
    struct qn__cuda_kernel *k = (struct qn__cuda_kernel *)(uintptr_t)kernel;
    QN_TRY(qn__cuda_use(s->device));
    if (dims->shared_bytes > atomic_load_explicit(&k->shared_bytes_ready, memory_order_acquire))
        QN_TRY(raise_shared_limit(k, dims->shared_bytes));
    const cu_result r = qn__cuda.cuLaunchKernel(
        k->handle, dims->grid[0], dims->grid[1], dims->grid[2], dims->block[0], dims->block[1],
        dims->block[2], dims->shared_bytes, ((struct qn__cuda_stream *)s)->handle,
        (void **)(uintptr_t)args, NULL);
    if (r == CU_OK)
        return QN_OK;
    return qn__cuda_fail(r, "%s: grid %u %u %u, block %u %u %u, %u shared bytes", kernel->info.name,
                         dims->grid[0], dims->grid[1], dims->grid[2], dims->block[0],
                         dims->block[1], dims->block[2], dims->shared_bytes);
}

qn_status qn__cuda_launch_early(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                                void *const *args)
{
    struct qn__cuda_kernel *k = (struct qn__cuda_kernel *)(uintptr_t)kernel;
    if (!((struct qn__cuda_device *)s->device)->launches_early)
        return qn__cuda_launch(s, kernel, dims, args);
    QN_TRY(qn__cuda_use(s->device));
    if (dims->shared_bytes > atomic_load_explicit(&k->shared_bytes_ready, memory_order_acquire))
        QN_TRY(raise_shared_limit(k, dims->shared_bytes));
    cu_launch_attribute early = {.id = CU_LAUNCH_EARLY, .value = {.number = 1}};
    const cu_launch_config config = {
        .grid = {dims->grid[0], dims->grid[1], dims->grid[2]},
        .block = {dims->block[0], dims->block[1], dims->block[2]},
        .shared_bytes = dims->shared_bytes,
        .stream = ((struct qn__cuda_stream *)s)->handle,
        .attributes = &early,
        .n_attributes = 1,
    };
    const cu_result r =
        qn__cuda.cuLaunchKernelEx(&config, k->handle, (void **)(uintptr_t)args, NULL);
    if (r == CU_OK)
        return QN_OK;
    return qn__cuda_fail(r, "%s: early launch, grid %u %u %u, block %u %u %u, %u shared bytes",
                         kernel->info.name, dims->grid[0], dims->grid[1], dims->grid[2],
                         dims->block[0], dims->block[1], dims->block[2], dims->shared_bytes);
}

qn_status qn__cuda_launch_cooperative(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                                      void *const *args)
{
    struct qn__cuda_kernel *k = (struct qn__cuda_kernel *)(uintptr_t)kernel;
    QN_TRY(qn__cuda_use(s->device));
    if (dims->shared_bytes > atomic_load_explicit(&k->shared_bytes_ready, memory_order_acquire))
        QN_TRY(raise_shared_limit(k, dims->shared_bytes));
    const cu_result r = qn__cuda.cuLaunchCooperativeKernel(
        k->handle, dims->grid[0], dims->grid[1], dims->grid[2], dims->block[0], dims->block[1],
        dims->block[2], dims->shared_bytes, ((struct qn__cuda_stream *)s)->handle,
        (void **)(uintptr_t)args);
    if (r == CU_OK)
        return QN_OK;
    if (r == CU_E_COOPERATIVE_TOO_LARGE)
        return qn__fail(QN_E_LIMIT,
                        "%s: grid %u %u %u of blocks of %u %u %u threads does not fit on the "
                        "device at once",
                        kernel->info.name, dims->grid[0], dims->grid[1], dims->grid[2],
                        dims->block[0], dims->block[1], dims->block[2]);
    return qn__cuda_fail(r, "%s: cooperative launch, grid %u %u %u, block %u %u %u",
                         kernel->info.name, dims->grid[0], dims->grid[1], dims->grid[2],
                         dims->block[0], dims->block[1], dims->block[2]);
}

qn_status qn__cuda_stream_open(qn_stream **out, qn_device *dev, bool timing)
{
    (void)timing; /* costs nothing until an event is recorded */
    *out = NULL;
    QN_TRY(qn__cuda_use(dev));
    struct qn__cuda_stream *s = qn__alloc(1, sizeof *s);
    if (!s)
        return qn__fail(QN_E_MEMORY, "making a stream");
    const cu_result r = qn__cuda.cuStreamCreate(&s->handle, CU_NON_BLOCKING);
    if (r != CU_OK) {
        free(s);
        return qn__cuda_fail(r, "cuStreamCreate");
    }
    *out = &s->base;
    return QN_OK;
}

void qn__cuda_stream_close(qn_stream *stream)
{
    struct qn__cuda_stream *s = (struct qn__cuda_stream *)stream;
    if (!s)
        return;
    if (qn__cuda_use(stream->device) == QN_OK) {
        qn__cuda.cuStreamSynchronize(s->handle); /* the driver's destroy does not wait */
        qn__cuda.cuStreamDestroy(s->handle);
    }
    free(s);
}

qn_status qn__cuda_stream_wait(qn_stream *stream, uint64_t ns)
{
    const cu_stream handle = ((struct qn__cuda_stream *)stream)->handle;
    cu_result r;
    QN_TRY(qn__cuda_use(stream->device));
    if (ns == QN__FOREVER) {
        r = qn__cuda.cuStreamSynchronize(handle);
    } else {
        const struct qn__deadline d = qn__deadline_in(ns);
        while ((r = qn__cuda.cuStreamQuery(handle)) == CU_E_NOT_READY && qn__deadline_pause(&d))
            ;
    }
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "waiting for a stream");
}

qn_status qn__cuda_stream_wait_event(qn_stream *stream, qn_event *event)
{
    const struct qn__cuda_event *e = (struct qn__cuda_event *)event;
    QN_TRY(qn__cuda_use(stream->device));
    const cu_result r =
        qn__cuda.cuStreamWaitEvent(((struct qn__cuda_stream *)stream)->handle, e->last, 0);
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "making a stream wait for an event");
}

qn_status qn__cuda_stream_native(void **handle, qn_stream *s)
{
    QN_TRY(qn__cuda_use(s->device));
    *handle = ((struct qn__cuda_stream *)s)->handle;
    return QN_OK;
}

qn_status qn__cuda_event_open(qn_event **out, qn_device *dev)
{
    (void)dev;
    struct qn__cuda_event *e = qn__alloc(1, sizeof *e);
    *out = e ? &e->base : NULL;
    return e ? QN_OK : qn__fail(QN_E_MEMORY, "making an event");
}

void qn__cuda_event_close(qn_event *event)
{
    struct qn__cuda_event *e = (struct qn__cuda_event *)event;
    if (!e)
        return;
    if (qn__cuda_use(event->device) == QN_OK) {
        if (e->plain)
            qn__cuda.cuEventDestroy(e->plain);
        if (e->timed)
            qn__cuda.cuEventDestroy(e->timed);
    }
    free(e);
}

qn_status qn__cuda_event_record(qn_event *event, qn_stream *stream)
{
    struct qn__cuda_event *e = (struct qn__cuda_event *)event;
    cu_event *which = stream->timing ? &e->timed : &e->plain;
    QN_TRY(qn__cuda_use(stream->device));
    cu_result r = CU_OK;
    if (!*which)
        r = qn__cuda.cuEventCreate(which, stream->timing ? 0 : CU_EVENT_NO_TIMING);
    if (r == CU_OK)
        r = qn__cuda.cuEventRecord(*which, ((struct qn__cuda_stream *)stream)->handle);
    if (r != CU_OK)
        return qn__cuda_fail(r, "recording an event");
    e->last = *which;
    return QN_OK;
}

qn_status qn__cuda_event_wait(qn_event *event, uint64_t ns)
{
    const struct qn__cuda_event *e = (struct qn__cuda_event *)event;
    cu_result r;
    QN_TRY(qn__cuda_use(event->device));
    if (ns == QN__FOREVER) {
        r = qn__cuda.cuEventSynchronize(e->last);
    } else {
        const struct qn__deadline d = qn__deadline_in(ns);
        while ((r = qn__cuda.cuEventQuery(e->last)) == CU_E_NOT_READY && qn__deadline_pause(&d))
            ;
    }
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "waiting for an event");
}

qn_status qn__cuda_event_elapsed(double *out_ms, qn_event *a, qn_event *b)
{
    float ms = 0;
    QN_TRY(qn__cuda_use(a->device));
    const cu_result r = qn__cuda.cuEventElapsedTime(&ms, ((struct qn__cuda_event *)a)->last,
                                                    ((struct qn__cuda_event *)b)->last);
    if (r != CU_OK)
        return qn__cuda_fail(r, "time between two events");
    *out_ms = ms;
    return QN_OK;
}
