/* SPDX-License-Identifier: Apache-2.0
 *
 * cuRAND's host calls as far as programs with kernels in the same file use them: host code has to
 * parse. The generators for kernels are in curand_kernel.h and are refused. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND
#define QN_STANDIN_CURAND

#include <cuda_runtime.h>
#include <library_types.h>

typedef struct curandGenerator_st *curandGenerator_t;
enum curandStatus_t { CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_INTERNAL_ERROR = 999 };
typedef curandStatus_t curandStatus;
enum curandRngType_t {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_SOBOL32 = 201
};

QN__HOST_CALL(curandStatus_t, curandCreateGenerator);
QN__HOST_CALL(curandStatus_t, curandDestroyGenerator);
QN__HOST_CALL(curandStatus_t, curandSetPseudoRandomGeneratorSeed);
QN__HOST_CALL(curandStatus_t, curandSetStream);
QN__HOST_CALL(curandStatus_t, curandGenerate);
QN__HOST_CALL(curandStatus_t, curandGenerateUniform);
QN__HOST_CALL(curandStatus_t, curandGenerateUniformDouble);
QN__HOST_CALL(curandStatus_t, curandGenerateNormal);
QN__HOST_CALL(curandStatus_t, curandGenerateNormalDouble);

#endif
