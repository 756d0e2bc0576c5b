/* SPDX-License-Identifier: Apache-2.0
 *
 * Uniform numbers, 0 excluded and 1 included. Each is a draw times a power of two plus one or half
 * of that power, except MRG32k3a's, whose draws are 1 to 2^32 - 209. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_UNIFORM
#define QN_STANDIN_CURAND_UNIFORM

#include <curand_mrg32k3a.h>
#include <curand_philox4x32_x.h>
#include <quern_curand_sobol.h>
#include <quern_curand_xorwow.h>

QN__BOTH float _curand_uniform(unsigned int x)
{
    return x * 0x1p-32f + 0x1p-33f;
}
QN__BOTH float _curand_uniform(unsigned long long x)
{
    return _curand_uniform((unsigned int)(x >> 32));
}
QN__BOTH double _curand_uniform_double(unsigned int x)
{
    return x * 0x1p-32 + 0x1p-32;
}
QN__BOTH double _curand_uniform_double(unsigned long long x)
{
    return (x >> 11) * 0x1p-53 + 0x1p-54;
}
/* 53 bits of two draws */
QN__BOTH double _curand_uniform_double_hq(unsigned int x, unsigned int y)
{
    return (x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}

#define QN__UNIFORM(state_type)                                                                    \
    QN__BOTH float curand_uniform(state_type *state)                                               \
    {                                                                                              \
        return _curand_uniform(curand(state));                                                     \
    }
#define QN__UNIFORM_DOUBLE(state_type)                                                             \
    QN__BOTH double curand_uniform_double(state_type *state)                                       \
    {                                                                                              \
        return _curand_uniform_double(curand(state));                                              \
    }
QN__UNIFORM(curandStateXORWOW_t)
QN__UNIFORM(curandStatePhilox4_32_10_t)
QN__UNIFORM(curandStateSobol32_t)
QN__UNIFORM(curandStateScrambledSobol32_t)
QN__UNIFORM(curandStateSobol64_t)
QN__UNIFORM(curandStateScrambledSobol64_t)
QN__UNIFORM_DOUBLE(curandStatePhilox4_32_10_t)
QN__UNIFORM_DOUBLE(curandStateSobol32_t)
QN__UNIFORM_DOUBLE(curandStateScrambledSobol32_t)
QN__UNIFORM_DOUBLE(curandStateSobol64_t)
QN__UNIFORM_DOUBLE(curandStateScrambledSobol64_t)
#undef QN__UNIFORM
#undef QN__UNIFORM_DOUBLE

QN__BOTH double curand_uniform_double(curandStateXORWOW_t *state)
{
    const unsigned int x = curand(state), y = curand(state);
    return _curand_uniform_double_hq(x, y);
}

QN__BOTH double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return curand_MRG32k3a(state) * (1.0 / 4294967087.0);
}
QN__BOTH float curand_uniform(curandStateMRG32k3a_t *state)
{
    return (float)curand_uniform_double(state);
}

QN__BOTH float4 _curand_uniform4(uint4 x)
{
    return make_float4(_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z),
                       _curand_uniform(x.w));
}
QN__BOTH float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    return _curand_uniform4(curand4(state));
}
QN__BOTH double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    const uint4 x = curand4(state);
    return make_double2(_curand_uniform_double_hq(x.x, x.y), _curand_uniform_double_hq(x.z, x.w));
}
QN__BOTH double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}

#endif
