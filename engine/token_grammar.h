/* SPDX-License-Identifier: Apache-2.0
 *
 * Which tokens a grammar allows (qn_grammar in quern/model.h), for the sampler. */
#ifndef QN_ENGINE_TOKEN_GRAMMAR_H
#define QN_ENGINE_TOKEN_GRAMMAR_H

#include <quern/model.h>

/* *allowed: a bit for each of the vocabulary's tokens, the grammar's until it moves on; those
 * behind the vocabulary's end are not allowed. *n: how many tokens it is for. */
qn_status qn__grammar_allowed(const uint32_t **allowed, uint32_t *n, qn_grammar *g);

#endif
