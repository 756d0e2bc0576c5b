// SPDX-License-Identifier: Apache-2.0
// Numbers of cuRAND's generators, by what kernels have of them. XORWOW and MRG32k3a (QN_STATE):
// 4096 threads, each its own subsequence and state; element i of all that were made is the next one
// of thread i % 4096. Philox: element i is the i-th of one sequence, four elements a thread.
#include <curand_kernel.h>

enum {
    LANES = 4096,
    BITS = 0,
    UNIFORM,
    UNIFORM_DOUBLE,
    NORMAL,
    NORMAL_DOUBLE,
    LOG_NORMAL,
    LOG_NORMAL_DOUBLE,
    POISSON
};

template <class State>
__device__ static void make(State *s, void *out, size_t i, int what, double a, double b)
{
    switch (what) {
    case BITS: ((unsigned int *)out)[i] = curand(s); break;
    case UNIFORM: ((float *)out)[i] = curand_uniform(s); break;
    case UNIFORM_DOUBLE: ((double *)out)[i] = curand_uniform_double(s); break;
    case NORMAL: ((float *)out)[i] = (float)a + (float)b * curand_normal(s); break;
    case NORMAL_DOUBLE: ((double *)out)[i] = a + b * curand_normal_double(s); break;
    case LOG_NORMAL: ((float *)out)[i] = curand_log_normal(s, (float)a, (float)b); break;
    case LOG_NORMAL_DOUBLE: ((double *)out)[i] = curand_log_normal_double(s, a, b); break;
    case POISSON: ((unsigned int *)out)[i] = curand_poisson(s, a); break;
    }
}

#ifdef QN_STATE
extern "C" __global__ void rand_start(QN_STATE *states, unsigned long long seed,
                                      unsigned long long offset)
{
    const unsigned long long lane = blockIdx.x * blockDim.x + threadIdx.x;
    if (lane < LANES)
        curand_init(seed, lane, offset / LANES + (lane < offset % LANES ? 1 : 0), &states[lane]);
}
extern "C" __global__ void rand_make(QN_STATE *states, void *out, size_t n,
                                     unsigned long long begin, int what, double a, double b)
{
    const unsigned long long lane = blockIdx.x * blockDim.x + threadIdx.x;
    if (lane >= LANES)
        return;
    QN_STATE state = states[lane];
    for (size_t i = (lane + LANES - begin % LANES) % LANES; i < n; i += LANES)
        make(&state, out, i, what, a, b);
    states[lane] = state;
}
#else
extern "C" __global__ void rand_make(void *out, size_t n, unsigned long long begin,
                                     unsigned long long seed, int what, double a, double b)
{
    /* doubles take two numbers of the sequence each */
    const int wide = what == UNIFORM_DOUBLE || what == NORMAL_DOUBLE || what == LOG_NORMAL_DOUBLE;
    const size_t first = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * 4;
    if (first >= n)
        return;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, what == POISSON ? first / 4 : 0,
                what == POISSON ? begin : begin + (wide ? 2 : 1) * (unsigned long long)first,
                &state);
    for (size_t i = first; i < first + 4 && i < n; i++)
        make(&state, out, i, what, a, b);
}
#endif
