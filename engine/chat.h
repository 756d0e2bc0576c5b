/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversations as text with special tokens, by named templates. */
#ifndef QN_ENGINE_CHAT_H
#define QN_ENGINE_CHAT_H

#include "base/str.h"
#include "engine/model_file.h"

struct qn__chat_message {
    const char *role; /* "system", "user", "assistant" */
    const char *text;
};
/* The conversation as text with special tokens, ready for encode(QN__ENCODE_SPECIAL); ends where
 * the assistant begins to speak. Named templates (chatml, llama2, llama3, gemma, phi3, mistral,
 * zephyr), recognised from the file's template by its marks; chat_template itself is never
 * executed. QN_E_UNSUPPORTED  the file has no template, or one that none of ours recognises */
qn_status qn__chat_format(struct qn__str *out, const struct qn__model_file *f,
                          const struct qn__chat_message *messages, uint32_t n,
                          const char *template_name /* NULL: from the file */);

#endif
