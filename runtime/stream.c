/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams, launches, events.
 *
 * The launch path checks numbers against what is already in memory, hands over to the backend and
 * remembers the kernel in a small ring (stream_queue.c): no lock, no allocation, no driver
 * question.
 */
#include "base/log.h"
#include "runtime/backend.h"
#include "runtime/recording.h"
#include "runtime/stream_queue.h"

/* -- streams -- */

qn_status qn_stream_create(qn_stream **out, qn_device *dev, const qn_stream_options *options)
{
    QN_ARG_CHECK(out != NULL);
    *out = NULL;
    QN_ARG_CHECK(dev != NULL);
    const bool timing = options && options->timing;
    qn_stream *s;
    QN_TRY(dev->backend->stream_open(&s, dev, timing));
    s->device = qn__device_retain(dev);
    s->timing = timing;
    pthread_mutex_lock(&dev->streams_lock);
    s->next = dev->streams;
    if (s->next)
        s->next->prev = s;
    dev->streams = s;
    pthread_mutex_unlock(&dev->streams_lock);
    *out = s;
    return QN_OK;
}

void qn_stream_destroy(qn_stream *s)
{
    if (!s)
        return;
    qn_device *dev = s->device;
    qn_graph *unfinished = NULL;
    if (s->is_capturing && qn_stream_capture_end(&unfinished, s) == QN_OK)
        qn_graph_destroy(unfinished);
    if (!qn__stream_settled(s)) {
        qn__log(QN_LOG_WARNING, "%s: a stream whose work does not end is left as it is",
                dev->info.id);
        return; /* in the device's list, which it keeps open */
    }
    pthread_mutex_lock(&dev->streams_lock);
    if (s->prev)
        s->prev->next = s->next;
    else
        dev->streams = s->next;
    if (s->next)
        s->next->prev = s->prev;
    pthread_mutex_unlock(&dev->streams_lock);
    dev->backend->stream_close(s);
    qn__device_release(dev);
}

qn_status qn_stream_sync(qn_stream *s)
{
    QN_ARG_CHECK(s != NULL);
    QN_TRY(qn__stream_not_capturing(s, "qn_stream_sync"));
    const qn_status status = qn__stream_finish(s, qn__device_patience_ns(s->device));
    return status == QN_E_NOT_READY ? qn__stream_late(s) : status;
}

qn_status qn_stream_sync_for(qn_stream *s, uint32_t ms)
{
    QN_ARG_CHECK(s != NULL);
    QN_TRY(qn__stream_not_capturing(s, "qn_stream_sync_for"));
    const uint64_t ns = (uint64_t)ms * 1000000;
    const qn_status status = qn__stream_finish(s, ns);
    return status == QN_E_NOT_READY ? qn__stream_timeout(s, ns) : status;
}

qn_status qn_stream_query(qn_stream *s)
{
    QN_ARG_CHECK(s != NULL);
    QN_TRY(qn__stream_not_capturing(s, "qn_stream_query"));
    if (!atomic_load_explicit(&s->is_pending, memory_order_acquire))
        return QN_OK;
    return qn__stream_finish(s, 0);
}

/* -- launch -- */

static const char axis_names[] = "xyz";

static qn_status check_axes(const qn_kernel *k, const qn_dims *d)
{
    const qn_device_info *info = &k->module->device->info;
    for (int i = 0; i < 3; i++) {
        if (d->block[i] > info->block_max[i])
            return qn__fail(QN_E_LIMIT, "%s: block.%c %u: %s allows %u", k->info.expression,
                            axis_names[i], d->block[i], info->id, info->block_max[i]);
        if (d->grid[i] > info->grid_max[i])
            return qn__fail(QN_E_LIMIT, "%s: grid.%c %u: %s allows %llu", k->info.expression,
                            axis_names[i], d->grid[i], info->id,
                            (unsigned long long)info->grid_max[i]);
    }
    return QN_OK;
}

