/* SPDX-License-Identifier: Apache-2.0
 *
 * Log-normal numbers: e to the power of normal ones. What Box-Muller leaves over is kept apart from
 * what it leaves over for normal numbers: a draw of the one kind drops the other's. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_LOGNORMAL
#define QN_STANDIN_CURAND_LOGNORMAL

#include <curand_normal.h>

#define QN__LOG_NORMAL(state_type, suffix, real, real2, exponential)                               \
    QN__BOTH real2 curand_log_normal2##suffix(state_type *state, real mean, real stddev)           \
    {                                                                                              \
        const real2 v = curand_box_muller##suffix(state);                                          \
        return make_##real2(exponential(mean + stddev * v.x), exponential(mean + stddev * v.y));   \
    }                                                                                              \
    QN__BOTH real curand_log_normal##suffix(state_type *state, real mean, real stddev)             \
    {                                                                                              \
        if (state->boxmuller_flag##suffix == QN__CURAND_KEEPS_LOG_NORMAL) {                        \
            state->boxmuller_flag##suffix = 0;                                                     \
            return state->boxmuller_extra##suffix;                                                 \
        }                                                                                          \
        const real2 pair = curand_log_normal2##suffix(state, mean, stddev);                        \
        state->boxmuller_extra##suffix = pair.y;                                                   \
        state->boxmuller_flag##suffix = QN__CURAND_KEEPS_LOG_NORMAL;                               \
        return pair.x;                                                                             \
    }
QN__LOG_NORMAL(curandStateXORWOW_t, , float, float2, expf)
QN__LOG_NORMAL(curandStateXORWOW_t, _double, double, double2, exp)
QN__LOG_NORMAL(curandStatePhilox4_32_10_t, , float, float2, expf)
QN__LOG_NORMAL(curandStatePhilox4_32_10_t, _double, double, double2, exp)
QN__LOG_NORMAL(curandStateMRG32k3a_t, , float, float2, expf)
QN__LOG_NORMAL(curandStateMRG32k3a_t, _double, double, double2, exp)
#undef QN__LOG_NORMAL

QN__BOTH float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev)
{
    const float2 a = curand_log_normal2(state, mean, stddev);
    const float2 b = curand_log_normal2(state, mean, stddev);
    return make_float4(a.x, a.y, b.x, b.y);
}
QN__BOTH double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean,
                                           double stddev)
{
    const double2 a = curand_log_normal2_double(state, mean, stddev);
    const double2 b = curand_log_normal2_double(state, mean, stddev);
    return make_double4(a.x, a.y, b.x, b.y);
}

#define QN__LOG_NORMAL(state_type)                                                                 \
    QN__BOTH float curand_log_normal(state_type *state, float mean, float stddev)                  \
    {                                                                                              \
        return expf(mean + stddev * curand_normal(state));                                         \
    }                                                                                              \
    QN__BOTH double curand_log_normal_double(state_type *state, double mean, double stddev)        \
    {                                                                                              \
        return exp(mean + stddev * curand_normal_double(state));                                   \
    }
QN__LOG_NORMAL(curandStateSobol32_t)
QN__LOG_NORMAL(curandStateScrambledSobol32_t)
QN__LOG_NORMAL(curandStateSobol64_t)
QN__LOG_NORMAL(curandStateScrambledSobol64_t)
#undef QN__LOG_NORMAL

#endif
