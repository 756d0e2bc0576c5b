/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS: products of matrices. All forms come to one: types, and where the matrices of a batch
 * lie. */
#include "cudart/blas_handle.h"

#include <stdint.h>
#include <string.h>

enum { TILE = 64, PLANES_MAX = 65535 };

/* What a product is made of: types of the elements, of the sum, of the factors. */
struct kind {
    cudaDataType ab, c;
    enum factor_type { HALF, FLOAT, DOUBLE, INT } sum, factor;
    const char *defines;
};
static const struct kind kinds[] = {
    {CUDA_R_32F, CUDA_R_32F, FLOAT, FLOAT, "QN_AB=float QN_TC=float QN_TS=float QN_TF=float"},
    {CUDA_R_64F, CUDA_R_64F, DOUBLE, DOUBLE, "QN_AB=double QN_TC=double QN_TS=double QN_TF=double"},
    {CUDA_R_16F, CUDA_R_16F, FLOAT, HALF,
     "QN_HALF=1 QN_AB=__half QN_TC=__half QN_TS=float QN_TF=__half"},
    {CUDA_R_16F, CUDA_R_16F, FLOAT, FLOAT,
     "QN_HALF=1 QN_AB=__half QN_TC=__half QN_TS=float QN_TF=float"},
    {CUDA_R_16F, CUDA_R_32F, FLOAT, FLOAT,
     "QN_HALF=1 QN_AB=__half QN_TC=float QN_TS=float QN_TF=float"},
    {CUDA_R_16BF, CUDA_R_16BF, FLOAT, FLOAT,
     "QN_BF16=1 QN_AB=__nv_bfloat16 QN_TC=__nv_bfloat16 QN_TS=float QN_TF=float"},
    {CUDA_R_16BF, CUDA_R_32F, FLOAT, FLOAT,
     "QN_BF16=1 QN_AB=__nv_bfloat16 QN_TC=float QN_TS=float QN_TF=float"},
    {CUDA_R_8I, CUDA_R_32I, INT, INT, "QN_AB=byte QN_TC=int QN_TS=int QN_TF=int"},
};

static bool factor_of(enum factor_type *out, cublasComputeType_t compute)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: *out = HALF; return true;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32: *out = FLOAT; return true;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: *out = DOUBLE; return true;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: *out = INT; return true;
    }
    return false;
}

static const struct kind *kind_of(cudaDataType a, cudaDataType b, cudaDataType c,
                                  cublasComputeType_t compute)
{
    enum factor_type factor;
    for (size_t i = 0; a == b && factor_of(&factor, compute) && i < sizeof kinds / sizeof *kinds;
         i++)
        if (kinds[i].ab == a && kinds[i].c == c && kinds[i].factor == factor)
            return &kinds[i];
    return NULL;
}

static float float_of_half(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff;
    float f;
    if (rest < 0x400) { /* zero and subnormal: steps of 2^-24 */
        f = (float)rest * 0x1p-24f;
        return sign ? -f : f;
    }
    const uint32_t bits = rest >= 0x7c00 ? sign | 0x7f800000 | (rest & 0x3ff) << 13
                                         : sign | ((rest << 13) + ((127 - 15) << 23));
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* A factor by value, in the type that is added up. */
union factor {
    float f;
    double d;
    int i;
};
static union factor read_factor(const struct kind *k, const void *at)
{
    union factor v = {0};
    uint16_t half;
    switch (k->factor) {
    case HALF:
        memcpy(&half, at, sizeof half);
        v.f = float_of_half(half);
        break;
    case FLOAT: memcpy(&v.f, at, sizeof v.f); break;
    case DOUBLE: memcpy(&v.d, at, sizeof v.d); break;
    case INT: memcpy(&v.i, at, sizeof v.i); break;
    }
    return v;
}

static size_t bytes_of(cudaDataType t)
{
    switch ((int)t) {
    case CUDA_R_64F: return 8;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_8I: return 1;
    default: return 2;
    }
}

/* A matrix and its neighbours of a batch: `stride` elements apart, or in a table. */
struct operand {
    const void *at, *const *table;
    long long stride;
    int ld;
};

static cublasStatus_t multiply(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb,
                               int m, int n, int k, const void *alpha, struct operand a,
                               struct operand b, const void *beta, struct operand c, int count,
                               const struct kind *kind)
{
    int turns_a = opa != CUBLAS_OP_N, turns_b = opb != CUBLAS_OP_N;
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!kind)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const int rows_a = turns_a ? k : m, rows_b = turns_b ? n : k;
    if (m < 0 || n < 0 || k < 0 || count < 0 || opa > CUBLAS_OP_C || opb > CUBLAS_OP_C || !alpha ||
        !beta || a.ld < (rows_a > 1 ? rows_a : 1) || b.ld < (rows_b > 1 ? rows_b : 1) ||
        c.ld < (m > 1 ? m : 1))
        return CUBLAS_STATUS_INVALID_VALUE;
    const bool is_host = h->mode == CUBLAS_POINTER_MODE_HOST;
    union factor by_alpha = {0}, by_beta = {0};
    if (is_host) {
        by_alpha = read_factor(kind, alpha);
        by_beta = read_factor(kind, beta);
    }
    const void *alpha_at = is_host ? NULL : alpha, *beta_at = is_host ? NULL : beta;
    const size_t tiles = ((size_t)m + TILE - 1) / TILE * (((size_t)n + TILE - 1) / TILE);
    const struct qn__library_kernel which = {"blas_gemm.cu", kind->defines, "blas_gemm"};
    for (int first = 0; first < count && tiles; first += PLANES_MAX) {
        const int planes = count - first < PLANES_MAX ? count - first : PLANES_MAX;
        const qn_dims dims = {.grid = {(uint32_t)tiles, (uint32_t)planes, 1},
                              .block = {QN__BLAS_THREADS, 1, 1}};
        const cublasStatus_t status = qn__blas_status(qn__library_launch(
            &which, h->stream, &dims,
            (void *[]){&c.at,     &a.at,     &b.at,    &c.table,  &a.table, &b.table,  &c.stride,
                       &a.stride, &b.stride, &m,       &n,        &k,       &c.ld,     &a.ld,
                       &b.ld,     &turns_a,  &turns_b, &by_alpha, &by_beta, &alpha_at, &beta_at}));
        if (status != CUBLAS_STATUS_SUCCESS)
            return status;
        struct operand *const operands[] = {&a, &b, &c};
        for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
            struct operand *const o = operands[i];
            const size_t bytes = bytes_of(o == &c ? kind->c : kind->ab);
            if (o->table)
                o->table += planes;
            else
                o->at = (const char *)o->at + (ptrdiff_t)o->stride * planes * (ptrdiff_t)bytes;
        }
    }
    return CUBLAS_STATUS_SUCCESS;
}

