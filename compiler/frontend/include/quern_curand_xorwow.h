/* SPDX-License-Identifier: Apache-2.0
 *
 * XORWOW: G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 8(14), 2003. Sequences are
 * 2^67 numbers apart. How a seed becomes a state is cuRAND's. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_XORWOW
#define QN_STANDIN_CURAND_XORWOW

#include <quern_curand_skip.h>
#include <quern_curand_states.h>

/* The linear part of one step. */
QN__BOTH void qn__xorwow_step(unsigned int *v)
{
    const unsigned int t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] ^= v[4] << 4 ^ t ^ t << 1;
}

/* The linear part of n * 2^log2 steps: the sum of the states k steps on, over the k whose power of
 * x is in the polynomial. */
QN__BOTH void qn__xorwow_skip(unsigned long long n, int log2, unsigned int *v)
{
    for (; n; n >>= 1, log2++) {
        if (!(n & 1))
            continue;
        unsigned int sum[5] = {0, 0, 0, 0, 0};
        for (int k = 0; k < 160; k++) {
            const unsigned int mask = 0u - (qn__xorwow_powers[log2][k >> 5] >> (k & 31) & 1);
            for (int i = 0; i < 5; i++)
                sum[i] ^= v[i] & mask;
            qn__xorwow_step(v);
        }
        for (int i = 0; i < 5; i++)
            v[i] = sum[i];
    }
}

QN__BOTH unsigned int curand(curandStateXORWOW_t *state)
{
    qn__xorwow_step(state->v);
    state->d += 362437;
    return state->v[4] + state->d;
}

QN__BOTH void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    qn__xorwow_skip(n, 0, state->v);
    state->d += 362437 * (unsigned int)n;
}

/* d returns to itself after 2^32 steps. */
QN__BOTH void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    qn__xorwow_skip(n, 67, state->v);
}

QN__BOTH void curand_init(unsigned long long seed, unsigned long long subsequence,
                          unsigned long long offset, curandStateXORWOW_t *state)
{
    const unsigned int low = ((unsigned int)seed ^ 0xaad26b49u) * 1099087573u;
    const unsigned int high = ((unsigned int)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    qn__curand_keep_nothing(state);
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    state->d = 6615241u + low + high;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

#endif
