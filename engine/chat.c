/* SPDX-License-Identifier: Apache-2.0
 *
 * Chat templates: how each family writes a conversation.
 *
 * Model files carry their template as a program in a templating language. We do not run programs
 * out of model files: the ones that matter are few, and each is recognised by marks no other has
 * and written here. A template that is not recognised is refused by name, never guessed. The token
 * that begins a text is not written: encoding adds it where the file asks for it. */
#include "engine/tokenizer.h"

#include <string.h>

struct conversation {
    const struct qn__chat_message *messages;
    uint32_t n;
};

static bool is_role(const struct qn__chat_message *m, const char *role)
{
    return strcmp(m->role, role) == 0;
}

/* Text of a system message in front, for families that have no such role; or NULL. Moves behind it.
 */
static const char *take_system(struct conversation *c)
{
    if (!c->n || !is_role(&c->messages[0], "system"))
        return NULL;
    c->n--;
    return (c->messages++)->text;
}

static void chatml(struct qn__str *out, struct conversation c)
{
    for (uint32_t i = 0; i < c.n; i++)
        qn__str_printf(out, "<|im_start|>%s\n%s<|im_end|>\n", c.messages[i].role,
                       c.messages[i].text);
    qn__str_add(out, "<|im_start|>assistant\n");
}

static void llama3(struct qn__str *out, struct conversation c)
{
    for (uint32_t i = 0; i < c.n; i++)
        qn__str_printf(out, "<|start_header_id|>%s<|end_header_id|>\n\n%s<|eot_id|>",
                       c.messages[i].role, c.messages[i].text);
    qn__str_add(out, "<|start_header_id|>assistant<|end_header_id|>\n\n");
}

static void gemma(struct qn__str *out, struct conversation c)
{
    const char *system = take_system(&c);
    for (uint32_t i = 0; i < c.n; i++) {
        const bool is_model = is_role(&c.messages[i], "assistant");
        qn__str_printf(out, "<start_of_turn>%s\n", is_model ? "model" : "user");
        if (system && !is_model) {
            qn__str_printf(out, "%s\n\n", system);
            system = NULL;
        }
        qn__str_printf(out, "%s<end_of_turn>\n", c.messages[i].text);
    }
    qn__str_add(out, "<start_of_turn>model\n");
}

static void phi3(struct qn__str *out, struct conversation c)
{
    for (uint32_t i = 0; i < c.n; i++)
        qn__str_printf(out, "<|%s|>\n%s<|end|>\n", c.messages[i].role, c.messages[i].text);
    qn__str_add(out, "<|assistant|>\n");
}

static void zephyr(struct qn__str *out, struct conversation c)
{
    for (uint32_t i = 0; i < c.n; i++)
        qn__str_printf(out, "<|%s|>\n%s</s>\n", c.messages[i].role, c.messages[i].text);
    qn__str_add(out, "<|assistant|>\n");
}

static void llama2(struct qn__str *out, struct conversation c)
{
    const char *system = take_system(&c);
    for (uint32_t i = 0; i < c.n; i++) {
        if (is_role(&c.messages[i], "assistant")) {
            qn__str_printf(out, " %s </s>", c.messages[i].text);
            continue;
        }
        qn__str_add(out, i ? "<s>[INST] " : "[INST] ");
        if (system)
            qn__str_printf(out, "<<SYS>>\n%s\n<</SYS>>\n\n", system);
        system = NULL;
        qn__str_printf(out, "%s [/INST]", c.messages[i].text);
    }
}

static void mistral(struct qn__str *out, struct conversation c)
{
    const char *system = take_system(&c);
    for (uint32_t i = 0; i < c.n; i++) {
        if (is_role(&c.messages[i], "assistant")) {
            qn__str_printf(out, " %s</s>", c.messages[i].text);
            continue;
        }
        qn__str_add(out, "[INST] ");
        if (system)
            qn__str_printf(out, "%s\n\n", system);
        system = NULL;
        qn__str_printf(out, "%s [/INST]", c.messages[i].text);
    }
}

/* In the order of asking: a template is the first whose marks are all in the file's. */
static const struct template
{
    const char *name;
    const char *marks[2];
    void (*write)(struct qn__str *out, struct conversation c);
}
templates[] = {
    {"chatml", {"<|im_start|>", NULL}, chatml},
    {"llama3", {"<|start_header_id|>", "<|eot_id|>"}, llama3},
    {"gemma", {"<start_of_turn>", NULL}, gemma},
    {"phi3", {"<|end|>", "<|assistant|>"}, phi3},
    {"zephyr", {"<|user|>", "<|assistant|>"}, zephyr},
    {"llama2", {"[INST]", "<<SYS>>"}, llama2},
    {"mistral", {"[INST]", NULL}, mistral},
};
enum { N_TEMPLATES = sizeof templates / sizeof *templates };

static void list_templates(struct qn__str *out)
{
    for (int i = 0; i < N_TEMPLATES; i++)
        qn__str_printf(out, "%s%s", i ? ", " : "", templates[i].name);
}

static qn_status refuse(const char *what)
{
    struct qn__str known = {0};
    list_templates(&known);
    const qn_status s =
        qn__fail(QN_E_UNSUPPORTED, "%s; known: %s", what, known.text ? known.text : "");
    qn__str_release(&known);
    return s;
}

static qn_status find(const struct template **out, const struct qn__model_file *f, const char *name)
{
    const struct qn__fact *fact = qn__fact_find(f, "tokenizer.chat_template");
    for (int i = 0; name && i < N_TEMPLATES; i++)
        if (strcmp(templates[i].name, name) == 0) {
            *out = &templates[i];
            return QN_OK;
        }
    if (name)
        return refuse("there is no chat template of that name");
    if (!fact || fact->kind != QN__FACT_TEXT)
        return refuse("the model has no chat template");
    for (int i = 0; i < N_TEMPLATES; i++) {
        const char *const *marks = templates[i].marks;
        if (strstr(fact->value.text.bytes, marks[0]) &&
            (!marks[1] || strstr(fact->value.text.bytes, marks[1]))) {
            *out = &templates[i];
            return QN_OK;
        }
    }
    return refuse("the model's chat template is none that is known here (--template names one)");
}

static qn_status check_roles(const struct conversation *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const struct qn__chat_message *m = &c->messages[i];
        if (!is_role(m, "user") && !is_role(m, "assistant") && !(is_role(m, "system") && i == 0))
            return qn__fail(
                QN_E_INVALID,
                "message %u: role '%s' (there are user, assistant, and system in front)", i + 1,
                m->role);
    }
    return QN_OK;
}

qn_status qn__chat_format(struct qn__str *out, const struct qn__model_file *f,
                          const struct qn__chat_message *messages, uint32_t n,
                          const char *template_name)
{
    const struct conversation c = {messages, n};
    const struct template *t = NULL;
    QN_TRY(check_roles(&c));
    QN_TRY(find(&t, f, template_name));
    t->write(out, c);
    return qn__str_check(out);
}
