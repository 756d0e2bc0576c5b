/* SPDX-License-Identifier: Apache-2.0
 *
 * hipRTC's names, each for NVRTC's. */
#ifdef __clang__
#pragma clang system_header
#else
#pragma GCC system_header
#endif
#ifndef QN_STANDIN_HIPRTC
#define QN_STANDIN_HIPRTC

#include <nvrtc.h>

typedef nvrtcProgram hiprtcProgram;
typedef nvrtcResult hiprtcResult;
#define HIPRTC_SUCCESS                         NVRTC_SUCCESS
#define HIPRTC_ERROR_OUT_OF_MEMORY             NVRTC_ERROR_OUT_OF_MEMORY
#define HIPRTC_ERROR_PROGRAM_CREATION_FAILURE  NVRTC_ERROR_PROGRAM_CREATION_FAILURE
#define HIPRTC_ERROR_INVALID_INPUT             NVRTC_ERROR_INVALID_INPUT
#define HIPRTC_ERROR_INVALID_PROGRAM           NVRTC_ERROR_INVALID_PROGRAM
#define HIPRTC_ERROR_INVALID_OPTION            NVRTC_ERROR_INVALID_OPTION
#define HIPRTC_ERROR_COMPILATION               NVRTC_ERROR_COMPILATION
#define HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
#define HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION                                         \
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION
#define HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION                                           \
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION
#define HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID
#define HIPRTC_ERROR_INTERNAL_ERROR            NVRTC_ERROR_INTERNAL_ERROR

#define hiprtcGetErrorString    nvrtcGetErrorString
#define hiprtcVersion           nvrtcVersion
#define hiprtcCreateProgram     nvrtcCreateProgram
#define hiprtcDestroyProgram    nvrtcDestroyProgram
#define hiprtcAddNameExpression nvrtcAddNameExpression
#define hiprtcGetLoweredName    nvrtcGetLoweredName
#define hiprtcGetProgramLogSize nvrtcGetProgramLogSize
#define hiprtcGetProgramLog     nvrtcGetProgramLog
#define hiprtcGetCodeSize       nvrtcGetCUBINSize
#define hiprtcGetCode           nvrtcGetCUBIN

/* hipRTC's options are not const. */
#ifdef __cplusplus
static inline hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int n,
                                                const char *const *options)
{
    return nvrtcCompileProgram(program, n, options);
}
static inline hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int n, char **options)
{
    return nvrtcCompileProgram(program, n, (const char *const *)options);
}
#else
#define hiprtcCompileProgram nvrtcCompileProgram
#endif
#endif
