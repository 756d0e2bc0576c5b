/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS: handles, what it calls its errors, and copies of vectors and matrices. */
#include "cudart/blas_handle.h"

#include <stdlib.h>

cublasStatus_t qn__blas_status(cudaError_t error)
{
    if (error == cudaSuccess)
        return CUBLAS_STATUS_SUCCESS;
    return error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED
                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = NULL;
    struct cublasContext *const h = calloc(1, sizeof *h);
    if (!h)
        return CUBLAS_STATUS_ALLOC_FAILED;
    const cudaError_t error =
        cudaMalloc(&h->parts, (size_t)(QN__BLAS_PARTS + 1) * QN__BLAS_PART_BYTES);
    if (error != cudaSuccess) {
        free(h);
        return error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED
                                                  : CUBLAS_STATUS_NOT_INITIALIZED;
    }
    *handle = h;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    const cudaError_t error = cudaFree(handle->parts);
    free(handle);
    return qn__blas_status(error);
}

#define SET(name, type, field)                                                                     \
    cublasStatus_t cublasSet##name(cublasHandle_t handle, type value)                              \
    {                                                                                              \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        handle->field = value;                                                                     \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
#define GET(name, type, field)                                                                     \
    cublasStatus_t cublasGet##name(cublasHandle_t handle, type *value)                             \
    {                                                                                              \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        if (!value)                                                                                \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        *value = handle->field;                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
SET(Stream, cudaStream_t, stream)
GET(Stream, cudaStream_t, stream)
SET(PointerMode, cublasPointerMode_t, mode)
GET(PointerMode, cublasPointerMode_t, mode)
SET(MathMode, cublasMath_t, math)
GET(MathMode, cublasMath_t, math)
SET(AtomicsMode, cublasAtomicsMode_t, atomics)

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t n)
{
    (void)workspace, (void)n; /* the handle's own is enough */
    return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version)
{
    enum { VERSION = 120400 };
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!version)
        return CUBLAS_STATUS_INVALID_VALUE;
    *version = VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} statuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "the operation succeeded"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "there is no handle"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "no memory"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an argument is out of range"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the device lacks a feature"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "a copy failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "a kernel failed"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal error"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "a license is missing"},
};

const char *cublasGetStatusName(cublasStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status)
            return statuses[i].name;
    return "unknown cublasStatus_t";
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status)
            return statuses[i].text;
    return "unknown cublasStatus_t";
}

/* ---- copies: columns of a matrix of `bytes` an element ---- */

static cublasStatus_t copy(int rows, int columns, int bytes, const void *from, int from_ld,
                           void *to, int to_ld, cudaMemcpyKind kind)
{
    if (rows < 0 || columns < 0 || bytes <= 0 || from_ld < rows || to_ld < rows || from_ld <= 0 ||
        to_ld <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    const size_t element = (size_t)bytes;
    const cudaError_t error =
        cudaMemcpy2D(to, (size_t)to_ld * element, from, (size_t)from_ld * element,
                     (size_t)rows * element, (size_t)columns, kind);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *device, int incy)
{
    return copy(1, n, bytes, x, incx, device, incy, cudaMemcpyHostToDevice);
}

cublasStatus_t cublasGetVector(int n, int bytes, const void *device, int incx, void *y, int incy)
{
    return copy(1, n, bytes, device, incx, y, incy, cudaMemcpyDeviceToHost);
}

cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *a, int lda,
                               void *device, int ldb)
{
    return copy(rows, columns, bytes, a, lda, device, ldb, cudaMemcpyHostToDevice);
}

cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *device, int lda,
                               void *b, int ldb)
{
    return copy(rows, columns, bytes, device, lda, b, ldb, cudaMemcpyDeviceToHost);
}
