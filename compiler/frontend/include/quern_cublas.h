/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS as far as programs that `quern cc` builds are served, in C and C++: its types, and one
 * table of functions that the library defines, this header declares and docs/runtime-api.md lists.
 * QN_BLAS(group, result, name, parameters, note). */
#pragma GCC system_header
#ifndef QN_CUBLAS
#define QN_CUBLAS

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasContext *cublasHandle_t;
typedef enum cublasStatus_t {
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
} cublasStatus_t;
typedef enum cublasOperation_t {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2
} cublasOperation_t;
typedef enum cublasFillMode_t {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum cublasAtomicsMode_t {
    CUBLAS_ATOMICS_NOT_ALLOWED = 0,
    CUBLAS_ATOMICS_ALLOWED = 1
} cublasAtomicsMode_t;
typedef enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum cublasPointerMode_t {
    CUBLAS_POINTER_MODE_HOST = 0,
    CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;
typedef enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum cublasComputeType_t {
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
} cublasComputeType_t;
typedef enum cublasGemmAlgo_t {
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;

#define QN_BLAS(group, result, name, parameters, note) result name parameters;
#include <quern_cublas.def>
#undef QN_BLAS

#define cublasCreate_v2         cublasCreate
#define cublasDestroy_v2        cublasDestroy
#define cublasSetStream_v2      cublasSetStream
#define cublasGetStream_v2      cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasGetVersion_v2     cublasGetVersion
#define cublasSetWorkspace_v2   cublasSetWorkspace
#define cublasSgemm_v2          cublasSgemm
#define cublasDgemm_v2          cublasDgemm
#define cublasSgemv_v2          cublasSgemv
#define cublasDgemv_v2          cublasDgemv
#define cublasSaxpy_v2          cublasSaxpy
#define cublasDaxpy_v2          cublasDaxpy
#define cublasSscal_v2          cublasSscal
#define cublasDscal_v2          cublasDscal
#define cublasScopy_v2          cublasScopy
#define cublasDcopy_v2          cublasDcopy
#define cublasSswap_v2          cublasSswap
#define cublasDswap_v2          cublasDswap
#define cublasSdot_v2           cublasSdot
#define cublasDdot_v2           cublasDdot
#define cublasSnrm2_v2          cublasSnrm2
#define cublasDnrm2_v2          cublasDnrm2
#define cublasSasum_v2          cublasSasum
#define cublasDasum_v2          cublasDasum
#define cublasIsamax_v2         cublasIsamax
#define cublasIdamax_v2         cublasIdamax
#define cublasIsamin_v2         cublasIsamin
#define cublasIdamin_v2         cublasIdamin
#define cublasSger_v2           cublasSger
#define cublasDger_v2           cublasDger

#ifdef __cplusplus
}
#endif
#endif
