/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS: operations of vectors, and of a matrix and vectors. The functions of both precisions come
 * from one text each. */
#include "cudart/blas_handle.h"

enum { DOT, ASUM, NRM2, AMAX, AMIN }; /* as in cudart/kernels/blas_reduce.cu */

static cublasStatus_t launch_of(cublasHandle_t h, const char *file, const char *type,
                                const char *name, size_t blocks, void **arguments)
{
    const struct qn__library_kernel which = {file, type, name};
    const qn_dims dims = {.grid = {(uint32_t)blocks, 1, 1}, .block = {QN__BLAS_THREADS, 1, 1}};
    return qn__blas_status(qn__library_launch(&which, h->stream, &dims, arguments));
}

static cublasStatus_t launch(cublasHandle_t h, const char *type, const char *name, size_t blocks,
                             void **arguments)
{
    return launch_of(h, "blas_vector.cu", type, name, blocks, arguments);
}

static size_t blocks_of(size_t n)
{
    return (n + QN__BLAS_THREADS - 1) / QN__BLAS_THREADS;
}

/* Leaves the result behind the parts; fetched from there in host mode. */
static cublasStatus_t reduce(cublasHandle_t h, const char *type, int n, const void *x, int incx,
                             const void *y, int incy, int what, void *result, size_t bytes)
{
    char *const own = (char *)h->parts + (size_t)QN__BLAS_PARTS * QN__BLAS_PART_BYTES;
    const bool is_place = what == AMAX || what == AMIN;
    if (!result)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n <= 0) {
        const cudaError_t error = h->mode == CUBLAS_POINTER_MODE_DEVICE
                                      ? cudaMemsetAsync(result, 0, bytes, h->stream)
                                      : cudaSuccess;
        for (size_t i = 0; i < bytes && h->mode == CUBLAS_POINTER_MODE_HOST; i++)
            ((char *)result)[i] = 0;
        return qn__blas_status(error);
    }
    size_t blocks = blocks_of((size_t)n);
    if (blocks > QN__BLAS_PARTS)
        blocks = QN__BLAS_PARTS;
    int n_parts = (int)blocks;
    void *parts = h->parts, *to = h->mode == CUBLAS_POINTER_MODE_DEVICE ? result : own;
    void *value = is_place ? NULL : to, *place = is_place ? to : NULL;
    cublasStatus_t status = launch_of(h, "blas_reduce.cu", type, "blas_parts", blocks,
                                      (void *[]){&parts, &x, &y, &n, &incx, &incy, &what});
    if (status == CUBLAS_STATUS_SUCCESS)
        status = launch_of(h, "blas_reduce.cu", type, "blas_result", 1,
                           (void *[]){&value, &place, &parts, &n_parts, &what});
    if (status != CUBLAS_STATUS_SUCCESS || h->mode == CUBLAS_POINTER_MODE_DEVICE)
        return status;
    cudaError_t error = cudaMemcpyAsync(result, own, bytes, cudaMemcpyDeviceToHost, h->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(h->stream);
    return qn__blas_status(error);
}

/* The value and the place of a factor, as kernels take them. */
#define FACTOR(T, name)                                                                            \
    const bool name##_is_host = handle->mode == CUBLAS_POINTER_MODE_HOST;                          \
    T name##_value = name##_is_host ? *name : (T)0;                                                \
    const T *name##_at = name##_is_host ? NULL : name
#define PASS(name) &name##_value, &name##_at
#define CHECK(valid)                                                                               \
    do {                                                                                           \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        if (!(valid))                                                                              \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
    } while (0)

/* Vectors and result of one type, added in double whatever is asked for. */
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType type_x,
                           int incx, const void *y, cudaDataType type_y, int incy, void *result,
                           cudaDataType type_result, cudaDataType execution)
{
    static const struct {
        cudaDataType type;
        const char *defines;
        size_t bytes;
    } types[] = {{CUDA_R_16F, "QN_HALF=1 QN_T=__half QN_READ=float", 2},
                 {CUDA_R_16BF, "QN_BF16=1 QN_T=__nv_bfloat16 QN_READ=float", 2},
                 {CUDA_R_32F, "QN_T=float QN_READ=float", 4},
                 {CUDA_R_64F, "QN_T=double QN_READ=double", 8}};
    CHECK(true);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type_x && type_y == type_x && type_result == type_x &&
            (execution == type_x || execution == CUDA_R_32F || execution == CUDA_R_64F))
            return reduce(handle, types[i].defines, n, x, incx, y, incy, DOT, result,
                          types[i].bytes);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

