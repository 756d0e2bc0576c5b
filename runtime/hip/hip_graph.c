/* SPDX-License-Identifier: Apache-2.0
 *
 * HIP graphs by stream capture, in thread-local mode: other threads' allocations do not spoil a
 * recording, this thread's do, and capture_end says so. The number of nodes is counted while
 * recording, one for each operation: not every build of HIP can list a graph's nodes. */
#include "runtime/hip/hip_backend.h"
#include "runtime/hip/hip_driver.h"

#include <stdlib.h>

qn_status qn__hip_capture_begin(qn_stream *stream)
{
    struct qn__hip_stream *s = (struct qn__hip_stream *)stream;
    QN_TRY(qn__hip_use(stream->device));
    /* relaxed: other streams, frees and waits of this thread go on during a capture */
    const hip_result r = qn__hip.hipStreamBeginCapture(s->handle, HIP_CAPTURE_RELAXED);
    if (r != HIP_OK)
        return qn__hip_fail(r, "beginning to record a graph");
    s->n_captured = 0;
    return QN_OK;
}

qn_status qn__hip_capture_end(qn_graph **out, qn_stream *stream)
{
    struct qn__hip_stream *s = (struct qn__hip_stream *)stream;
    hip_graph graph = NULL;
    hip_graph_exec exec = NULL;
    *out = NULL;
    QN_TRY(qn__hip_use(stream->device));
    hip_result r = qn__hip.hipStreamEndCapture(s->handle, &graph);
    if (r != HIP_OK)
        return qn__hip_fail(r, "something that cannot be recorded happened in the graph");
    r = qn__hip.hipGraphInstantiate(&exec, graph, NULL, NULL, 0);
    qn__hip.hipGraphDestroy(graph);
    if (r != HIP_OK)
        return qn__hip_fail(r, "instantiating a graph of %u nodes", s->n_captured);
    struct qn__hip_graph *g = qn__alloc(1, sizeof *g);
    if (!g) {
        qn__hip.hipGraphExecDestroy(exec);
        return qn__fail(QN_E_MEMORY, "keeping a graph of %u nodes", s->n_captured);
    }
    g->handle = exec;
    g->base.n_nodes = s->n_captured;
    g->base.is_native = true;
    *out = &g->base;
    return QN_OK;
}

qn_status qn__hip_graph_launch(qn_graph *g, qn_stream *s)
{
    QN_TRY(qn__hip_use(s->device));
    const hip_result r = qn__hip.hipGraphLaunch(((struct qn__hip_graph *)g)->handle,
                                                ((struct qn__hip_stream *)s)->handle);
    return r == HIP_OK ? QN_OK : qn__hip_fail(r, "launching a graph of %u nodes", g->n_nodes);
}

void qn__hip_graph_close(qn_graph *graph)
{
    struct qn__hip_graph *g = (struct qn__hip_graph *)graph;
    if (!g)
        return;
    if (qn__hip_use(graph->device) == QN_OK)
        qn__hip.hipGraphExecDestroy(g->handle);
    free(g);
}
