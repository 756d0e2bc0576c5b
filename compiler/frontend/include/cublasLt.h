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
    CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
    CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
    CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
    CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
};
enum cublasLtPointerMode_t {
    CUBLASLT_POINTER_MODE_HOST = 0,
    CUBLASLT_POINTER_MODE_DEVICE = 1,
    CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
};
enum cublasLtOrder_t {
    CUBLASLT_ORDER_COL = 0,
    CUBLASLT_ORDER_ROW = 1,
    CUBLASLT_ORDER_COL32 = 2,
    CUBLASLT_ORDER_COL4_4R2_8C = 3,
    CUBLASLT_ORDER_COL32_2R_4R4 = 4
};
typedef struct cublasLtMatrixTransformDescOpaque *cublasLtMatrixTransformDesc_t;
enum cublasLtMatrixTransformDescAttributes_t {
    CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE = 0,
    CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE = 1,
    CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA = 2,
    CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB = 3
};
enum cublasLtMatrixLayoutAttribute_t {
    CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
    CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
    CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
    CUBLASLT_MATRIX_LAYOUT_COLS = 3,
    CUBLASLT_MATRIX_LAYOUT_LD = 4,
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
QN__HOST_CALL(cublasStatus_t, cublasLtMatrixTransform);
QN__HOST_CALL(cublasStatus_t, cublasLtMatrixTransformDescCreate);
QN__HOST_CALL(cublasStatus_t, cublasLtMatrixTransformDescDestroy);
QN__HOST_CALL(cublasStatus_t, cublasLtMatrixTransformDescSetAttribute);
QN__HOST_CALL(cublasStatus_t, cublasLtMatmulPreferenceCreate);
QN__HOST_CALL(cublasStatus_t, cublasLtMatmulPreferenceDestroy);
QN__HOST_CALL(cublasStatus_t, cublasLtMatmulPreferenceSetAttribute);
QN__HOST_CALL(cublasStatus_t, cublasLtMatrixLayoutCreate);
QN__HOST_CALL(cublasStatus_t, cublasLtMatrixLayoutDestroy);
QN__HOST_CALL(cublasStatus_t, cublasLtMatrixLayoutSetAttribute);

#endif