#define VECTORS(c, i, T)                                                                           \
    static const char c##_type[] = "QN_T=" #T, c##_reduced[] = "QN_T=" #T " QN_READ=" #T;          \
    cublasStatus_t cublas##c##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x,       \
                                   int incx, T *y, int incy)                                       \
    {                                                                                              \
        CHECK(alpha);                                                                              \
        FACTOR(T, alpha);                                                                          \
        return n <= 0 ? CUBLAS_STATUS_SUCCESS                                                      \
                      : launch(handle, c##_type, "blas_axpy", blocks_of((size_t)n),                \
                               (void *[]){&y, &x, &n, &incx, &incy, PASS(alpha)});                 \
    }                                                                                              \
    cublasStatus_t cublas##c##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx)   \
    {                                                                                              \
        CHECK(alpha);                                                                              \
        FACTOR(T, alpha);                                                                          \
        return n <= 0 || incx <= 0 ? CUBLAS_STATUS_SUCCESS                                         \
                                   : launch(handle, c##_type, "blas_scal", blocks_of((size_t)n),   \
                                            (void *[]){&x, &n, &incx, PASS(alpha)});               \
    }                                                                                              \
    cublasStatus_t cublas##c##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y,       \
                                   int incy)                                                       \
    {                                                                                              \
        CHECK(true);                                                                               \
        return n <= 0 ? CUBLAS_STATUS_SUCCESS                                                      \
                      : launch(handle, c##_type, "blas_copy", blocks_of((size_t)n),                \
                               (void *[]){&y, &x, &n, &incx, &incy});                              \
    }                                                                                              \
    cublasStatus_t cublas##c##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy)   \
    {                                                                                              \
        CHECK(true);                                                                               \
        return n <= 0 ? CUBLAS_STATUS_SUCCESS                                                      \
                      : launch(handle, c##_type, "blas_swap", blocks_of((size_t)n),                \
                               (void *[]){&y, &x, &n, &incx, &incy});                              \
    }                                                                                              \
    cublasStatus_t cublas##c##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y,  \
                                  int incy, T *result)                                             \
    {                                                                                              \
        CHECK(true);                                                                               \
        return reduce(handle, c##_reduced, n, x, incx, y, incy, DOT, result, sizeof *result);      \
    }                                                                                              \
    cublasStatus_t cublas##c##asum(cublasHandle_t handle, int n, const T *x, int incx, T *result)  \
    {                                                                                              \
        CHECK(true);                                                                               \
        return reduce(handle, c##_reduced, incx <= 0 ? 0 : n, x, incx, x, incx, ASUM, result,      \
                      sizeof *result);                                                             \
    }                                                                                              \
    cublasStatus_t cublas##c##nrm2(cublasHandle_t handle, int n, const T *x, int incx, T *result)  \
    {                                                                                              \
        CHECK(true);                                                                               \
        return reduce(handle, c##_reduced, incx <= 0 ? 0 : n, x, incx, x, incx, NRM2, result,      \
                      sizeof *result);                                                             \
    }                                                                                              \
    cublasStatus_t cublasI##i##amax(cublasHandle_t handle, int n, const T *x, int incx,            \
                                    int *result)                                                   \
    {                                                                                              \
        CHECK(true);                                                                               \
        return reduce(handle, c##_reduced, incx <= 0 ? 0 : n, x, incx, x, incx, AMAX, result,      \
                      sizeof *result);                                                             \
    }                                                                                              \
    cublasStatus_t cublasI##i##amin(cublasHandle_t handle, int n, const T *x, int incx,            \
                                    int *result)                                                   \
    {                                                                                              \
        CHECK(true);                                                                               \
        return reduce(handle, c##_reduced, incx <= 0 ? 0 : n, x, incx, x, incx, AMIN, result,      \
                      sizeof *result);                                                             \
    }                                                                                              \
    cublasStatus_t cublas##c##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,      \
                                   const T *alpha, const T *a, int lda, const T *x, int incx,      \
                                   const T *beta, T *y, int incy)                                  \
    {                                                                                              \
        CHECK(m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && incx && incy && alpha && beta &&       \
              op <= CUBLAS_OP_C);                                                                  \
        FACTOR(T, alpha);                                                                          \
        FACTOR(T, beta);                                                                           \
        const bool turns = op != CUBLAS_OP_N;                                                      \
        if (m == 0 || n == 0)                                                                      \
            return CUBLAS_STATUS_SUCCESS;                                                          \
        return launch(handle, c##_type, turns ? "blas_gemv_t" : "blas_gemv_n",                     \
                      turns ? (size_t)n : blocks_of((size_t)m),                                    \
                      (void *[]){&y, &a, &x, &m, &n, &lda, &incx, &incy, &alpha_value,             \
                                 &beta_value, &alpha_at, &beta_at});                               \
    }                                                                                              \
    cublasStatus_t cublas##c##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, \
                                  int incx, const T *y, int incy, T *a, int lda)                   \
    {                                                                                              \
        CHECK(m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && incx && incy && alpha);                \
        FACTOR(T, alpha);                                                                          \
        if (m == 0 || n == 0)                                                                      \
            return CUBLAS_STATUS_SUCCESS;                                                          \
        return launch(handle, c##_type, "blas_ger", blocks_of((size_t)m * (size_t)n),              \
                      (void *[]){&a, &x, &y, &m, &n, &lda, &incx, &incy, PASS(alpha)});            \
    }                                                                                              \
    cublasStatus_t cublas##c##geam(                                                                \
        cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,         \
        const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *to, int ldc)   \
    {                                                                                              \
        int turns_a = opa != CUBLAS_OP_N, turns_b = opb != CUBLAS_OP_N;                            \
        CHECK(m >= 0 && n >= 0 && alpha && beta && opa <= CUBLAS_OP_C && opb <= CUBLAS_OP_C &&     \
              lda >= (turns_a ? n : m) && ldb >= (turns_b ? n : m) && ldc >= (m > 1 ? m : 1));     \
        FACTOR(T, alpha);                                                                          \
        FACTOR(T, beta);                                                                           \
        if (m == 0 || n == 0)                                                                      \
            return CUBLAS_STATUS_SUCCESS;                                                          \
        return launch(handle, c##_type, "blas_geam", blocks_of((size_t)m * (size_t)n),             \
                      (void *[]){&to, &a, &b, &m, &n, &ldc, &lda, &ldb, &turns_a, &turns_b,        \
                                 &alpha_value, &beta_value, &alpha_at, &beta_at});                 \
    }
VECTORS(S, s, float)
VECTORS(D, d, double)
