/* SPDX-License-Identifier: Apache-2.0
 *
 * A prompt of a conversation: the options for its template. */
#include "tools/chat_prompt.h"

#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/terminal.h"

#include <stdlib.h>
#include <string.h>

bool qn__chat_prompt_has_template(const struct qn__chat_prompt_options *o)
{
    return o->template_name || o->template_file;
}

/* Families have two names for the same switch. */
static bool set_reasoning(json_t *variables, const struct qn__chat_prompt_options *o)
{
    static const char *const names[] = {"enable_thinking", "thinking"};
    const bool off =
        (o->reasoning && !strcmp(o->reasoning, "off")) || (o->budget && !strcmp(o->budget, "0"));
    const bool on = o->reasoning && !strcmp(o->reasoning, "on");
    for (int i = 0; i < 2 && (on || off); i++)
        if (!json_object_get(variables, names[i]) &&
            json_object_set_new(variables, names[i], json_boolean(on)) != 0)
            return false;
    return true;
}

static bool make_variables(struct qn__chat_prompt *p, const struct qn__chat_prompt_options *o,
                           int *status)
{
    json_error_t error;
    json_t *variables = json_loads(o->variables ? o->variables : "{}", 0, &error);
    if (!json_is_object(variables)) {
        *status = qn__complain(QN__EXIT_USAGE, "--chat-template-kwargs: no JSON object%s%s",
                               variables ? "" : ": ", variables ? "" : error.text);
        json_decref(variables);
        return false;
    }
    if (set_reasoning(variables, o))
        p->variables = json_dumps(variables, 0);
    json_decref(variables);
    if (!p->variables)
        *status = qn__complain(QN__EXIT_FAILED, "no memory for the template's variables");
    p->options.variables = p->variables;
    return p->variables != NULL;
}

bool qn__chat_prompt_init(struct qn__chat_prompt *out, const struct qn__chat_prompt_options *o,
                          int *status)
{
    *out = (struct qn__chat_prompt){.show = o->show};
    out->options.special_in_messages = o->parse_special;
    *status = QN__EXIT_USAGE;
    if (o->template_name && o->template_file)
        return qn__complain(false, "either --chat-template or --chat-template-file");
    if (o->reasoning && !strcmp(o->reasoning, "on") && o->budget && !strcmp(o->budget, "0"))
        return qn__complain(false, "--reasoning on, but --reasoning-budget 0 is off");
    const bool is_jinja =
        o->template_name && (strstr(o->template_name, "{{") || strstr(o->template_name, "{%"));
    if (!make_variables(out, o, status))
        return false;
    *status = QN__EXIT_FAILED;
    if (o->template_file && !(out->file = qn__read_text(o->template_file)))
        return false;
    if (o->tools_file && !(out->tools = qn__read_text(o->tools_file)))
        return false;
    out->options.template_name = is_jinja ? NULL : o->template_name;
    out->options.template_text = is_jinja ? o->template_name : out->file;
    out->options.tools = out->tools;
    *status = QN__EXIT_GOOD;
    return true;
}

void qn__chat_prompt_release(struct qn__chat_prompt *p)
{
    free(p->file);
    free(p->variables);
    free(p->tools);
    *p = (struct qn__chat_prompt){0};
}

qn_status qn__chat_prompt_encode(qn_tokens *out, const struct qn__chat_prompt *p, const qn_model *m,
                                 const qn_chat_message *messages, uint32_t n)
{
    char *text = NULL;
    const qn_status s = qn_model_encode_chat(out, &text, m, messages, n, &p->options);
    if (s == QN_OK && p->show) {
        qn__progress_clear();
        fprintf(stderr, "%s%s%s\n", qn__style_on(stderr, QN__STYLE_DIM), qn__plain(text),
                qn__style_off(stderr));
    }
    free(text);
    return s;
}
