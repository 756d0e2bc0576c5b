/* SPDX-License-Identifier: Apache-2.0
 *
 * The types and numbers of the HIP runtime interface that Quern uses, so that no SDK is needed to
 * build. tests/runtime/check_hip_types.c compares every one with the official header where it is
 * installed.
 */
#ifndef QN_RUNTIME_HIP_TYPES_H
#define QN_RUNTIME_HIP_TYPES_H

#include <stddef.h>

typedef int hip_result; /* hipError_t, 0: success */
typedef int hip_device_attribute;
typedef int hip_function_attribute;
typedef int hip_copy_kind;
typedef int hip_capture_mode;
typedef int hip_limit;
typedef void *hip_deviceptr;

typedef struct hip_module_object *hip_module;
typedef struct hip_function_object *hip_function;
typedef struct hip_stream_object *hip_stream;
typedef struct hip_event_object *hip_event;
typedef struct hip_graph_object *hip_graph;
typedef struct hip_graph_node_object *hip_graph_node;
typedef struct hip_graph_exec_object *hip_graph_exec;

/* hipError_t */
enum {
    HIP_OK = 0,
    HIP_E_INVALID_VALUE = 1,
    HIP_E_OUT_OF_MEMORY = 2,
    HIP_E_INVALID_CONFIGURATION = 9,
    HIP_E_NO_BINARY_FOR_GPU = 209,
    HIP_E_NOT_FOUND = 500,
    HIP_E_NOT_READY = 600,
    HIP_E_ILLEGAL_ADDRESS = 700,
    HIP_E_LAUNCH_OUT_OF_RESOURCES = 701,
    HIP_E_LAUNCH_TIMEOUT = 702,
    HIP_E_ASSERT = 710,
    HIP_E_LAUNCH_FAILURE = 719,
    HIP_E_COOPERATIVE_TOO_LARGE = 720,
    HIP_E_NOT_SUPPORTED = 801,
    HIP_E_CAPTURE_FIRST = 900, /* hipErrorStreamCaptureUnsupported */
    HIP_E_CAPTURE_LAST = 908,  /* hipErrorStreamCaptureWrongThread */
};

/* hipDeviceAttribute_t; the same numbers since ROCm 5.0 */
enum {
    HIP_ATTR_CLOCK_KHZ = 5,
    HIP_ATTR_INTEGRATED = 16,
    HIP_ATTR_BLOCK_X = 26, /* then Y, Z */
    HIP_ATTR_GRID_X = 29,  /* then Y, Z */
    HIP_ATTR_BLOCK_THREADS = 56,
    HIP_ATTR_MULTIPROCESSORS = 63,
    HIP_ATTR_SHARED_BYTES = 74,
    HIP_ATTR_WARP_SIZE = 87,
};

/* hipFunction_attribute */
enum {
    HIP_FUNC_BLOCK_THREADS = 0,
    HIP_FUNC_SHARED_BYTES = 1,
    HIP_FUNC_LOCAL_BYTES = 3,
    HIP_FUNC_REGISTERS = 4,
};

enum { HIP_LIMIT_HEAP = 2 }; /* hipLimitMallocHeapSize */

/* hipMemcpyKind */
enum { HIP_COPY_UPLOAD = 1, HIP_COPY_DOWNLOAD = 2, HIP_COPY_DEVICE = 3 };

enum {
    HIP_NON_BLOCKING = 1,    /* hipStreamNonBlocking */
    HIP_EVENT_NO_TIMING = 2, /* hipEventDisableTiming */
    HIP_CAPTURE_RELAXED = 2, /* hipStreamCaptureModeRelaxed */
};

/* hipDeviceProp_t, of which only two strings are read: up to ROCm 5 it has 792 bytes, from ROCm 6
 * (R0600) 1472. */
typedef struct hip_properties {
    _Alignas(16) char bytes[8192];
} hip_properties;
enum {
    HIP_PROPERTIES_BYTES = 792,
    HIP_PROPERTIES_BYTES_R0600 = 1472,
    HIP_PROPERTIES_NAME = 0, /* offset, 256 bytes long */
    HIP_PROPERTIES_ARCH = 396,
    HIP_PROPERTIES_ARCH_R0600 = 1160,
    HIP_PROPERTIES_STRING_BYTES = 256,
};

#endif
