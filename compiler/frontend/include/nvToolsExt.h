/* SPDX-License-Identifier: Apache-2.0
 *
 * NVTX: marks for a profiler in host code, which has to parse. */
#pragma clang system_header
#ifndef QN_STANDIN_NVTX
#define QN_STANDIN_NVTX

#include <library_types.h>
#include <stdint.h>

#define NVTX_VERSION                  3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
typedef unsigned long long nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
};
union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
};
struct nvtxEventAttributes_t {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
};
QN__HOST_CALL(int, nvtxRangePushA);
QN__HOST_CALL(int, nvtxRangePush);
QN__HOST_CALL(int, nvtxRangePushEx);
QN__HOST_CALL(int, nvtxRangePop);
QN__HOST_CALL(nvtxRangeId_t, nvtxRangeStartA);
QN__HOST_CALL(nvtxRangeId_t, nvtxRangeStart);
QN__HOST_CALL(nvtxRangeId_t, nvtxRangeStartEx);
QN__HOST_CALL(void, nvtxRangeEnd);
QN__HOST_CALL(void, nvtxMarkA);
QN__HOST_CALL(void, nvtxMark);
QN__HOST_CALL(void, nvtxMarkEx);
QN__HOST_CALL(void, nvtxNameOsThreadA);
QN__HOST_CALL(void, nvtxNameCudaStreamA);
QN__HOST_CALL(void, nvtxNameCudaEventA);
QN__HOST_CALL(nvtxDomainHandle_t, nvtxDomainCreateA);
QN__HOST_CALL(void, nvtxDomainDestroy);
QN__HOST_CALL(int, nvtxDomainRangePushEx);
QN__HOST_CALL(int, nvtxDomainRangePop);

#endif
