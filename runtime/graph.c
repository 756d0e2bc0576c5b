/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: capture on a stream, replay with one call.
 *
 * Where the driver has graphs, the backend captures and this file only counts. Elsewhere the calls
 * on the stream are written down here, a list in one arena with the argument values copied, and a
 * replay queues them again in order: the backend copies argument values at each launch, so one
 * graph may be replayed by several threads on streams of their own. */
#include "runtime/backend.h"

#include <stdlib.h>
#include <string.h>

enum node_kind { NODE_LAUNCH, NODE_COPY, NODE_FILL };

struct node {
    struct node *next;
    enum node_kind kind;
    const qn_kernel *kernel; /* launch */
    qn_dims dims;
    void **args;
    enum qn__copy copy_kind; /* copy */
    uint64_t dst, src, bytes;
    uint32_t value, elem_bytes; /* fill, with dst */
    uint64_t n_elems;
};

struct qn__recording {
    struct qn__arena arena; /* nodes, arguments */
    struct node *first, **end;
};

void qn__recording_destroy(struct qn__recording *r)
{
    if (!r)
        return;
    qn__arena_release(&r->arena);
    free(r);
}

static qn_status no_memory(void)
{
    return qn__fail(QN_E_MEMORY, "no memory to record a graph");
}

static qn_status append(qn_stream *s, const struct node *node)
{
    struct qn__recording *r = s->recording;
    struct node *kept = qn__arena_memdup(&r->arena, node, sizeof *node);
    if (!kept)
        return no_memory();
    *r->end = kept;
    r->end = &kept->next;
    return QN_OK;
}

qn_status qn__record_launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                            void *const *args)
{
    const qn_kernel_info *info = &kernel->info;
    if (!info->args_known)
        return qn__fail(QN_E_UNSUPPORTED,
                        "%s: its argument sizes are unknown, so a launch of it "
                        "cannot be recorded",
                        info->expression);
    struct qn__arena *arena = &s->recording->arena;
    struct node node = {.kind = NODE_LAUNCH, .kernel = kernel, .dims = *dims};
    node.args = QN__ARENA_ARRAY(arena, void *, info->n_args);
    if (!node.args)
        return no_memory();
    for (uint32_t i = 0; i < info->n_args; i++) {
        node.args[i] = qn__arena_memdup(arena, args[i], info->args[i].size_bytes);
        if (!node.args[i])
            return no_memory();
    }
    return append(s, &node);
}

qn_status qn__record_copy(qn_stream *s, enum qn__copy kind, uint64_t dst, uint64_t src,
                          uint64_t bytes)
{
    return append(
        s, &(struct node){
               .kind = NODE_COPY, .copy_kind = kind, .dst = dst, .src = src, .bytes = bytes});
}

qn_status qn__record_fill(qn_stream *s, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                          uint64_t n_elems)
{
    return append(s, &(struct node){.kind = NODE_FILL,
                                    .dst = dst,
                                    .value = value,
                                    .elem_bytes = elem_bytes,
                                    .n_elems = n_elems});
}

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
        s->recording = qn__alloc(1, sizeof *s->recording);
        if (!s->recording)
            return no_memory();
        s->recording->end = &s->recording->first;
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
        return no_memory();
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

static qn_status replay(const struct node *node, qn_stream *s)
{
    const struct qn__backend *b = s->device->backend;
    switch (node->kind) {
    case NODE_LAUNCH: return b->launch(s, node->kernel, &node->dims, node->args);
    case NODE_COPY: return b->copy(s, node->copy_kind, node->dst, node->src, node->bytes);
    case NODE_FILL: return b->fill(s, node->dst, node->value, node->elem_bytes, node->n_elems);
    }
    return QN_OK;
}

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
        for (const struct node *n = g->recording->first; n && status == QN_OK; n = n->next)
            status = replay(n, s);
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
