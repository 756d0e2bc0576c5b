/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of OpenCL's types and constants that the backend uses, so that no SDK is needed to
 * build. Kept as lists: here they become typedefs and an enum; tests/runtime/check_opencl_types.c
 * expands them a second time beside the official CL/cl.h and compares. */
#ifndef QN_RUNTIME_OPENCL_TYPES_H
#define QN_RUNTIME_OPENCL_TYPES_H

#include <stddef.h>
#include <stdint.h>

#define QN_CL_HANDLES(X)                                                                           \
    X(cl_platform_id)                                                                              \
    X(cl_device_id)                                                                                \
    X(cl_context)                                                                                  \
    X(cl_command_queue)                                                                            \
    X(cl_mem)                                                                                      \
    X(cl_program)                                                                                  \
    X(cl_kernel)                                                                                   \
    X(cl_event)

#define QN_CL_TYPES(X)                                                                             \
    X(cl_int, int32_t)                                                                             \
    X(cl_uint, uint32_t)                                                                           \
    X(cl_ulong, uint64_t)                                                                          \
    X(cl_bool, uint32_t)                                                                           \
    X(cl_device_type, uint64_t)                                                                    \
    X(cl_platform_info, uint32_t)                                                                  \
    X(cl_device_info, uint32_t)                                                                    \
    X(cl_context_properties, intptr_t)                                                             \
    X(cl_command_queue_properties, uint64_t)                                                       \
    X(cl_mem_flags, uint64_t)                                                                      \
    X(cl_svm_mem_flags, uint64_t)                                                                  \
    X(cl_map_flags, uint64_t)                                                                      \
    X(cl_program_info, uint32_t)                                                                   \
    X(cl_program_build_info, uint32_t)                                                             \
    X(cl_kernel_info, uint32_t)                                                                    \
    X(cl_kernel_arg_info, uint32_t)                                                                \
    X(cl_kernel_work_group_info, uint32_t)                                                         \
    X(cl_kernel_exec_info, uint32_t)                                                               \
    X(cl_event_info, uint32_t)                                                                     \
    X(cl_profiling_info, uint32_t)

/* Errors the backend tells apart or spells out. */
#define QN_CL_ERRORS(X)                                                                            \
    X(CL_DEVICE_NOT_FOUND, -1)                                                                     \
    X(CL_DEVICE_NOT_AVAILABLE, -2)                                                                 \
    X(CL_COMPILER_NOT_AVAILABLE, -3)                                                               \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE, -4)                                                        \
    X(CL_OUT_OF_RESOURCES, -5)                                                                     \
    X(CL_OUT_OF_HOST_MEMORY, -6)                                                                   \
    X(CL_PROFILING_INFO_NOT_AVAILABLE, -7)                                                         \
    X(CL_BUILD_PROGRAM_FAILURE, -11)                                                               \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, -14)                                           \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, -19)                                                       \
    X(CL_INVALID_VALUE, -30)                                                                       \
    X(CL_INVALID_DEVICE, -33)                                                                      \
    X(CL_INVALID_CONTEXT, -34)                                                                     \
    X(CL_INVALID_COMMAND_QUEUE, -36)                                                               \
    X(CL_INVALID_BINARY, -42)                                                                      \
    X(CL_INVALID_BUILD_OPTIONS, -43)                                                               \
    X(CL_INVALID_PROGRAM, -44)                                                                     \
    X(CL_INVALID_PROGRAM_EXECUTABLE, -45)                                                          \
    X(CL_INVALID_KERNEL_NAME, -46)                                                                 \
    X(CL_INVALID_KERNEL_DEFINITION, -47)                                                           \
    X(CL_INVALID_KERNEL, -48)                                                                      \
    X(CL_INVALID_ARG_INDEX, -49)                                                                   \
    X(CL_INVALID_ARG_VALUE, -50)                                                                   \
    X(CL_INVALID_ARG_SIZE, -51)                                                                    \
    X(CL_INVALID_KERNEL_ARGS, -52)                                                                 \
    X(CL_INVALID_WORK_DIMENSION, -53)                                                              \
    X(CL_INVALID_WORK_GROUP_SIZE, -54)                                                             \
    X(CL_INVALID_WORK_ITEM_SIZE, -55)                                                              \
    X(CL_INVALID_EVENT, -58)                                                                       \
    X(CL_INVALID_OPERATION, -59)                                                                   \
    X(CL_INVALID_BUFFER_SIZE, -61)                                                                 \
    X(CL_INVALID_GLOBAL_WORK_SIZE, -63)

