/* SPDX-License-Identifier: Apache-2.0
 *
 * Models as Hugging Face's libraries keep them: a folder with config.json, tokenizer.json and
 * weights in safetensors. These modules turn their names into GGUF's (safetensors.c reads the
 * weights themselves). */
#ifndef QN_ENGINE_HF_H
#define QN_ENGINE_HF_H

#include "engine/model_file_parts.h"

#include <jansson.h>

enum qn__hf_family {
    QN__HF_LLAMA, /* and Mistral, Mixtral */
    QN__HF_QWEN2,
    QN__HF_QWEN3,
    QN__HF_GEMMA2,
    QN__HF_GEMMA3,
    QN__HF_PHI3,
};

/* Read FOLDER/NAME; json_decref() *out. The message names file and line.
 *   flags  of jansson's decoders, or 0
 * QN_E_NOT_FOUND  it is not there   QN_E_CORRUPT  no JSON, or no object */
qn_status qn__hf_load(json_t **out, const char *folder, const char *name, size_t flags);

/* Where the folder keeps the chat template in a file of its own, chat_template.jinja: put it where
 * tokenizer_config.json has it otherwise. *settings may be NULL before. */
qn_status qn__hf_load_template(json_t **settings, const char *folder);

/* config.json as facts. */
qn_status qn__hf_config_read(enum qn__hf_family *family, struct qn__model_file *f,
                             const json_t *config, const char *folder);

/* tokenizer.json and tokenizer_config.json as facts; none where the folder has no tokenizer.json.
 * The vocabulary is filled up with unused tokens to config's vocab_size, the rows of the
 * embeddings.
 */
qn_status qn__hf_tokenizer_read(struct qn__model_file *f, const json_t *config, const char *folder);
/* The same from texts; tokenizer_config and config may be NULL. */
qn_status qn__hf_tokenizer_convert(struct qn__model_file *f, const json_t *tokenizer,
                                   const json_t *tokenizer_config, const json_t *config);

/* Which of GGUF's tensors a tensor is. */
struct qn__hf_name {
    char ours[64];
    bool is_ignored; /* a buffer that is computed, not learned; a head that is tied; other parts */
    bool plus_one;   /* stored as w - 1 */
};
/* QN_E_UNSUPPORTED  the family has no such tensor */
qn_status qn__hf_name_map(struct qn__hf_name *out, enum qn__hf_family family, bool tied_head,
                          const char *theirs);

#endif
