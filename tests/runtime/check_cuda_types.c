/* SPDX-License-Identifier: Apache-2.0
 *
 * Our small CUDA headers against the official cuda.h: every function in cuda.sym has exactly the
 * type that cuda.h declares, every number in cuda_types.h its value. Most of it fails to compile
 * rather than to run. */
#include <check.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_include)
#if __has_include(<cuda.h>)
#define HAVE_CUDA_H 1
#endif
#endif

#ifdef HAVE_CUDA_H
#include "runtime/cuda/cuda_types.h"

#include <cuda.h>

/* Sizes and signedness of the plain ones; pointers to opaque structs are alike by construction. */
_Static_assert(sizeof(cu_deviceptr) == sizeof(CUdeviceptr), "CUdeviceptr");
_Static_assert(sizeof(cu_result) == sizeof(CUresult), "CUresult");
_Static_assert(sizeof(cu_device_attribute) == sizeof(CUdevice_attribute), "CUdevice_attribute");
_Static_assert(sizeof(cu_function_attribute) == sizeof(CUfunction_attribute), "attribute");
_Static_assert(sizeof(cu_jit_option) == sizeof(CUjit_option), "CUjit_option");
_Static_assert(sizeof(cu_limit) == sizeof(CUlimit), "CUlimit");
_Static_assert(sizeof(cu_capture_mode) == sizeof(CUstreamCaptureMode), "CUstreamCaptureMode");
_Static_assert(sizeof(cu_tex_object) == sizeof(CUtexObject), "CUtexObject");
_Static_assert(sizeof(cu_surf_object) == sizeof(CUsurfObject), "CUsurfObject");

