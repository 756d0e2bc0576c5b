/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory calls: argument checks, and what a NULL stream means.
 *
 * A call with a stream is handed to the backend, or recorded when the stream is being captured.
 * A call without one waits for every stream of the device, runs on a stream of the device's own and
 * waits for that: what a program reads is then what it queued before, whichever stream it used.
 * streams_lock is held all the while, which also keeps the device's own stream to one thread. */
#include "runtime/backend.h"
#include "runtime/recording.h"
#include "runtime/stream_queue.h"

/* -- allocation -- */

qn_status qn_memory_alloc(qn_addr *out, qn_device *dev, uint64_t bytes)
{
    QN_ARG_CHECK(out != NULL);
    *out = 0;
    QN_ARG_CHECK(dev != NULL);
    if (bytes == 0)
        return qn__fail(QN_E_INVALID, "an allocation of 0 bytes");
    return dev->backend->alloc(out, dev, bytes);
}

qn_status qn_memory_free(qn_device *dev, qn_addr addr)
{
    QN_ARG_CHECK(dev != NULL);
    if (!addr)
        return QN_OK;
    const qn_status waited = qn__device_wait(dev);
    if (waited == QN_E_TIMEOUT)
        return waited;
    struct qn__message m;
    qn__message_save(&m);
    const qn_status freed = dev->backend->free(dev, addr);
    if (waited == QN_OK)
        return freed;
    qn__message_restore(&m);
    return waited;
}

qn_status qn_memory_alloc_host(void **out, qn_device *dev, uint64_t bytes)
{
    QN_ARG_CHECK(out != NULL);
    *out = NULL;
    QN_ARG_CHECK(dev != NULL);
    if (bytes == 0)
        return qn__fail(QN_E_INVALID, "an allocation of 0 bytes");
    return dev->backend->alloc_host(out, dev, bytes);
}

qn_status qn_memory_free_host(qn_device *dev, void *host)
{
    QN_ARG_CHECK(dev != NULL);
    if (host && !qn__device_settled(dev))
        return qn__fail(QN_E_TIMEOUT, "%s: host memory is kept, work that may use it does not end",
                        dev->info.id);
    return host ? dev->backend->free_host(dev, host) : QN_OK;
}

qn_status qn_device_set_heap(qn_device *dev, uint64_t bytes)
{
    QN_ARG_CHECK(dev != NULL);
    if (bytes == 0)
        return qn__fail(QN_E_INVALID, "a heap of 0 bytes");
    if (bytes > QN_HEAP_BYTES_MAX)
        return qn__fail(QN_E_LIMIT, "a heap of %llu bytes: at most %llu", (unsigned long long)bytes,
                        (unsigned long long)QN_HEAP_BYTES_MAX);
    pthread_mutex_lock(&dev->lock);
    const bool is_late = dev->heap_is_made;
    if (!is_late)
        dev->heap_bytes = bytes;
    pthread_mutex_unlock(&dev->lock);
    if (is_late)
        return qn__fail(QN_E_INVALID,
                        "the heap of %s has been made, as a kernel that allocates was loaded: say "
                        "how large it is before that",
                        dev->info.id);
    return dev->backend->heap_set ? dev->backend->heap_set(dev, bytes) : QN_OK;
}

/* -- copies and fills -- */

/* One of them, so that "now" and "queued" need writing once. */
struct work {
    bool is_fill;
    enum qn__copy kind;
    uint64_t dst, src, bytes;
    uint32_t value, elem_bytes;
    uint64_t n_elems;
};

static qn_status queue(qn_stream *s, const struct work *w)
{
    const struct qn__backend *b = s->device->backend;
    qn__stream_queued(s, NULL, 0);
    if (s->recording && w->is_fill)
        return qn__record_fill(s, w->dst, w->value, w->elem_bytes, w->n_elems);
    if (s->recording)
        return qn__record_copy(s, w->kind, w->dst, w->src, w->bytes);
    return w->is_fill ? b->fill(s, w->dst, w->value, w->elem_bytes, w->n_elems)
                      : b->copy(s, w->kind, w->dst, w->src, w->bytes);
}

