/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the CUDA runtime API that few programs call: memory pools, processes, parts of
 * graphs, attributes of streams and launches. Most calls are declared to parse, no more.
 */
#pragma clang system_header
#ifndef QN_STANDIN_RUNTIME_RARE
#define QN_STANDIN_RUNTIME_RARE

#include <library_types.h>
#include <quern_runtime.h>

typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
};
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid = 0, cudaMemAllocationTypePinned = 1 };
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1,
    cudaMemHandleTypeWin32 = 2,
    cudaMemHandleTypeFabric = 8
};
struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
};
struct cudaMemPoolPtrExportData {
    unsigned char reserved[64];
};
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
    cudaMemLocation location;
    cudaMemAccessFlags flags;
};
enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1,
    cudaMemRangeAttributePreferredLocation = 2,
    cudaMemRangeAttributeAccessedBy = 3,
    cudaMemRangeAttributeLastPrefetchLocation = 4
};
QN__HOST_CALL(cudaError_t, cudaDeviceGetDefaultMemPool);
QN__HOST_CALL(cudaError_t, cudaDeviceGetMemPool);
QN__HOST_CALL(cudaError_t, cudaDeviceSetMemPool);
QN__HOST_CALL(cudaError_t, cudaMallocFromPoolAsync);
QN__HOST_CALL(cudaError_t, cudaMemPoolCreate);
QN__HOST_CALL(cudaError_t, cudaMemPoolDestroy);
QN__HOST_CALL(cudaError_t, cudaMemPoolExportPointer);
QN__HOST_CALL(cudaError_t, cudaMemPoolExportToShareableHandle);
QN__HOST_CALL(cudaError_t, cudaMemPoolGetAccess);
QN__HOST_CALL(cudaError_t, cudaMemPoolGetAttribute);
QN__HOST_CALL(cudaError_t, cudaMemPoolImportFromShareableHandle);
QN__HOST_CALL(cudaError_t, cudaMemPoolImportPointer);
QN__HOST_CALL(cudaError_t, cudaMemPoolSetAccess);
QN__HOST_CALL(cudaError_t, cudaMemPoolSetAttribute);
QN__HOST_CALL(cudaError_t, cudaMemPoolTrimTo);
QN__HOST_CALL(cudaError_t, cudaMemRangeGetAttribute);
QN__HOST_CALL(cudaError_t, cudaMemRangeGetAttributes);

/* copies */
struct cudaMemcpy3DPeerParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    int srcDevice;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    int dstDevice;
    cudaExtent extent;
};
QN__HOST_CALL(cudaError_t, cudaMemcpy3DPeer);
QN__HOST_CALL(cudaError_t, cudaMemcpy3DPeerAsync);
QN__HOST_CALL(cudaError_t, cudaMemcpyArrayToArray);
QN__HOST_CALL(cudaError_t, cudaMemcpyFromArrayAsync);
QN__HOST_CALL(cudaError_t, cudaMemcpyToArrayAsync);
QN__HOST_CALL(cudaError_t, cudaMemset2DAsync);
QN__HOST_CALL(cudaError_t, cudaMemset3DAsync);
QN__HOST_CALL(cudaError_t, cudaMallocMipmappedArray);
QN__HOST_CALL(cudaError_t, cudaFreeMipmappedArray);
QN__HOST_CALL(cudaError_t, cudaGetMipmappedArrayLevel);
QN__HOST_CALL(cudaError_t, cudaHostGetFlags);

/* other processes */
#define cudaIpcMemLazyEnablePeerAccess 0x01
struct cudaIpcMemHandle_t {
    char reserved[64];
};
struct cudaIpcEventHandle_t {
    char reserved[64];
};
QN__HOST_CALL(cudaError_t, cudaIpcCloseMemHandle);
QN__HOST_CALL(cudaError_t, cudaIpcGetEventHandle);
QN__HOST_CALL(cudaError_t, cudaIpcGetMemHandle);
QN__HOST_CALL(cudaError_t, cudaIpcOpenEventHandle);
QN__HOST_CALL(cudaError_t, cudaIpcOpenMemHandle);

