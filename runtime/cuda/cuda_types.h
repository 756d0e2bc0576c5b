/* SPDX-License-Identifier: Apache-2.0
 *
 * The types and numbers of the CUDA driver interface that Quern uses, so that no SDK is needed to
 * build. tests/runtime/check_cuda_types.c compares every one with the official cuda.h where it is
 * installed.
 */
#ifndef QN_RUNTIME_CUDA_TYPES_H
#define QN_RUNTIME_CUDA_TYPES_H

#include <stddef.h>

typedef int cu_result; /* CUresult, 0: success */
typedef int cu_device;
typedef int cu_device_attribute;
typedef int cu_function_attribute;
typedef int cu_jit_option;
typedef int cu_capture_mode;
typedef unsigned long long cu_deviceptr;

typedef struct cu_context_object *cu_context;
typedef struct cu_module_object *cu_module;
typedef struct cu_function_object *cu_function;
typedef struct cu_stream_object *cu_stream;
typedef struct cu_event_object *cu_event;
typedef struct cu_graph_object *cu_graph;
typedef struct cu_graph_node_object *cu_graph_node;
typedef struct cu_graph_exec_object *cu_graph_exec;
typedef size_t (*cu_shared_bytes_of_block)(int block_threads);

/* CUresult */
enum {
    CU_OK = 0,
    CU_E_INVALID_VALUE = 1,
    CU_E_OUT_OF_MEMORY = 2,
    CU_E_STUB_LIBRARY = 34,
    CU_E_INSUFFICIENT_DRIVER = 35, /* of the CUDA runtime's list; compatibility libraries say it */
    CU_E_DEVICE_UNAVAILABLE = 46,
    CU_E_NO_DEVICE = 100,
    CU_E_INVALID_DEVICE = 101,
    CU_E_NO_BINARY_FOR_GPU = 209,
    CU_E_UNSUPPORTED_PTX_VERSION = 222,
    CU_E_OPERATING_SYSTEM = 304,
    CU_E_NOT_FOUND = 500,
    CU_E_NOT_READY = 600,
    CU_E_ILLEGAL_ADDRESS = 700,
    CU_E_LAUNCH_OUT_OF_RESOURCES = 701,
    CU_E_LAUNCH_TIMEOUT = 702,
    CU_E_ASSERT = 710,
    CU_E_HARDWARE_STACK_ERROR = 714,
    CU_E_ILLEGAL_INSTRUCTION = 715,
    CU_E_MISALIGNED_ADDRESS = 716,
    CU_E_INVALID_ADDRESS_SPACE = 717,
    CU_E_INVALID_PC = 718,
    CU_E_LAUNCH_FAILED = 719,
    CU_E_COOPERATIVE_TOO_LARGE = 720,
    CU_E_NOT_SUPPORTED = 801,
    CU_E_SYSTEM_NOT_READY = 802,
    CU_E_SYSTEM_DRIVER_MISMATCH = 803,
    CU_E_COMPAT_NOT_SUPPORTED = 804,
    CU_E_CAPTURE_FIRST = 900, /* CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED */
    CU_E_CAPTURE_LAST = 908,  /* CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD */
    CU_E_UNKNOWN = 999,
};

/* CUdevice_attribute */
enum {
    CU_ATTR_BLOCK_THREADS = 1,
    CU_ATTR_BLOCK_X = 2, /* then Y, Z */
    CU_ATTR_GRID_X = 5,  /* then Y, Z */
    CU_ATTR_SHARED_BYTES = 8,
    CU_ATTR_WARP_SIZE = 10,
    CU_ATTR_CLOCK_KHZ = 13,
    CU_ATTR_MULTIPROCESSORS = 16,
    CU_ATTR_INTEGRATED = 18,
    CU_ATTR_COMPUTE_MODE = 20,
    CU_ATTR_MAJOR = 75,
    CU_ATTR_MINOR = 76,
    CU_ATTR_SHARED_BYTES_OPTIN = 97,
};

enum { CU_COMPUTE_MODE_PROHIBITED = 2 };

/* CUfunction_attribute */
enum {
    CU_FUNC_BLOCK_THREADS = 0,
    CU_FUNC_SHARED_BYTES = 1,
    CU_FUNC_LOCAL_BYTES = 3,
    CU_FUNC_REGISTERS = 4,
    CU_FUNC_DYNAMIC_SHARED_BYTES = 8,
};

/* CUjit_option */
enum {
    CU_JIT_NOTES = 3,        /* CU_JIT_INFO_LOG_BUFFER */
    CU_JIT_NOTES_BYTES = 4,  /* CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES */
    CU_JIT_ERRORS = 5,       /* CU_JIT_ERROR_LOG_BUFFER */
    CU_JIT_ERRORS_BYTES = 6, /* CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES */
};

enum {
    CU_NON_BLOCKING = 1,    /* CU_STREAM_NON_BLOCKING */
    CU_EVENT_NO_TIMING = 2, /* CU_EVENT_DISABLE_TIMING */
    CU_CAPTURE_RELAXED = 2, /* CU_STREAM_CAPTURE_MODE_RELAXED */
    CU_HOST_PORTABLE = 1,   /* CU_MEMHOSTALLOC_PORTABLE */
};

/* NVML (see nvml.sym) */
typedef struct nvml_device_object *nvml_device;
struct nvml_memory {
    unsigned long long total_bytes, free_bytes, used_bytes;
};
enum { NVML_NO_GPUS = 1, NVML_NO_ATTACH = 2 }; /* of nvmlInitWithFlags */

#endif
