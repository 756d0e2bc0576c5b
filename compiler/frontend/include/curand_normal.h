/* SPDX-License-Identifier: Apache-2.0
 *
 * Normal numbers. Pseudorandom generators: G. Box, M. Muller, A Note on the Generation of Random
 * Normal Deviates, 1958; from two uniform numbers two normal ones, the second of which is kept.
 * Quasirandom ones: the inverse of the distribution function, so that one draw makes one number. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_NORMAL
#define QN_STANDIN_CURAND_NORMAL

#include <curand_uniform.h>

/* What is kept in a state; 0: nothing */
enum { QN__CURAND_KEEPS_NORMAL = 1, QN__CURAND_KEEPS_LOG_NORMAL = 2 };

/* u in (0, 1], v in (0, 2 pi] */
QN__BOTH float2 qn__box_muller(float u, float v)
{
    const float radius = sqrtf(-2.0f * logf(u));
    float sine, cosine;
    __sincosf(v, &sine, &cosine);
    return make_float2(sine * radius, cosine * radius);
}
/* v in (0, 2] */
QN__BOTH double2 qn__box_muller_double(double u, double v)
{
    const double radius = sqrt(-2.0 * log(u));
    double sine, cosine;
    sincospi(v, &sine, &cosine);
    return make_double2(sine * radius, cosine * radius);
}

QN__BOTH float2 _curand_box_muller(unsigned int x, unsigned int y)
{
    const float turn = 0x1p-32f * 6.2831855f;
    return qn__box_muller(_curand_uniform(x), y * turn + turn / 2);
}
QN__BOTH double2 _curand_box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0,
                                           unsigned int y1)
{
    return qn__box_muller_double(_curand_uniform_double_hq(x0, x1),
                                 2 * _curand_uniform_double_hq(y0, y1));
}

template <class State> QN__BOTH float2 curand_box_muller(State *state)
{
    const unsigned int x = curand(state), y = curand(state);
    return _curand_box_muller(x, y);
}
QN__BOTH float2 curand_box_muller(curandStateMRG32k3a_t *state)
{
    const float u = curand_uniform(state), v = curand_uniform(state) * 6.2831855f;
    return qn__box_muller(u, v);
}
template <class State> QN__BOTH double2 curand_box_muller_double(State *state)
{
    const unsigned int x0 = curand(state), x1 = curand(state);
    const unsigned int y0 = curand(state), y1 = curand(state);
    return _curand_box_muller_double(x0, x1, y0, y1);
}
QN__BOTH double2 curand_box_muller_double(curandStateMRG32k3a_t *state)
{
    const double u = curand_uniform_double(state), v = curand_uniform_double(state) * 2;
    return qn__box_muller_double(u, v);
}

#define QN__NORMAL(state_type)                                                                     \
    QN__BOTH float2 curand_normal2(state_type *state)                                              \
    {                                                                                              \
        return curand_box_muller(state);                                                           \
    }                                                                                              \
    QN__BOTH double2 curand_normal2_double(state_type *state)                                      \
    {                                                                                              \
        return curand_box_muller_double(state);                                                    \
    }                                                                                              \
    QN__BOTH float curand_normal(state_type *state)                                                \
    {                                                                                              \
        if (state->boxmuller_flag == QN__CURAND_KEEPS_NORMAL) {                                    \
            state->boxmuller_flag = 0;                                                             \
            return state->boxmuller_extra;                                                         \
        }                                                                                          \
        const float2 pair = curand_box_muller(state);                                              \
        state->boxmuller_extra = pair.y;                                                           \
        state->boxmuller_flag = QN__CURAND_KEEPS_NORMAL;                                           \
        return pair.x;                                                                             \
    }                                                                                              \
    QN__BOTH double curand_normal_double(state_type *state)                                        \
    {                                                                                              \
        if (state->boxmuller_flag_double == QN__CURAND_KEEPS_NORMAL) {                             \
            state->boxmuller_flag_double = 0;                                                      \
            return state->boxmuller_extra_double;                                                  \
        }                                                                                          \
        const double2 pair = curand_box_muller_double(state);                                      \
        state->boxmuller_extra_double = pair.y;                                                    \
        state->boxmuller_flag_double = QN__CURAND_KEEPS_NORMAL;                                    \
        return pair.x;                                                                             \
    }
QN__NORMAL(curandStateXORWOW_t)
QN__NORMAL(curandStatePhilox4_32_10_t)
QN__NORMAL(curandStateMRG32k3a_t)
#undef QN__NORMAL

QN__BOTH float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    const float2 a = curand_box_muller(state), b = curand_box_muller(state);
    return make_float4(a.x, a.y, b.x, b.y);
}
QN__BOTH double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 a = curand_box_muller_double(state), b = curand_box_muller_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}

/* The upper half is the lower one with its sign changed: near 1 a number has fewer digits. */
QN__BOTH float _curand_normal_icdf(unsigned int x)
{
    const bool upper = x > 0x80000000u;
    const float at = erfcinvf(2.0f * _curand_uniform(upper ? ~x : x));
    return (upper ? 1.4142135f : -1.4142135f) * at;
}
QN__BOTH float _curand_normal_icdf(unsigned long long x)
{
    return _curand_normal_icdf((unsigned int)(x >> 32));
}
QN__BOTH double _curand_normal_icdf_double(unsigned int x)
{
    const bool upper = x > 0x80000000u;
    const double p = (upper ? ~x : x) * 0x1p-32 + 0x1p-33;
    return (upper ? 1.4142135623730951 : -1.4142135623730951) * erfcinv(2.0 * p);
}
QN__BOTH double _curand_normal_icdf_double(unsigned long long x)
{
    const unsigned long long top = (1ull << 53) - 1;
    x >>= 11;
    const bool upper = x > 1ull << 52;
    const double p = (upper ? top - x : x) * 0x1p-53 + 0x1p-54;
    return (upper ? 1.4142135623730951 : -1.4142135623730951) * erfcinv(2.0 * p);
}

#define QN__NORMAL(state_type)                                                                     \
    QN__BOTH float curand_normal(state_type *state)                                                \
    {                                                                                              \
        return _curand_normal_icdf(curand(state));                                                 \
    }                                                                                              \
    QN__BOTH double curand_normal_double(state_type *state)                                        \
    {                                                                                              \
        return _curand_normal_icdf_double(curand(state));                                          \
    }
QN__NORMAL(curandStateSobol32_t)
QN__NORMAL(curandStateScrambledSobol32_t)
QN__NORMAL(curandStateSobol64_t)
QN__NORMAL(curandStateScrambledSobol64_t)
#undef QN__NORMAL

#endif