/* devices */
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
};
enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0,
    cudaDriverEntryPointSymbolNotFound = 1,
    cudaDriverEntryPointVersionNotSufficent = 2
};
#define cudaEnableDefault                0
#define cudaEnableLegacyStream           1
#define cudaEnablePerThreadDefaultStream 2
QN__HOST_CALL(cudaError_t, cudaCtxResetPersistingL2Cache);
QN__HOST_CALL(cudaError_t, cudaDeviceGetByPCIBusId);
QN__HOST_CALL(cudaError_t, cudaDeviceGetCacheConfig);
QN__HOST_CALL(cudaError_t, cudaDeviceGetP2PAttribute);
QN__HOST_CALL(cudaError_t, cudaDeviceGetSharedMemConfig);
QN__HOST_CALL(cudaError_t, cudaGetDeviceFlags);
QN__HOST_CALL(cudaError_t, cudaGetDriverEntryPoint);
QN__HOST_CALL(cudaError_t, cudaGetDriverEntryPointByVersion);
QN__HOST_CALL(cudaError_t, cudaInitDevice);
QN__HOST_CALL(cudaError_t, cudaSetValidDevices);

/* streams and launches */
typedef cudaLaunchAttributeID cudaStreamAttrID, cudaKernelNodeAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue, cudaKernelNodeAttrValue;
#define cudaStreamAttributeAccessPolicyWindow     cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributePriority               cudaLaunchAttributePriority
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative        cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributePriority           cudaLaunchAttributePriority
QN__HOST_CALL(cudaError_t, cudaEventRecordWithFlags);
QN__HOST_CALL(cudaError_t, cudaFuncSetSharedMemConfig);
QN__HOST_CALL(cudaError_t, cudaLaunchKernelExC);
QN__HOST_CALL(cudaError_t, cudaOccupancyAvailableDynamicSMemPerBlock);
QN__HOST_CALL(cudaError_t, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
QN__HOST_CALL(cudaError_t, cudaOccupancyMaxActiveClusters);
QN__HOST_CALL(cudaError_t, cudaOccupancyMaxPotentialClusterSize);
QN__HOST_CALL(cudaError_t, cudaStreamBeginCaptureToGraph);
QN__HOST_CALL(cudaError_t, cudaStreamCopyAttributes);
QN__HOST_CALL(cudaError_t, cudaStreamGetAttribute);
QN__HOST_CALL(cudaError_t, cudaStreamGetCaptureInfo);
QN__HOST_CALL(cudaError_t, cudaStreamGetDevice);
QN__HOST_CALL(cudaError_t, cudaStreamGetFlags);
QN__HOST_CALL(cudaError_t, cudaStreamGetId);
QN__HOST_CALL(cudaError_t, cudaStreamGetPriority);
QN__HOST_CALL(cudaError_t, cudaStreamSetAttribute);
QN__HOST_CALL(cudaError_t, cudaStreamUpdateCaptureDependencies);
QN__HOST_CALL(cudaError_t, cudaThreadExchangeStreamCaptureMode);

/* graphs */
typedef struct CUuserObject_st *cudaUserObject_t;
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5,
    cudaGraphNodeTypeWaitEvent = 6,
    cudaGraphNodeTypeEventRecord = 7,
    cudaGraphNodeTypeMemAlloc = 10,
    cudaGraphNodeTypeMemFree = 11,
    cudaGraphNodeTypeConditional = 13
};
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8
};
QN__HOST_CALL(cudaError_t, cudaGraphAddChildGraphNode);
QN__HOST_CALL(cudaError_t, cudaGraphAddDependencies);
QN__HOST_CALL(cudaError_t, cudaGraphAddEmptyNode);
QN__HOST_CALL(cudaError_t, cudaGraphAddEventRecordNode);
QN__HOST_CALL(cudaError_t, cudaGraphAddEventWaitNode);
QN__HOST_CALL(cudaError_t, cudaGraphAddMemAllocNode);
QN__HOST_CALL(cudaError_t, cudaGraphAddMemFreeNode);
QN__HOST_CALL(cudaError_t, cudaGraphAddMemcpyNode1D);
QN__HOST_CALL(cudaError_t, cudaGraphAddNode);
QN__HOST_CALL(cudaError_t, cudaGraphDebugDotPrint);
QN__HOST_CALL(cudaError_t, cudaGraphDestroyNode);
QN__HOST_CALL(cudaError_t, cudaGraphExecKernelNodeSetParams);
QN__HOST_CALL(cudaError_t, cudaGraphExecMemcpyNodeSetParams);
QN__HOST_CALL(cudaError_t, cudaGraphExecMemcpyNodeSetParams1D);
QN__HOST_CALL(cudaError_t, cudaGraphExecMemsetNodeSetParams);
QN__HOST_CALL(cudaError_t, cudaGraphGetEdges);
QN__HOST_CALL(cudaError_t, cudaGraphGetRootNodes);
QN__HOST_CALL(cudaError_t, cudaGraphKernelNodeGetAttribute);
QN__HOST_CALL(cudaError_t, cudaGraphKernelNodeGetParams);
QN__HOST_CALL(cudaError_t, cudaGraphKernelNodeSetAttribute);
QN__HOST_CALL(cudaError_t, cudaGraphKernelNodeSetParams);
QN__HOST_CALL(cudaError_t, cudaGraphMemcpyNodeGetParams);
QN__HOST_CALL(cudaError_t, cudaGraphMemsetNodeGetParams);
QN__HOST_CALL(cudaError_t, cudaGraphNodeGetDependencies);
QN__HOST_CALL(cudaError_t, cudaGraphNodeGetDependentNodes);
QN__HOST_CALL(cudaError_t, cudaGraphNodeGetType);
QN__HOST_CALL(cudaError_t, cudaGraphNodeSetEnabled);
QN__HOST_CALL(cudaError_t, cudaGraphReleaseUserObject);
QN__HOST_CALL(cudaError_t, cudaGraphRetainUserObject);
QN__HOST_CALL(cudaError_t, cudaUserObjectCreate);
QN__HOST_CALL(cudaError_t, cudaUserObjectRelease);
QN__HOST_CALL(cudaError_t, cudaUserObjectRetain);

