/* SPDX-License-Identifier: Apache-2.0
 *
 * Sobol's quasirandom sequences in Gray code order: I. Antonov, V. Saleev, An Economic Method of
 * Computing LP-tau Sequences, 1979. The direction vectors come from the host, as those of S. Joe
 * and F. Kuo do; a scrambled sequence begins at a constant of the caller's instead of 0. */
#pragma clang system_header
#ifndef QN_STANDIN_CURAND_SOBOL
#define QN_STANDIN_CURAND_SOBOL

#include <quern_curand_states.h>

/* Number i of the sequence. */
template <class State, class Word> QN__BOTH void qn__sobol_move(State *state, Word i)
{
    Word x = state->c;
    for (Word gray = i ^ i >> 1, k = 0; gray; gray >>= 1, k++)
        if (gray & 1)
            x ^= state->direction_vectors[k];
    state->i = i;
    state->x = x;
}

/* From one number to the next one bit of the Gray code changes: that of i's lowest 0. */
template <class Word, class State> QN__BOTH Word qn__sobol_draw(State *state)
{
    const Word drawn = state->x, i = state->i, top = sizeof(Word) * 8 - 1;
    Word k = 0;
    while (k < top && i >> k & 1)
        k++;
    state->x = drawn ^ state->direction_vectors[k];
    state->i = i + 1;
    return drawn;
}

#define QN__SOBOL(state_type, word)                                                                \
    QN__BOTH word curand(state_type *state)                                                        \
    {                                                                                              \
        return qn__sobol_draw<word>(state);                                                        \
    }
#define QN__SOBOL_INIT(state_type, vectors, word, constant, ...)                                   \
    QN__BOTH void curand_init(vectors directions, __VA_ARGS__ word offset, state_type *state)      \
    {                                                                                              \
        for (unsigned int k = 0; k < sizeof(word) * 8; k++)                                        \
            state->direction_vectors[k] = directions[k];                                           \
        state->c = constant;                                                                       \
        qn__sobol_move(state, offset);                                                             \
    }
QN__SOBOL(curandStateSobol32_t, unsigned int)
QN__SOBOL(curandStateScrambledSobol32_t, unsigned int)
QN__SOBOL(curandStateSobol64_t, unsigned long long)
QN__SOBOL(curandStateScrambledSobol64_t, unsigned long long)
QN__SOBOL_INIT(curandStateSobol32_t, curandDirectionVectors32_t, unsigned int, 0, )
QN__SOBOL_INIT(curandStateScrambledSobol32_t, curandDirectionVectors32_t, unsigned int, scramble_c,
               unsigned int scramble_c, )
QN__SOBOL_INIT(curandStateSobol64_t, curandDirectionVectors64_t, unsigned long long, 0, )
QN__SOBOL_INIT(curandStateScrambledSobol64_t, curandDirectionVectors64_t, unsigned long long,
               scramble_c, unsigned long long scramble_c, )
#undef QN__SOBOL
#undef QN__SOBOL_INIT

/* Sources may name the type: skipahead<curandStateSobol32_t *>(n, state). */
template <class T> struct qn__sobol_state {
};
#define QN__SOBOL(state_type, n_type)                                                              \
    template <> struct qn__sobol_state<state_type *> {                                             \
        typedef n_type count;                                                                      \
        typedef void nothing;                                                                      \
    };
QN__SOBOL(curandStateSobol32_t, unsigned int)
QN__SOBOL(curandStateScrambledSobol32_t, unsigned int)
QN__SOBOL(curandStateSobol64_t, unsigned long long)
QN__SOBOL(curandStateScrambledSobol64_t, unsigned long long)
#undef QN__SOBOL

template <class T>
QN__BOTH typename qn__sobol_state<T>::nothing skipahead(typename qn__sobol_state<T>::count n,
                                                        T state)
{
    qn__sobol_move(state, state->i + n);
}

#endif
