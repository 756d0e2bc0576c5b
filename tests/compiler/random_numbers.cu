/* SPDX-License-Identifier: Apache-2.0
 *
 * What check_random_numbers.c runs: one thread draws everything in turn. Only functions that cuRAND
 * documents are called, so the toolkit's own header does for NVRTC. */
#include <curand_kernel.h>

typedef unsigned long long u64;

template <class State> __device__ unsigned *draw(State *s, unsigned *out, int n)
{
    for (int i = 0; i < n; i++)
        *out++ = curand(s);
    return out;
}

template <class State> __global__ void numbers(unsigned *out, u64 seed, u64 sequence, u64 offset)
{
    State s;
    curand_init(seed, sequence, offset, &s);
    out = draw(&s, out, 10000);
    skipahead(1, &s);
    out = draw(&s, out, 100);
    skipahead(1000000007, &s);
    out = draw(&s, out, 100);
    skipahead(0x123456789abcdefull, &s);
    out = draw(&s, out, 100);
    skipahead_sequence(0xfedcba9876ull, &s);
    draw(&s, out, 100);
}

/* A skip of 2^i against two of 2^(i - 1), for every i; from 4 states. */
template <class State> __global__ void doubled(unsigned *out, u64 kind)
{
    for (int i = 1; i < 64; i++) {
        State once, twice;
        curand_init(threadIdx.x, i, 0, &once);
        twice = once;
        if (kind == 0) {
            skipahead(1ull << i, &once);
            skipahead(1ull << (i - 1), &twice);
            skipahead(1ull << (i - 1), &twice);
        } else {
            skipahead_sequence(1ull << i, &once);
            skipahead_sequence(1ull << (i - 1), &twice);
            skipahead_sequence(1ull << (i - 1), &twice);
        }
        out[64 * threadIdx.x + i] = curand(&once) ^ curand(&twice);
    }
}

extern "C" __global__ void subsequences(unsigned *out, u64 n)
{
    curandStateMRG32k3a s;
    curand_init(1, 0, 0, &s);
    skipahead_subsequence(n, &s);
    draw(&s, out, 100);
}

template <class State> __global__ void reals(float *out, double *wide, u64 seed)
{
    State s;
    curand_init(seed, 2, 3, &s);
    for (int i = 0; i < 1000; i++)
        out[i] = curand_uniform(&s);
    for (int i = 0; i < 1000; i++)
        wide[i] = curand_uniform_double(&s);
}

template <class State> __global__ void counts(unsigned *out, int n, double mean)
{
    State s;
    curand_init(7, 1, 0, &s);
    for (int i = 0; i < n; i++)
        out[i] = curand_poisson(&s, mean);
}

/* Single, in pairs, and the two kinds mixed; with the numbers that they were made of. */
template <class State>
__global__ void normals(float *out, double *wide, float *uniform, double *uniform_wide)
{
    State s, copy;
    curand_init(3, 4, 5, &s);
    copy = s;
    for (int i = 0; i < 1000; i++)
        out[i] = curand_normal(&s);
    for (int i = 0; i < 1000; i++)
        uniform[i] = curand_uniform(&copy);
    for (int i = 1000; i < 2000; i += 2) {
        const float2 pair = curand_normal2(&s);
        out[i] = pair.x;
        out[i + 1] = pair.y;
    }
    for (int i = 1000; i < 2000; i++)
        uniform[i] = curand_uniform(&copy);
    for (int i = 0; i < 1000; i++)
        wide[i] = curand_normal_double(&s);
    for (int i = 1000; i < 2000; i += 2) {
        const double2 pair = curand_normal2_double(&s);
        wide[i] = pair.x;
        wide[i + 1] = pair.y;
    }
    for (int i = 0; i < 2000; i++)
        uniform_wide[i] = curand_uniform_double(&copy);
}

/* The second number of a pair has the mean and deviation of the call that made the pair, and draws
 * of one kind drop what is left of the other. */
template <class State> __global__ void log_normals(float *out, double *wide)
{
    State s, copy;
    curand_init(8, 9, 10, &s);
    copy = s;
    for (int i = 0; i < 300; i += 3) {
        out[i] = logf(curand_log_normal(&s, 0.25f, 0.5f)) - (0.25f + 0.5f * curand_normal(&copy));
        out[i + 1] = logf(curand_log_normal(&s, 1, 2)) - (0.25f + 0.5f * curand_normal(&copy));
        const float2 pair = curand_log_normal2(&s, -1, 0.5f), z = curand_normal2(&copy);
        out[i + 2] = logf(pair.x) + 1 - 0.5f * z.x + (logf(pair.y) + 1 - 0.5f * z.y);
        wide[i] = log(curand_log_normal_double(&s, 0.25, 0.5)) -
                  (0.25 + 0.5 * curand_normal_double(&copy));
        wide[i + 1] =
            log(curand_log_normal_double(&s, 1, 2)) - (0.25 + 0.5 * curand_normal_double(&copy));
        const double2 wide_pair = curand_log_normal2_double(&s, -1, 0.5);
        const double2 w = curand_normal2_double(&copy);
        wide[i + 2] = log(wide_pair.x) + 1 - 0.5 * w.x + (log(wide_pair.y) + 1 - 0.5 * w.y);
    }
    /* keeps a log-normal number, which the normal draw must not return */
    curand_log_normal(&s, 0, 1);
    out[300] = curand_normal(&s);
    curand_normal2(&copy);
    out[301] = curand_normal(&copy);
}

