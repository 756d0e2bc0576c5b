/* SPDX-License-Identifier: Apache-2.0
 *
 * cuRAND's generators for kernels, written from the papers that the headers name; numbers are equal
 * to NVIDIA's (docs/random-numbers.md). The Mersenne Twister MTGP32, which needs tables that only
 * NVIDIA's library has, is refused in the kernels that draw from it. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_KERNEL
#define QN_STANDIN_CURAND_KERNEL

#include <curand_lognormal.h>
#include <curand_mrg32k3a.h>
#include <curand_normal.h>
#include <curand_philox4x32_x.h>
#include <curand_poisson.h>
#include <curand_uniform.h>
#include <quern_curand_sobol.h>
#include <quern_curand_xorwow.h>

QN__BUILTIN(void, __qn_curand, ());

#define QN__TWISTER(type, name, ...)                                                               \
    QN__INLINE type name(curandStateMtgp32_t *__VA_ARGS__)                                         \
    {                                                                                              \
        __qn_curand();                                                                             \
        return 0;                                                                                  \
    }
QN__TWISTER(unsigned int, curand, )
QN__TWISTER(unsigned int, curand_mtgp32_specific, , unsigned char, unsigned char)
QN__TWISTER(float, curand_mtgp32_single, )
QN__TWISTER(float, curand_mtgp32_single_specific, , unsigned char, unsigned char)
QN__TWISTER(float, curand_uniform, )
QN__TWISTER(double, curand_uniform_double, )
QN__TWISTER(float, curand_normal, )
QN__TWISTER(double, curand_normal_double, )
QN__TWISTER(float, curand_log_normal, , float, float)
QN__TWISTER(double, curand_log_normal_double, , double, double)
QN__TWISTER(unsigned int, curand_poisson, , double)
QN__TWISTER(unsigned int, curand_discrete, , curandDiscreteDistribution_t)
#undef QN__TWISTER

#endif
