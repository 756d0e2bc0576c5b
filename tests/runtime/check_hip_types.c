/* SPDX-License-Identifier: Apache-2.0
 *
 * Our small HIP headers against the official hip_runtime_api.h: every function in hip.sym has
 * exactly the type that it declares, every number in hip_types.h its value, and the two strings of
 * hipDeviceProp_t lie where hip_device.c reads them. Most of it fails to compile rather than to
 * run. */
#include <check.h>
#include <stdlib.h>

#if defined(__has_include)
#if __has_include(<hip/hip_runtime_api.h>)
#define HAVE_HIP_H 1
#endif
#endif

#ifdef HAVE_HIP_H
#include "runtime/hip/hip_types.h"

#define __HIP_PLATFORM_AMD__ 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <hip/hip_runtime_api.h>
#pragma GCC diagnostic pop

_Static_assert(sizeof(hip_result) == sizeof(hipError_t), "hipError_t");
_Static_assert(sizeof(hip_device_attribute) == sizeof(hipDeviceAttribute_t), "attribute");
_Static_assert(sizeof(hip_function_attribute) == sizeof(hipFunction_attribute), "attribute");
_Static_assert(sizeof(hip_limit) == sizeof(enum hipLimit_t), "hipLimit_t");
_Static_assert(sizeof(hip_copy_kind) == sizeof(hipMemcpyKind), "hipMemcpyKind");
_Static_assert(sizeof(hip_capture_mode) == sizeof(hipStreamCaptureMode), "hipStreamCaptureMode");
_Static_assert(sizeof(hip_properties) >= 2 * sizeof(hipDeviceProp_t), "hipDeviceProp_t has grown");

/* From here on our names mean the official types, so that a signature of hip.sym can be compared
 * with the declaration of the same function. */
#define hip_result             hipError_t
#define hip_device_attribute   hipDeviceAttribute_t
#define hip_function_attribute hipFunction_attribute
#define hip_copy_kind          hipMemcpyKind
#define hip_capture_mode       hipStreamCaptureMode
#define hip_limit              enum hipLimit_t
#define hip_deviceptr          hipDeviceptr_t
#define hip_module             hipModule_t
#define hip_function           hipFunction_t
#define hip_stream             hipStream_t
#define hip_event              hipEvent_t
#define hip_graph              hipGraph_t
#define hip_graph_node         hipGraphNode_t
#define hip_graph_exec         hipGraphExec_t
#define hip_properties         hipDeviceProp_t