/* Structs: as many bytes, and each field at its place. */
#define PLACE(ours, field, official, official_field)                                               \
    _Static_assert(offsetof(ours, field) == offsetof(official, official_field) &&                  \
                       sizeof(ours) == sizeof(official),                                           \
                   #official "." #official_field);
PLACE(cu_array_descriptor, width, CUDA_ARRAY3D_DESCRIPTOR, Width)
PLACE(cu_array_descriptor, height, CUDA_ARRAY3D_DESCRIPTOR, Height)
PLACE(cu_array_descriptor, depth, CUDA_ARRAY3D_DESCRIPTOR, Depth)
PLACE(cu_array_descriptor, format, CUDA_ARRAY3D_DESCRIPTOR, Format)
PLACE(cu_array_descriptor, channels, CUDA_ARRAY3D_DESCRIPTOR, NumChannels)
PLACE(cu_array_descriptor, flags, CUDA_ARRAY3D_DESCRIPTOR, Flags)
PLACE(cu_memcpy3d, src.memory_type, CUDA_MEMCPY3D, srcMemoryType)
PLACE(cu_memcpy3d, src.host, CUDA_MEMCPY3D, srcHost)
PLACE(cu_memcpy3d, src.array, CUDA_MEMCPY3D, srcArray)
PLACE(cu_memcpy3d, src.pitch, CUDA_MEMCPY3D, srcPitch)
PLACE(cu_memcpy3d, src.height, CUDA_MEMCPY3D, srcHeight)
PLACE(cu_memcpy3d, dst.memory_type, CUDA_MEMCPY3D, dstMemoryType)
PLACE(cu_memcpy3d, dst.host, CUDA_MEMCPY3D, dstHost)
PLACE(cu_memcpy3d, dst.array, CUDA_MEMCPY3D, dstArray)
PLACE(cu_memcpy3d, dst.pitch, CUDA_MEMCPY3D, dstPitch)
PLACE(cu_memcpy3d, dst.height, CUDA_MEMCPY3D, dstHeight)
PLACE(cu_memcpy3d, width_bytes, CUDA_MEMCPY3D, WidthInBytes)
PLACE(cu_memcpy3d, height, CUDA_MEMCPY3D, Height)
PLACE(cu_memcpy3d, depth, CUDA_MEMCPY3D, Depth)
PLACE(cu_resource_desc, type, CUDA_RESOURCE_DESC, resType)
PLACE(cu_resource_desc, of.array, CUDA_RESOURCE_DESC, res.array.hArray)
PLACE(cu_resource_desc, of.linear.address, CUDA_RESOURCE_DESC, res.linear.devPtr)
PLACE(cu_resource_desc, of.linear.format, CUDA_RESOURCE_DESC, res.linear.format)
PLACE(cu_resource_desc, of.linear.channels, CUDA_RESOURCE_DESC, res.linear.numChannels)
PLACE(cu_resource_desc, of.linear.bytes, CUDA_RESOURCE_DESC, res.linear.sizeInBytes)
PLACE(cu_resource_desc, flags, CUDA_RESOURCE_DESC, flags)
PLACE(cu_texture_desc, address, CUDA_TEXTURE_DESC, addressMode)
PLACE(cu_texture_desc, filter, CUDA_TEXTURE_DESC, filterMode)
PLACE(cu_texture_desc, flags, CUDA_TEXTURE_DESC, flags)
PLACE(cu_texture_desc, border, CUDA_TEXTURE_DESC, borderColor)
PLACE(cu_launch_attribute, id, CUlaunchAttribute, id)
PLACE(cu_launch_attribute, value.number, CUlaunchAttribute,
      value.programmaticStreamSerializationAllowed)
PLACE(cu_launch_config, grid, CUlaunchConfig, gridDimX)
PLACE(cu_launch_config, block, CUlaunchConfig, blockDimX)
PLACE(cu_launch_config, shared_bytes, CUlaunchConfig, sharedMemBytes)
PLACE(cu_launch_config, stream, CUlaunchConfig, hStream)
PLACE(cu_launch_config, attributes, CUlaunchConfig, attrs)
PLACE(cu_launch_config, n_attributes, CUlaunchConfig, numAttrs)

/* From here on our names mean the official types, so that a signature of cuda.sym can be compared
 * with the declaration of the same function. */
#define cu_result                CUresult
#define cu_device                CUdevice
#define cu_device_attribute      CUdevice_attribute
#define cu_function_attribute    CUfunction_attribute
#define cu_jit_option            CUjit_option
#define cu_limit                 CUlimit
#define cu_capture_mode          CUstreamCaptureMode
#define cu_deviceptr             CUdeviceptr
#define cu_context               CUcontext
#define cu_module                CUmodule
#define cu_function              CUfunction
#define cu_stream                CUstream
#define cu_event                 CUevent
#define cu_graph                 CUgraph
#define cu_graph_node            CUgraphNode
#define cu_graph_exec            CUgraphExec
#define cu_shared_bytes_of_block CUoccupancyB2DSize
#define cu_array                 CUarray
#define cu_array_descriptor      CUDA_ARRAY3D_DESCRIPTOR
#define cu_memcpy3d              CUDA_MEMCPY3D
#define cu_tex_object            CUtexObject
#define cu_surf_object           CUsurfObject
#define cu_resource_desc         CUDA_RESOURCE_DESC
#define cu_resource_view_desc    CUDA_RESOURCE_VIEW_DESC
#define cu_texture_desc          CUDA_TEXTURE_DESC
#define cu_launch_config         CUlaunchConfig

#define SAME(function, ret, args)                                                                  \
    _Static_assert(__builtin_types_compatible_p(ret(*) args, __typeof__(&function)), #function);
#define QN_SYM(name, symbol, ret, args) SAME(symbol, ret, args)
#include "runtime/cuda/cuda.sym"
#undef QN_SYM

static const struct {
    const char *name;
    long ours, official;
} numbers[] = {
#define ROW(ours, official) {#official, ours, official}
    ROW(CU_OK, CUDA_SUCCESS),
    ROW(CU_E_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE),
    ROW(CU_E_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY),
    ROW(CU_E_STUB_LIBRARY, CUDA_ERROR_STUB_LIBRARY),
    ROW(CU_E_DEVICE_UNAVAILABLE, CUDA_ERROR_DEVICE_UNAVAILABLE),
    ROW(CU_E_NO_DEVICE, CUDA_ERROR_NO_DEVICE),
    ROW(CU_E_INVALID_DEVICE, CUDA_ERROR_INVALID_DEVICE),
    ROW(CU_E_NO_BINARY_FOR_GPU, CUDA_ERROR_NO_BINARY_FOR_GPU),
    ROW(CU_E_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
    ROW(CU_E_OPERATING_SYSTEM, CUDA_ERROR_OPERATING_SYSTEM),
    ROW(CU_E_NOT_FOUND, CUDA_ERROR_NOT_FOUND),
    ROW(CU_E_NOT_READY, CUDA_ERROR_NOT_READY),
    ROW(CU_E_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS),
    ROW(CU_E_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    ROW(CU_E_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_TIMEOUT),
    ROW(CU_E_ASSERT, CUDA_ERROR_ASSERT),
    ROW(CU_E_HARDWARE_STACK_ERROR, CUDA_ERROR_HARDWARE_STACK_ERROR),
    ROW(CU_E_ILLEGAL_INSTRUCTION, CUDA_ERROR_ILLEGAL_INSTRUCTION),
    ROW(CU_E_MISALIGNED_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS),
    ROW(CU_E_INVALID_ADDRESS_SPACE, CUDA_ERROR_INVALID_ADDRESS_SPACE),
    ROW(CU_E_INVALID_PC, CUDA_ERROR_INVALID_PC),
    ROW(CU_E_LAUNCH_FAILED, CUDA_ERROR_LAUNCH_FAILED),
    ROW(CU_E_COOPERATIVE_TOO_LARGE, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    ROW(CU_E_NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED),
    ROW(CU_E_SYSTEM_NOT_READY, CUDA_ERROR_SYSTEM_NOT_READY),
    ROW(CU_E_SYSTEM_DRIVER_MISMATCH, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH),
    ROW(CU_E_COMPAT_NOT_SUPPORTED, CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE),
    ROW(CU_E_CAPTURE_FIRST, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
    ROW(CU_E_CAPTURE_LAST, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD),
    ROW(CU_E_UNKNOWN, CUDA_ERROR_UNKNOWN),
    ROW(CU_ATTR_BLOCK_THREADS, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
    ROW(CU_ATTR_BLOCK_X, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
    ROW(CU_ATTR_BLOCK_X + 2, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z),
    ROW(CU_ATTR_GRID_X, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
    ROW(CU_ATTR_GRID_X + 2, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z),
    ROW(CU_ATTR_SHARED_BYTES, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
    ROW(CU_ATTR_WARP_SIZE, CU_DEVICE_ATTRIBUTE_WARP_SIZE),
    ROW(CU_ATTR_CLOCK_KHZ, CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
    ROW(CU_ATTR_MULTIPROCESSORS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
    ROW(CU_ATTR_INTEGRATED, CU_DEVICE_ATTRIBUTE_INTEGRATED),
    ROW(CU_ATTR_COMPUTE_MODE, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE),
    ROW(CU_ATTR_MULTIPROCESSOR_THREADS, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
    ROW(CU_ATTR_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
    ROW(CU_ATTR_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
    ROW(CU_ATTR_SHARED_BYTES_OPTIN, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
    ROW(CU_COMPUTE_MODE_PROHIBITED, CU_COMPUTEMODE_PROHIBITED),
    ROW(CU_FUNC_BLOCK_THREADS, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
    ROW(CU_FUNC_SHARED_BYTES, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
    ROW(CU_FUNC_LOCAL_BYTES, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
    ROW(CU_FUNC_REGISTERS, CU_FUNC_ATTRIBUTE_NUM_REGS),
    ROW(CU_FUNC_DYNAMIC_SHARED_BYTES, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES),
    ROW(CU_LIMIT_HEAP, CU_LIMIT_MALLOC_HEAP_SIZE),
    ROW(CU_LAUNCH_EARLY, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION),
    ROW(CU_JIT_NOTES, CU_JIT_INFO_LOG_BUFFER),
    ROW(CU_JIT_NOTES_BYTES, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES),
    ROW(CU_JIT_ERRORS, CU_JIT_ERROR_LOG_BUFFER),
    ROW(CU_JIT_ERRORS_BYTES, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES),
    ROW(CU_NON_BLOCKING, CU_STREAM_NON_BLOCKING),
    ROW(CU_EVENT_NO_TIMING, CU_EVENT_DISABLE_TIMING),
    ROW(CU_CAPTURE_RELAXED, CU_STREAM_CAPTURE_MODE_RELAXED),
    ROW(CU_HOST_PORTABLE, CU_MEMHOSTALLOC_PORTABLE),
    ROW(CU_FORMAT_U8, CU_AD_FORMAT_UNSIGNED_INT8),
    ROW(CU_FORMAT_U16, CU_AD_FORMAT_UNSIGNED_INT16),
    ROW(CU_FORMAT_U32, CU_AD_FORMAT_UNSIGNED_INT32),
    ROW(CU_FORMAT_I8, CU_AD_FORMAT_SIGNED_INT8),
    ROW(CU_FORMAT_I16, CU_AD_FORMAT_SIGNED_INT16),
    ROW(CU_FORMAT_I32, CU_AD_FORMAT_SIGNED_INT32),
    ROW(CU_FORMAT_F16, CU_AD_FORMAT_HALF),
    ROW(CU_FORMAT_F32, CU_AD_FORMAT_FLOAT),
    ROW(CU_ARRAY_LAYERED, CUDA_ARRAY3D_LAYERED),
    ROW(CU_ARRAY_SURFACE, CUDA_ARRAY3D_SURFACE_LDST),
    ROW(CU_ARRAY_CUBE, CUDA_ARRAY3D_CUBEMAP),
    ROW(CU_ARRAY_GATHER, CUDA_ARRAY3D_TEXTURE_GATHER),
    ROW(CU_MEMORY_HOST, CU_MEMORYTYPE_HOST),
    ROW(CU_MEMORY_ARRAY, CU_MEMORYTYPE_ARRAY),
    ROW(CU_RESOURCE_ARRAY, CU_RESOURCE_TYPE_ARRAY),
    ROW(CU_RESOURCE_LINEAR, CU_RESOURCE_TYPE_LINEAR),
    ROW(CU_ADDRESS_WRAP, CU_TR_ADDRESS_MODE_WRAP),
    ROW(CU_ADDRESS_CLAMP, CU_TR_ADDRESS_MODE_CLAMP),
    ROW(CU_ADDRESS_MIRROR, CU_TR_ADDRESS_MODE_MIRROR),
    ROW(CU_ADDRESS_BORDER, CU_TR_ADDRESS_MODE_BORDER),
    ROW(CU_FILTER_LINEAR, CU_TR_FILTER_MODE_LINEAR),
    ROW(CU_READ_INTEGERS, CU_TRSF_READ_AS_INTEGER),
    ROW(CU_NORMALIZED_COORDINATES, CU_TRSF_NORMALIZED_COORDINATES),
#undef ROW
};

START_TEST(number_is_the_official_one)
{
    ck_assert_msg(numbers[_i].ours == numbers[_i].official, "%s: ours is %ld, cuda.h says %ld",
                  numbers[_i].name, numbers[_i].ours, numbers[_i].official);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cuda types");
    TCase *tc = tcase_create("numbers");
    tcase_add_loop_test(tc, number_is_the_official_one, 0, (int)(sizeof numbers / sizeof *numbers));
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
#else
#include <stdio.h>
int main(void)
{
    puts("skip: cuda.h is not installed (CUDA_HOME names a toolkit)");
    return EXIT_SUCCESS;
}
#endif
