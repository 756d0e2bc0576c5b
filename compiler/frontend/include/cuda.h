/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API as far as programs with kernels in the same file call it: types and the functions
 * for devices, contexts, modules, memory and launches.
 */
#pragma clang system_header
#ifndef QN_STANDIN_CUDA_DRIVER
#define QN_STANDIN_CUDA_DRIVER

#include <library_types.h>
#include <quern_host.h>
#include <quern_prelude.h>

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
enum CUresult {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
};
enum CUdevice_attribute {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
    CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132
};
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUarray_st *CUarray;
typedef int CUdevice_v1;
typedef CUdeviceptr CUdeviceptr_v2;
struct CUuuid {
    char bytes[16];
};

/* memory whose addresses are reserved first and backed later */
typedef unsigned long long CUmemGenericAllocationHandle;
enum CUmemAllocationType { CU_MEM_ALLOCATION_TYPE_INVALID = 0, CU_MEM_ALLOCATION_TYPE_PINNED = 1 };
enum CUmemLocationType {
    CU_MEM_LOCATION_TYPE_INVALID = 0,
    CU_MEM_LOCATION_TYPE_DEVICE = 1,
    CU_MEM_LOCATION_TYPE_HOST = 2,
    CU_MEM_LOCATION_TYPE_HOST_NUMA = 3
};
enum CUmemAllocationHandleType {
    CU_MEM_HANDLE_TYPE_NONE = 0,
    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
    CU_MEM_HANDLE_TYPE_FABRIC = 8
};
enum CUmemAccess_flags {
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
    CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
};
enum CUmemAllocationGranularity_flags {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
    CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
};
struct CUmemLocation {
    CUmemLocationType type;
    int id;
};
struct CUmemAllocationProp {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
    } allocFlags;
};
struct CUmemAccessDesc {
    CUmemLocation location;
    CUmemAccess_flags flags;
};
enum CUfunction_attribute {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
};

extern "C" {
CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGetName(char *name, int n, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceTotalMem(size_t *n, CUdevice device);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxSynchronize();
CUresult cuModuleLoad(CUmodule *module, const char *file);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuModuleGetGlobal(CUdeviceptr *p, size_t *n, CUmodule module, const char *name);
CUresult cuMemAlloc(CUdeviceptr *p, size_t n);
CUresult cuMemFree(CUdeviceptr p);
CUresult cuMemGetInfo(size_t *free, size_t *total);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t n);
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t n);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t n);
CUresult cuMemsetD8(CUdeviceptr p, unsigned char byte, size_t n);
CUresult cuMemsetD32(CUdeviceptr p, unsigned int word, size_t n);
CUresult cuStreamCreate(CUstream *stream, unsigned int flags);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuLaunchKernel(CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z,
                        unsigned int shared, CUstream stream, void **arguments, void **extra);
}

QN__HOST_CALL(CUresult, cuMemAddressFree);
QN__HOST_CALL(CUresult, cuMemAddressReserve);
QN__HOST_CALL(CUresult, cuMemCreate);
QN__HOST_CALL(CUresult, cuMemExportToShareableHandle);
QN__HOST_CALL(CUresult, cuMemGetAccess);
QN__HOST_CALL(CUresult, cuMemGetAllocationGranularity);
QN__HOST_CALL(CUresult, cuMemImportFromShareableHandle);
QN__HOST_CALL(CUresult, cuMemMap);
QN__HOST_CALL(CUresult, cuMemRelease);
QN__HOST_CALL(CUresult, cuMemRetainAllocationHandle);
QN__HOST_CALL(CUresult, cuMemSetAccess);
QN__HOST_CALL(CUresult, cuMemUnmap);
QN__HOST_CALL(CUresult, cuMemAllocAsync);
QN__HOST_CALL(CUresult, cuMemAllocHost);
QN__HOST_CALL(CUresult, cuMemAllocManaged);
QN__HOST_CALL(CUresult, cuMemFreeAsync);
QN__HOST_CALL(CUresult, cuMemFreeHost);
QN__HOST_CALL(CUresult, cuMemHostAlloc);
QN__HOST_CALL(CUresult, cuMemHostGetDevicePointer);
QN__HOST_CALL(CUresult, cuMemcpy);
QN__HOST_CALL(CUresult, cuMemcpyAsync);
QN__HOST_CALL(CUresult, cuMemcpyDtoDAsync);
QN__HOST_CALL(CUresult, cuMemcpyDtoHAsync);
QN__HOST_CALL(CUresult, cuMemcpyHtoDAsync);
QN__HOST_CALL(CUresult, cuMemsetD32Async);
QN__HOST_CALL(CUresult, cuMemsetD8Async);
QN__HOST_CALL(CUresult, cuCtxGetCurrent);
QN__HOST_CALL(CUresult, cuCtxGetDevice);
QN__HOST_CALL(CUresult, cuCtxPopCurrent);
QN__HOST_CALL(CUresult, cuCtxPushCurrent);
QN__HOST_CALL(CUresult, cuDeviceGetPCIBusId);
QN__HOST_CALL(CUresult, cuDeviceGetUuid);
QN__HOST_CALL(CUresult, cuDevicePrimaryCtxGetState);
QN__HOST_CALL(CUresult, cuDevicePrimaryCtxRelease);
QN__HOST_CALL(CUresult, cuEventCreate);
QN__HOST_CALL(CUresult, cuEventDestroy);
QN__HOST_CALL(CUresult, cuEventElapsedTime);
QN__HOST_CALL(CUresult, cuEventRecord);
QN__HOST_CALL(CUresult, cuEventSynchronize);
QN__HOST_CALL(CUresult, cuFuncGetAttribute);
QN__HOST_CALL(CUresult, cuFuncSetAttribute);
QN__HOST_CALL(CUresult, cuFuncSetCacheConfig);
QN__HOST_CALL(CUresult, cuGetProcAddress);
QN__HOST_CALL(CUresult, cuLaunchCooperativeKernel);
QN__HOST_CALL(CUresult, cuLaunchKernelEx);
QN__HOST_CALL(CUresult, cuModuleLoadDataEx);
QN__HOST_CALL(CUresult, cuModuleLoadFatBinary);
QN__HOST_CALL(CUresult, cuOccupancyMaxActiveBlocksPerMultiprocessor);
QN__HOST_CALL(CUresult, cuPointerGetAttribute);
QN__HOST_CALL(CUresult, cuPointerGetAttributes);
QN__HOST_CALL(CUresult, cuStreamQuery);
QN__HOST_CALL(CUresult, cuStreamWaitEvent);
QN__HOST_CALL(CUresult, cuStreamWaitValue32);
QN__HOST_CALL(CUresult, cuStreamWriteValue32);

#endif
