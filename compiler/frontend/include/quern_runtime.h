/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA runtime API as far as programs call it, declared from its public documentation. Kernels
 * never get here; it is read so that the host half of a .cu file parses, and so that a program
 * compiled with these headers links against a runtime that has these names.
 */
#pragma clang system_header
#ifndef QN_STANDIN_RUNTIME
#define QN_STANDIN_RUNTIME

#include <quern_texture.h>

enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorCudartUnloading = 4,
    cudaErrorProfilerDisabled = 5,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidHostPointer = 16,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidTexture = 18,
    cudaErrorInvalidTextureBinding = 19,
    cudaErrorInvalidChannelDescriptor = 20,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorAddressOfConstant = 22,
    cudaErrorTextureFetchFailed = 23,
    cudaErrorTextureNotBound = 24,
    cudaErrorSynchronizationError = 25,
    cudaErrorInvalidFilterSetting = 26,
    cudaErrorInvalidNormSetting = 27,
    cudaErrorMixedDeviceExecution = 28,
    cudaErrorStubLibrary = 34,
    cudaErrorInsufficientDriver = 35,
    cudaErrorCallRequiresNewerDriver = 36,
    cudaErrorInvalidSurface = 37,
    cudaErrorDuplicateVariableName = 43,
    cudaErrorDuplicateTextureName = 44,
    cudaErrorDuplicateSurfaceName = 45,
    cudaErrorDevicesUnavailable = 46,
    cudaErrorIncompatibleDriverContext = 49,
    cudaErrorMissingConfiguration = 52,
    cudaErrorPriorLaunchFailure = 53,
    cudaErrorLaunchMaxDepthExceeded = 65,
    cudaErrorLaunchFileScopedTex = 66,
    cudaErrorLaunchFileScopedSurf = 67,
    cudaErrorSyncDepthExceeded = 68,
    cudaErrorLaunchPendingCountExceeded = 69,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorDeviceNotLicensed = 102,
    cudaErrorStartupFailure = 127,
    cudaErrorInvalidKernelImage = 200,
    cudaErrorDeviceUninitialized = 201,
    cudaErrorMapBufferObjectFailed = 205,
    cudaErrorUnmapBufferObjectFailed = 206,
    cudaErrorArrayIsMapped = 207,
    cudaErrorAlreadyMapped = 208,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorAlreadyAcquired = 210,
    cudaErrorNotMapped = 211,
    cudaErrorNotMappedAsArray = 212,
    cudaErrorNotMappedAsPointer = 213,
    cudaErrorECCUncorrectable = 214,
    cudaErrorUnsupportedLimit = 215,
    cudaErrorDeviceAlreadyInUse = 216,
    cudaErrorPeerAccessUnsupported = 217,
    cudaErrorInvalidPtx = 218,
    cudaErrorNvlinkUncorrectable = 220,
    cudaErrorJitCompilerNotFound = 221,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorInvalidSource = 300,
    cudaErrorSharedObjectSymbolNotFound = 302,
    cudaErrorSharedObjectInitFailed = 303,
    cudaErrorOperatingSystem = 304,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorIllegalState = 401,
    cudaErrorNotFound = 500,
    cudaErrorSymbolNotFound = 500,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorLaunchIncompatibleTexturing = 703,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorPeerAccessNotEnabled = 705,
    cudaErrorSetOnActiveProcess = 708,
    cudaErrorContextIsDestroyed = 709,
    cudaErrorAssert = 710,
    cudaErrorTooManyPeers = 711,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorHostMemoryNotRegistered = 713,
    cudaErrorHardwareStackError = 714,
    cudaErrorIllegalInstruction = 715,
    cudaErrorMisalignedAddress = 716,
    cudaErrorInvalidAddressSpace = 717,
    cudaErrorInvalidPc = 718,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotPermitted = 800,
    cudaErrorNotSupported = 801,
    cudaErrorSystemNotReady = 802,
    cudaErrorSystemDriverMismatch = 803,
    cudaErrorCompatNotSupportedOnDevice = 804,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorStreamCaptureInvalidated = 901,
    cudaErrorStreamCaptureMerge = 902,
    cudaErrorStreamCaptureUnmatched = 903,
    cudaErrorStreamCaptureUnjoined = 904,
    cudaErrorStreamCaptureIsolation = 905,
    cudaErrorStreamCaptureImplicit = 906,
    cudaErrorCapturedEvent = 907,
    cudaErrorStreamCaptureWrongThread = 908,
    cudaErrorTimeout = 909,
    cudaErrorGraphExecUpdateFailure = 910,
    cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
};
enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
};
enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
    cudaMemLocationTypeHostNuma = 3,
    cudaMemLocationTypeHostNumaCurrent = 4
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrTextureAlignment = 14,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrEccEnabled = 32,
    cudaDevAttrPciBusId = 33,
    cudaDevAttrPciDeviceId = 34,
    cudaDevAttrTccDriver = 35,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrStreamPrioritiesSupported = 78,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrMemoryPoolsSupported = 115
};

