/* SPDX-License-Identifier: Apache-2.0
 *
 * SentencePiece's unigram model, one of the tokenizer's three algorithms. */
#ifndef QN_ENGINE_UNIGRAM_H
#define QN_ENGINE_UNIGRAM_H

#include "engine/spm.h"

/* Cut a text with marked spaces into the tokens whose scores have the largest sum. */
qn_status qn__unigram_encode(struct qn__token_list *out, const struct qn__spm *s,
                             const char *marked, size_t n_bytes, int32_t unknown);

#endif
