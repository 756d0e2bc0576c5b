/* SPDX-License-Identifier: Apache-2.0
 *
 * Host halves of programs that `quern cc` builds: what the stand-in headers only declare so that it
 * parses, and here has to run. The functions themselves are in the library (cudart/calls.def). */
#pragma clang system_header
#ifndef QN_CC
#define QN_CC

#include <quern_runtime.h>

extern "C" unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                   cudaStream_t stream = 0);
extern "C" cudaError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                                 cudaStream_t *stream);
extern "C" cudaError_t hipLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                       size_t shared, cudaStream_t stream);

inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                        unsigned long long flags)
{
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                        cudaGraphNode_t *bad, char *log, size_t n)
{
    if (bad)
        *bad = 0;
    if (log && n)
        *log = 0;
    return cudaGraphInstantiateWithFlags(exec, graph, 0);
}

/* Hints about managed memory, which is where both sides use it already. */
inline cudaError_t __qn_is_managed(const void *p)
{
    cudaPointerAttributes a;
    const cudaError_t error = cudaPointerGetAttributes(&a, p);
    return error != cudaSuccess || a.type == cudaMemoryTypeManaged ? error : cudaErrorInvalidValue;
}
inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t, int, cudaStream_t)
{
    return __qn_is_managed(p);
}
inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t, cudaMemLocation, unsigned int,
                                        cudaStream_t)
{
    return __qn_is_managed(p);
}
inline cudaError_t cudaMemAdvise(const void *p, size_t, cudaMemoryAdvise, int)
{
    return __qn_is_managed(p);
}
inline cudaError_t cudaMemAdvise(const void *p, size_t, cudaMemoryAdvise, cudaMemLocation)
{
    return __qn_is_managed(p);
}

/* Texture references: what they are bound to, and how their members say that it is read. */
extern "C" cudaError_t __qn_bind_texture(const textureReference *reference,
                                         cudaTextureReadMode mode,
                                         const cudaResourceDesc *resource);
extern "C" size_t __qn_bytes_from(const void *p); /* to the end of its allocation; 0: of none */
template <class T> inline cudaChannelFormatDesc __qn_channels(int channels)
{
    const bool is_float = T(0.5f) != T(0), is_signed = T(-1) < T(0);
    const int bits = 8 * (int)sizeof(T);
    return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0,
            is_float    ? cudaChannelFormatKindFloat
            : is_signed ? cudaChannelFormatKindSigned
                        : cudaChannelFormatKindUnsigned};
}
#define QN__CHANNELS(type, base)                                                                   \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<base>()                         \
    {                                                                                              \
        return __qn_channels<base>(1);                                                             \
    }                                                                                              \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type##1>()                      \
    {                                                                                              \
        return __qn_channels<base>(1);                                                             \
    }                                                                                              \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type##2>()                      \
    {                                                                                              \
        return __qn_channels<base>(2);                                                             \
    }                                                                                              \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type##4>()                      \
    {                                                                                              \
        return __qn_channels<base>(4);                                                             \
    }
QN__CHANNELS(char, signed char)
QN__CHANNELS(uchar, unsigned char)
QN__CHANNELS(short, short)
QN__CHANNELS(ushort, unsigned short)
QN__CHANNELS(int, int)
QN__CHANNELS(uint, unsigned int)
QN__CHANNELS(float, float)
#undef QN__CHANNELS
template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<char>()
{
    return __qn_channels<signed char>(1);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}

template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, kind, mode> &t, const void *p,
                            const cudaChannelFormatDesc &desc, size_t n)
{
    cudaResourceDesc r;
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = (void *)p;
    r.res.linear.desc = desc;
    r.res.linear.sizeInBytes = n;
    if (n == 0xffffffff) {
        r.res.linear.sizeInBytes = __qn_bytes_from(p);
    }
    if (offset)
        *offset = 0;
    return __qn_bind_texture(&t, mode, &r);
}
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, kind, mode> &t, const void *p,
                            size_t n)
{
    return cudaBindTexture(offset, t, p, cudaCreateChannelDesc<T>(), n);
}
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, kind, mode> &t, const void *p,
                              const cudaChannelFormatDesc &desc, size_t width, size_t height,
                              size_t pitch)
{
    cudaResourceDesc r;
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = (void *)p;
    r.res.pitch2D.desc = desc;
    r.res.pitch2D.width = width;
    r.res.pitch2D.height = height;
    r.res.pitch2D.pitchInBytes = pitch;
    if (offset)
        *offset = 0;
    return __qn_bind_texture(&t, mode, &r);
}
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, kind, mode> &t, cudaArray_const_t array)
{
    cudaResourceDesc r;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = (cudaArray_t)array;
    return __qn_bind_texture(&t, mode, &r);
}
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, kind, mode> &t, cudaArray_const_t array,
                                   const cudaChannelFormatDesc &)
{
    return cudaBindTextureToArray(t, array);
}
template <class T, int kind, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<T, kind, mode> &t)
{
    return cudaUnbindTexture((const textureReference *)&t);
}

/* Blocks as large as may be, and as many as run at once. */
template <class T, class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block,
                                                                  T kernel, F shared, int limit)
{
    cudaFuncAttributes a;
    int device, units, blocks = 0, best = 0;
    cudaError_t error = cudaFuncGetAttributes(&a, (const void *)kernel);
    if (error == cudaSuccess)
        error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);
    const int most = limit > 0 && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock;
    for (int n = most; error == cudaSuccess && n > 0; n -= n % 32 ? n % 32 : 32) {
        int active;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, (const void *)kernel, n,
                                                              shared(n));
        if (error == cudaSuccess && active * n > blocks * best) {
            best = n;
            blocks = active;
        }
    }
    if (error == cudaSuccess) {
        *block = best;
        *min_grid = blocks * units;
    }
    return error;
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block, T kernel,
                                                      size_t shared, int limit)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        min_grid, block, kernel, [=](int) { return shared; }, limit);
}

#ifdef __CUDACC__
#undef __managed__
#define __managed__ __attribute__((managed))
#endif

#endif
