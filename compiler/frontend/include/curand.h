/* SPDX-License-Identifier: Apache-2.0
 *
 * cuRAND's host calls as far as programs with kernels in the same file use them: host code has to
 * parse. The generators for kernels are in curand_kernel.h. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND
#define QN_STANDIN_CURAND

#include <cuda_runtime.h>
#include <library_types.h>

typedef struct curandGenerator_st *curandGenerator_t;
enum curandStatus_t { CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_INTERNAL_ERROR = 999 };
typedef curandStatus_t curandStatus;
enum curandRngType {
    CURAND_RNG_TEST = 0,
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
};
typedef enum curandRngType curandRngType_t;
enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
    CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
    CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
};
typedef enum curandDirectionVectorSet curandDirectionVectorSet_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

/* tables of discrete distributions; curand_discrete.h has what kernels read of them */
enum curandMethod {
    CURAND_CHOOSE_BEST = 0,
    CURAND_ITR = 1,
    CURAND_KNUTH = 2,
    CURAND_HITR = 3,
    CURAND_M1 = 4,
    CURAND_M2 = 5,
    CURAND_BINARY_SEARCH = 6,
    CURAND_DISCRETE_GAUSS = 7,
    CURAND_REJECTION = 8,
    CURAND_DEVICE_API = 9,
    CURAND_FAST_REJECTION = 10,
    CURAND_3RD = 11,
    CURAND_DEFINITION = 12,
    CURAND_POISSON = 13
};
typedef enum curandMethod curandMethod_t;
typedef double *curandHistogramM2V_t;
typedef unsigned int *curandHistogramM2K_t;
typedef struct curandHistogramM2_st *curandHistogramM2_t;
typedef struct curandDistributionM2Shift_st *curandDistributionM2Shift_t;
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

QN__HOST_CALL(curandStatus_t, curandCreateGenerator);
QN__HOST_CALL(curandStatus_t, curandCreateGeneratorHost);
QN__HOST_CALL(curandStatus_t, curandCreatePoissonDistribution);
QN__HOST_CALL(curandStatus_t, curandDestroyDistribution);
QN__HOST_CALL(curandStatus_t, curandDestroyGenerator);
QN__HOST_CALL(curandStatus_t, curandGetDirectionVectors32);
QN__HOST_CALL(curandStatus_t, curandGetDirectionVectors64);
QN__HOST_CALL(curandStatus_t, curandGetScrambleConstants32);
QN__HOST_CALL(curandStatus_t, curandGetScrambleConstants64);
QN__HOST_CALL(curandStatus_t, curandGetVersion);
QN__HOST_CALL(curandStatus_t, curandSetGeneratorOffset);
QN__HOST_CALL(curandStatus_t, curandSetPseudoRandomGeneratorSeed);
QN__HOST_CALL(curandStatus_t, curandSetQuasiRandomGeneratorDimensions);
QN__HOST_CALL(curandStatus_t, curandSetStream);
QN__HOST_CALL(curandStatus_t, curandGenerate);
QN__HOST_CALL(curandStatus_t, curandGenerateLongLong);
QN__HOST_CALL(curandStatus_t, curandGenerateLogNormal);
QN__HOST_CALL(curandStatus_t, curandGenerateLogNormalDouble);
QN__HOST_CALL(curandStatus_t, curandGenerateNormal);
QN__HOST_CALL(curandStatus_t, curandGenerateNormalDouble);
QN__HOST_CALL(curandStatus_t, curandGeneratePoisson);
QN__HOST_CALL(curandStatus_t, curandGenerateUniform);
QN__HOST_CALL(curandStatus_t, curandGenerateUniformDouble);

#endif