static qn_status check_dims(const qn_kernel *k, const qn_dims *d)
{
    const qn_device_info *info = &k->module->device->info;
    const uint64_t threads = (uint64_t)d->block[0] * d->block[1] * d->block[2];
    const bool known =
        k->has_limits || atomic_load_explicit(&k->is_described, memory_order_acquire);
    const uint32_t threads_max = known ? k->attributes.block_threads_max : info->block_threads_max;
    const uint64_t own_shared = known ? k->attributes.static_shared_bytes : 0;
    QN_TRY(check_axes(k, d)); /* first: bounds the product */
    if (threads > threads_max)
        return qn__fail(QN_E_LIMIT, "%s: a block of %u x %u x %u = %llu threads: at most %u",
                        k->info.expression, d->block[0], d->block[1], d->block[2],
                        (unsigned long long)threads, threads_max);
    if (own_shared + d->shared_bytes > info->shared_bytes_max)
        return qn__fail(QN_E_LIMIT,
                        "%s: %llu static + %u dynamic bytes of shared memory: %s allows %llu",
                        k->info.expression, (unsigned long long)own_shared, d->shared_bytes,
                        info->id, (unsigned long long)info->shared_bytes_max);
    const struct qn__kernel *sig = k->signature;
    if (sig && sig->block_required[0] &&
        (d->block[0] != sig->block_required[0] || d->block[1] != sig->block_required[1] ||
         d->block[2] != sig->block_required[2]))
        return qn__fail(QN_E_LIMIT, "%s: a block of %u x %u x %u: compiled for %u x %u x %u",
                        k->info.expression, d->block[0], d->block[1], d->block[2],
                        sig->block_required[0], sig->block_required[1], sig->block_required[2]);
    return QN_OK;
}

/* The driver refused: when the kernel's own limits were not known before, they may say why. */
static qn_status refused(qn_status status, const qn_kernel *k, const qn_dims *d)
{
    struct qn__message message;
    qn__message_save(&message);
    if (qn__kernel_describe(k) == QN_OK)
        QN_TRY(check_dims(k, d));
    qn__message_restore(&message);
    return status;
}

enum manner { PLAIN, COOPERATIVE, EARLY };

static qn_status hand_over(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                           void *const *args, enum manner manner)
{
    const struct qn__backend *const backend = s->device->backend;
    const bool waits = s->has_to_wait;
    s->has_to_wait = false;
    if (manner == COOPERATIVE)
        return backend->launch_cooperative(s, kernel, dims, args);
    if (manner == EARLY && backend->launch_early && !waits)
        return backend->launch_early(s, kernel, dims, args);
    return backend->launch(s, kernel, dims, args);
}

static qn_status launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                        void *const *args, enum manner manner)
{
    const struct qn__backend *const backend = s->device->backend;
    const bool is_cooperative = manner == COOPERATIVE;
    if (is_cooperative && !backend->launch_cooperative)
        return qn__fail(QN_E_UNSUPPORTED,
                        "%s: a cooperative launch needs all blocks on the device at once, which %s "
                        "does not promise; end the kernel where its blocks wait for each other and "
                        "launch the rest as a second one",
                        kernel->info.expression, backend->name);
    if (is_cooperative && s->is_capturing)
        return qn__fail(QN_E_UNSUPPORTED, "%s: a cooperative launch cannot be captured",
                        kernel->info.expression);
    if (!args && kernel->info.n_args)
        return qn__fail(QN_E_INVALID, "%s: takes %u arguments and got none",
                        kernel->info.expression, kernel->info.n_args);
    for (uint32_t i = 0; i < kernel->info.n_args; i++)
        if (!args[i])
            return qn__fail(QN_E_INVALID, "%s: the address of argument %u is NULL",
                            kernel->info.expression, i);
    if (s->is_capturing) /* a refusal would spoil the recording */
        QN_TRY(qn__kernel_describe(kernel));
    qn_dims d = *dims;
    for (int i = 0; i < 3; i++) {
        d.grid[i] += d.grid[i] == 0;
        d.block[i] += d.block[i] == 0;
    }
    QN_TRY(check_dims(kernel, &d));
    qn__stream_queued(s, &kernel, 1);
    if (kernel->module->shapes)
        qn__shapes_note(kernel->module->shapes, kernel->info.name, &d);
    if (s->recording)
        return qn__record_launch(s, kernel, &d, args);
    const qn_status status = hand_over(s, kernel, &d, args, manner);
    return status == QN_OK ? QN_OK : refused(status, kernel, &d);
}

