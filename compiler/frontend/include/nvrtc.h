/* SPDX-License-Identifier: Apache-2.0
 *
 * NVRTC, from its public documentation, in C as well as C++: the functions of quern_nvrtc.def. */
#ifdef __clang__
#pragma clang system_header
#else
#pragma GCC system_header
#endif
#ifndef QN_STANDIN_NVRTC
#define QN_STANDIN_NVRTC

#include <stddef.h>

typedef struct _nvrtcProgram *nvrtcProgram;
typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12
} nvrtcResult;

#ifdef __cplusplus
extern "C" {
#endif
#define QN_NVRTC(result, name, parameters, note) result name parameters;
#include <quern_nvrtc.def>
#undef QN_NVRTC
#ifdef __cplusplus
}
#endif
#endif
