/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs made by capturing a stream. A cudaGraph_t and the cudaGraphExec_t of it share one graph of
 * Quern's, which goes with the last of them. */
#include "cudart/runtime.h"

#include <stdlib.h>

struct shared_graph {
    qn_graph *graph;
    unsigned n_users;
};
struct CUgraph_st {
    struct shared_graph *of;
};
struct CUgraphExec_st {
    struct shared_graph *of;
};

static void leave(struct shared_graph *g)
{
    pthread_mutex_lock(&qn__rt_lock);
    const bool is_last = --g->n_users == 0;
    pthread_mutex_unlock(&qn__rt_lock);
    if (is_last) {
        qn_graph_destroy(g->graph);
        free(g);
    }
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    cudaError_t error;
    if (mode > cudaStreamCaptureModeRelaxed)
        return qn__rt_error(cudaErrorInvalidValue);
    if (!stream || stream == cudaStreamLegacy)
        return qn__rt_error(cudaErrorStreamCaptureUnsupported);
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    error = s->capturing
                ? qn__rt_error(cudaErrorIllegalState)
                : qn__rt_status(qn_stream_capture_begin(s->stream), "cudaStreamBeginCapture");
    s->capturing |= error == cudaSuccess;
    qn__rt_stream_leave(s);
    return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    cudaError_t error;
    struct CUstream_st *const s = graph ? qn__rt_stream_enter(stream, &error) : NULL;
    if (!s)
        return qn__rt_error(graph ? error : cudaErrorInvalidValue);
    struct CUgraph_st *const g = calloc(1, sizeof *g);
    struct shared_graph *const of = calloc(1, sizeof *of);
    *graph = NULL;
    if (!s->capturing)
        error = qn__rt_error(cudaErrorIllegalState);
    else if (!g || !of)
        error = qn__rt_error(cudaErrorMemoryAllocation);
    else
        error = qn__rt_status(qn_stream_capture_end(&of->graph, s->stream), "cudaStreamEndCapture");
    s->capturing = false;
    qn__rt_stream_leave(s);
    if (error != cudaSuccess) {
        free(g);
        free(of);
        return error;
    }
    of->n_users = 1;
    g->of = of;
    *graph = g;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status)
{
    cudaError_t error;
    struct CUstream_st *const s = status ? qn__rt_stream_enter(stream, &error) : NULL;
    if (!s)
        return qn__rt_error(status ? error : cudaErrorInvalidValue);
    *status = s->capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    qn__rt_stream_leave(s);
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    if (!exec || !graph)
        return qn__rt_error(cudaErrorInvalidValue);
    if (flags)
        return qn__rt_fail(cudaErrorNotSupported, "cudaGraphInstantiate: flags 0x%llx", flags);
    struct CUgraphExec_st *const e = calloc(1, sizeof *e);
    if (!e)
        return qn__rt_error(cudaErrorMemoryAllocation);
    e->of = graph->of;
    pthread_mutex_lock(&qn__rt_lock);
    e->of->n_users++;
    pthread_mutex_unlock(&qn__rt_lock);
    *exec = e;
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t error;
    struct CUstream_st *const s = exec ? qn__rt_stream_enter(stream, &error) : NULL;
    if (!s)
        return qn__rt_error(exec ? error : cudaErrorInvalidValue);
    qn__rt_stream_leave(s);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t error;
    struct CUstream_st *const s = exec ? qn__rt_stream_enter(stream, &error) : NULL;
    if (!s)
        return qn__rt_error(exec ? error : cudaErrorInvalidValue);
    error = qn__rt_status(qn_graph_launch(exec->of->graph, s->stream), "cudaGraphLaunch");
    qn__rt_stream_leave(s);
    return error;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    if (!exec)
        return qn__rt_error(cudaErrorInvalidValue);
    leave(exec->of);
    free(exec);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (!graph)
        return qn__rt_error(cudaErrorInvalidValue);
    leave(graph->of);
    free(graph);
    return cudaSuccess;
}