/* graphics and memory of other APIs */
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone = 0,
    cudaGraphicsRegisterFlagsReadOnly = 1,
    cudaGraphicsRegisterFlagsWriteDiscard = 2,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
    cudaGraphicsMapFlagsNone = 0,
    cudaGraphicsMapFlagsReadOnly = 1,
    cudaGraphicsMapFlagsWriteDiscard = 2
};
QN__HOST_CALL(cudaError_t, cudaGraphicsMapResources);
QN__HOST_CALL(cudaError_t, cudaGraphicsResourceGetMappedPointer);
QN__HOST_CALL(cudaError_t, cudaGraphicsResourceSetMapFlags);
QN__HOST_CALL(cudaError_t, cudaGraphicsSubResourceGetMappedArray);
QN__HOST_CALL(cudaError_t, cudaGraphicsUnmapResources);
QN__HOST_CALL(cudaError_t, cudaGraphicsUnregisterResource);
QN__HOST_CALL(cudaError_t, cudaGraphicsGLRegisterBuffer);
QN__HOST_CALL(cudaError_t, cudaGraphicsGLRegisterImage);
QN__HOST_CALL(cudaError_t, cudaGLSetGLDevice);
QN__HOST_CALL(cudaError_t, cudaImportExternalMemory);
QN__HOST_CALL(cudaError_t, cudaImportExternalSemaphore);
QN__HOST_CALL(cudaError_t, cudaDestroyExternalMemory);
QN__HOST_CALL(cudaError_t, cudaDestroyExternalSemaphore);
QN__HOST_CALL(cudaError_t, cudaExternalMemoryGetMappedBuffer);
QN__HOST_CALL(cudaError_t, cudaSignalExternalSemaphoresAsync);
QN__HOST_CALL(cudaError_t, cudaWaitExternalSemaphoresAsync);

#endif
