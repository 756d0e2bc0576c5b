/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversations as text, by templates with names.
 *
 * A model file carries its template as a program in a language of its own. Quern does not run it:
 * it looks for the marks that each kind of template must have, and writes the conversation from a
 * row of the table below. A default system message that a file's template would add is not added.
 * The start token is not written: QN__ENCODE_BOS adds it. */
#include "engine/chat.h"

#include <inttypes.h>
#include <string.h>

/* "{eos}" and "{bos}" stand for the file's own tokens. */
struct template
{
    const char *name;
    const char *marks[2]; /* the file's template has all of them; NULL: no more */
    const char *system[2], *user[2], *assistant[2]; /* around the text of a message */
    const char *begin;                              /* where the assistant begins to speak */
    bool system_in_user; /* the system's text stands in front of the first user's */
    bool alternates;     /* user and assistant must take turns, the user first */
    bool trims;          /* white space around a message does not count */
};

/* In the order of recognition: the marks of later rows may appear in earlier ones. */
static const struct template templates[] = {
    {.name = "chatml",
     .marks = {"<|im_start|>"},
     .system = {"<|im_start|>system\n", "<|im_end|>\n"},
     .user = {"<|im_start|>user\n", "<|im_end|>\n"},
     .assistant = {"<|im_start|>assistant\n", "<|im_end|>\n"},
     .begin = "<|im_start|>assistant\n"},
    {.name = "llama3",
     .marks = {"<|start_header_id|>"},
     .system = {"<|start_header_id|>system<|end_header_id|>\n\n", "<|eot_id|>"},
     .user = {"<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>"},
     .assistant = {"<|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>"},
     .begin = "<|start_header_id|>assistant<|end_header_id|>\n\n",
     .trims = true},
    {.name = "gemma",
     .marks = {"<start_of_turn>"},
     .system = {"", "\n\n"},
     .user = {"<start_of_turn>user\n", "<end_of_turn>\n"},
     .assistant = {"<start_of_turn>model\n", "<end_of_turn>\n"},
     .begin = "<start_of_turn>model\n",
     .system_in_user = true,
     .alternates = true,
     .trims = true},
    {.name = "phi3",
     .marks = {"<|user|>", "<|end|>"},
     .system = {"<|system|>\n", "<|end|>\n"},
     .user = {"<|user|>\n", "<|end|>\n"},
     .assistant = {"<|assistant|>\n", "<|end|>\n"},
     .begin = "<|assistant|>\n"},
    {.name = "zephyr",
     .marks = {"<|user|>"},
     .system = {"<|system|>\n", "{eos}\n"},
     .user = {"<|user|>\n", "{eos}\n"},
     .assistant = {"<|assistant|>\n", "{eos}\n"},
     .begin = "<|assistant|>\n"},
    {.name = "llama2",
     .marks = {"[INST]", "<<SYS>>"},
     .system = {"<<SYS>>\n", "\n<</SYS>>\n\n"},
     .user = {"[INST] ", " [/INST]"},
     .assistant = {" ", " {eos}{bos}"},
     .begin = "",
     .system_in_user = true,
     .alternates = true,
     .trims = true},
    {.name = "mistral",
     .marks = {"[INST]"},
     .system = {"", "\n\n"},
     .user = {"[INST] ", " [/INST]"},
     .assistant = {" ", "{eos}"},
     .begin = "",
     .system_in_user = true,
     .alternates = true},
};
enum { TEMPLATES = sizeof templates / sizeof templates[0] };

static void list_names(struct qn__str *out)
{
    for (uint32_t i = 0; i < TEMPLATES; i++)
        qn__str_printf(out, "%s%s", i ? ", " : "", templates[i].name);
}

/* -- which template -- */

static const struct template *recognise(const char *text)
{
    for (uint32_t i = 0; i < TEMPLATES; i++)
        if (strstr(text, templates[i].marks[0]) &&
            (!templates[i].marks[1] || strstr(text, templates[i].marks[1])))
            return &templates[i];
    return NULL;
}

