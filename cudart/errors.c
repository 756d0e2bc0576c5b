/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's error codes: their names and texts, the last one of each thread, and which one a failure
 * of Quern's is. */
#include "cudart/runtime.h"

#include <stdio.h>
#include <string.h>

static _Thread_local cudaError_t last_error;

cudaError_t qn__rt_error(cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady)
        last_error = error;
    return error;
}

void qn__rt_complain(const char *name, const char *format, va_list values)
{
    flockfile(stderr);
    fputs("quern: ", stderr);
    vfprintf(stderr, format, values);
    fprintf(stderr, " (%s)\n", name);
    funlockfile(stderr);
}

cudaError_t qn__rt_fail(cudaError_t error, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    qn__rt_complain(cudaGetErrorName(error), format, values);
    va_end(values);
    return qn__rt_error(error);
}

/* A fault's message says which kind it was. */
static cudaError_t fault(const char *message)
{
    if (strstr(message, "assert"))
        return cudaErrorAssert;
    return strstr(message, "address") ? cudaErrorIllegalAddress : cudaErrorLaunchFailure;
}

static cudaError_t error_of(qn_status s)
{
    switch (s) {
    case QN_OK: return cudaSuccess;
    case QN_E_INVALID: return cudaErrorInvalidValue;
    case QN_E_LIMIT: return cudaErrorInvalidConfiguration;
    case QN_E_NOT_FOUND: return cudaErrorNotFound;
    case QN_E_UNSUPPORTED: return cudaErrorNotSupported;
    case QN_E_NOT_READY: return cudaErrorNotReady;
    case QN_E_TIMEOUT: return cudaErrorLaunchTimeout;
    case QN_E_MEMORY:
    case QN_E_DEVICE_MEMORY: return cudaErrorMemoryAllocation;
    case QN_E_IO: return cudaErrorOperatingSystem;
    case QN_E_CORRUPT: return cudaErrorInvalidKernelImage;
    case QN_E_NO_DEVICE: return cudaErrorNoDevice;
    case QN_E_FAULT: return fault(qn_message());
    case QN_E_MISMATCH:
    case QN_E_CACHE_MISS: return cudaErrorNoKernelImageForDevice;
    case QN_E_COMPILE: return cudaErrorInvalidSource;
    case QN_E_COMPILER: return cudaErrorJitCompilerNotFound;
    case QN_E_DRIVER: break;
    }
    return cudaErrorUnknown;
}

cudaError_t qn__rt_status(qn_status s, const char *what)
{
    const cudaError_t error = error_of(s);
    if (error == cudaSuccess || error == cudaErrorNotReady)
        return error;
    return qn__rt_fail(error, "%s: %s", what, qn_message());
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch ((int)error) {
#define QN_ERROR(name, text)                                                                       \
    case name: return #name;
#include "cudart/errors.def"
#undef QN_ERROR
    default: return "unrecognized error code";
    }
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch ((int)error) {
#define QN_ERROR(name, text)                                                                       \
    case name: return text;
#include "cudart/errors.def"
#undef QN_ERROR
    default: return "unrecognized error code";
    }
}