static qn_status checked_launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                                void *const *args, enum manner manner)
{
    QN_ARG_CHECK(s != NULL && kernel != NULL && dims != NULL);
    if (kernel->module->device != s->device)
        return qn__fail(QN_E_INVALID, "%s: the stream and the kernel belong to different devices",
                        kernel->info.expression);
    return qn__stream_result(s, launch(s, kernel, dims, args, manner));
}

qn_status qn_stream_launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                           void *const *args)
{
    return checked_launch(s, kernel, dims, args, PLAIN);
}

qn_status qn_stream_launch_cooperative(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                                       void *const *args)
{
    return checked_launch(s, kernel, dims, args, COOPERATIVE);
}

qn_status qn_stream_launch_early(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                                 void *const *args)
{
    return checked_launch(s, kernel, dims, args, EARLY);
}

/* -- events -- */

qn_status qn_event_create(qn_event **out, qn_device *dev)
{
    QN_ARG_CHECK(out != NULL);
    *out = NULL;
    QN_ARG_CHECK(dev != NULL);
    qn_event *e;
    QN_TRY(dev->backend->event_open(&e, dev));
    e->device = qn__device_retain(dev);
    *out = e;
    return QN_OK;
}

void qn_event_destroy(qn_event *e)
{
    if (!e)
        return;
    qn_device *dev = e->device;
    dev->backend->event_close(e);
    qn__device_release(dev);
}

qn_status qn_event_record(qn_event *e, qn_stream *s)
{
    QN_ARG_CHECK(e != NULL && s != NULL);
    if (e->device != s->device)
        return qn__fail(QN_E_INVALID, "the event and the stream belong to different devices");
    QN_TRY(qn__stream_not_capturing(s, "qn_event_record"));
    atomic_store_explicit(&s->is_pending, true, memory_order_release);
    QN_TRY(s->device->backend->event_record(e, s));
    e->recorded = true;
    e->timing = s->timing;
    return QN_OK;
}

qn_status qn_event_sync(qn_event *e)
{
    QN_ARG_CHECK(e != NULL);
    if (!e->recorded)
        return QN_OK;
    const uint64_t ns = qn__device_patience_ns(e->device);
    const qn_status status = e->device->backend->event_wait(e, ns);
    return status == QN_E_NOT_READY
               ? qn__fail(QN_E_TIMEOUT, "%s: an event is not reached after %g s",
                          e->device->info.id, (double)ns * 1e-9)
               : status;
}

qn_status qn_event_query(qn_event *e)
{
    QN_ARG_CHECK(e != NULL);
    return e->recorded ? e->device->backend->event_wait(e, 0) : QN_OK;
}

qn_status qn_stream_wait(qn_stream *s, qn_event *e)
{
    QN_ARG_CHECK(s != NULL && e != NULL);
    if (e->device != s->device)
        return qn__fail(QN_E_INVALID, "the event and the stream belong to different devices");
    QN_TRY(qn__stream_not_capturing(s, "qn_stream_wait"));
    if (!e->recorded)
        return QN_OK;
    atomic_store_explicit(&s->is_pending, true, memory_order_release);
    s->has_to_wait = true;
    return s->device->backend->stream_wait_event(s, e);
}

qn_status qn_event_elapsed(double *out_ms, qn_event *a, qn_event *b)
{
    QN_ARG_CHECK(out_ms != NULL);
    *out_ms = 0;
    QN_ARG_CHECK(a != NULL && b != NULL);
    if (a->device != b->device)
        return qn__fail(QN_E_INVALID, "the events belong to different devices");
    if (!a->recorded || !b->recorded)
        return qn__fail(QN_E_INVALID, "the %s event was not recorded",
                        a->recorded ? "second" : "first");
    if (!a->timing || !b->timing)
        return qn__fail(QN_E_INVALID,
                        "the %s event was recorded on a stream made without options.timing",
                        a->timing ? "second" : "first");
    return a->device->backend->event_elapsed(out_ms, a, b);
}
