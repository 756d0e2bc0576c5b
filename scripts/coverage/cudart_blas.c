/* SPDX-License-Identifier: Apache-2.0
 *
 * What programs with kernels of their own call of cuBLAS: products of matrices, on a device whose
 * memory the host reads as well; elsewhere they are refused. cuBLASLt is refused. */
#include "scripts/coverage/cudart.h"

#include <cublas_v2.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BF16_SHIFT = 16 };

cublasStatus_t cublasCreate_v2(cublasHandle_t *out)
{
    static int handle;
    *out = (cublasHandle_t)(void *)&handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode)
{
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    return CUBLAS_STATUS_SUCCESS;
}

int cublasLtCreate(void **out)
{
    return (int)cublasCreate_v2((cublasHandle_t *)out);
}

int cublasLtDestroy(void *handle)
{
    return 0;
}

void cublasLtMatmulDescCreate(void)
{
    cudart_refuse("cuBLASLt is called");
}

/* ---- Elements ---- */

static float bf16_to_float(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << BF16_SHIFT;
    float f;
    memcpy(&f, &wide, sizeof f);
    return f;
}

static uint16_t float_to_bf16(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    if (isnan(f))
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> BF16_SHIFT & 1)) >> BF16_SHIFT);
}

static bool is_known(cudaDataType_t type)
{
    return type == CUDA_R_32F || type == CUDA_R_16BF;
}

static float load(const void *p, cudaDataType_t type, long long i)
{
    if (type == CUDA_R_16BF)
        return bf16_to_float(((const uint16_t *)p)[i]);
    return ((const float *)p)[i];
}

static void store(void *p, cudaDataType_t type, long long i, float f)
{
    if (type == CUDA_R_16BF)
        ((uint16_t *)p)[i] = float_to_bf16(f);
    else
        ((float *)p)[i] = f;
}

/* ---- Products: columns of `ld` elements one after the other ---- */

struct matrix {
    const void *p;
    cudaDataType_t type;
    long long ld, begin;
    int transposed;
};

static float at(const struct matrix *m, int row, int column)
{
    const long long i = m->transposed ? row * m->ld + column : column * m->ld + row;
    return load(m->p, m->type, m->begin + i);
}

static void multiply(int m, int n, int k, float alpha, const struct matrix *a,
                     const struct matrix *b, float beta, const struct matrix *c, void *out)
{
    for (int column = 0; column < n; column++)
        for (int row = 0; row < m; row++) {
            const float old = beta == 0 ? 0 : beta * at(c, row, column);
            float sum = 0;
            for (int i = 0; i < k; i++)
                sum += at(a, row, i) * at(b, i, column);
            store(out, c->type, c->begin + column * c->ld + row, alpha * sum + old);
        }
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType_t type_a,
                                          int ld_a, long long stride_a, const void *b,
                                          cudaDataType_t type_b, int ld_b, long long stride_b,
                                          const void *beta, void *c, cudaDataType_t type_c,
                                          int ld_c, long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    struct matrix ma = {a, type_a, ld_a, 0, op_a != CUBLAS_OP_N};
    struct matrix mb = {b, type_b, ld_b, 0, op_b != CUBLAS_OP_N};
    struct matrix mc = {c, type_c, ld_c, 0, 0};
    if (!cudart_memory_is_shared())
        cudart_refuse("cuBLAS is called on a device with memory of its own");
    if (!is_known(type_a) || !is_known(type_b) || !is_known(type_c) ||
        compute == CUBLAS_COMPUTE_16F)
        cudart_refuse("cuBLAS is called for other types than float and bfloat16");
    cudaDeviceSynchronize();
    for (int i = 0; i < count; i++) {
        ma.begin = i * stride_a;
        mb.begin = i * stride_b;
        mc.begin = i * stride_c;
        multiply(m, n, k, *(const float *)alpha, &ma, &mb, *(const float *)beta, &mc, c);
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void *alpha, const void *a,
                            cudaDataType_t type_a, int ld_a, const void *b, cudaDataType_t type_b,
                            int ld_b, const void *beta, void *c, cudaDataType_t type_c, int ld_c,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, ld_a, 0, b,
                                      type_b, ld_b, 0, beta, c, type_c, ld_c, 0, 1, compute,
                                      algorithm);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k,
                                         const float *alpha, const float *a, int ld_a,
                                         long long stride_a, const float *b, int ld_b,
                                         long long stride_b, const float *beta, float *c, int ld_c,
                                         long long stride_c, int count)
{
    return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, CUDA_R_32F, ld_a,
                                      stride_a, b, CUDA_R_32F, ld_b, stride_b, beta, c, CUDA_R_32F,
                                      ld_c, stride_c, count, CUBLAS_COMPUTE_32F,
                                      CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const float *alpha, const float *a, int ld_a,
                              const float *b, int ld_b, const float *beta, float *c, int ld_c)
{
    return cublasSgemmStridedBatched(handle, op_a, op_b, m, n, k, alpha, a, ld_a, 0, b, ld_b, 0,
                                     beta, c, ld_c, 0, 1);
}
