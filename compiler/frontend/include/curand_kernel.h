/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers in kernels: refused in the kernels that draw them, and nowhere else. The states
 * have the sizes of CUDA's, as host code makes room for them. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_KERNEL
#define QN_STANDIN_CURAND_KERNEL

#include <curand.h>

QN__BUILTIN(void, __qn_curand, ());

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int state;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStateSobol32 {
    unsigned int words[35];
};
struct curandStateMtgp32 {
    unsigned int words[1030];
    void *pointers[1];
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateMtgp32 curandStateMtgp32_t;

#define QN__CURAND(type, name)                                                                     \
    template <class... Arguments> __device__ type name(Arguments &&...)                            \
    {                                                                                              \
        __qn_curand();                                                                             \
        return {};                                                                                 \
    }
#define QN__CURAND_NONE(name)                                                                      \
    template <class... Arguments> __device__ void name(Arguments &&...)                            \
    {                                                                                              \
        __qn_curand();                                                                             \
    }
QN__CURAND_NONE(curand_init)
QN__CURAND(unsigned int, curand)
QN__CURAND(uint4, curand4)
QN__CURAND(float, curand_uniform)
QN__CURAND(float2, curand_uniform2)
QN__CURAND(float4, curand_uniform4)
QN__CURAND(double, curand_uniform_double)
QN__CURAND(double2, curand_uniform2_double)
QN__CURAND(double4, curand_uniform4_double)
QN__CURAND(float, curand_normal)
QN__CURAND(float2, curand_normal2)
QN__CURAND(float4, curand_normal4)
QN__CURAND(double, curand_normal_double)
QN__CURAND(double2, curand_normal2_double)
QN__CURAND(double4, curand_normal4_double)
QN__CURAND(float, curand_log_normal)
QN__CURAND(double, curand_log_normal_double)
QN__CURAND(unsigned int, curand_poisson)
QN__CURAND(unsigned int, curand_discrete)
QN__CURAND_NONE(skipahead)
QN__CURAND_NONE(skipahead_sequence)
QN__CURAND_NONE(skipahead_subsequence)
#undef QN__CURAND
#undef QN__CURAND_NONE

#endif
