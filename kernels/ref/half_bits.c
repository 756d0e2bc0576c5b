/* SPDX-License-Identifier: Apache-2.0
 *
 * 16-bit floats on the host, by bits. Written differently from the kernels' conversions, so that
 * one can check the other: the value is taken apart and rounded as an integer. */
#include "kernels/ref/ref.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* value >> shift, rounded to nearest, ties to even; shift 1..31 */
static uint32_t round_shift(uint32_t value, unsigned shift)
{
    const uint32_t rest = value & ((1u << shift) - 1u), middle = 1u << (shift - 1u);
    const uint32_t kept = value >> shift;
    return kept + (rest > middle || (rest == middle && (kept & 1u)));
}

uint16_t qn__half_of_float(float x)
{
    const uint32_t bits = bits_of(x), mantissa = bits & 0x7fffffu;
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);
    const int exponent = (int)(bits >> 23 & 0xffu) - 127;
    if (exponent == 128)
        return (uint16_t)(sign | 0x7c00u | (mantissa ? 0x200u : 0u));
    if (exponent > 15)
        return (uint16_t)(sign | 0x7c00u);
    if (exponent >= -14) /* the carry out of the mantissa moves the exponent up, also to infinity */
        return (uint16_t)(sign + round_shift((uint32_t)(exponent + 15) << 23 | mantissa, 13));
    if (exponent >= -25)
        return (uint16_t)(sign + round_shift(0x800000u | mantissa, (unsigned)(-exponent - 1)));
    return sign;
}

float qn__float_of_half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
    float x;
    if (exponent == 31)
        x = float_of(0x7f800000u | (uint32_t)mantissa << 13);
    else if (exponent == 0)
        x = ldexpf((float)mantissa, -24);
    else
        x = ldexpf((float)(mantissa + 1024), exponent - 25);
    return bits & 0x8000u ? -x : x;
}

uint16_t qn__bf16_of_float(float x)
{
    const uint32_t bits = bits_of(x);
    if (isnan(x))
        return (uint16_t)(bits >> 16 | 0x40u);
    return (uint16_t)round_shift(bits, 16);
}

float qn__float_of_bf16(uint16_t bits)
{
    return float_of((uint32_t)bits << 16);
}
