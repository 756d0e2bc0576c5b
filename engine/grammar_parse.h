/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a grammar in GBNF. */
#ifndef QN_ENGINE_GRAMMAR_PARSE_H
#define QN_ENGINE_GRAMMAR_PARSE_H

#include "engine/grammar.h"

/* The caller releases *out; after an error it is empty.
 * QN_E_INVALID      no grammar: line and column are named; a rule that is missing or twice, or that
 *                   begins with itself, which would never end
 * QN_E_UNSUPPORTED  what llama.cpp has in a grammar besides (tokens)
 * QN_E_LIMIT        nested too deep, too large */
qn_status qn__grammar_parse(struct qn__grammar *out, const char *text, size_t n_bytes,
                            const char *root);

#endif
