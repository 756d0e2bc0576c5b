/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API's streams, events and graphs, which are the runtime's. */
#include "cudart/driver.h"

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    QN__DRIVER_RETURN(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    QN__DRIVER_RETURN(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream)
{
    QN__DRIVER_RETURN(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    QN__DRIVER_RETURN(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
    QN__DRIVER_RETURN(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    QN__DRIVER_RETURN(cudaStreamWaitEvent(stream, event, flags));
}

/* A CUresult in the place of a cudaError_t. */
struct call {
    CUstreamCallback callback;
    void *user;
};

static void call_back(cudaStream_t stream, cudaError_t error, void *user)
{
    const struct call *const c = user;
    c->callback(stream, qn__driver_result(error), c->user);
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *user,
                             unsigned int flags)
{
    struct call c = {callback, user}; /* called before the call returns */
    if (!callback)
        return CUDA_ERROR_INVALID_VALUE;
    QN__DRIVER_RETURN(cudaStreamAddCallback(stream, call_back, &c, flags));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *user)
{
    QN__DRIVER_RETURN(cudaLaunchHostFunc(stream, fn, user));
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
    QN__DRIVER_RETURN(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)mode));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    QN__DRIVER_RETURN(cudaStreamEndCapture(stream, graph));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    cudaStreamCaptureStatus is = cudaStreamCaptureStatusNone;
    QN__DRIVER_CONTEXT(c);
    (void)c;
    const CUresult result =
        status ? qn__driver_result(cudaStreamIsCapturing(stream, &is)) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *status = (CUstreamCaptureStatus)is;
    return result;
}

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    QN__DRIVER_RETURN(cudaGraphInstantiateWithFlags(exec, graph, flags));
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    QN__DRIVER_RETURN(cudaGraphLaunch(exec, stream));
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
    QN__DRIVER_RETURN(cudaGraphExecDestroy(exec));
}

CUresult cuGraphDestroy(CUgraph graph)
{
    QN__DRIVER_RETURN(cudaGraphDestroy(graph));
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    QN__DRIVER_RETURN(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    QN__DRIVER_RETURN(cudaEventRecord(event, stream));
}

CUresult cuEventQuery(CUevent event)
{
    QN__DRIVER_RETURN(cudaEventQuery(event));
}

CUresult cuEventSynchronize(CUevent event)
{
    QN__DRIVER_RETURN(cudaEventSynchronize(event));
}

CUresult cuEventDestroy(CUevent event)
{
    QN__DRIVER_RETURN(cudaEventDestroy(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    QN__DRIVER_RETURN(cudaEventElapsedTime(ms, start, end));
}
