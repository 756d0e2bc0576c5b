/* SPDX-License-Identifier: Apache-2.0
 *
 * HIP's names of the driver API: modules, contexts, copies. HIP has one type of errors, whose
 * values are the same. */
#pragma clang system_header
#ifndef QN_STANDIN_HIP_DRIVER
#define QN_STANDIN_HIP_DRIVER

#include <quern_driver.h>

typedef CUdevice hipDevice_t;
typedef CUcontext hipCtx_t;
typedef CUmodule hipModule_t;
typedef CUfunction hipFunction_t;
typedef void *hipDeviceptr_t;
typedef CUuuid hipUUID;
typedef CUjit_option hipJitOption;
typedef CUfunction_attribute hipFunction_attribute;

#define HIP_LAUNCH_PARAM_END                     ((void *)3)
#define HIP_LAUNCH_PARAM_BUFFER_POINTER          CU_LAUNCH_PARAM_BUFFER_POINTER
#define HIP_LAUNCH_PARAM_BUFFER_SIZE             CU_LAUNCH_PARAM_BUFFER_SIZE
#define HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
#define HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES     CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
#define HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES      CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
#define HIP_FUNC_ATTRIBUTE_NUM_REGS              CU_FUNC_ATTRIBUTE_NUM_REGS
#define HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES                                           \
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

/* name(parameters) is the driver's of(arguments) */
#define QN__HIP(name, parameters, of, arguments)                                                   \
    inline cudaError_t name parameters                                                             \
    {                                                                                              \
        return (cudaError_t)of arguments;                                                          \
    }
#define QN__AT(p) ((CUdeviceptr)(p))

QN__HIP(hipInit, (unsigned int flags), cuInit, (flags))
QN__HIP(hipDeviceGet, (hipDevice_t * device, int ordinal), cuDeviceGet, (device, ordinal))
QN__HIP(hipDeviceGetName, (char *name, int n, hipDevice_t device), cuDeviceGetName,
        (name, n, device))
QN__HIP(hipDeviceGetUuid, (hipUUID * uuid, hipDevice_t device), cuDeviceGetUuid, (uuid, device))
QN__HIP(hipDeviceTotalMem, (size_t *n, hipDevice_t device), cuDeviceTotalMem, (n, device))
QN__HIP(hipDeviceComputeCapability, (int *major, int *minor, hipDevice_t device),
        cuDeviceComputeCapability, (major, minor, device))
QN__HIP(hipDevicePrimaryCtxRetain, (hipCtx_t * context, hipDevice_t device),
        cuDevicePrimaryCtxRetain, (context, device))
QN__HIP(hipDevicePrimaryCtxRelease, (hipDevice_t device), cuDevicePrimaryCtxRelease, (device))
QN__HIP(hipDevicePrimaryCtxReset, (hipDevice_t device), cuDevicePrimaryCtxReset, (device))
QN__HIP(hipCtxCreate, (hipCtx_t * context, unsigned int flags, hipDevice_t device), cuCtxCreate,
        (context, flags, device))
QN__HIP(hipCtxDestroy, (hipCtx_t context), cuCtxDestroy, (context))
QN__HIP(hipCtxSetCurrent, (hipCtx_t context), cuCtxSetCurrent, (context))
QN__HIP(hipCtxGetCurrent, (hipCtx_t * context), cuCtxGetCurrent, (context))
QN__HIP(hipCtxPushCurrent, (hipCtx_t context), cuCtxPushCurrent, (context))
QN__HIP(hipCtxPopCurrent, (hipCtx_t * context), cuCtxPopCurrent, (context))
QN__HIP(hipCtxGetDevice, (hipDevice_t * device), cuCtxGetDevice, (device))
QN__HIP(hipCtxSynchronize, (), cuCtxSynchronize, ())
QN__HIP(hipModuleLoad, (hipModule_t * module, const char *file), cuModuleLoad, (module, file))
QN__HIP(hipModuleLoadData, (hipModule_t * module, const void *image), cuModuleLoadData,
        (module, image))
QN__HIP(hipModuleLoadDataEx,
        (hipModule_t * module, const void *image, unsigned int n, hipJitOption *options,
         void **values),
        cuModuleLoadDataEx, (module, image, n, options, values))
QN__HIP(hipModuleUnload, (hipModule_t module), cuModuleUnload, (module))
QN__HIP(hipModuleGetFunction, (hipFunction_t * function, hipModule_t module, const char *name),
        cuModuleGetFunction, (function, module, name))
QN__HIP(hipFuncGetAttribute, (int *value, hipFunction_attribute attribute, hipFunction_t function),
        cuFuncGetAttribute, (value, attribute, function))
QN__HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor,
        (int *n, hipFunction_t function, int block, size_t shared),
        cuOccupancyMaxActiveBlocksPerMultiprocessor, (n, function, block, shared))
