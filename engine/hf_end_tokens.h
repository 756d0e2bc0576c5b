/* SPDX-License-Identifier: Apache-2.0
 *
 * The tokens that end a text, as config.json and generation_config.json list them. */
#ifndef QN_ENGINE_HF_END_TOKENS_H
#define QN_ENGINE_HF_END_TOKENS_H

#include "engine/model_build.h"

#include <jansson.h>

/* The fact tokenizer.quern.end_token_ids, where the files name more than one. Either may be NULL;
 * numbers that are none below n_vocab are left out. */
qn_status qn__hf_end_tokens(struct qn__model_file *f, const json_t *config,
                            const json_t *generation_config, uint32_t n_vocab);

#endif
