/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of the matrices that tensor cores take, as a host has them: small integers in each type.
 */
#ifndef QN_TESTS_COMPILER_TENSOR_CORES_H
#define QN_TESTS_COMPILER_TENSOR_CORES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum element { F16, BF16, TF32, F32, F64, E4M3, E5M2, S8, U8, S4, U4, B1, S32 };

static inline unsigned bits_of(enum element e)
{
    static const unsigned bits[] = {
        [F16] = 16, [BF16] = 16, [TF32] = 32, [F32] = 32, [F64] = 64, [E4M3] = 8, [E5M2] = 8,
        [S8] = 8,   [U8] = 8,    [S4] = 4,    [U4] = 4,   [B1] = 1,   [S32] = 32};
    return bits[e];
}

static inline uint64_t random_of(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 32;
}

/* An integer that the format holds: sign, exponent, then `digits` bits. */
static inline uint64_t small_float(double v, unsigned exponent_bits, unsigned digits)
{
    int exponent;
    const uint64_t sign = (uint64_t)(v < 0) << (exponent_bits + digits);
    if (v == 0)
        return 0;
    const double m = frexp(fabs(v), &exponent); /* [0.5, 1) */
    const uint64_t bias = (1u << (exponent_bits - 1)) - 1;
    return sign | (uint64_t)((int64_t)bias + exponent - 1) << digits |
           (uint64_t)ldexp(2 * m - 1, (int)digits);
}

static inline void put_element(unsigned char *bytes, size_t i, enum element e, double v)
{
    const unsigned n = bits_of(e);
    uint64_t bits = (uint64_t)(int64_t)v;
    if (e == F16)
        bits = small_float(v, 5, 10);
    else if (e == BF16)
        bits = small_float(v, 8, 7);
    else if (e == TF32 || e == F32)
        bits = small_float(v, 8, 23);
    else if (e == E4M3)
        bits = small_float(v, 4, 3);
    else if (e == E5M2)
        bits = small_float(v, 5, 2);
    else if (e == F64)
        memcpy(&bits, &v, sizeof bits);
    if (n < 8) {
        const unsigned at = (unsigned)(i * n % 8);
        bytes[i * n / 8] = (unsigned char)(bytes[i * n / 8] | (bits & ((1u << n) - 1)) << at);
    } else {
        memcpy(bytes + i * n / 8, &bits, n / 8);
    }
}

/* What a sum is. */
static inline double element_at(const unsigned char *bytes, size_t i, enum element e)
{
    if (e == F64) {
        double v;
        memcpy(&v, bytes + 8 * i, sizeof v);
        return v;
    }
    if (e == S32) {
        int32_t v;
        memcpy(&v, bytes + 4 * i, sizeof v);
        return v;
    }
    if (e == F32) {
        float v;
        memcpy(&v, bytes + 4 * i, sizeof v);
        return (double)v;
    }
    uint16_t h;
    memcpy(&h, bytes + 2 * i, sizeof h);
    const int exponent = h >> 10 & 31;
    const double m = ldexp((h & 1023) + (exponent ? 1024 : 0), (exponent ? exponent : 1) - 25);
    return h >> 15 ? -m : m;
}

#endif
