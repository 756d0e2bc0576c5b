/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS on Quern's kernels (cudart/kernels/blas_*.cu): what its files share. */
#ifndef QN_CUDART_BLAS_HANDLE_H
#define QN_CUDART_BLAS_HANDLE_H

#include "cudart/library_kernels.h"

#include <library_types.h>

typedef struct __half {
    uint16_t bits;
} __half;
#pragma GCC visibility push(default)
#include <quern_cublas.h>
#pragma GCC visibility pop

enum { QN__BLAS_THREADS = 256, QN__BLAS_PARTS = 64, QN__BLAS_PART_BYTES = 24 };

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t mode;
    cublasMath_t math;
    cublasAtomicsMode_t atomics;
    void *parts; /* of reductions: QN__BLAS_PARTS, and behind them a result */
};

cublasStatus_t qn__blas_status(cudaError_t error);

/* A factor: its value, or where the device has it. */
struct qn__blas_factor {
    double value;
    const void *at;
};

#endif
