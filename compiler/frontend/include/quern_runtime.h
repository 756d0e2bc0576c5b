/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA runtime API as far as programs call it, declared from its public documentation. Kernels
 * never get here; it is read so that the host half of a .cu file parses, and so that a program
 * compiled with these headers links against a runtime that has these names.
 */
#pragma clang system_header
#ifndef QN_STANDIN_RUNTIME
#define QN_STANDIN_RUNTIME

#include <quern_runtime_types.h>
#include <quern_texture.h>

extern "C" {
/* devices and errors */
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetPCIBusId(char *id, int n, int device);
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *prop);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
/* memory */
cudaError_t cudaMalloc(void **p, size_t n);
cudaError_t cudaMallocHost(void **p, size_t n);
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc, size_t width,
                            size_t height, unsigned int flags);
cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent);
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                              cudaExtent extent, unsigned int flags);
cudaError_t cudaMallocManaged(void **p, size_t n, unsigned int flags);
cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t stream);
cudaError_t cudaHostAlloc(void **p, size_t n, unsigned int flags);
cudaError_t cudaHostRegister(void *p, size_t n, unsigned int flags);
cudaError_t cudaHostUnregister(void *p);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeAsync(void *p, cudaStream_t stream);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind,
                            cudaStream_t stream = 0);
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t n);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t n, cudaStream_t stream = 0);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = 0);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream = 0);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t n,
                              cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t n,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = 0);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream = 0);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t x, size_t y, size_t width,
                                     size_t height, cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array);
cudaError_t cudaMemset(void *p, int byte, size_t n);
cudaError_t cudaMemsetAsync(void *p, int byte, size_t n, cudaStream_t stream = 0);
cudaError_t cudaMemset2D(void *p, size_t pitch, int byte, size_t width, size_t height);
cudaError_t cudaMemset3D(cudaPitchedPtr p, int byte, cudaExtent extent);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *p);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t n = 0,
                                     unsigned int flags = cudaMemAttachSingle);
/* streams, events, graphs */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
                                  unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *user);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t n_after,
                                   const cudaKernelNodeParams *params);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t n_after,
                                   const cudaMemcpy3DParms *params);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t n_after,
                                   const cudaMemsetParams *params);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t n_after,
                                 const cudaHostNodeParams *params);
/* textures and surfaces */
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *t, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture,
                                    const cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *s, const cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t t);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, cudaTextureObject_t t);
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f);
/* launches: what clang makes of <<<>>>, by version of the toolkit it assumes */
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                         void *stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared, cudaStream_t stream);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, cudaFuncCache config);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *kernel, int block,
                                                          size_t shared);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t n, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t n, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t n, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t n, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaGetSymbolAddress(void **p, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *n, const void *symbol);
cudaError_t cudaBindTexture(size_t *offset, const textureReference *t, const void *p,
                            const cudaChannelFormatDesc *desc, size_t n);
cudaError_t cudaUnbindTexture(const textureReference *t);
cudaError_t cudaBindTextureToArray(const textureReference *t, cudaArray_const_t array,
                                   const cudaChannelFormatDesc *desc);
} /* extern "C" */

/* Both arities that CUDA 12 and 13 have, chosen by type. */
cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags = cudaEventDefault);
cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int device, cudaStream_t stream = 0);
cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream = 0);
cudaError_t cudaMemAdvise(const void *p, size_t n, cudaMemoryAdvise advice, int device);
cudaError_t cudaMemAdvise(const void *p, size_t n, cudaMemoryAdvise advice,
                          cudaMemLocation location);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags = 0);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *bad,
                                 char *log, size_t n);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info);

/* The typed forms of the C++ API. */
template <class T> inline cudaError_t cudaMalloc(T **p, size_t n)
{
    return cudaMalloc((void **)(void *)p, n);
}
template <class T> inline cudaError_t cudaMallocHost(T **p, size_t n, unsigned int flags = 0)
{
    return cudaHostAlloc((void **)(void *)p, n, flags);
}
template <class T> inline cudaError_t cudaHostAlloc(T **p, size_t n, unsigned int flags)
{
    return cudaHostAlloc((void **)(void *)p, n, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **p, size_t n, unsigned int flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)(void *)p, n, flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)(void *)p, pitch, width, height);
}
template <class T> inline cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t stream)
{
    return cudaMallocAsync((void **)(void *)p, n, stream);
}
inline cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                                   size_t width, size_t height = 0)
{
    return cudaMallocArray(array, desc, width, height, 0u);
}
inline cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                                     cudaExtent extent)
{
    return cudaMalloc3DArray(array, desc, extent, 0u);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t n,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, n, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t n, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, n, offset, kind);
}
template <class T>
inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t n, size_t offset = 0,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, n, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t n, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, n, offset, kind, stream);
}
template <class T> inline cudaError_t cudaGetSymbolAddress(void **p, const T &symbol)
{
    return cudaGetSymbolAddress(p, (const void *)&symbol);
}
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *n, const T &symbol)
{
    return cudaGetSymbolSize(n, (const void *)&symbol);
}
template <class T>
inline cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                               size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared,
                                       stream);
}
template <class... P, class... A>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                      A... arguments)
{
    void *p[] = {(void *)&arguments...};
    return cudaLaunchKernel((const void *)kernel, config->gridDim, config->blockDim, p,
                            config->dynamicSmemBytes, config->stream);
}
template <class T> inline cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, T kernel, int block,
                                                                 size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, (const void *)kernel, block, shared);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block, T kernel,
                                               size_t shared = 0, int limit = 0);
template <class T, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block, T kernel,
                                                           F shared, int limit = 0);
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, kind, mode> &t, const void *p,
                            size_t n = 0xffffffff);
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, kind, mode> &t, const void *p,
                            const cudaChannelFormatDesc &desc, size_t n = 0xffffffff);
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, kind, mode> &t, const void *p,
                              const cudaChannelFormatDesc &desc, size_t width, size_t height,
                              size_t pitch);
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, kind, mode> &t, cudaArray_const_t array);
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, kind, mode> &t, cudaArray_const_t array,
                                   const cudaChannelFormatDesc &desc);
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<T, kind, mode> &t);

inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return cudaExtent{width, height, depth};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return cudaPos{x, y, z};
}
inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t width, size_t height)
{
    return cudaPitchedPtr{p, pitch, width, height};
}

#endif