#define QN_CL_CONSTANTS(X)                                                                         \
    X(CL_SUCCESS, 0)                                                                               \
    X(CL_FALSE, 0)                                                                                 \
    X(CL_TRUE, 1)                                                                                  \
    X(CL_PLATFORM_VERSION, 0x0901)                                                                 \
    X(CL_PLATFORM_NAME, 0x0902)                                                                    \
    X(CL_DEVICE_TYPE_CPU, 1 << 1)                                                                  \
    X(CL_DEVICE_TYPE_GPU, 1 << 2)                                                                  \
    X(CL_DEVICE_TYPE_ACCELERATOR, 1 << 3)                                                          \
    X(CL_DEVICE_TYPE_CUSTOM, 1 << 4)                                                               \
    X(CL_DEVICE_TYPE, 0x1000)                                                                      \
    X(CL_DEVICE_MAX_COMPUTE_UNITS, 0x1002)                                                         \
    X(CL_DEVICE_MAX_WORK_GROUP_SIZE, 0x1004)                                                       \
    X(CL_DEVICE_MAX_WORK_ITEM_SIZES, 0x1005)                                                       \
    X(CL_DEVICE_MAX_CLOCK_FREQUENCY, 0x100C)                                                       \
    X(CL_DEVICE_ADDRESS_BITS, 0x100D)                                                              \
    X(CL_DEVICE_MAX_MEM_ALLOC_SIZE, 0x1010)                                                        \
    X(CL_DEVICE_MAX_PARAMETER_SIZE, 0x1017)                                                        \
    X(CL_DEVICE_GLOBAL_MEM_SIZE, 0x101F)                                                           \
    X(CL_DEVICE_LOCAL_MEM_SIZE, 0x1023)                                                            \
    X(CL_DEVICE_AVAILABLE, 0x1027)                                                                 \
    X(CL_DEVICE_COMPILER_AVAILABLE, 0x1028)                                                        \
    X(CL_DEVICE_NAME, 0x102B)                                                                      \
    X(CL_DEVICE_VENDOR, 0x102C)                                                                    \
    X(CL_DRIVER_VERSION, 0x102D)                                                                   \
    X(CL_DEVICE_VERSION, 0x102F)                                                                   \
    X(CL_DEVICE_EXTENSIONS, 0x1030)                                                                \
    X(CL_DEVICE_HOST_UNIFIED_MEMORY, 0x1035)                                                       \
    X(CL_DEVICE_OPENCL_C_VERSION, 0x103D)                                                          \
    X(CL_DEVICE_SVM_CAPABILITIES, 0x1053)                                                          \
    X(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, 1)                                                        \
    X(CL_DEVICE_MAX_NUM_SUB_GROUPS, 0x105C)                                                        \
    X(CL_DEVICE_OPENCL_C_FEATURES, 0x106F)                                                         \
    X(CL_CONTEXT_PLATFORM, 0x1084)                                                                 \
    X(CL_QUEUE_PROFILING_ENABLE, 1 << 1)                                                           \
    X(CL_MEM_READ_WRITE, 1)                                                                        \
    X(CL_MEM_READ_ONLY, 1 << 2)                                                                    \
    X(CL_MEM_ALLOC_HOST_PTR, 1 << 4)                                                               \
    X(CL_MEM_COPY_HOST_PTR, 1 << 5)                                                                \
    X(CL_MAP_READ, 1)                                                                              \
    X(CL_MAP_WRITE, 1 << 1)                                                                        \
    X(CL_PROGRAM_BINARY_SIZES, 0x1165)                                                             \
    X(CL_PROGRAM_BINARIES, 0x1166)                                                                 \
    X(CL_PROGRAM_BUILD_LOG, 0x1183)                                                                \
    X(CL_KERNEL_NUM_ARGS, 0x1191)                                                                  \
    X(CL_KERNEL_ARG_ADDRESS_QUALIFIER, 0x1196)                                                     \
    X(CL_KERNEL_ARG_TYPE_NAME, 0x1198)                                                             \
    X(CL_KERNEL_ARG_NAME, 0x119A)                                                                  \
    X(CL_KERNEL_ARG_ADDRESS_GLOBAL, 0x119B)                                                        \
    X(CL_KERNEL_ARG_ADDRESS_LOCAL, 0x119C)                                                         \
    X(CL_KERNEL_ARG_ADDRESS_CONSTANT, 0x119D)                                                      \
    X(CL_KERNEL_ARG_ADDRESS_PRIVATE, 0x119E)                                                       \
    X(CL_KERNEL_WORK_GROUP_SIZE, 0x11B0)                                                           \
    X(CL_KERNEL_LOCAL_MEM_SIZE, 0x11B2)                                                            \
    X(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 0x11B3)                                        \
    X(CL_KERNEL_PRIVATE_MEM_SIZE, 0x11B4)                                                          \
    X(CL_KERNEL_EXEC_INFO_SVM_PTRS, 0x11B6)                                                        \
    X(CL_EVENT_COMMAND_EXECUTION_STATUS, 0x11D3)                                                   \
    X(CL_COMPLETE, 0)                                                                              \
    X(CL_PROFILING_COMMAND_END, 0x1283)