#define OPS      cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k
#define PASS_OPS handle, opa, opb, m, n, k
#define ONE(p, leading)                                                                            \
    (struct operand)                                                                               \
    {                                                                                              \
        .at = (p), .ld = (leading)                                                                 \
    }
#define APART(p, leading, by)                                                                      \
    (struct operand)                                                                               \
    {                                                                                              \
        .at = (p), .ld = (leading), .stride = (by)                                                 \
    }
#define LISTED(p, leading)                                                                         \
    (struct operand)                                                                               \
    {                                                                                              \
        .table = (const void *const *)(p), .ld = (leading)                                         \
    }

#define GEMM(letter, T, row)                                                                       \
    cublasStatus_t cublas##letter##gemm(OPS, const T *alpha, const T *a, int lda, const T *b,      \
                                        int ldb, const T *beta, T *c, int ldc)                     \
    {                                                                                              \
        return multiply(PASS_OPS, alpha, ONE(a, lda), ONE(b, ldb), beta, ONE(c, ldc), 1,           \
                        &kinds[row]);                                                              \
    }                                                                                              \
    cublasStatus_t cublas##letter##gemmStridedBatched(                                             \
        OPS, const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,         \
        long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int count)           \
    {                                                                                              \
        return multiply(PASS_OPS, alpha, APART(a, lda, stride_a), APART(b, ldb, stride_b), beta,   \
                        APART(c, ldc, stride_c), count, &kinds[row]);                              \
    }                                                                                              \
    cublasStatus_t cublas##letter##gemmBatched(OPS, const T *alpha, const T *const a[], int lda,   \
                                               const T *const b[], int ldb, const T *beta,         \
                                               T *const c[], int ldc, int count)                   \
    {                                                                                              \
        return multiply(PASS_OPS, alpha, LISTED(a, lda), LISTED(b, ldb), beta, LISTED(c, ldc),     \
                        count, &kinds[row]);                                                       \
    }
GEMM(S, float, 0)
GEMM(D, double, 1)
GEMM(H, __half, 2)

cublasStatus_t cublasGemmEx(OPS, const void *alpha, const void *a, cudaDataType type_a, int lda,
                            const void *b, cudaDataType type_b, int ldb, const void *beta, void *c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm)
{
    (void)algorithm; /* there is one */
    return multiply(PASS_OPS, alpha, ONE(a, lda), ONE(b, ldb), beta, ONE(c, ldc), 1,
                    kind_of(type_a, type_b, type_c, compute));
}

cublasStatus_t cublasGemmStridedBatchedEx(OPS, const void *alpha, const void *a,
                                          cudaDataType type_a, int lda, long long stride_a,
                                          const void *b, cudaDataType type_b, int ldb,
                                          long long stride_b, const void *beta, void *c,
                                          cudaDataType type_c, int ldc, long long stride_c,
                                          int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm)
{
    (void)algorithm;
    return multiply(PASS_OPS, alpha, APART(a, lda, stride_a), APART(b, ldb, stride_b), beta,
                    APART(c, ldc, stride_c), count, kind_of(type_a, type_b, type_c, compute));
}

cublasStatus_t cublasGemmBatchedEx(OPS, const void *alpha, const void *const a[],
                                   cudaDataType type_a, int lda, const void *const b[],
                                   cudaDataType type_b, int ldb, const void *beta, void *const c[],
                                   cudaDataType type_c, int ldc, int count,
                                   cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    (void)algorithm;
    return multiply(PASS_OPS, alpha, LISTED(a, lda), LISTED(b, ldb), beta, LISTED(c, ldc), count,
                    kind_of(type_a, type_b, type_c, compute));
}
