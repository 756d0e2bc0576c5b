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

#ifdef __QUERN_CC__
#include <quern_cublas.h>
#else
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

#endif

/* Those that are not served, and where kernels alone are translated all of them, have to parse. */
#ifndef __QUERN_CC__
QN__HOST_CALL(cublasStatus_t, cublasDotEx);
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
QN__HOST_CALL(cublasStatus_t, cublasIsamax);
QN__HOST_CALL(cublasStatus_t, cublasIdamax);
QN__HOST_CALL(cublasStatus_t, cublasIsamin);
QN__HOST_CALL(cublasStatus_t, cublasIdamin);
QN__HOST_CALL(cublasStatus_t, cublasHgemm);
QN__HOST_CALL(cublasStatus_t, cublasHgemmBatched);
QN__HOST_CALL(cublasStatus_t, cublasHgemmStridedBatched);
QN__HOST_CALL(cublasStatus_t, cublasSasum);
QN__HOST_CALL(cublasStatus_t, cublasDasum);
QN__HOST_CALL(cublasStatus_t, cublasSaxpy);
QN__HOST_CALL(cublasStatus_t, cublasDaxpy);
QN__HOST_CALL(cublasStatus_t, cublasScopy);
QN__HOST_CALL(cublasStatus_t, cublasDcopy);
QN__HOST_CALL(cublasStatus_t, cublasSdot);
QN__HOST_CALL(cublasStatus_t, cublasDdot);
QN__HOST_CALL(cublasStatus_t, cublasSnrm2);
QN__HOST_CALL(cublasStatus_t, cublasDnrm2);
QN__HOST_CALL(cublasStatus_t, cublasSscal);
QN__HOST_CALL(cublasStatus_t, cublasDscal);
QN__HOST_CALL(cublasStatus_t, cublasSswap);
QN__HOST_CALL(cublasStatus_t, cublasDswap);
QN__HOST_CALL(cublasStatus_t, cublasSgemv);
QN__HOST_CALL(cublasStatus_t, cublasDgemv);
QN__HOST_CALL(cublasStatus_t, cublasSger);
QN__HOST_CALL(cublasStatus_t, cublasDger);
QN__HOST_CALL(cublasStatus_t, cublasSgemm);
QN__HOST_CALL(cublasStatus_t, cublasDgemm);
QN__HOST_CALL(cublasStatus_t, cublasSgemmBatched);
QN__HOST_CALL(cublasStatus_t, cublasDgemmBatched);
QN__HOST_CALL(cublasStatus_t, cublasSgemmStridedBatched);
QN__HOST_CALL(cublasStatus_t, cublasDgemmStridedBatched);
QN__HOST_CALL(cublasStatus_t, cublasSgeam);
QN__HOST_CALL(cublasStatus_t, cublasDgeam);
#endif
QN__HOST_CALL(cublasStatus_t, cublasGetProperty);
QN__HOST_CALL(cublasStatus_t, cublasCdotc);
QN__HOST_CALL(cublasStatus_t, cublasCdotu);
QN__HOST_CALL(cublasStatus_t, cublasDznrm2);
QN__HOST_CALL(cublasStatus_t, cublasScnrm2);
QN__HOST_CALL(cublasStatus_t, cublasZdotc);
QN__HOST_CALL(cublasStatus_t, cublasZdotu);
QN__HOST_CALL(cublasStatus_t, cublasAxpyEx);
QN__HOST_CALL(cublasStatus_t, cublasNrm2Ex);
QN__HOST_CALL(cublasStatus_t, cublasScalEx);
QN__HOST_CALL(cublasStatus_t, cublasCgemm3m);
QN__HOST_CALL(cublasStatus_t, cublasCasum);
QN__HOST_CALL(cublasStatus_t, cublasZasum);
QN__HOST_CALL(cublasStatus_t, cublasCaxpy);
QN__HOST_CALL(cublasStatus_t, cublasZaxpy);
QN__HOST_CALL(cublasStatus_t, cublasCcopy);
QN__HOST_CALL(cublasStatus_t, cublasZcopy);
QN__HOST_CALL(cublasStatus_t, cublasCdot);
QN__HOST_CALL(cublasStatus_t, cublasZdot);
QN__HOST_CALL(cublasStatus_t, cublasCnrm2);
QN__HOST_CALL(cublasStatus_t, cublasZnrm2);
QN__HOST_CALL(cublasStatus_t, cublasCscal);
QN__HOST_CALL(cublasStatus_t, cublasZscal);
QN__HOST_CALL(cublasStatus_t, cublasCswap);
QN__HOST_CALL(cublasStatus_t, cublasZswap);
QN__HOST_CALL(cublasStatus_t, cublasCgemv);
QN__HOST_CALL(cublasStatus_t, cublasZgemv);
QN__HOST_CALL(cublasStatus_t, cublasCger);
QN__HOST_CALL(cublasStatus_t, cublasZger);
QN__HOST_CALL(cublasStatus_t, cublasCgemm);
QN__HOST_CALL(cublasStatus_t, cublasZgemm);
QN__HOST_CALL(cublasStatus_t, cublasCgemmBatched);
QN__HOST_CALL(cublasStatus_t, cublasZgemmBatched);
QN__HOST_CALL(cublasStatus_t, cublasCgemmStridedBatched);
QN__HOST_CALL(cublasStatus_t, cublasZgemmStridedBatched);
QN__HOST_CALL(cublasStatus_t, cublasCgeam);
QN__HOST_CALL(cublasStatus_t, cublasZgeam);
QN__HOST_CALL(cublasStatus_t, cublasSsyrk);
QN__HOST_CALL(cublasStatus_t, cublasDsyrk);
QN__HOST_CALL(cublasStatus_t, cublasCsyrk);
QN__HOST_CALL(cublasStatus_t, cublasZsyrk);
QN__HOST_CALL(cublasStatus_t, cublasSsyr2k);
QN__HOST_CALL(cublasStatus_t, cublasDsyr2k);
QN__HOST_CALL(cublasStatus_t, cublasCsyr2k);
QN__HOST_CALL(cublasStatus_t, cublasZsyr2k);
QN__HOST_CALL(cublasStatus_t, cublasStrsm);
QN__HOST_CALL(cublasStatus_t, cublasDtrsm);
QN__HOST_CALL(cublasStatus_t, cublasCtrsm);
QN__HOST_CALL(cublasStatus_t, cublasZtrsm);
QN__HOST_CALL(cublasStatus_t, cublasStrsmBatched);
QN__HOST_CALL(cublasStatus_t, cublasDtrsmBatched);
QN__HOST_CALL(cublasStatus_t, cublasCtrsmBatched);
QN__HOST_CALL(cublasStatus_t, cublasZtrsmBatched);
QN__HOST_CALL(cublasStatus_t, cublasSdgmm);
QN__HOST_CALL(cublasStatus_t, cublasDdgmm);
QN__HOST_CALL(cublasStatus_t, cublasCdgmm);
QN__HOST_CALL(cublasStatus_t, cublasZdgmm);
QN__HOST_CALL(cublasStatus_t, cublasSgelsBatched);
QN__HOST_CALL(cublasStatus_t, cublasDgelsBatched);
QN__HOST_CALL(cublasStatus_t, cublasCgelsBatched);
QN__HOST_CALL(cublasStatus_t, cublasZgelsBatched);
QN__HOST_CALL(cublasStatus_t, cublasSgemmEx);
QN__HOST_CALL(cublasStatus_t, cublasDgemmEx);
QN__HOST_CALL(cublasStatus_t, cublasCgemmEx);
QN__HOST_CALL(cublasStatus_t, cublasZgemmEx);
QN__HOST_CALL(cublasStatus_t, cublasSgemvBatched);
QN__HOST_CALL(cublasStatus_t, cublasDgemvBatched);
QN__HOST_CALL(cublasStatus_t, cublasCgemvBatched);
QN__HOST_CALL(cublasStatus_t, cublasZgemvBatched);
QN__HOST_CALL(cublasStatus_t, cublasSgemvStridedBatched);
QN__HOST_CALL(cublasStatus_t, cublasDgemvStridedBatched);
QN__HOST_CALL(cublasStatus_t, cublasCgemvStridedBatched);
QN__HOST_CALL(cublasStatus_t, cublasZgemvStridedBatched);
QN__HOST_CALL(cublasStatus_t, cublasSgeqrfBatched);
QN__HOST_CALL(cublasStatus_t, cublasDgeqrfBatched);
QN__HOST_CALL(cublasStatus_t, cublasCgeqrfBatched);
QN__HOST_CALL(cublasStatus_t, cublasZgeqrfBatched);
QN__HOST_CALL(cublasStatus_t, cublasSgetrfBatched);
QN__HOST_CALL(cublasStatus_t, cublasDgetrfBatched);
QN__HOST_CALL(cublasStatus_t, cublasCgetrfBatched);
QN__HOST_CALL(cublasStatus_t, cublasZgetrfBatched);
QN__HOST_CALL(cublasStatus_t, cublasSgetriBatched);
QN__HOST_CALL(cublasStatus_t, cublasDgetriBatched);
QN__HOST_CALL(cublasStatus_t, cublasCgetriBatched);
QN__HOST_CALL(cublasStatus_t, cublasZgetriBatched);
QN__HOST_CALL(cublasStatus_t, cublasSgetrsBatched);
QN__HOST_CALL(cublasStatus_t, cublasDgetrsBatched);
QN__HOST_CALL(cublasStatus_t, cublasCgetrsBatched);
QN__HOST_CALL(cublasStatus_t, cublasZgetrsBatched);
QN__HOST_CALL(cublasStatus_t, cublasSmatinvBatched);
QN__HOST_CALL(cublasStatus_t, cublasDmatinvBatched);
QN__HOST_CALL(cublasStatus_t, cublasCmatinvBatched);
QN__HOST_CALL(cublasStatus_t, cublasZmatinvBatched);
QN__HOST_CALL(cublasStatus_t, cublasSrot);
QN__HOST_CALL(cublasStatus_t, cublasDrot);
QN__HOST_CALL(cublasStatus_t, cublasCrot);
QN__HOST_CALL(cublasStatus_t, cublasZrot);
QN__HOST_CALL(cublasStatus_t, cublasSsymm);
QN__HOST_CALL(cublasStatus_t, cublasDsymm);
QN__HOST_CALL(cublasStatus_t, cublasCsymm);
QN__HOST_CALL(cublasStatus_t, cublasZsymm);
QN__HOST_CALL(cublasStatus_t, cublasSsymv);
QN__HOST_CALL(cublasStatus_t, cublasDsymv);
QN__HOST_CALL(cublasStatus_t, cublasCsymv);
QN__HOST_CALL(cublasStatus_t, cublasZsymv);
QN__HOST_CALL(cublasStatus_t, cublasSsyr);
QN__HOST_CALL(cublasStatus_t, cublasDsyr);
QN__HOST_CALL(cublasStatus_t, cublasCsyr);
QN__HOST_CALL(cublasStatus_t, cublasZsyr);
QN__HOST_CALL(cublasStatus_t, cublasStrmm);
QN__HOST_CALL(cublasStatus_t, cublasDtrmm);
QN__HOST_CALL(cublasStatus_t, cublasCtrmm);
QN__HOST_CALL(cublasStatus_t, cublasZtrmm);
QN__HOST_CALL(cublasStatus_t, cublasStrmv);
QN__HOST_CALL(cublasStatus_t, cublasDtrmv);
QN__HOST_CALL(cublasStatus_t, cublasCtrmv);
QN__HOST_CALL(cublasStatus_t, cublasZtrmv);
QN__HOST_CALL(cublasStatus_t, cublasStrsv);
QN__HOST_CALL(cublasStatus_t, cublasDtrsv);
QN__HOST_CALL(cublasStatus_t, cublasCtrsv);
QN__HOST_CALL(cublasStatus_t, cublasZtrsv);

#endif