extern "C" __global__ void fours(unsigned *out, float *f, double *d, int offset)
{
    curandStatePhilox4_32_10_t s;
    curand_init(5, 6, offset, &s);
    for (int i = 0; i < 400; i++) {
        const uint4 n = curand4(&s);
        const float4 u = curand_uniform4(&s);
        const double2 v = curand_uniform2_double(&s);
        const double4 w = curand_uniform4_double(&s);
        const uint4 p = curand_poisson4(&s, 3.5);
        out[8 * i] = n.x, out[8 * i + 1] = n.y, out[8 * i + 2] = n.z, out[8 * i + 3] = n.w;
        out[8 * i + 4] = p.x, out[8 * i + 5] = p.y, out[8 * i + 6] = p.z, out[8 * i + 7] = p.w;
        f[4 * i] = u.x, f[4 * i + 1] = u.y, f[4 * i + 2] = u.z, f[4 * i + 3] = u.w;
        d[6 * i] = v.x, d[6 * i + 1] = v.y, d[6 * i + 2] = w.x, d[6 * i + 3] = w.y;
        d[6 * i + 4] = w.z, d[6 * i + 5] = w.w;
    }
}

/* By four and by two at a time, from each place in a block of four. */
extern "C" __global__ void four_normals(float *out, double *wide, int offset)
{
    curandStatePhilox4_32_10_t s, copy;
    curand_init(5, 6, offset, &s);
    copy = s;
    for (int i = 0; i < 100; i++) {
        const float4 z = curand_normal4(&s), e = curand_log_normal4(&s, 0.5f, 0.25f);
        const float2 a = curand_normal2(&copy), b = curand_normal2(&copy);
        const float2 c = curand_log_normal2(&copy, 0.5f, 0.25f);
        const float2 d = curand_log_normal2(&copy, 0.5f, 0.25f);
        out[i] = (z.x - a.x) + (z.y - a.y) + (z.z - b.x) + (z.w - b.y) + (e.x - c.x) + (e.y - c.y) +
                 (e.z - d.x) + (e.w - d.y);
        const double4 y = curand_normal4_double(&s), f = curand_log_normal4_double(&s, 0.5, 0.25);
        const double2 g = curand_normal2_double(&copy), h = curand_normal2_double(&copy);
        const double2 k = curand_log_normal2_double(&copy, 0.5, 0.25);
        const double2 l = curand_log_normal2_double(&copy, 0.5, 0.25);
        wide[i] = (y.x - g.x) + (y.y - g.y) + (y.z - h.x) + (y.w - h.y) + (f.x - k.x) +
                  (f.y - k.y) + (f.z - l.x) + (f.w - l.y);
    }
    out[100] = curand(&s) == curand(&copy) ? 0 : 1;
}

template <class State, class Word> __device__ void sobol_draw(State *s, Word *out)
{
    for (int i = 0; i < 10000; i++)
        *out++ = curand(s);
    skipahead((Word)12345, s);
    for (int i = 0; i < 200; i++)
        *out++ = curand(s);
    skipahead<State *>((Word)0xf0000001u, s);
    for (int i = 0; i < 200; i++)
        *out++ = curand(s);
}
extern "C" __global__ void sobol32(unsigned *out, unsigned *directions, unsigned c, unsigned offset)
{
    curandStateSobol32 s;
    curand_init(directions, offset, &s);
    sobol_draw(&s, out);
}
extern "C" __global__ void scrambled32(unsigned *out, unsigned *directions, unsigned c,
                                       unsigned offset)
{
    curandStateScrambledSobol32 s;
    curand_init(directions, c, offset, &s);
    sobol_draw(&s, out);
}
extern "C" __global__ void sobol64(u64 *out, u64 *directions, u64 c, u64 offset)
{
    curandStateSobol64 s;
    curand_init(directions, offset, &s);
    sobol_draw(&s, out);
}
extern "C" __global__ void scrambled64(u64 *out, u64 *directions, u64 c, u64 offset)
{
    curandStateScrambledSobol64 s;
    curand_init(directions, c, offset, &s);
    sobol_draw(&s, out);
}

template <class State> __device__ void quasi(State *s, unsigned *n, float *f, double *d)
{
    for (int i = 0; i < 4000; i++)
        n[i] = curand_poisson(s, i < 2000 ? 3.25 : 750.0);
    for (int i = 0; i < 1000; i++) {
        f[3 * i] = curand_uniform(s);
        f[3 * i + 1] = curand_normal(s);
        f[3 * i + 2] = curand_log_normal(s, 0.5f, 0.25f);
        d[3 * i] = curand_uniform_double(s);
        d[3 * i + 1] = curand_normal_double(s);
        d[3 * i + 2] = curand_log_normal_double(s, 0.5, 0.25);
    }
}
extern "C" __global__ void quasi32(unsigned *n, float *f, double *d, unsigned *directions)
{
    curandStateSobol32 s;
    curand_init(directions, 1, &s);
    quasi(&s, n, f, d);
}
extern "C" __global__ void quasi64(unsigned *n, float *f, double *d, u64 *directions)
{
    curandStateSobol64 s;
    curand_init(directions, 1, &s);
    quasi(&s, n, f, d);
}

extern "C" __global__ void discrete(unsigned *out, unsigned *drawn,
                                    curandDiscreteDistribution_t table)
{
    curandStateXORWOW s, copy;
    curand_init(11, 0, 0, &s);
    copy = s;
    for (int i = 0; i < 1000; i++) {
        out[i] = curand_discrete(&s, table);
        drawn[i] = curand(&copy);
    }
}

/* The second draw of each pair is left in the state, which goes through memory. */
template <class State> __global__ void kept(State *states, float *out)
{
    const int i = threadIdx.x;
    if (out[i] == 0)
        curand_init(1234, i, 0, &states[i]);
    State s = states[i];
    out[i] = curand_normal(&s);
    states[i] = s;
}
