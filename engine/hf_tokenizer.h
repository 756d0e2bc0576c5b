/* SPDX-License-Identifier: Apache-2.0
 *
 * tokenizer.json as facts. */
#ifndef QN_ENGINE_HF_TOKENIZER_H
#define QN_ENGINE_HF_TOKENIZER_H

#include "engine/model_build.h"

#include <jansson.h>

/* tokenizer.json and tokenizer_config.json as facts; none where the folder has no tokenizer.json.
 * The vocabulary is filled up with unused tokens to config's vocab_size, the rows of the
 * embeddings.
 */
qn_status qn__hf_tokenizer_read(struct qn__model_file *f, const json_t *config, const char *folder);
/* The same from texts; all but the first may be NULL. */
qn_status qn__hf_tokenizer_convert(struct qn__model_file *f, const json_t *tokenizer,
                                   const json_t *tokenizer_config, const json_t *config,
                                   const json_t *generation_config);

#endif