#define QN_SYM(name, symbol, ret, args)                                                            \
    _Static_assert(__builtin_types_compatible_p(ret(*) args, __typeof__(&symbol)), #symbol);
#if HIP_VERSION_MAJOR >= 6
#define QN_OPT QN_SYM
#else /* before, hipGetDevicePropertiesR0600 is not declared */
#define QN_OPT(name, symbol, ret, args)
#endif
#include "runtime/hip/hip.sym"
#undef QN_SYM
#undef QN_OPT

static const struct {
    const char *name;
    long ours, official;
} numbers[] = {
#define ROW(ours, official) {#official, ours, official}
    ROW(HIP_OK, hipSuccess),
    ROW(HIP_E_INVALID_VALUE, hipErrorInvalidValue),
    ROW(HIP_E_OUT_OF_MEMORY, hipErrorOutOfMemory),
    ROW(HIP_E_INVALID_CONFIGURATION, hipErrorInvalidConfiguration),
    ROW(HIP_E_NO_BINARY_FOR_GPU, hipErrorNoBinaryForGpu),
    ROW(HIP_E_NOT_FOUND, hipErrorNotFound),
    ROW(HIP_E_NOT_READY, hipErrorNotReady),
    ROW(HIP_E_ILLEGAL_ADDRESS, hipErrorIllegalAddress),
    ROW(HIP_E_LAUNCH_OUT_OF_RESOURCES, hipErrorLaunchOutOfResources),
    ROW(HIP_E_LAUNCH_TIMEOUT, hipErrorLaunchTimeOut),
    ROW(HIP_E_ASSERT, hipErrorAssert),
    ROW(HIP_E_LAUNCH_FAILURE, hipErrorLaunchFailure),
    ROW(HIP_E_COOPERATIVE_TOO_LARGE, hipErrorCooperativeLaunchTooLarge),
    ROW(HIP_E_NOT_SUPPORTED, hipErrorNotSupported),
    ROW(HIP_E_CAPTURE_FIRST, hipErrorStreamCaptureUnsupported),
    ROW(HIP_E_CAPTURE_LAST, hipErrorStreamCaptureWrongThread),
    ROW(HIP_LIMIT_HEAP, hipLimitMallocHeapSize),
    ROW(HIP_ATTR_CLOCK_KHZ, hipDeviceAttributeClockRate),
    ROW(HIP_ATTR_INTEGRATED, hipDeviceAttributeIntegrated),
    ROW(HIP_ATTR_BLOCK_X, hipDeviceAttributeMaxBlockDimX),
    ROW(HIP_ATTR_BLOCK_X + 2, hipDeviceAttributeMaxBlockDimZ),
    ROW(HIP_ATTR_GRID_X, hipDeviceAttributeMaxGridDimX),
    ROW(HIP_ATTR_GRID_X + 2, hipDeviceAttributeMaxGridDimZ),
    ROW(HIP_ATTR_BLOCK_THREADS, hipDeviceAttributeMaxThreadsPerBlock),
    ROW(HIP_ATTR_MULTIPROCESSORS, hipDeviceAttributeMultiprocessorCount),
    ROW(HIP_ATTR_SHARED_BYTES, hipDeviceAttributeMaxSharedMemoryPerBlock),
    ROW(HIP_ATTR_WARP_SIZE, hipDeviceAttributeWarpSize),
    ROW(HIP_FUNC_BLOCK_THREADS, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
    ROW(HIP_FUNC_SHARED_BYTES, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
    ROW(HIP_FUNC_LOCAL_BYTES, HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
    ROW(HIP_FUNC_REGISTERS, HIP_FUNC_ATTRIBUTE_NUM_REGS),
    ROW(HIP_COPY_UPLOAD, hipMemcpyHostToDevice),
    ROW(HIP_COPY_DOWNLOAD, hipMemcpyDeviceToHost),
    ROW(HIP_COPY_DEVICE, hipMemcpyDeviceToDevice),
    ROW(HIP_NON_BLOCKING, hipStreamNonBlocking),
    ROW(HIP_EVENT_NO_TIMING, hipEventDisableTiming),
    ROW(HIP_CAPTURE_RELAXED, hipStreamCaptureModeRelaxed),
#if HIP_VERSION_MAJOR >= 6
    ROW(HIP_PROPERTIES_BYTES_R0600, sizeof(hipDeviceProp_t)),
    ROW(HIP_PROPERTIES_ARCH_R0600, offsetof(hipDeviceProp_t, gcnArchName)),
#else
    ROW(HIP_PROPERTIES_BYTES, sizeof(hipDeviceProp_t)),
    ROW(HIP_PROPERTIES_ARCH, offsetof(hipDeviceProp_t, gcnArchName)),
#endif
    ROW(HIP_PROPERTIES_NAME, offsetof(hipDeviceProp_t, name)),
    ROW(HIP_PROPERTIES_STRING_BYTES, sizeof(((hipDeviceProp_t *)0)->name)),
    ROW(HIP_PROPERTIES_STRING_BYTES, sizeof(((hipDeviceProp_t *)0)->gcnArchName)),
#undef ROW
};

START_TEST(number_is_the_official_one)
{
    ck_assert_msg(numbers[_i].ours == numbers[_i].official, "%s: ours is %ld, HIP's is %ld",
                  numbers[_i].name, numbers[_i].ours, numbers[_i].official);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hip types");
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
    puts("skip: hip/hip_runtime_api.h is not installed (ROCM_PATH names a ROCm)");
    return EXIT_SUCCESS;
}
#endif