static qn_status run_on_default(qn_device *dev, const struct work *w)
{
    QN_TRY(qn__device_wait_locked(dev));
    if (!dev->default_stream) {
        qn_stream *s;
        QN_TRY(dev->backend->stream_open(&s, dev, false));
        s->device = dev;
        dev->default_stream = s;
    }
    QN_TRY(queue(dev->default_stream, w));
    const qn_status s = dev->backend->stream_wait(dev->default_stream, qn__device_patience_ns(dev));
    return s == QN_E_NOT_READY ? qn__stream_late(dev->default_stream) : s;
}

static qn_status run(qn_device *dev, qn_stream *stream, const struct work *w)
{
    if (stream && stream->device != dev)
        return qn__fail(QN_E_INVALID, "the stream belongs to another device than %s", dev->info.id);
    if (stream)
        return qn__stream_result(stream, queue(stream, w));
    pthread_mutex_lock(&dev->streams_lock);
    const qn_status s = run_on_default(dev, w);
    pthread_mutex_unlock(&dev->streams_lock);
    return s;
}

static qn_status copy(qn_device *dev, enum qn__copy kind, uint64_t dst, uint64_t src,
                      uint64_t bytes, qn_stream *stream)
{
    if (bytes == 0)
        return QN_OK;
    if (!dst || !src)
        return qn__fail(QN_E_INVALID, "a copy of %llu bytes %s address 0",
                        (unsigned long long)bytes, dst ? "from" : "to");
    if (dst + bytes < dst || src + bytes < src)
        return qn__fail(QN_E_INVALID, "a copy of %llu bytes leaves the address space",
                        (unsigned long long)bytes);
    return run(dev, stream, &(struct work){.kind = kind, .dst = dst, .src = src, .bytes = bytes});
}

qn_status qn_memory_upload(qn_device *dev, qn_addr dst, const void *src, uint64_t bytes,
                           qn_stream *stream)
{
    QN_ARG_CHECK(dev != NULL);
    return copy(dev, QN__COPY_UPLOAD, dst, (uintptr_t)src, bytes, stream);
}

qn_status qn_memory_download(qn_device *dev, void *dst, qn_addr src, uint64_t bytes,
                             qn_stream *stream)
{
    QN_ARG_CHECK(dev != NULL);
    return copy(dev, QN__COPY_DOWNLOAD, (uintptr_t)dst, src, bytes, stream);
}

qn_status qn_memory_copy(qn_device *dev, qn_addr dst, qn_addr src, uint64_t bytes,
                         qn_stream *stream)
{
    QN_ARG_CHECK(dev != NULL);
    if (bytes && (dst < src ? src - dst : dst - src) < bytes)
        return qn__fail(QN_E_INVALID, "a copy of %llu bytes whose source and destination overlap",
                        (unsigned long long)bytes);
    return copy(dev, QN__COPY_DEVICE, dst, src, bytes, stream);
}

qn_status qn_memory_fill(qn_device *dev, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                         uint64_t n_elems, qn_stream *stream)
{
    QN_ARG_CHECK(dev != NULL);
    if (elem_bytes != 1 && elem_bytes != 2 && elem_bytes != 4)
        return qn__fail(QN_E_INVALID, "a fill with elements of %u bytes: 1, 2 or 4", elem_bytes);
    if (n_elems == 0)
        return QN_OK;
    if (!dst || dst % elem_bytes)
        return qn__fail(QN_E_INVALID, "a fill at 0x%llx: not a multiple of %u",
                        (unsigned long long)dst, elem_bytes);
    if (n_elems > UINT64_MAX / elem_bytes || dst + n_elems * elem_bytes < dst)
        return qn__fail(QN_E_INVALID, "a fill of %llu elements leaves the address space",
                        (unsigned long long)n_elems);
    return run(dev, stream,
               &(struct work){.is_fill = true,
                              .dst = dst,
                              .value = value,
                              .elem_bytes = elem_bytes,
                              .n_elems = n_elems});
}
