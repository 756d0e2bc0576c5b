/* SPDX-License-Identifier: Apache-2.0
 *
 * cuFFT as far as programs with kernels in the same file call it: host code has to parse. */
#pragma clang system_header
#ifndef QN_STANDIN_CUFFT
#define QN_STANDIN_CUFFT

#include <cuComplex.h>
#include <cuda_runtime.h>
#include <library_types.h>

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
enum cufftResult {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9
};
enum cufftType {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
};
#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1

QN__HOST_CALL(cufftResult, cufftCreate);
QN__HOST_CALL(cufftResult, cufftDestroy);
QN__HOST_CALL(cufftResult, cufftPlan1d);
QN__HOST_CALL(cufftResult, cufftPlan2d);
QN__HOST_CALL(cufftResult, cufftPlan3d);
QN__HOST_CALL(cufftResult, cufftPlanMany);
QN__HOST_CALL(cufftResult, cufftSetStream);
QN__HOST_CALL(cufftResult, cufftExecC2C);
QN__HOST_CALL(cufftResult, cufftExecR2C);
QN__HOST_CALL(cufftResult, cufftExecC2R);
QN__HOST_CALL(cufftResult, cufftExecZ2Z);
QN__HOST_CALL(cufftResult, cufftExecD2Z);
QN__HOST_CALL(cufftResult, cufftExecZ2D);

#endif
