/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams. Each has a queue of Quern's. The default stream (0) and those made without
 * cudaStreamNonBlocking are in order with each other, as CUDA says: what is given to the default
 * stream waits for all of theirs, and theirs for what it was given before. */
#include "cudart/runtime.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER; /* of all devices' lists */
static const qn_stream_options timed = {.timing = true};

static cudaError_t open_stream(struct CUstream_st *s, struct qn__rt_device *d)
{
    pthread_mutex_init(&s->lock, NULL);
    s->device = d;
    qn_status status = qn_stream_create(&s->stream, d->device, &timed);
    if (status == QN_OK)
        status = qn_event_create(&s->mark, d->device);
    if (status == QN_OK)
        return cudaSuccess;
    qn_stream_destroy(s->stream);
    return qn__rt_status(status, "making a stream");
}

static void close_stream(struct CUstream_st *s)
{
    qn_event_destroy(s->mark);
    qn_stream_destroy(s->stream);
    pthread_mutex_destroy(&s->lock);
}

cudaError_t qn__rt_streams_open(struct qn__rt_device *d)
{
    d->default_stream = (struct CUstream_st){.blocking = true};
    return open_stream(&d->default_stream, d);
}

void qn__rt_streams_close(struct qn__rt_device *d)
{
    while (d->streams) {
        struct CUstream_st *const s = d->streams;
        d->streams = s->next;
        close_stream(s);
        free(s);
    }
    close_stream(&d->default_stream);
}

static cudaError_t create(cudaStream_t *stream, unsigned flags)
{
    QN__RT_DEVICE(d);
    if (!stream || flags > cudaStreamNonBlocking)
        return qn__rt_error(cudaErrorInvalidValue);
    struct CUstream_st *const s = calloc(1, sizeof *s);
    if (!s)
        return qn__rt_error(cudaErrorMemoryAllocation);
    s->blocking = !(flags & cudaStreamNonBlocking);
    const cudaError_t error = open_stream(s, d);
    if (error != cudaSuccess) {
        free(s);
        return error;
    }
    pthread_mutex_lock(&list_lock);
    s->next = d->streams;
    d->streams = s;
    pthread_mutex_unlock(&list_lock);
    *stream = s;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return create(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return create(stream, flags);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    (void)priority; /* the range has one: cudaDeviceGetStreamPriorityRange() */
    return create(stream, flags);
}

/* ---- finding and ordering ---- */

/* Is it one that was made and not destroyed? Takes it out where `out` says so. */
static bool is_known(struct CUstream_st *s, bool out)
{
    bool found = false;
    pthread_mutex_lock(&list_lock);
    struct qn__rt_device *d;
    for (int i = 0; !found && (d = qn__rt_open_device(i)) != NULL; i++)
        for (struct CUstream_st **at = &d->streams; !found && *at; at = &(*at)->next)
            if (*at == s) {
                found = true;
                if (out)
                    *at = s->next;
                break;
            }
    pthread_mutex_unlock(&list_lock);
    return found;
}

static struct CUstream_st *find(cudaStream_t handle, cudaError_t *error)
{
    struct qn__rt_device *const d = qn__rt_device(error);
    if (!d)
        return NULL;
    if (!handle || handle == cudaStreamLegacy || handle == cudaStreamPerThread)
        return &d->default_stream;
    if (is_known(handle, false))
        return handle;
    *error = cudaErrorInvalidResourceHandle;
    return NULL;
}

/* What the default stream is given now waits for the others'. */
static qn_status default_waits(struct CUstream_st *s)
{
    struct qn__rt_device *const d = s->device;
    qn_status status = QN_OK;
    pthread_mutex_lock(&list_lock);
    for (struct CUstream_st *o = d->streams; o && status == QN_OK; o = o->next) {
        if (!o->blocking || !o->pending || o->capturing)
            continue;
        pthread_mutex_lock(&o->lock);
        status = qn_event_record(o->mark, o->stream);
        if (status == QN_OK)
            status = qn_stream_wait(s->stream, o->mark);
        o->pending = false;
        pthread_mutex_unlock(&o->lock);
    }
    d->default_work++;
    pthread_mutex_unlock(&list_lock);
    return status;
}

/* What this stream is given now waits for what the default stream was given before. */
static qn_status waits_for_default(struct CUstream_st *s)
{
    struct CUstream_st *const first = &s->device->default_stream;
    s->default_seen = s->device->default_work;
    if (first->capturing)
        return QN_OK;
    const qn_status status = qn_event_record(first->mark, first->stream);
    return status == QN_OK ? qn_stream_wait(s->stream, first->mark) : status;
}

/* Lock both where one is to wait for the other. */
static qn_status enter_blocking(struct CUstream_st *s)
{
    struct qn__rt_device *const d = s->device;
    qn_status status = QN_OK;
    pthread_mutex_lock(&s->lock);
    if (!s->capturing && s->default_seen != d->default_work) {
        pthread_mutex_unlock(&s->lock);
        pthread_mutex_lock(&d->default_stream.lock);
        pthread_mutex_lock(&s->lock);
        status = waits_for_default(s);
        pthread_mutex_unlock(&d->default_stream.lock);
    }
    s->pending = true;
    return status;
}

struct CUstream_st *qn__rt_stream_enter(cudaStream_t handle, cudaError_t *error)
{
    struct CUstream_st *const s = find(handle, error);
    if (!s)
        return NULL;
    qn_status status = QN_OK;
    if (s != &s->device->default_stream && s->blocking) {
        status = enter_blocking(s);
    } else {
        pthread_mutex_lock(&s->lock);
        if (s == &s->device->default_stream)
            status = default_waits(s);
    }
    if (status != QN_OK) {
        pthread_mutex_unlock(&s->lock);
        *error = qn__rt_status(status, "putting streams in order");
        return NULL;
    }
    return s;
}

void qn__rt_stream_leave(struct CUstream_st *s)
{
    pthread_mutex_unlock(&s->lock);
}

cudaError_t qn__rt_stream_wait(struct CUstream_st *s, const char *what)
{
    const qn_status status = qn_stream_sync(s->stream);
    const cudaError_t error = qn__rt_status(status, what);
    fflush(stdout);
    if (status == QN_E_FAULT)
        s->device->sticky = error;
    return error;
}

static cudaError_t wait_unless_captured(struct CUstream_st *s, const char *what)
{
    pthread_mutex_lock(&s->lock);
    const cudaError_t error = s->capturing ? cudaSuccess : qn__rt_stream_wait(s, what);
    pthread_mutex_unlock(&s->lock);
    return error;
}

cudaError_t qn__rt_streams_wait(struct qn__rt_device *d, const char *what)
{
    cudaError_t error = wait_unless_captured(&d->default_stream, what);
    pthread_mutex_lock(&list_lock);
    for (struct CUstream_st *s = d->streams; s && error == cudaSuccess; s = s->next)
        error = wait_unless_captured(s, what);
    pthread_mutex_unlock(&list_lock);
    return error;
}

/* ---- calls ---- */

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (!stream || !is_known(stream, true))
        return qn__rt_error(cudaErrorInvalidResourceHandle);
    close_stream(stream);
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    cudaError_t error;
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    error = s->capturing ? qn__rt_error(cudaErrorStreamCaptureUnsupported)
                         : qn__rt_stream_wait(s, "cudaStreamSynchronize");
    qn__rt_stream_leave(s);
    return error;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    cudaError_t error;
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    const qn_status status = qn_stream_query(s->stream);
    error = qn__rt_status(status, "cudaStreamQuery");
    if (status == QN_E_FAULT)
        s->device->sticky = error;
    qn__rt_stream_leave(s);
    return error;
}

