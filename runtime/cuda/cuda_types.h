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
typedef int cu_limit;
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

/* Textures. Field names are ours; order and sizes are cuda.h's. */
typedef struct cu_array_object *cu_array;
typedef unsigned long long cu_tex_object, cu_surf_object;
typedef struct cu_resource_view_desc_object cu_resource_view_desc; /* never made */
typedef struct cu_array_descriptor {
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
} cu_array_descriptor;
typedef struct cu_memcpy3d_end {
    size_t x_bytes, y, z, level;
    int memory_type;
    const void *host;
    cu_deviceptr device;
    cu_array array;
    void *reserved;
    size_t pitch, height;
} cu_memcpy3d_end;
typedef struct cu_memcpy3d {
    cu_memcpy3d_end src, dst; /* dst.host is written to */
    size_t width_bytes, height, depth;
} cu_memcpy3d;
typedef struct cu_resource_desc {
    int type;
    union {
        cu_array array;
        struct {
            cu_deviceptr address;
            int format;
            unsigned channels;
            size_t bytes;
        } linear;
        struct {
            cu_deviceptr address;
            int format;
            unsigned channels;
            size_t width, height, pitch_bytes;
        } pitched;
        int reserved[32];
    } of;
    unsigned flags;
} cu_resource_desc;
typedef struct cu_texture_desc {
    int address[3], filter;
    unsigned flags, max_anisotropy;
    int mipmap_filter;
    float mipmap_bias, mipmap_min, mipmap_max, border[4];
    int reserved[12];
} cu_texture_desc;
typedef struct cu_launch_attribute {
    int id;
    int padding;
    union {
        int number;
        char room[64];
    } value;
} cu_launch_attribute;
typedef struct cu_launch_config {
    unsigned grid[3], block[3], shared_bytes;
    cu_stream stream;
    cu_launch_attribute *attributes;
    unsigned n_attributes;
} cu_launch_config;

enum {
    CU_FORMAT_U8 = 1, /* CUarray_format: CU_AD_FORMAT_UNSIGNED_INT8 and so on */
    CU_FORMAT_U16 = 2,
    CU_FORMAT_U32 = 3,
    CU_FORMAT_I8 = 8,
    CU_FORMAT_I16 = 9,
    CU_FORMAT_I32 = 10,
    CU_FORMAT_F16 = 16,
    CU_FORMAT_F32 = 32,

    CU_ARRAY_LAYERED = 1, /* CUDA_ARRAY3D_... */
    CU_ARRAY_SURFACE = 2,
    CU_ARRAY_CUBE = 4,
    CU_ARRAY_GATHER = 8,

    CU_MEMORY_HOST = 1, /* CUmemorytype */
    CU_MEMORY_ARRAY = 3,

    CU_RESOURCE_ARRAY = 0, /* CUresourcetype */
    CU_RESOURCE_LINEAR = 2,
    CU_RESOURCE_PITCH2D = 3,

    CU_ADDRESS_WRAP = 0, /* CUaddress_mode */
    CU_ADDRESS_CLAMP = 1,
    CU_ADDRESS_MIRROR = 2,
    CU_ADDRESS_BORDER = 3,
    CU_FILTER_LINEAR = 1, /* CUfilter_mode */

    CU_LAUNCH_EARLY = 6, /* CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION */

    CU_READ_INTEGERS = 1, /* CU_TRSF_... */
    CU_NORMALIZED_COORDINATES = 2,
};

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
    CU_ATTR_MULTIPROCESSOR_THREADS = 39,
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

enum { CU_LIMIT_HEAP = 2 }; /* CU_LIMIT_MALLOC_HEAP_SIZE */

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
