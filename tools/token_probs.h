/* SPDX-License-Identifier: Apache-2.0
 *
 * What the model gave each token that was written, and the likeliest others (--probs). */
#ifndef QN_TOOLS_TOKEN_PROBS_H
#define QN_TOOLS_TOKEN_PROBS_H

#include <jansson.h>
#include <quern/model.h>

enum { QN__PROBS_MAX = 1024 };

/* {"id", "token", "bytes", "logprob", "top_logprobs": the same of the n_top likeliest}, the names
 * of llama.cpp's server. Of the softmax of all logits, before any step of the sampler. NULL: no
 * memory, or a token that the vocabulary does not have. */
json_t *qn__token_probs(const qn_model *m, const float *logits, int32_t id, uint32_t n_top);

#endif