/* The work before it is waited for, then the host's function called, then others' work goes on:
 * one of the orders there may be. */
static cudaError_t call_host(cudaStream_t stream, cudaStreamCallback_t callback, cudaHostFn_t fn,
                             void *user, const char *what)
{
    cudaError_t error;
    struct CUstream_st *const s = callback || fn ? qn__rt_stream_enter(stream, &error) : NULL;
    if (!s)
        return qn__rt_error(callback || fn ? error : cudaErrorInvalidValue);
    if (s->capturing)
        error = qn__rt_fail(cudaErrorStreamCaptureUnsupported,
                            "%s: a graph here has no nodes that call the host", what);
    else
        error = qn__rt_stream_wait(s, what);
    qn__rt_stream_leave(s);
    if (error == cudaErrorStreamCaptureUnsupported)
        return error;
    if (callback)
        callback(stream, error, user);
    else if (error == cudaSuccess)
        fn(user);
    return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
                                  unsigned int flags)
{
    if (flags)
        return qn__rt_error(cudaErrorInvalidValue);
    return call_host(stream, callback, NULL, user, "cudaStreamAddCallback");
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *user)
{
    return call_host(stream, NULL, fn, user, "cudaLaunchHostFunc");
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t n, unsigned int flags)
{
    cudaError_t error;
    (void)n;
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    qn__rt_stream_leave(s);
    const bool fits =
        flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    return fits && qn__rt_block_of(p).kind == QN__RT_MANAGED ? cudaSuccess
                                                             : qn__rt_error(cudaErrorInvalidValue);
}
