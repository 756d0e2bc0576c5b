/* SPDX-License-Identifier: Apache-2.0
 *
 * How `quern run` and `quern chat` make a prompt of a conversation: which template, what it is told
 * beside the messages, and whether the user sees what it wrote. The names of the options are those
 * of llama.cpp. */
#ifndef QN_TOOLS_CHAT_PROMPT_H
#define QN_TOOLS_CHAT_PROMPT_H

#include "base/options.h"

#include <quern/model.h>

struct qn__chat_prompt_options {
    const char *template_name, *template_file, *variables, *reasoning, *budget, *tools_file;
    bool show, parse_special, jinja;
};

/* Rows for a command whose values have a struct qn__chat_prompt_options called `chat`. */
#define QN__CHAT_PROMPT_ROWS(type)                                                                 \
    QN__TEXT(                                                                                      \
        type, chat.template_name, 0, "chat-template", "NAME",                                      \
        "instead of the model's chat template: chatml, llama2, llama3, gemma, phi3, mistral, "     \
        "zephyr, or a text in Jinja",                                                              \
        .also = "template"),                                                                       \
        QN__TEXT(type, chat.template_file, 0, "chat-template-file", "FILE",                        \
                 "a chat template in Jinja instead of the model's"),                               \
        QN__TEXT(type, chat.variables, 0, "chat-template-kwargs", "JSON",                          \
                 "an object with further names for the chat template: "                            \
                 "{\"reasoning_effort\": \"low\"}"),                                               \
        QN__CHOICE(type, chat.reasoning, 0, "reasoning", "on|off|auto",                            \
                   "let the model think before it answers, where its template can say so; auto: "  \
                   "as the template has it"),                                                      \
        QN__CHOICE(type, chat.budget, 0, "reasoning-budget", "-1|0",                               \
                   "0: --reasoning off; -1: as many thoughts as it takes"),                        \
        QN__TEXT(type, chat.tools_file, 0, "tools", "FILE",                                        \
                 "a JSON array of the tools the model may call, for its template"),                \
        QN__FLAG(type, chat.show, 0, "show-prompt",                                                \
                 "print what the model is given, with its special tokens, on stderr"),             \
        QN__FLAG(type, chat.parse_special, 0, "parse-special",                                     \
                 "special tokens written in messages (<|im_end|>) count; else they are text"),     \
        QN__FLAG(type, chat.jinja, 0, "jinja", "understood: the model's template is always run")

struct qn__chat_prompt {
    qn_chat_options options;
    char *file, *variables, *tools; /* texts of the options */
    bool show;
};

/* Read the files. Returns false after a complaint, with *status the exit status; release() in every
 * case. */
bool qn__chat_prompt_init(struct qn__chat_prompt *out, const struct qn__chat_prompt_options *o,
                          int *status);
void qn__chat_prompt_release(struct qn__chat_prompt *p);

/* Does an option name a template? */
bool qn__chat_prompt_has_template(const struct qn__chat_prompt_options *o);

/* The conversation's tokens, shown where that was asked for. Errors are the engine's. */
qn_status qn__chat_prompt_encode(qn_tokens *out, const struct qn__chat_prompt *p, const qn_model *m,
                                 const qn_chat_message *messages, uint32_t n);

#endif