QN__HIP(hipModuleOccupancyMaxPotentialBlockSize,
        (int *grid, int *block, hipFunction_t function, size_t shared, int limit),
        cuOccupancyMaxPotentialBlockSize, (grid, block, function, 0, shared, limit))
QN__HIP(hipModuleLaunchCooperativeKernel,
        (hipFunction_t function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
         unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
         cudaStream_t stream, void **arguments),
        cuLaunchCooperativeKernel,
        (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, arguments))
QN__HIP(hipMemcpyHtoD, (hipDeviceptr_t to, const void *from, size_t n), cuMemcpyHtoD,
        (QN__AT(to), from, n))
QN__HIP(hipMemcpyDtoH, (void *to, hipDeviceptr_t from, size_t n), cuMemcpyDtoH,
        (to, QN__AT(from), n))
QN__HIP(hipMemcpyDtoD, (hipDeviceptr_t to, hipDeviceptr_t from, size_t n), cuMemcpyDtoD,
        (QN__AT(to), QN__AT(from), n))
QN__HIP(hipMemcpyHtoDAsync, (hipDeviceptr_t to, const void *from, size_t n, cudaStream_t stream),
        cuMemcpyHtoDAsync, (QN__AT(to), from, n, stream))
QN__HIP(hipMemcpyDtoHAsync, (void *to, hipDeviceptr_t from, size_t n, cudaStream_t stream),
        cuMemcpyDtoHAsync, (to, QN__AT(from), n, stream))
QN__HIP(hipMemcpyDtoDAsync, (hipDeviceptr_t to, hipDeviceptr_t from, size_t n, cudaStream_t stream),
        cuMemcpyDtoDAsync, (QN__AT(to), QN__AT(from), n, stream))
QN__HIP(hipMemsetD8, (hipDeviceptr_t p, unsigned char value, size_t n), cuMemsetD8,
        (QN__AT(p), value, n))
QN__HIP(hipMemsetD16, (hipDeviceptr_t p, unsigned short value, size_t n), cuMemsetD16,
        (QN__AT(p), value, n))
QN__HIP(hipMemsetD32, (hipDeviceptr_t p, int value, size_t n), cuMemsetD32,
        (QN__AT(p), (unsigned int)value, n))
QN__HIP(hipMemsetD8Async, (hipDeviceptr_t p, unsigned char value, size_t n, cudaStream_t stream),
        cuMemsetD8Async, (QN__AT(p), value, n, stream))
QN__HIP(hipMemsetD16Async, (hipDeviceptr_t p, unsigned short value, size_t n, cudaStream_t stream),
        cuMemsetD16Async, (QN__AT(p), value, n, stream))
QN__HIP(hipMemsetD32Async, (hipDeviceptr_t p, int value, size_t n, cudaStream_t stream),
        cuMemsetD32Async, (QN__AT(p), (unsigned int)value, n, stream))

inline cudaError_t hipModuleGetGlobal(hipDeviceptr_t *p, size_t *n, hipModule_t module,
                                      const char *name)
{
    CUdeviceptr at = 0;
    const CUresult result = cuModuleGetGlobal(&at, n, module, name);
    if (p)
        *p = (hipDeviceptr_t)at;
    return (cudaError_t)result;
}
inline cudaError_t hipMemGetAddressRange(hipDeviceptr_t *begin, size_t *n, hipDeviceptr_t p)
{
    CUdeviceptr at = 0;
    const CUresult result = cuMemGetAddressRange(&at, n, QN__AT(p));
    if (begin)
        *begin = (hipDeviceptr_t)at;
    return (cudaError_t)result;
}
/* HIP ends its list by another word than CUDA. */
inline cudaError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x,
                                         unsigned int grid_y, unsigned int grid_z,
                                         unsigned int block_x, unsigned int block_y,
                                         unsigned int block_z, unsigned int shared,
                                         cudaStream_t stream, void **arguments, void **extra)
{
    void *list[5] = {0, 0, 0, 0, 0};
    for (int i = 0; extra && i < 4 && extra[i] != HIP_LAUNCH_PARAM_END; i += 2) {
        list[i] = extra[i];
        list[i + 1] = extra[i + 1];
    }
    return (cudaError_t)cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                       shared, stream, arguments, extra ? list : 0);
}
#undef QN__AT
#undef QN__HIP

#define hipErrorNotInitialized    cudaErrorInitializationError
#define hipErrorInvalidContext    cudaErrorDeviceUninitialized
#define hipErrorInvalidImage      cudaErrorInvalidKernelImage
#define hipErrorInvalidHandle     cudaErrorInvalidResourceHandle
#define hipErrorFileNotFound      ((cudaError_t)301)
#define hipErrorInvalidKernelFile cudaErrorInvalidPtx

#endif