static qn_status find_template(const struct template **out, const struct qn__model_file *f,
                               const char *name)
{
    struct qn__str ours = {0};
    const char *text;
    *out = NULL;
    for (uint32_t i = 0; name && i < TEMPLATES; i++)
        if (!strcmp(templates[i].name, name))
            *out = &templates[i];
    if (*out)
        return QN_OK;
    list_names(&ours);
    qn_status s = qn__str_check(&ours);
    if (s == QN_OK && name)
        s = qn__fail(QN_E_UNSUPPORTED, "the chat template '%.64s'; Quern has %s", name, ours.text);
    else if (s == QN_OK && !qn__fact_find(f, "tokenizer.chat_template"))
        s = qn__fail(QN_E_UNSUPPORTED,
                     "the model brings no chat template (tokenizer.chat_template): it was not "
                     "trained to chat, or name one of %s",
                     ours.text);
    else if (s == QN_OK)
        s = qn__fact_text(&text, f, "tokenizer.chat_template");
    if (s == QN_OK && !(*out = recognise(text)))
        s = qn__fail(QN_E_UNSUPPORTED,
                     "the model's chat template is none that Quern knows; name one of %s",
                     ours.text);
    qn__str_release(&ours);
    return s;
}

/* -- writing -- */

/* How the file writes the token that `key` names. */
static const char *token_text(const struct qn__model_file *f, const char *key, const char *fallback)
{
    const struct qn__fact *tokens = qn__fact_find(f, "tokenizer.ggml.tokens");
    uint32_t id;
    if (!qn__fact_find(f, key) || qn__fact_u32(&id, f, key) != QN_OK || !tokens ||
        tokens->kind != QN__FACT_ARRAY || tokens->value.array.kind != QN__FACT_TEXT ||
        id >= tokens->value.array.n)
        return fallback;
    return qn__fact_element(f, tokens, id).value.text.bytes;
}

static void add_pattern(struct qn__str *out, const struct qn__model_file *f, const char *pattern)
{
    while (*pattern) {
        if (qn__starts_with(pattern, "{eos}") || qn__starts_with(pattern, "{bos}")) {
            const bool eos = pattern[1] == 'e';
            qn__str_add(
                out,
                token_text(f, eos ? "tokenizer.ggml.eos_token_id" : "tokenizer.ggml.bos_token_id",
                           eos ? "</s>" : "<s>"));
            pattern += strlen("{eos}");
        } else {
            qn__str_add_char(out, *pattern++);
        }
    }
}

static void add_message(struct qn__str *out, const struct qn__model_file *f,
                        const struct template *t, const char *const around[2], const char *text)
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
    add_pattern(out, f, around[0]);
    qn__str_add_bytes(out, text, n);
    add_pattern(out, f, around[1]);
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

qn_status qn__chat_format(struct qn__str *out, const struct qn__model_file *f,
                          const struct qn__chat_message *messages, uint32_t n,
                          const char *template_name)
{
    const struct template *t;
    QN_TRY(find_template(&t, f, template_name));
    QN_TRY(check_roles(t, messages, n));
    for (uint32_t i = 0; i < n; i++) {
        const struct qn__chat_message *m = &messages[i];
        if (!strcmp(m->role, "assistant")) {
            add_message(out, f, t, t->assistant, m->text);
        } else if (!strcmp(m->role, "user")) {
            add_message(out, f, t, t->user, m->text);
        } else if (!t->system_in_user) {
            add_message(out, f, t, t->system, m->text);
        } else { /* and the user's text, which follows, without its opening */
            const char *const rest[2] = {"", t->user[1]};
            add_pattern(out, f, t->user[0]);
            add_message(out, f, t, t->system, m->text);
            add_message(out, f, t, rest, messages[++i].text);
        }
    }
    add_pattern(out, f, t->begin);
    return qn__str_check(out);
}
