/* SPDX-License-Identifier: Apache-2.0
 *
 * Every float at which rounding to half can go wrong, with the right answer, derived from the
 * values of the halves themselves and not from any conversion code: between two neighbouring halves
 * a and b, the midpoint goes to the even one, the float just below it to a, the float just above to
 * b. Both signs; overflow, infinity and NaN at the end. */
#ifndef QN_TESTS_HALF_CASES_H
#define QN_TESTS_HALF_CASES_H

#include <math.h>
#include <stdint.h>

struct half_case {
    float x;
    uint16_t want; /* NaN: any half that is NaN */
};

enum { HALF_INFINITY = 0x7c00, HALF_CASES_MAX = 2 * (4 * HALF_INFINITY + 16) };

/* Value of a finite positive half, from its definition. */
static inline double half_value(unsigned bits)
{
    const int exponent = (int)(bits >> 10), mantissa = (int)(bits & 0x3ffu);
    return exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
}

/* Fill cases[HALF_CASES_MAX]; returns how many. */
static inline uint32_t half_cases(struct half_case *cases)
{
    uint32_t n = 0;
    for (unsigned a = 0; a < HALF_INFINITY; a++) {
        /* the half after the largest would be 65536 */
        const double low = half_value(a),
                     high = a + 1 < HALF_INFINITY ? half_value(a + 1) : 65536.0;
        const float middle = (float)((low + high) / 2);
        const uint16_t even = (uint16_t)(a & 1 ? a + 1 : a);
        cases[n++] = (struct half_case){(float)low, (uint16_t)a};
        cases[n++] = (struct half_case){nextafterf(middle, 0.0f), (uint16_t)a};
        cases[n++] = (struct half_case){middle, even};
        cases[n++] = (struct half_case){nextafterf(middle, INFINITY), (uint16_t)(a + 1)};
    }
    const float large[] = {65536.0f, 1e6f, 3.4e38f, INFINITY};
    for (unsigned i = 0; i < 4; i++)
        cases[n++] = (struct half_case){large[i], HALF_INFINITY};
    const float tiny[] = {1e-8f, 1e-30f, 1e-38f, 1e-45f};
    for (unsigned i = 0; i < 4; i++)
        cases[n++] = (struct half_case){tiny[i], 0};
    cases[n++] = (struct half_case){NAN, 0x7e00};
    for (uint32_t i = 0, positive = n; i < positive; i++)
        cases[n++] = (struct half_case){-cases[i].x, (uint16_t)(cases[i].want | 0x8000u)};
    return n;
}

static inline int half_is_nan(uint16_t bits)
{
    return (bits & 0x7fffu) > HALF_INFINITY;
}

#endif