/* From CL/cl_ext.h. */
#define QN_CL_EXT_CONSTANTS(X)                                                                     \
    X(CL_PLATFORM_ICD_SUFFIX_KHR, 0x0920)                                                          \
    X(CL_PLATFORM_NOT_FOUND_KHR, -1001)                                                            \
    X(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, 0x4000)                                               \
    X(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, 0x4001)                                               \
    X(CL_DEVICE_WARP_SIZE_NV, 0x4003)                                                              \
    X(CL_DEVICE_INTEGRATED_MEMORY_NV, 0x4006)                                                      \
    X(CL_DEVICE_TOPOLOGY_AMD, 0x4037)                                                              \
    X(CL_DEVICE_GLOBAL_FREE_MEMORY_AMD, 0x4039)                                                    \
    X(CL_DEVICE_WAVEFRONT_WIDTH_AMD, 0x4043)                                                       \
    X(CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0x4108)                                                     \
    X(CL_DEVICE_PCI_BUS_INFO_KHR, 0x410F)

/* NVIDIA's, which the headers of some distributions lack. */
#define QN_CL_NV_CONSTANTS(X)                                                                      \
    X(CL_DEVICE_PCI_BUS_ID_NV, 0x4008)                                                             \
    X(CL_DEVICE_PCI_SLOT_ID_NV, 0x4009)                                                            \
    X(CL_DEVICE_PCI_DOMAIN_ID_NV, 0x400A)

#ifndef QN_CL_LISTS_ONLY
#define QN_CL_HANDLE(name)           typedef struct _##name *name;
#define QN_CL_TYPE(name, definition) typedef definition name;
#define QN_CL_CONSTANT(name, value)  name = (value),
QN_CL_HANDLES(QN_CL_HANDLE)
QN_CL_TYPES(QN_CL_TYPE)
enum {
    QN_CL_ERRORS(QN_CL_CONSTANT) QN_CL_CONSTANTS(QN_CL_CONSTANT) QN_CL_EXT_CONSTANTS(QN_CL_CONSTANT)
        QN_CL_NV_CONSTANTS(QN_CL_CONSTANT)
};
#undef QN_CL_HANDLE
#undef QN_CL_TYPE
#undef QN_CL_CONSTANT
#endif

/* cl_device_pci_bus_info_khr */
struct qn__cl_pci_khr {
    uint32_t domain, bus, device, function;
};

/* cl_device_topology_amd, the PCIe member (type 1) */
struct qn__cl_pci_amd {
    uint32_t type;
    unsigned char unused[17];
    unsigned char bus, device, function;
};

/* cl_name_version */
struct qn__cl_name_version {
    uint32_t version;
    char name[64];
};

#endif