struct cudaDeviceProp {
    char name[256];
    struct {
        char bytes[16];
    } uuid;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory,
        computeMode, maxTexture1D, maxTexture2D[2], maxTexture3D[3], maxSurface1D, maxSurface2D[2],
        maxTexture1DLinear, maxTexture2DLinear[3], maxTexture1DLayered[2], maxTexture2DLayered[3];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
        asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize,
        persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported,
        globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
        hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess,
        concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,
        cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
        maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int memoryPoolsSupported, clusterLaunch, hostRegisterSupported, sparseCudaArraySupported,
        unifiedFunctionPointers;
    char luid[8];
    unsigned int luidDeviceNodeMask;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA,
        maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
struct cudaResourceViewDesc;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
typedef void (*cudaHostFn_t)(void *);
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};
enum cudaGraphExecUpdateResult { cudaGraphExecUpdateSuccess = 0, cudaGraphExecUpdateError = 1 };
struct cudaGraphExecUpdateResultInfo {
    cudaGraphExecUpdateResult result;
};
enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8,
    cudaLaunchAttributeMemSyncDomain = 10,
    cudaLaunchAttributePreferredSharedMemoryCarveout = 14
};
enum cudaAccessProperty {
    cudaAccessPropertyNormal = 0,
    cudaAccessPropertyStreaming = 1,
    cudaAccessPropertyPersisting = 2
};
struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
union cudaLaunchAttributeValue {
    int cooperative, priority, programmaticStreamSerializationAllowed;
    unsigned int sharedMemCarveout;
    cudaAccessPolicyWindow accessPolicyWindow;
    struct {
        unsigned int x, y, z;
    } clusterDim;
    struct {
        cudaEvent_t event;
        int flags, triggerAtBlockStart;
    } programmaticEvent;
    char pad[64];
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned int numAttrs;
};

#define cudaHostAllocDefault           0x00
#define cudaHostAllocPortable          0x01
#define cudaHostAllocMapped            0x02
#define cudaHostAllocWriteCombined     0x04
#define cudaHostRegisterDefault        0x00
#define cudaHostRegisterPortable       0x01
#define cudaHostRegisterMapped         0x02
#define cudaHostRegisterIoMemory       0x04
#define cudaHostRegisterReadOnly       0x08
#define cudaStreamDefault              0x00
#define cudaStreamNonBlocking          0x01
#define cudaStreamLegacy               ((cudaStream_t)0x1)
#define cudaStreamPerThread            ((cudaStream_t)0x2)
#define cudaEventDefault               0x00
#define cudaEventBlockingSync          0x01
#define cudaEventDisableTiming         0x02
#define cudaEventInterprocess          0x04
#define cudaDeviceScheduleAuto         0x00
#define cudaDeviceScheduleSpin         0x01
#define cudaDeviceScheduleYield        0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceMapHost              0x08
#define cudaMemAttachGlobal            0x01
#define cudaMemAttachHost              0x02
#define cudaMemAttachSingle            0x04
#define cudaArrayDefault               0x00
#define cudaArrayLayered               0x01
#define cudaArraySurfaceLoadStore      0x02
#define cudaCpuDeviceId                ((int)-1)
#define cudaInvalidDeviceId            ((int)-2)
#define cudaOccupancyDefault           0x00

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
