/* SPDX-License-Identifier: Apache-2.0
 *
 * Grammars from hostile bytes. What is one is walked, by bytes that the input chooses: a state
 * either takes a byte or is an end, so a text under it never stalls. */
#include "engine/grammar_parse.h"
#include "engine/grammar_state.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The first byte from `wanted` on that leads somewhere; -1: none does. */
static int next_byte(uint32_t *out, struct qn__grammar_states *s, uint32_t state, uint8_t wanted)
{
    for (int i = 0; i < 256; i++) {
        const uint8_t byte = (uint8_t)(wanted + i);
        if (qn__grammar_step(out, s, state, byte) != QN_OK)
            return -2; /* too ambiguous: said */
        if (*out != QN__STATE_NONE)
            return byte;
    }
    return -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    enum { STEPS = 200 };
    struct qn__grammar g;
    struct qn__grammar_states *s;
    uint32_t state;
    if (n > 4096 || qn__grammar_parse(&g, (const char *)data, n, "root") != QN_OK)
        return 0;
    if (qn__grammar_states_create(&s, &g, &state) == QN_OK) {
        for (uint32_t i = 0; i < STEPS; i++) {
            uint32_t next;
            const int byte = next_byte(&next, s, state, data[i % n]);
            if (byte == -2)
                break;
            if (byte < 0) {
                if (!qn__grammar_may_end(s, state))
                    __builtin_trap();
                break;
            }
            state = next;
        }
        qn__grammar_states_destroy(s);
    }
    qn__grammar_release(&g);
    return 0;
}
