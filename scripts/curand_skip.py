#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Prints compiler/frontend/include/quern_curand_skip.h: what the generators of curand_kernel.h need
# to skip ahead. Both are linear recurrences; n steps of one whose characteristic polynomial is p
# are the polynomial x^n modulo p, applied to the sequence. The tables hold x^(2^i) modulo p:
#
#   XORWOW     160 bits over GF(2); p is found from the generator's output (Berlekamp-Massey)
#   MRG32k3a   twice three numbers; p stands in L'Ecuyer's paper
#
#     scripts/curand_skip.py > compiler/frontend/include/quern_curand_skip.h
#
# tests/compiler/check_random.c holds the tables against single steps and against one another.

BITS = 160
WORD = (1 << 32) - 1
SEQUENCE_XORWOW = 67  # sequences are 2^67 numbers apart
SEQUENCE_MRG = 127


def step(v):
    t = v[0] ^ (v[0] >> 2)
    last = v[4] ^ (v[4] << 4 & WORD) ^ t ^ (t << 1 & WORD)
    return v[1:] + [last]


def polynomial_of(bits):
    """The shortest recurrence over GF(2) of a sequence, as a polynomial; bit i is x^i."""
    c, b, length, shift = 1, 1, 0, 1
    for n in range(len(bits)):
        d = 0
        for i in range(length + 1):
            d ^= (c >> i & 1) & bits[n - i]
        if d == 0:
            shift += 1
        elif 2 * length <= n:
            c, b, length, shift = c ^ (b << shift), c, n + 1 - length, 1
        else:
            c ^= b << shift
            shift += 1
    assert length == BITS
    return sum((c >> (length - i) & 1) << i for i in range(length + 1))


def square(a, p):
    """a squared modulo p, over GF(2)."""
    r = 0
    for i in range(BITS):
        if a >> i & 1:
            r ^= 1 << (2 * i)
    for i in range(2 * BITS, BITS - 1, -1):
        if r >> i & 1:
            r ^= p << (i - BITS)
    return r


def xorwow_rows():
    v, bits = [1, 2, 3, 4, 5], []
    for _ in range(2 * BITS + 64):
        bits.append(v[0] & 1)
        v = step(v)
    p, power = polynomial_of(bits), 2
    for _ in range(SEQUENCE_XORWOW + 64):
        yield [power >> (32 * i) & WORD for i in range(BITS // 32)]
        power = square(power, p)


def square_modulo(a, m, p):
    """a squared modulo x^3 - p2 x^2 - p1 x - p0 and the number m."""
    r = [0] * 5
    for i in range(3):
        for j in range(3):
            r[i + j] += a[i] * a[j]
    for i in (4, 3):
        for j in range(3):
            r[i - 3 + j] += r[i] * p[j]
    return [c % m for c in r[:3]]


def mrg_rows():
    m1, m2 = 2**32 - 209, 2**32 - 22853
    p1, p2 = [-810728, 1403580, 0], [-1370589, 0, 527612]
    a, b = [0, 1, 0], [0, 1, 0]
    for _ in range(SEQUENCE_MRG + 64):
        yield a + b
        a, b = square_modulo(a, m1, p1), square_modulo(b, m2, p2)


def table(name, rows):
    rows = list(rows)
    print(f"static __device__ const unsigned int {name}[{len(rows)}][{len(rows[0])}] = {{")
    for r in rows:
        words = [f"{w}u" for w in r]
        print("    {" + ", ".join(words) + "},")
    print("};")


print("""/* SPDX-License-Identifier: Apache-2.0
 *
 * Printed by scripts/curand_skip.py; do not edit. Row i of a table is x^(2^i) modulo the
 * generator's characteristic polynomial, the coefficient of x^0 first: for XORWOW one bit each,
 * for MRG32k3a three numbers for each of its halves. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_SKIP
#define QN_STANDIN_CURAND_SKIP

/* clang-format off */""")
table("qn__xorwow_powers", xorwow_rows())
table("qn__mrg32k3a_powers", mrg_rows())
print("""/* clang-format on */

#endif""")
