/* SPDX-License-Identifier: Apache-2.0
 *
 * cuSPARSE as far as programs with kernels in the same file call it: host code has to parse. */
#pragma clang system_header
#ifndef QN_STANDIN_CUSPARSE
#define QN_STANDIN_CUSPARSE

#include <cuComplex.h>
#include <cuda_runtime.h>
#include <library_types.h>

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct bsrsv2Info *bsrsv2Info_t;
typedef struct bsrsm2Info *bsrsm2Info_t;
typedef struct csrsv2Info *csrsv2Info_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct csric02Info *csric02Info_t;
enum cusparseStatus_t {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
};
enum cusparsePointerMode_t { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 };
enum cusparseAction_t { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 };
enum cusparseMatrixType_t {
    CUSPARSE_MATRIX_TYPE_GENERAL = 0,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
    CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
};
enum cusparseFillMode_t { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 };
enum cusparseDiagType_t { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 };
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 };
enum cusparseOperation_t {
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
    CUSPARSE_OPERATION_TRANSPOSE = 1,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
};
enum cusparseDirection_t { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 };
enum cusparseSolvePolicy_t {
    CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
    CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
};
enum cusparseFormat_t {
    CUSPARSE_FORMAT_CSR = 1,
    CUSPARSE_FORMAT_CSC = 2,
    CUSPARSE_FORMAT_COO = 3,
    CUSPARSE_FORMAT_BLOCKED_ELL = 5,
    CUSPARSE_FORMAT_BSR = 6
};
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 };
enum cusparseIndexType_t { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 };
enum cusparseSpMatAttribute_t { CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1 };
enum cusparseSpMVAlg_t {
    CUSPARSE_SPMV_ALG_DEFAULT = 0,
    CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_SPMV_CSR_ALG2 = 3
};
enum cusparseSpMMAlg_t {
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_CSR_ALG2 = 6
};
enum cusparseSpSVAlg_t { CUSPARSE_SPSV_ALG_DEFAULT = 0 };
enum cusparseSpGEMMAlg_t { CUSPARSE_SPGEMM_DEFAULT = 0 };

QN__HOST_CALL(const char *, cusparseGetErrorName);
QN__HOST_CALL(const char *, cusparseGetErrorString);
#define QN__SPARSE(name) QN__HOST_CALL(cusparseStatus_t, cusparse##name)
QN__SPARSE(Create);
QN__SPARSE(Destroy);
QN__SPARSE(GetVersion);
QN__SPARSE(SetStream);
QN__SPARSE(GetStream);
QN__SPARSE(SetPointerMode);
QN__SPARSE(GetPointerMode);
QN__SPARSE(CreateMatDescr);
QN__SPARSE(DestroyMatDescr);
QN__SPARSE(SetMatType);
QN__SPARSE(SetMatIndexBase);
QN__SPARSE(SetMatFillMode);
QN__SPARSE(SetMatDiagType);
QN__SPARSE(CreateBsrsv2Info);
QN__SPARSE(DestroyBsrsv2Info);
QN__SPARSE(CreateBsrsm2Info);
QN__SPARSE(DestroyBsrsm2Info);
QN__SPARSE(CreateCsr);
QN__SPARSE(CreateCsc);
QN__SPARSE(CreateCoo);
QN__SPARSE(CreateBlockedEll);
QN__SPARSE(DestroySpMat);
QN__SPARSE(CreateDnVec);
QN__SPARSE(DestroyDnVec);
QN__SPARSE(CreateDnMat);
QN__SPARSE(DestroyDnMat);
QN__SPARSE(CreateSpVec);
QN__SPARSE(DestroySpVec);
QN__SPARSE(CsrSetPointers);
QN__SPARSE(SpMatGetSize);
QN__SPARSE(SpMatSetAttribute);
QN__SPARSE(SpMV);
QN__SPARSE(SpMV_bufferSize);
QN__SPARSE(SpMM);
QN__SPARSE(SpMM_bufferSize);
QN__SPARSE(SDDMM);
QN__SPARSE(SDDMM_bufferSize);
QN__SPARSE(SpGEMM_createDescr);
QN__SPARSE(SpGEMM_destroyDescr);
QN__SPARSE(SpGEMM_workEstimation);
QN__SPARSE(SpGEMM_compute);
QN__SPARSE(SpGEMM_copy);
QN__SPARSE(SpSV_createDescr);
QN__SPARSE(SpSV_destroyDescr);
QN__SPARSE(SpSV_bufferSize);
QN__SPARSE(SpSV_analysis);
QN__SPARSE(SpSV_solve);
QN__SPARSE(SpSM_createDescr);
QN__SPARSE(SpSM_destroyDescr);
QN__SPARSE(Xcsrgeam2Nnz);
QN__SPARSE(Xcoo2csr);
QN__SPARSE(Xcsr2coo);
QN__SPARSE(Csr2cscEx2);
QN__SPARSE(Csr2cscEx2_bufferSize);
QN__SPARSE(Scsrmv);
QN__SPARSE(Dcsrmv);
QN__SPARSE(Scsrmm);
QN__SPARSE(Scsrmm2);
QN__SPARSE(Dcsrmm2);
#undef QN__SPARSE

#endif
