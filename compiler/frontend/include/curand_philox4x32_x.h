/* SPDX-License-Identifier: Apache-2.0
 *
 * Philox4x32-10: J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel Random Numbers: As Easy as 1, 2,
 * 3, SC 2011. The low half of the counter counts blocks of four numbers, its high half is the
 * sequence, so sequences are 2^66 numbers apart; the key is the seed. `output` always holds the
 * counter's block, of which STATE numbers are used up. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_PHILOX
#define QN_STANDIN_CURAND_PHILOX

#include <quern_curand_states.h>

QN__BOTH uint4 curand_Philox4x32_10(uint4 counter, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        const unsigned long long a = 0xD2511F53ull * counter.x;
        const unsigned long long b = 0xCD9E8D57ull * counter.z;
        counter = make_uint4((unsigned int)(b >> 32) ^ counter.y ^ key.x, (unsigned int)b,
                             (unsigned int)(a >> 32) ^ counter.w ^ key.y, (unsigned int)a);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

/* Adds n blocks to the counter, and n_high sequences. */
QN__BOTH void qn__philox_advance(curandStatePhilox4_32_10_t *s, unsigned long long n,
                                 unsigned long long n_high)
{
    const unsigned long long low = ((unsigned long long)s->ctr.y << 32 | s->ctr.x) + n;
    const unsigned long long high =
        ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + n_high + (low < n);
    s->ctr = make_uint4((unsigned int)low, (unsigned int)(low >> 32), (unsigned int)high,
                        (unsigned int)(high >> 32));
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}

QN__BOTH unsigned int curand(curandStatePhilox4_32_10_t *state)
{
    const uint4 o = state->output;
    const unsigned int used = state->STATE;
    const unsigned int drawn = used == 0 ? o.x : used == 1 ? o.y : used == 2 ? o.z : o.w;
    state->STATE = used + 1;
    if (used == 3) {
        qn__philox_advance(state, 1, 0);
        state->STATE = 0;
    }
    return drawn;
}

/* The next four numbers. */
QN__BOTH uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    const uint4 a = state->output;
    qn__philox_advance(state, 1, 0);
    const uint4 b = state->output;
    switch (state->STATE) {
    case 1: return make_uint4(a.y, a.z, a.w, b.x);
    case 2: return make_uint4(a.z, a.w, b.x, b.y);
    case 3: return make_uint4(a.w, b.x, b.y, b.z);
    default: return a;
    }
}

QN__BOTH void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    const unsigned int used = state->STATE + (unsigned int)(n & 3);
    state->STATE = used & 3;
    qn__philox_advance(state, n / 4 + used / 4, 0);
}

QN__BOTH void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    qn__philox_advance(state, 0, n);
}

QN__BOTH void curand_init(unsigned long long seed, unsigned long long subsequence,
                          unsigned long long offset, curandStatePhilox4_32_10_t *state)
{
    qn__curand_keep_nothing(state);
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    state->STATE = (unsigned int)(offset & 3);
    qn__philox_advance(state, offset / 4, subsequence);
}

#endif
