/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of a table that curandCreatePoissonDistribution() makes: G. Marsaglia, W. W. Tsang,
 * J. Wang, Fast Generation of Discrete Random Variables, Journal of Statistical Software 11(3),
 * 2004, the square histogram. A table for a large mean is a normal distribution instead. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_DISCRETE
#define QN_STANDIN_CURAND_DISCRETE

#include <curand_normal.h>

struct curandHistogramM2_st {
    curandHistogramM2V_t V, host_V;
    curandHistogramM2K_t K, host_K;
    unsigned int host_gen;
};
struct curandDistributionM2Shift_st {
    curandHistogramM2_t histogram, host_histogram;
    unsigned int shift, length, host_gen;
};
struct curandDiscreteDistribution_st {
    curandDiscreteDistribution_t self_host_ptr;
    curandDistributionM2Shift_t M2, host_M2;
    double stddev, mean;
    curandMethod_t method;
    unsigned int host_gen;
};

/* Column j of the histogram is divided at V[j]: below it the value is j, above it K[j]. */
QN__BOTH unsigned int qn__square_histogram(double u, curandDistributionM2Shift_t m)
{
    unsigned int j = (unsigned int)(m->length * u);
    if (j >= m->length) /* u may be 1 */
        j = m->length - 1;
    return m->shift + (u < m->histogram->V[j] ? j : m->histogram->K[j]);
}

QN__BOTH unsigned int qn__nearest_count(double z, double mean, double stddev)
{
    return (unsigned int)(stddev * z + mean + 0.5);
}

#define QN__DISCRETE(state_type)                                                                   \
    QN__BOTH unsigned int curand_discrete(state_type *state, curandDiscreteDistribution_t d)       \
    {                                                                                              \
        if (d->method == CURAND_M2)                                                                \
            return qn__square_histogram(_curand_uniform_double(curand(state)), d->M2);             \
        return qn__nearest_count(curand_normal_double(state), d->mean, d->stddev);                 \
    }
QN__DISCRETE(curandStateXORWOW_t)
QN__DISCRETE(curandStatePhilox4_32_10_t)
QN__DISCRETE(curandStateMRG32k3a_t)
QN__DISCRETE(curandStateSobol32_t)
QN__DISCRETE(curandStateScrambledSobol32_t)
QN__DISCRETE(curandStateSobol64_t)
QN__DISCRETE(curandStateScrambledSobol64_t)
#undef QN__DISCRETE

QN__BOTH uint4 qn__nearest_count4(double4 z, double mean, double stddev)
{
    return make_uint4(qn__nearest_count(z.x, mean, stddev), qn__nearest_count(z.y, mean, stddev),
                      qn__nearest_count(z.z, mean, stddev), qn__nearest_count(z.w, mean, stddev));
}

QN__BOTH uint4 curand_discrete4(curandStatePhilox4_32_10_t *state, curandDiscreteDistribution_t d)
{
    if (d->method != CURAND_M2)
        return qn__nearest_count4(curand_normal4_double(state), d->mean, d->stddev);
    const unsigned int a = curand_discrete(state, d), b = curand_discrete(state, d);
    const unsigned int c = curand_discrete(state, d);
    return make_uint4(a, b, c, curand_discrete(state, d));
}

#endif
