/* SPDX-License-Identifier: Apache-2.0
 *
 * cuRAND's host calls as far as programs with kernels in the same file use them: host code has to
 * parse. The generators for kernels are in curand_kernel.h. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND
#define QN_STANDIN_CURAND

#include <cuda_runtime.h>
#include <library_types.h>
#include <quern_curand_types.h>

#ifdef __QUERN_CC__
extern "C" {
#define QN_RAND(name, parameters, note) curandStatus_t name parameters;
#include <quern_curand.def>
#undef QN_RAND
}
#else
QN__HOST_CALL(curandStatus_t, curandCreateGenerator);
QN__HOST_CALL(curandStatus_t, curandCreateGeneratorHost);
QN__HOST_CALL(curandStatus_t, curandDestroyGenerator);
QN__HOST_CALL(curandStatus_t, curandGetVersion);
QN__HOST_CALL(curandStatus_t, curandSetGeneratorOffset);
QN__HOST_CALL(curandStatus_t, curandSetPseudoRandomGeneratorSeed);
QN__HOST_CALL(curandStatus_t, curandSetStream);
QN__HOST_CALL(curandStatus_t, curandGenerate);
QN__HOST_CALL(curandStatus_t, curandGenerateLogNormal);
QN__HOST_CALL(curandStatus_t, curandGenerateLogNormalDouble);
QN__HOST_CALL(curandStatus_t, curandGenerateNormal);
QN__HOST_CALL(curandStatus_t, curandGenerateNormalDouble);
QN__HOST_CALL(curandStatus_t, curandGeneratePoisson);
QN__HOST_CALL(curandStatus_t, curandGenerateUniform);
QN__HOST_CALL(curandStatus_t, curandGenerateUniformDouble);
#endif
QN__HOST_CALL(curandStatus_t, curandCreatePoissonDistribution);
QN__HOST_CALL(curandStatus_t, curandDestroyDistribution);
QN__HOST_CALL(curandStatus_t, curandGetDirectionVectors32);
QN__HOST_CALL(curandStatus_t, curandGetDirectionVectors64);
QN__HOST_CALL(curandStatus_t, curandGetScrambleConstants32);
QN__HOST_CALL(curandStatus_t, curandGetScrambleConstants64);
QN__HOST_CALL(curandStatus_t, curandSetQuasiRandomGeneratorDimensions);
QN__HOST_CALL(curandStatus_t, curandGenerateLongLong);

#endif
