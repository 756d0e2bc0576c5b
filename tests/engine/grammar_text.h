/* SPDX-License-Identifier: Apache-2.0
 *
 * Does a text follow a grammar? Byte by byte, as a token grammar walks. */
#ifndef QN_TESTS_ENGINE_GRAMMAR_TEXT_H
#define QN_TESTS_ENGINE_GRAMMAR_TEXT_H

#include "engine/grammar_state.h"

#include <check.h>
#include <string.h>

/* 2: whole, 1: it may go on, 0: no */
static inline int follows(const struct qn__grammar *g, const char *text)
{
    struct qn__grammar_states *s;
    uint32_t state;
    ck_assert_msg(qn__grammar_states_create(&s, g, &state) == QN_OK, "%s", qn_message());
    for (size_t i = 0; text[i] && state != QN__STATE_NONE; i++)
        ck_assert_msg(qn__grammar_step(&state, s, state, (uint8_t)text[i]) == QN_OK, "%s",
                      qn_message());
    const int how = state == QN__STATE_NONE ? 0 : qn__grammar_may_end(s, state) ? 2 : 1;
    qn__grammar_states_destroy(s);
    return how;
}

#endif
