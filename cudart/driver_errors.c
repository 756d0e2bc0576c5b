/* SPDX-License-Identifier: Apache-2.0
 *
 * CUresult. Its values are those of cudaError_t where both have an error. */
#include "cudart/driver.h"

static bool is_known(int value)
{
    switch (value) {
#define QN_DRIVER_ERROR(name, value, text) case value:
#include <quern_driver_errors.def>
#undef QN_DRIVER_ERROR
        return true;
    default: return false;
    }
}

CUresult qn__driver_result(cudaError_t error)
{
    if (error == cudaSuccess || error == cudaErrorNotReady)
        return (CUresult)error;
    (void)cudaGetLastError(); /* the driver's errors are not kept */
    switch ((int)error) {
    case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
    default: break;
    }
    if (is_known((int)error))
        return (CUresult)error;
    return (int)error < 100 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_UNKNOWN;
}

static const char *name_of(CUresult error, bool text)
{
    switch ((int)error) {
#define QN_DRIVER_ERROR(name, value, words)                                                        \
    case value: return text ? words : #name;
#include <quern_driver_errors.def>
#undef QN_DRIVER_ERROR
    default: return NULL;
    }
}

CUresult qn__driver_fail(CUresult error, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    qn__rt_complain(name_of(error, false), format, values);
    va_end(values);
    return error;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = name_of(error, false);
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = name_of(error, true);
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
