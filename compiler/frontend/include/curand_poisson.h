/* SPDX-License-Identifier: Apache-2.0
 *
 * Poisson numbers, by the methods that cuRAND documents. Pseudorandom generators: D. Knuth's
 * product of uniform numbers for a small mean, a rounded normal number for a large one, rejection
 * between. Quasirandom ones, which have one draw: the inverse of the distribution function. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_POISSON
#define QN_STANDIN_CURAND_POISSON

#include <curand_discrete.h>

template <class State> QN__BOTH unsigned int qn__poisson_product(State *state, float mean)
{
    float product = expf(mean);
    unsigned int n = 0;
    for (product *= curand_uniform(state); product > 1; product *= curand_uniform(state))
        n++;
    return n;
}

/* The distribution's density lies below 1.3 times that of a smooth function that resembles the
 * incomplete gamma function and has an inverse: with a and b of the mean,
 * (1 + exp(a (mean - x) - b))^-2. */
struct qn__poisson_hull {
    float mean, a, b;
};
QN__BOTH qn__poisson_hull qn__poisson_hull_of(float mean)
{
    return {mean, 1.43248035f * rsqrtf(mean - 0.12400979f) + 0.00025361f,
            0.21096735f * rsqrtf(mean - 1.97381164f) + 0.94201734f};
}
QN__BOTH float qn__poisson_below(const qn__poisson_hull &h, float x)
{
    const float t = 1 + expf(h.a * (h.mean - x) - h.b);
    return 1 / (t * t);
}

template <class State> QN__BOTH unsigned int qn__poisson_rejection(State *state, float mean)
{
    const qn__poisson_hull h = qn__poisson_hull_of(mean);
    const float log_mean = logf(mean);
    for (;;) {
        const float y = curand_uniform(state);
        const float x = floorf(mean - (h.b + logf(rsqrtf(y) - 1)) / h.a);
        const float v = 1.3f * (qn__poisson_below(h, x + 1) - qn__poisson_below(h, x));
        const float z = curand_uniform(state) * v;
        /* below 0 the density is 0, at infinity the hull */
        const float density =
            x < 0 ? 0 : expf(fmaf(x, log_mean, -mean) - (float)lgamma((double)x + 1));
        if (z < density && v >= 1e-20f)
            return (unsigned int)x;
    }
}

#define QN__POISSON(state_type)                                                                    \
    QN__BOTH unsigned int curand_poisson(state_type *state, double lambda)                         \
    {                                                                                              \
        if (lambda < 64)                                                                           \
            return qn__poisson_product(state, (float)lambda);                                      \
        if (lambda > 4000)                                                                         \
            return qn__nearest_count(curand_normal_double(state), lambda, sqrt(lambda));           \
        return qn__poisson_rejection(state, (float)lambda);                                        \
    }
QN__POISSON(curandStateXORWOW_t)
QN__POISSON(curandStatePhilox4_32_10_t)
QN__POISSON(curandStateMRG32k3a_t)
#undef QN__POISSON

QN__BOTH uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda)
{
    if (lambda > 4000)
        return qn__nearest_count4(curand_normal4_double(state), lambda, sqrt(lambda));
    unsigned int n[4];
    for (int i = 0; i < 4; i++)
        n[i] = lambda < 64 ? qn__poisson_product(state, (float)lambda)
                           : qn__poisson_rejection(state, (float)lambda);
    return make_uint4(n[0], n[1], n[2], n[3]);
}

/* The inverse must not see 1. */
QN__BOTH double qn__below_one(unsigned int x)
{
    return x * 0x1p-32 + 0x1p-33;
}
QN__BOTH double qn__below_one(unsigned long long x)
{
    return (x >> 11) * 0x1p-53 + 0x1p-55;
}

/* Sums the probabilities up to u. They begin at exp(-mean), which a double cannot hold: the factor
 * comes in parts, each when the sum so far has used up those before. */
QN__BOTH unsigned int qn__poisson_inverse(double u, double mean)
{
    const double part = 500;
    double probability = 1, sum = 1, scaled = 0;
    unsigned int n = 0;
    do {
        const double factor = exp(mean > scaled + part ? -part : scaled - mean);
        probability *= factor;
        sum *= factor;
        scaled += part;
        while (u > sum) {
            n++;
            probability *= mean / n;
            sum += probability;
        }
    } while (scaled < mean);
    return n;
}

template <class Word> QN__BOTH unsigned int qn__poisson_of(Word x, double mean)
{
    if (mean < 1000)
        return qn__poisson_inverse(qn__below_one(x), mean);
    return qn__nearest_count(_curand_normal_icdf_double(x), mean, sqrt(mean));
}

#define QN__POISSON(state_type)                                                                    \
    QN__BOTH unsigned int curand_poisson(state_type *state, double lambda)                         \
    {                                                                                              \
        return qn__poisson_of(curand(state), lambda);                                              \
    }
QN__POISSON(curandStateSobol32_t)
QN__POISSON(curandStateScrambledSobol32_t)
QN__POISSON(curandStateSobol64_t)
QN__POISSON(curandStateScrambledSobol64_t)
#undef QN__POISSON

#endif
