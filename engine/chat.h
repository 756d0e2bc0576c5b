/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversations as text with special tokens: by the template that the model brings, by another one
 * in the same language, or by one of Quern's own, which have names (chatml, llama2, llama3, gemma,
 * phi3, mistral, zephyr). */
#ifndef QN_ENGINE_CHAT_H
#define QN_ENGINE_CHAT_H

#include "engine/model_file.h"

struct qn__chat_message {
    const char *role;   /* "system", "user", "assistant", "tool", ... */
    const char *text;   /* NULL: none */
    const char *fields; /* JSON object of what else it has, such as tool_calls; NULL: nothing */
};

/* All zero: the model's template, no tools, the time as it is. */
struct qn__chat_options {
    const char *template_name; /* one of Quern's own */
    const char *template_text; /* Jinja */
    const char *tools;         /* JSON array */
    const char *variables;     /* JSON object of further names for the template */
    int64_t now;               /* seconds since 1970; 0: the clock's */
    bool no_prompt;            /* do not begin what the assistant says */
};

/* foreign: 1 for every byte that came from a message, in which special tokens are text. free() both
 * parts. */
struct qn__chat_text {
    char *bytes; /* and a 0 */
    unsigned char *foreign;
    size_t n;
};

/* QN_E_UNSUPPORTED  there is no template, no such name, or it uses what Quern lacks
 * QN_E_INVALID      the template or the conversation is wrong, or the template refuses it
 * QN_E_LIMIT        the template takes too many steps or too much memory */
qn_status qn__chat_format(struct qn__chat_text *out, const struct qn__model_file *f,
                          const struct qn__chat_message *messages, uint32_t n,
                          const struct qn__chat_options *options);
void qn__chat_text_release(struct qn__chat_text *t);

#endif
