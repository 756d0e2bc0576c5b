/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder as Hugging Face's libraries keep a model: config.json, tokenizer.json, and weights in
 * safetensors. Its texts are read here; hf_config.c, hf_tokenizer.c and hf_names.c turn their names
 * into GGUF's. */
#ifndef QN_ENGINE_HF_FOLDER_H
#define QN_ENGINE_HF_FOLDER_H

#include "base/error.h"

#include <jansson.h>

/* Read FOLDER/NAME; json_decref() *out. The message names file and line.
 *   flags  of jansson's decoders, or 0
 * QN_E_NOT_FOUND  it is not there   QN_E_CORRUPT  no JSON, or no object */
qn_status qn__hf_load(json_t **out, const char *folder, const char *name, size_t flags);

/* Where the folder keeps the chat template in a file of its own, chat_template.jinja: put it where
 * tokenizer_config.json has it otherwise. *settings may be NULL before. */
qn_status qn__hf_load_template(json_t **settings, const char *folder);

#endif
