/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLASLt as far as programs with kernels in the same file call it: host code has to parse. */
#pragma clang system_header
#ifndef QN_STANDIN_CUBLASLT
#define QN_STANDIN_CUBLASLT

#include <cublas_v2.h>

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDescOpaque *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque *cublasLtMatmulPreference_t;
typedef struct {
    uint64_t data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;
enum cublasLtEpilogue_t {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    CUBLASLT_EPILOGUE_GELU_AUX = 160,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
    CUBLASLT_EPILOGUE_DGELU = 192,
    CUBLASLT_EPILOGUE_BGRADB = 512
};
enum cublasLtMatmulDescAttributes_t {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
    CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
    CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
    CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
};
enum cublasLtMatrixLayoutAttribute_t {
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
};
enum cublasLtMatmulPreferenceAttributes_t { CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1 };

QN__HOST_CALL(cublasStatus_t, cublasLtCreate);
QN__HOST_CALL(cublasStatus_t, cublasLtDestroy);
QN__HOST_CALL(cublasStatus_t, cublasLtMatmul);
QN__HOST_CALL(cublasStatus_t, cublasLtMatmulAlgoGetHeuristic);
QN__HOST_CALL(cublasStatus_t, cublasLtMatmulDescCreate);
QN__HOST_CALL(cublasStatus_t, cublasLtMatmulDescDestroy);
QN__HOST_CALL(cublasStatus_t, cublasLtMatmulDescSetAttribute);
QN__HOST_CALL(cublasStatus_t, cublasLtMatmulPreferenceCreate);
QN__HOST_CALL(cublasStatus_t, cublasLtMatmulPreferenceDestroy);
QN__HOST_CALL(cublasStatus_t, cublasLtMatmulPreferenceSetAttribute);
QN__HOST_CALL(cublasStatus_t, cublasLtMatrixLayoutCreate);
QN__HOST_CALL(cublasStatus_t, cublasLtMatrixLayoutDestroy);
QN__HOST_CALL(cublasStatus_t, cublasLtMatrixLayoutSetAttribute);

#endif
