/* SPDX-License-Identifier: Apache-2.0
 *
 * MRG32k3a: P. L'Ecuyer, Good Parameters and Implementations for Combined Multiple Recursive Random
 * Number Generators, Operations Research 47(1), 1999. Subsequences are 2^76 numbers apart,
 * sequences 2^127, as in L'Ecuyer, Simard, Chen, Kelton, An Object-Oriented Random-Number Package
 * with Many Long Streams and Substreams, 2002. How a seed becomes a state is cuRAND's. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_MRG32K3A
#define QN_STANDIN_CURAND_MRG32K3A

#include <quern_curand_skip.h>
#include <quern_curand_states.h>

/* The two moduli are 2^32 - 209 and 2^32 - 22853. */
#define QN__MRG_GAP1 209u
#define QN__MRG_GAP2 22853u

/* x modulo 2^32 - gap: 2^32 is gap there. */
QN__BOTH unsigned int qn__mrg_modulo(unsigned long long x, unsigned int gap)
{
    x = (x >> 32) * gap + (unsigned int)x;
    x = (x >> 32) * gap + (unsigned int)x;
    const unsigned int m = 0u - gap;
    return (unsigned int)(x >= m ? x - m : x);
}

/* The number after three of each half. A negative factor is its complement's positive one. */
QN__BOTH unsigned int qn__mrg_next1(const unsigned int *s)
{
    return qn__mrg_modulo(1403580ull * s[1] + 810728ull * (0u - QN__MRG_GAP1 - s[0]), QN__MRG_GAP1);
}
QN__BOTH unsigned int qn__mrg_next2(const unsigned int *s)
{
    return qn__mrg_modulo(527612ull * s[2] + 1370589ull * (0u - QN__MRG_GAP2 - s[0]), QN__MRG_GAP2);
}

/* 1 to 2^32 - 209 */
QN__BOTH unsigned int qn__mrg_draw(curandStateMRG32k3a_t *state)
{
    const unsigned int a = qn__mrg_next1(state->s1), b = qn__mrg_next2(state->s2);
    state->s1[0] = state->s1[1];
    state->s1[1] = state->s1[2];
    state->s1[2] = a;
    state->s2[0] = state->s2[1];
    state->s2[1] = state->s2[2];
    state->s2[2] = b;
    return a > b ? a - b : a - b - QN__MRG_GAP1;
}

QN__BOTH double curand_MRG32k3a(curandStateMRG32k3a_t *state)
{
    return qn__mrg_draw(state);
}

/* The factor spreads the numbers over 32 bits. */
QN__BOTH unsigned int curand(curandStateMRG32k3a_t *state)
{
    return (unsigned int)(curand_MRG32k3a(state) * 1.000000048662);
}

/* s[0..2] become sums of s[0..4] by the polynomial c. */
QN__BOTH void qn__mrg_apply(const unsigned int *c, unsigned int gap, unsigned int *s)
{
    for (int i = 0; i < 3; i++) {
        unsigned long long sum = 0;
        for (int k = 0; k < 3; k++)
            sum += qn__mrg_modulo((unsigned long long)c[k] * s[i + k], gap);
        s[i] = qn__mrg_modulo(sum, gap);
    }
}

/* n * 2^log2 steps */
QN__BOTH void qn__mrg_skip(unsigned long long n, int log2, curandStateMRG32k3a_t *state)
{
    unsigned int a[5], b[5];
    for (int i = 0; i < 3; i++) {
        a[i] = state->s1[i];
        b[i] = state->s2[i];
    }
    for (; n; n >>= 1, log2++) {
        if (!(n & 1))
            continue;
        const unsigned int *const c = qn__mrg32k3a_powers[log2];
        a[3] = qn__mrg_next1(a);
        a[4] = qn__mrg_next1(a + 1);
        b[3] = qn__mrg_next2(b);
        b[4] = qn__mrg_next2(b + 1);
        qn__mrg_apply(c, QN__MRG_GAP1, a);
        qn__mrg_apply(c + 3, QN__MRG_GAP2, b);
    }
    for (int i = 0; i < 3; i++) {
        state->s1[i] = a[i];
        state->s2[i] = b[i];
    }
}

QN__BOTH void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
    qn__mrg_skip(n, 0, state);
}
QN__BOTH void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    qn__mrg_skip(n, 76, state);
}
QN__BOTH void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    qn__mrg_skip(n, 127, state);
}

QN__BOTH void curand_init(unsigned long long seed, unsigned long long subsequence,
                          unsigned long long offset, curandStateMRG32k3a_t *state)
{
    const unsigned long long low = seed ? (unsigned int)seed ^ 0x55555555u : 1;
    const unsigned long long high = seed ? (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu : 1;
    qn__curand_keep_nothing(state);
    for (int i = 0; i < 3; i++) {
        state->s1[i] = qn__mrg_modulo(12345 * (i == 1 ? high : low), QN__MRG_GAP1);
        state->s2[i] = qn__mrg_modulo(12345 * (i == 1 ? low : high), QN__MRG_GAP2);
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}

#undef QN__MRG_GAP1
#undef QN__MRG_GAP2

#endif
