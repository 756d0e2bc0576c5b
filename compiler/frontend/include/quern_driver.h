/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API in C++: the functions of the table quern_driver.def, which the library behind
 * `quern cc` has; and others that programs call, declared to parse, no more. */
#pragma clang system_header
#ifndef QN_STANDIN_DRIVER
#define QN_STANDIN_DRIVER

#include <library_types.h>
#include <quern_driver_types.h>

extern "C" {
#define QN_DRIVER(group, name, parameters, note) CUresult name parameters;
#include <quern_driver.def>
#undef QN_DRIVER
}

/* CUDA 13's forms */
inline CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *params, unsigned int flags,
                            CUdevice device)
{
    return params && (params->numExecAffinityParams || params->cigParams)
               ? CUDA_ERROR_NOT_SUPPORTED
               : cuCtxCreate(context, flags, device);
}
inline CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags,
                                 int *status)
{
    const CUresult result = cuGetProcAddress(name, function, version, flags);
    if (status)
        *status = result == CUDA_SUCCESS ? 0 : 1;
    return result;
}

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
QN__HOST_CALL(CUresult, cuPointerGetAttributes);
QN__HOST_CALL(CUresult, cuStreamWaitValue32);
QN__HOST_CALL(CUresult, cuStreamWriteValue32);

#endif
