/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a text is in a grammar, by number.
 *
 * A state is the set of places that the bytes so far may have led to, each with the rules it will
 * return to. States are made when they are first reached, and what a byte leads to is remembered:
 * a grammar without recursion becomes the automaton of its language, piece by piece. */
#ifndef QN_ENGINE_GRAMMAR_STATE_H
#define QN_ENGINE_GRAMMAR_STATE_H

#include "engine/grammar.h"

struct qn__grammar_states;

enum { QN__STATE_NONE = 0 }; /* no text goes on like this */

/* The grammar must outlive it. *start: the state before any byte. */
qn_status qn__grammar_states_create(struct qn__grammar_states **out, const struct qn__grammar *g,
                                    uint32_t *start);
/* That state, once more. */
qn_status qn__grammar_begin(uint32_t *start, struct qn__grammar_states *s);
void qn__grammar_states_destroy(struct qn__grammar_states *s);

/* The state behind a byte, or QN__STATE_NONE.
 * QN_E_LIMIT  too many places at once: the grammar is too ambiguous */
qn_status qn__grammar_step(uint32_t *out, struct qn__grammar_states *s, uint32_t state,
                           uint8_t byte);
/* May the text end here? */
bool qn__grammar_may_end(const struct qn__grammar_states *s, uint32_t state);

/* Where there are very many, forget all states but this one, which gets another number: *changed.
 */
qn_status qn__grammar_tidy(struct qn__grammar_states *s, uint32_t *state, bool *changed);

#endif
