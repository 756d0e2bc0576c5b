/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: capture on a stream, replay with one call.
 *
 * Where the driver has graphs, the backend captures and this file only counts. Elsewhere the calls
 * on the stream are written down (recording.c), and a replay queues them again in order. */
#include "runtime/recording.h"
#include "runtime/stream_queue.h"

#include <stdlib.h>

/* -- capture -- */

static void set_capturing(qn_stream *s, bool is_capturing)
{
    pthread_mutex_lock(&s->device->streams_lock);
    s->is_capturing = is_capturing;
    pthread_mutex_unlock(&s->device->streams_lock);
}

qn_status qn_stream_capture_begin(qn_stream *s)
{
    QN_ARG_CHECK(s != NULL);
    QN_TRY(qn__stream_not_capturing(s, "qn_stream_capture_begin"));
    const struct qn__backend *b = s->device->backend;
    if (b->capture_begin) {
        QN_TRY(b->capture_begin(s));
    } else {
        QN_TRY(qn__recording_create(&s->recording));
    }
    s->capture_spoiled = NULL;
    s->n_captured = 0;
    s->capture_first = atomic_load_explicit(&s->n_recent, memory_order_relaxed);
    set_capturing(s, true);
    return QN_OK;
}

/* Move the kernels of a capture from the stream's ring, where they were not queued, to the graph,
 * for fault messages after a replay. */
static void take_kernels(qn_graph *g, qn_stream *s)
{
    const uint32_t n = atomic_load_explicit(&s->n_recent, memory_order_relaxed);
    uint32_t from = s->capture_first;
    if (n - from > QN__RECENT_MAX)
        from = n - QN__RECENT_MAX;
    for (; from != n; from++)
        g->recent[g->n_recent++] = atomic_exchange(&s->recent[from % QN__RECENT_MAX], NULL);
    atomic_store_explicit(&s->n_recent, s->capture_first, memory_order_release);
}

static qn_status end_recording(qn_graph **out, qn_stream *s)
{
    qn_graph *g = qn__alloc(1, sizeof *g);
    if (!g) {
        qn__recording_destroy(s->recording);
        s->recording = NULL;
        return qn__fail(QN_E_MEMORY, "no memory to record a graph");
    }
    g->recording = s->recording;
    s->recording = NULL;
    *out = g;
    return QN_OK;
}

qn_status qn_stream_capture_end(qn_graph **out, qn_stream *s)
{
    QN_ARG_CHECK(out != NULL);
    *out = NULL;
    QN_ARG_CHECK(s != NULL);
    if (!s->is_capturing)
        return qn__fail(QN_E_INVALID, "the stream is not being captured");
    qn_graph *g = NULL;
    const bool is_native = !s->recording;
    const qn_status status =
        is_native ? s->device->backend->capture_end(&g, s) : end_recording(&g, s);
    set_capturing(s, false);
    if (status == QN_OK) {
        g->device = qn__device_retain(s->device);
        g->is_native = is_native;
        g->n_nodes = s->n_captured;
        take_kernels(g, s);
    }
    if (s->capture_spoiled) {
        qn_graph_destroy(g);
        return qn__fail(QN_E_INVALID, "the capture was spoiled by %s", s->capture_spoiled);
    }
    *out = g;
    return status;
}

/* -- replay -- */

qn_status qn_graph_launch(qn_graph *g, qn_stream *s)
{
    QN_ARG_CHECK(g != NULL && s != NULL);
    if (g->device != s->device)
        return qn__fail(QN_E_INVALID, "the graph and the stream belong to different devices");
    QN_TRY(qn__stream_not_capturing(s, "qn_graph_launch"));
    qn__stream_queued(s, g->recent, g->n_recent);
    qn_status status = QN_OK;
    if (g->is_native)
        status = g->device->backend->graph_launch(g, s);
    else
        status = qn__recording_replay(g->recording, s);
    return qn__stream_result(s, status);
}

uint32_t qn_graph_get_n_nodes(const qn_graph *g)
{
    return g->n_nodes;
}

bool qn_graph_get_is_native(const qn_graph *g)
{
    return g->is_native;
}

void qn_graph_destroy(qn_graph *g)
{
    if (!g)
        return;
    qn_device *dev = g->device;
    if (g->is_native) {
        dev->backend->graph_close(g);
    } else {
        qn__recording_destroy(g->recording);
        free(g);
    }
    qn__device_release(dev);
}
