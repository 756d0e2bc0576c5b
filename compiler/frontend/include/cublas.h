/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS by its first name. The calls without a handle are the same names. */
#pragma clang system_header
#ifndef QN_STANDIN_CUBLAS_FIRST
#define QN_STANDIN_CUBLAS_FIRST

#include <cublas_v2.h>

typedef cublasStatus_t cublasStatus;

QN__HOST_CALL(cublasStatus_t, cublasInit);
QN__HOST_CALL(cublasStatus_t, cublasShutdown);
QN__HOST_CALL(cublasStatus_t, cublasGetError);
QN__HOST_CALL(cublasStatus_t, cublasAlloc);
QN__HOST_CALL(cublasStatus_t, cublasFree);

#endif
