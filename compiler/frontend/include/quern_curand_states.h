/* SPDX-License-Identifier: Apache-2.0
 *
 * The states of cuRAND's generators. Sizes and the fields that sources name are CUDA's, as host
 * code makes room for them. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_STATES
#define QN_STANDIN_CURAND_STATES

#include <curand.h>

/* Box-Muller makes two numbers at a time: the second is kept here until it is asked for. */
#define QN__CURAND_KEPT                                                                            \
    int boxmuller_flag, boxmuller_flag_double;                                                     \
    float boxmuller_extra;                                                                         \
    double boxmuller_extra_double;

struct curandStateXORWOW {
    unsigned int d, v[5];
    QN__CURAND_KEPT
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;
    QN__CURAND_KEPT
};
struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    QN__CURAND_KEPT
};
#undef QN__CURAND_KEPT

#define QN__CURAND_SOBOL(name, word, bits)                                                         \
    struct curandState##name {                                                                     \
        word i, x, c;                                                                              \
        word direction_vectors[bits];                                                              \
    };                                                                                             \
    typedef curandState##name curandState##name##_t;
QN__CURAND_SOBOL(Sobol32, unsigned int, 32)
QN__CURAND_SOBOL(ScrambledSobol32, unsigned int, 32)
QN__CURAND_SOBOL(Sobol64, unsigned long long, 64)
QN__CURAND_SOBOL(ScrambledSobol64, unsigned long long, 64)
#undef QN__CURAND_SOBOL

struct curandStateMtgp32 {
    unsigned int s[1024];
    int offset, pIdx;
    void *k;
};

typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStateMtgp32 curandStateMtgp32_t;

template <class State> QN__BOTH void qn__curand_keep_nothing(State *state)
{
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

#endif
