/* SPDX-License-Identifier: Apache-2.0
 *
 * Chat templates by their names, for models that bring none, or one that is to be replaced: the
 * conversation is written from a row of the table below. The start token is not written. */
#include "engine/chat_named.h"

#include "base/str.h"

#include <string.h>

/* "{eos}" and "{bos}" stand for the file's own tokens. */
struct template
{
    const char *name;
    const char *system[2], *user[2], *assistant[2]; /* around the text of a message */
    const char *begin;                              /* where the assistant begins to speak */
    bool system_in_user; /* the system's text stands in front of the first user's */
    bool alternates;     /* user and assistant must take turns, the user first */
    bool trims;          /* white space around a message does not count */
};

static const struct template templates[] = {
    {.name = "chatml",
     .system = {"<|im_start|>system\n", "<|im_end|>\n"},
     .user = {"<|im_start|>user\n", "<|im_end|>\n"},
     .assistant = {"<|im_start|>assistant\n", "<|im_end|>\n"},
     .begin = "<|im_start|>assistant\n"},
    {.name = "llama3",
     .system = {"<|start_header_id|>system<|end_header_id|>\n\n", "<|eot_id|>"},
     .user = {"<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>"},
     .assistant = {"<|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>"},
     .begin = "<|start_header_id|>assistant<|end_header_id|>\n\n",
     .trims = true},
    {.name = "gemma",
     .system = {"", "\n\n"},
     .user = {"<start_of_turn>user\n", "<end_of_turn>\n"},
     .assistant = {"<start_of_turn>model\n", "<end_of_turn>\n"},
     .begin = "<start_of_turn>model\n",
     .system_in_user = true,
     .alternates = true,
     .trims = true},
    {.name = "phi3",
     .system = {"<|system|>\n", "<|end|>\n"},
     .user = {"<|user|>\n", "<|end|>\n"},
     .assistant = {"<|assistant|>\n", "<|end|>\n"},
     .begin = "<|assistant|>\n"},
    {.name = "zephyr",
     .system = {"<|system|>\n", "{eos}\n"},
     .user = {"<|user|>\n", "{eos}\n"},
     .assistant = {"<|assistant|>\n", "{eos}\n"},
     .begin = "<|assistant|>\n"},
    {.name = "llama2",
     .system = {"<<SYS>>\n", "\n<</SYS>>\n\n"},
     .user = {"[INST] ", " [/INST]"},
     .assistant = {" ", " {eos}{bos}"},
     .begin = "",
     .system_in_user = true,
     .alternates = true,
     .trims = true},
    {.name = "mistral",
     .system = {"", "\n\n"},
     .user = {"[INST] ", " [/INST]"},
     .assistant = {" ", "{eos}"},
     .begin = "",
     .system_in_user = true,
     .alternates = true},
};
enum { TEMPLATES = sizeof templates / sizeof templates[0] };

static const struct template *find(const char *name)
{
    for (uint32_t i = 0; i < TEMPLATES; i++)
        if (!strcmp(templates[i].name, name))
            return &templates[i];
    return NULL;
}

qn_status qn__chat_unknown_name(const char *name)
{
    struct qn__str ours = {0};
    for (uint32_t i = 0; i < TEMPLATES; i++)
        qn__str_printf(&ours, "%s%s", i ? ", " : "", templates[i].name);
    qn_status s = qn__str_check(&ours);
    if (s == QN_OK && name)
        s = qn__fail(QN_E_UNSUPPORTED, "the chat template '%.64s'; Quern has %s", name, ours.text);
    else if (s == QN_OK)
        s = qn__fail(QN_E_UNSUPPORTED,
                     "the model brings no chat template (tokenizer.chat_template): it was not "
                     "trained to chat, or name one of %s",
                     ours.text);
    qn__str_release(&ours);
    return s;
}

/* -- writing -- */

static qn_status add(struct qn__chat_writer *w, const char *text)
{
    return qn__builder_add_bytes(w->run, &w->text, text, strlen(text), false);
}

static qn_status add_pattern(struct qn__chat_writer *w, const char *pattern)
{
    while (*pattern) {
        const bool eos = qn__starts_with(pattern, "{eos}");
        if (eos || qn__starts_with(pattern, "{bos}")) {
            const char *token = qn__chat_writer_token(w->file, eos ? "eos" : "bos");
            QN_TRY(add(w, token ? token : eos ? "</s>" : "<s>"));
            pattern += strlen("{eos}");
        } else {
            QN_TRY(qn__builder_add_bytes(w->run, &w->text, pattern++, 1, false));
        }
    }
    return QN_OK;
}

static qn_status add_message(struct qn__chat_writer *w, const struct template *t,
                             const char *const around[2], const char *text)
{
    static const char white[] = " \t\r\n";
    size_t n = strlen(text);
    if (t->trims) {
        const size_t skip = strspn(text, white);
        text += skip;
        n -= skip;
        while (n && strchr(white, text[n - 1]))
            n--;
    }
    QN_TRY(add_pattern(w, around[0]));
    QN_TRY(qn__builder_add_bytes(w->run, &w->text, text, n, true));
    return add_pattern(w, around[1]);
}

/* Every role is known, a system message is the first, and turns are taken where the model wants it.
 */
static qn_status check_roles(const struct template *t, const struct qn__chat_message *messages,
                             uint32_t n)
{
    const char *previous = "";
    for (uint32_t i = 0; i < n; i++) {
        const char *role = messages[i].role;
        if (strcmp(role, "system") != 0 && strcmp(role, "user") != 0 &&
            strcmp(role, "assistant") != 0)
            return qn__fail(QN_E_INVALID,
                            "message %u: the role '%.32s'; there are system, user and assistant", i,
                            role);
        if (i > 0 && !strcmp(role, "system"))
            return qn__fail(QN_E_INVALID, "message %u: a system message can only be the first", i);
        const bool starts = i == 0 || !strcmp(previous, "system");
        if (t->alternates && strcmp(role, "system") != 0 &&
            (starts ? strcmp(role, "user") != 0 : !strcmp(role, previous)))
            return qn__fail(QN_E_INVALID,
                            "message %u: the role '%s', but with the template '%s' user and "
                            "assistant take turns and the user begins",
                            i, role, t->name);
        previous = role;
    }
    if (n == 0 || !strcmp(previous, "assistant") ||
        (t->system_in_user && !strcmp(previous, "system")))
        return qn__fail(QN_E_INVALID,
                        "a conversation of %u messages in which the user asks nothing", n);
    return QN_OK;
}

qn_status qn__chat_write_named(struct qn__chat_writer *w, const char *name,
                               const struct qn__chat_message *messages, uint32_t n)
{
    const struct template *t = find(name);
    if (!t)
        return qn__chat_unknown_name(name);
    QN_TRY(check_roles(t, messages, n));
    for (uint32_t i = 0; i < n; i++) {
        const struct qn__chat_message *m = &messages[i];
        if (!strcmp(m->role, "assistant")) {
            QN_TRY(add_message(w, t, t->assistant, m->text));
        } else if (!strcmp(m->role, "user")) {
            QN_TRY(add_message(w, t, t->user, m->text));
        } else if (!t->system_in_user) {
            QN_TRY(add_message(w, t, t->system, m->text));
        } else { /* and the user's text, which follows, without its opening */
            const char *const rest[2] = {"", t->user[1]};
            QN_TRY(add_pattern(w, t->user[0]));
            QN_TRY(add_message(w, t, t->system, m->text));
            QN_TRY(add_message(w, t, rest, messages[++i].text));
        }
    }
    return add_pattern(w, t->begin);
}
