/* SPDX-License-Identifier: Apache-2.0
 *
 * cuRAND's generators for kernels are not translated. Their states are there with CUDA's sizes, so
 * that host code allocates what it would, and what uses them in a kernel is refused where it does
 * (compiler/frontend/clang_log.c has the reason). */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_KERNEL
#define QN_STANDIN_CURAND_KERNEL

#include <curand.h>

struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
    unsigned s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned state;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef curandStateXORWOW curandState, curandState_t, curandStateXORWOW_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#endif
