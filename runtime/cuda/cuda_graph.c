/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA graphs by stream capture. Thread-local mode: other threads' allocations do not spoil a
 * recording, this thread's do, and capture_end says so. */
#include "runtime/cuda/cuda_backend.h"
#include "runtime/cuda/cuda_driver.h"

#include <stdlib.h>

qn_status qn__cuda_capture_begin(qn_stream *s)
{
    QN_TRY(qn__cuda_use(s->device));
    /* relaxed: other streams, frees and waits of this thread go on during a capture */
    const cu_result r =
        qn__cuda.cuStreamBeginCapture(((struct qn__cuda_stream *)s)->handle, CU_CAPTURE_RELAXED);
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "beginning to record a graph");
}

qn_status qn__cuda_capture_end(qn_graph **out, qn_stream *s)
{
    cu_graph graph = NULL;
    cu_graph_exec exec = NULL;
    size_t n_nodes = 0;
    *out = NULL;
    QN_TRY(qn__cuda_use(s->device));
    cu_result r = qn__cuda.cuStreamEndCapture(((struct qn__cuda_stream *)s)->handle, &graph);
    if (r != CU_OK) /* the driver's code is the reason the recording became invalid */
        return qn__cuda_fail(r, "something that cannot be recorded happened in the graph");
    r = qn__cuda.cuGraphGetNodes(graph, NULL, &n_nodes);
    if (r == CU_OK)
        r = qn__cuda.cuGraphInstantiate(&exec, graph, 0);
    qn__cuda.cuGraphDestroy(graph);
    if (r != CU_OK)
        return qn__cuda_fail(r, "instantiating a graph of %zu nodes", n_nodes);
    struct qn__cuda_graph *g = qn__alloc(1, sizeof *g);
    if (!g) {
        qn__cuda.cuGraphExecDestroy(exec);
        return qn__fail(QN_E_MEMORY, "keeping a graph of %zu nodes", n_nodes);
    }
    g->handle = exec;
    g->base.n_nodes = (uint32_t)n_nodes;
    g->base.is_native = true;
    *out = &g->base;
    return QN_OK;
}

qn_status qn__cuda_graph_launch(qn_graph *g, qn_stream *s)
{
    QN_TRY(qn__cuda_use(s->device));
    const cu_result r = qn__cuda.cuGraphLaunch(((struct qn__cuda_graph *)g)->handle,
                                               ((struct qn__cuda_stream *)s)->handle);
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "launching a graph of %u nodes", g->n_nodes);
}

void qn__cuda_graph_close(qn_graph *graph)
{
    struct qn__cuda_graph *g = (struct qn__cuda_graph *)graph;
    if (!g)
        return;
    if (qn__cuda_use(graph->device) == QN_OK)
        qn__cuda.cuGraphExecDestroy(g->handle);
    free(g);
}
