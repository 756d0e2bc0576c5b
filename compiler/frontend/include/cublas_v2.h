/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS as far as programs with kernels in the same file call it: host code has to parse. */
#pragma clang system_header
#ifndef QN_STANDIN_CUBLAS
#define QN_STANDIN_CUBLAS

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <library_types.h>

typedef struct cublasContext *cublasHandle_t;
enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasFillMode_t {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
};
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
enum cublasGemmAlgo_t {
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99
};

QN__HOST_CALL(cublasStatus_t, cublasCreate);
QN__HOST_CALL(cublasStatus_t, cublasCreate_v2);
QN__HOST_CALL(cublasStatus_t, cublasDestroy);
QN__HOST_CALL(cublasStatus_t, cublasDestroy_v2);
QN__HOST_CALL(cublasStatus_t, cublasSetStream);
QN__HOST_CALL(cublasStatus_t, cublasSetStream_v2);
QN__HOST_CALL(cublasStatus_t, cublasGetStream);
QN__HOST_CALL(cublasStatus_t, cublasGetStream_v2);
QN__HOST_CALL(cublasStatus_t, cublasGetMathMode);
QN__HOST_CALL(cublasStatus_t, cublasGetPointerMode);
QN__HOST_CALL(cublasStatus_t, cublasGetProperty);
QN__HOST_CALL(cublasStatus_t, cublasGetVersion);
QN__HOST_CALL(cublasStatus_t, cublasGetVersion_v2);
QN__HOST_CALL(const char *, cublasGetStatusName);
QN__HOST_CALL(cublasStatus_t, cublasSetAtomicsMode);
QN__HOST_CALL(cublasStatus_t, cublasSetMathMode);
QN__HOST_CALL(cublasStatus_t, cublasSetPointerMode);
QN__HOST_CALL(cublasStatus_t, cublasSetWorkspace);
QN__HOST_CALL(cublasStatus_t, cublasSetMatrix);
QN__HOST_CALL(cublasStatus_t, cublasGetMatrix);
QN__HOST_CALL(cublasStatus_t, cublasSetVector);
QN__HOST_CALL(cublasStatus_t, cublasGetVector);
QN__HOST_CALL(const char *, cublasGetStatusString);
QN__HOST_CALL(cublasStatus_t, cublasGemmEx);
QN__HOST_CALL(cublasStatus_t, cublasGemmBatchedEx);
QN__HOST_CALL(cublasStatus_t, cublasGemmStridedBatchedEx);

/* for example cublasSgemm, cublasDgemm, cublasCgemm, cublasZgemm */
#define QN__BLAS(name)                                                                             \
    QN__HOST_CALL(cublasStatus_t, cublasS##name);                                                  \
    QN__HOST_CALL(cublasStatus_t, cublasD##name);                                                  \
    QN__HOST_CALL(cublasStatus_t, cublasC##name);                                                  \
    QN__HOST_CALL(cublasStatus_t, cublasZ##name)
QN__BLAS(asum);
QN__BLAS(axpy);
QN__BLAS(copy);
QN__BLAS(dot);
QN__BLAS(nrm2);
QN__BLAS(scal);
QN__BLAS(swap);
QN__BLAS(gemv);
QN__BLAS(ger);
QN__BLAS(gemm);
QN__BLAS(gemmBatched);
QN__BLAS(gemmStridedBatched);
QN__BLAS(geam);
QN__BLAS(syrk);
QN__BLAS(syr2k);
QN__BLAS(trsm);
QN__BLAS(trsmBatched);
QN__BLAS(dgmm);
QN__BLAS(gelsBatched);
QN__BLAS(gemmEx);
QN__BLAS(gemvBatched);
QN__BLAS(gemvStridedBatched);
QN__BLAS(geqrfBatched);
QN__BLAS(getrfBatched);
QN__BLAS(getriBatched);
QN__BLAS(getrsBatched);
QN__BLAS(matinvBatched);
QN__BLAS(rot);
QN__BLAS(symm);
QN__BLAS(symv);
QN__BLAS(syr);
QN__BLAS(trmm);
QN__BLAS(trmv);
QN__BLAS(trsv);
#undef QN__BLAS
QN__HOST_CALL(cublasStatus_t, cublasCdotc);
QN__HOST_CALL(cublasStatus_t, cublasCdotu);
QN__HOST_CALL(cublasStatus_t, cublasDznrm2);
QN__HOST_CALL(cublasStatus_t, cublasScnrm2);
QN__HOST_CALL(cublasStatus_t, cublasZdotc);
QN__HOST_CALL(cublasStatus_t, cublasZdotu);
QN__HOST_CALL(cublasStatus_t, cublasIsamax);
QN__HOST_CALL(cublasStatus_t, cublasIdamax);
QN__HOST_CALL(cublasStatus_t, cublasIsamin);
QN__HOST_CALL(cublasStatus_t, cublasIdamin);
QN__HOST_CALL(cublasStatus_t, cublasAxpyEx);
QN__HOST_CALL(cublasStatus_t, cublasDotEx);
QN__HOST_CALL(cublasStatus_t, cublasNrm2Ex);
QN__HOST_CALL(cublasStatus_t, cublasScalEx);
QN__HOST_CALL(cublasStatus_t, cublasHgemm);
QN__HOST_CALL(cublasStatus_t, cublasHgemmBatched);
QN__HOST_CALL(cublasStatus_t, cublasHgemmStridedBatched);
QN__HOST_CALL(cublasStatus_t, cublasCgemm3m);

#endif
