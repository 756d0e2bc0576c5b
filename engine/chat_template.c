/* SPDX-License-Identifier: Apache-2.0
 *
 * A conversation by a template in Jinja: the names that transformers gives to a template, made of
 * messages, tools and the file's special tokens.
 *
 * What a message says is foreign to the template; its role is not, for templates make special
 * tokens of it ("<|" + role + "|>"). So a role may have letters and digits only. */
#include "engine/chat_template.h"
#include "engine/template.h"

#include <jansson.h>
#include <string.h>

enum { ROLE_BYTES_MAX = 64 };

static qn_status check_conversation(const struct qn__chat_message *messages, uint32_t n,
                                    const struct qn__chat_options *o)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    for (uint32_t i = 0; i < n; i++) {
        const char *role = messages[i].role;
        const size_t length = strlen(role);
        if (!length || length > ROLE_BYTES_MAX || strspn(role, letters) != length)
            return qn__fail(QN_E_INVALID, "message %u: the role '%.32s': letters and digits only",
                            i, role);
    }
    if (n == 0 || (!o->no_prompt && !strcmp(messages[n - 1].role, "assistant")))
        return qn__fail(QN_E_INVALID,
                        "a conversation of %u messages in which the user asks nothing", n);
    return QN_OK;
}

static qn_status load_json(json_t **out, const char *text, const char *what, bool is_list)
{
    json_error_t error;
    *out = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!*out)
        return qn__fail(QN_E_INVALID, "%s: no JSON: %s", what, error.text);
    if (is_list ? json_is_array(*out) : json_is_object(*out))
        return QN_OK;
    json_decref(*out);
    *out = NULL;
    return qn__fail(QN_E_INVALID, "%s: no JSON %s", what, is_list ? "array" : "object");
}

static qn_status set(struct qn__template_run *run, struct qn__value_dict *d, const char *name,
                     struct qn__value v)
{
    return qn__dict_set(run, d, QN__TEXT_OF(name, strlen(name)), v);
}

/* What stands in a JSON object, as names of `d`. */
static qn_status add_fields(struct qn__template_run *run, struct qn__value_dict *d,
                            const char *text, const char *what, bool foreign)
{
    json_t *json;
    struct qn__value fields;
    QN_TRY(load_json(&json, text, what, false));
    qn_status s = qn__template_json(&fields, run, json, foreign);
    json_decref(json);
    for (size_t i = 0; s == QN_OK && i < fields.as.dict->n; i++) {
        struct qn__value key = fields.as.dict->pairs[i].key;
        key.as.text.foreign = NULL;
        s = qn__dict_set(run, d, key, fields.as.dict->pairs[i].value);
    }
    return s;
}

static qn_status make_message(struct qn__value *out, struct qn__template_run *run,
                              const struct qn__chat_message *m)
{
    struct qn__value text = QN__NONE, role;
    QN_TRY(qn__value_new_dict(out, run));
    QN_TRY(qn__value_copy_text(&role, run, m->role, strlen(m->role), false));
    if (m->text)
        QN_TRY(qn__value_copy_text(&text, run, m->text, strlen(m->text), true));
    QN_TRY(set(run, out->as.dict, "role", role));
    QN_TRY(set(run, out->as.dict, "content", text));
    return m->fields ? add_fields(run, out->as.dict, m->fields, "a message's fields", true) : QN_OK;
}

static qn_status make_tools(struct qn__value *out, struct qn__template_run *run, const char *text)
{
    json_t *json;
    *out = QN__NONE;
    if (!text)
        return QN_OK;
    QN_TRY(load_json(&json, text, "tools", true));
    const qn_status s = json_array_size(json) ? qn__template_json(out, run, json, true) : QN_OK;
    json_decref(json);
    return s;
}

static qn_status make_names(struct qn__value_dict *d, const struct qn__chat_writer *w,
                            const struct qn__chat_message *messages, uint32_t n,
                            const struct qn__chat_options *o)
{
    static const char *const tokens[][2] = {{"bos_token", "bos"},
                                            {"eos_token", "eos"},
                                            {"unk_token", "unknown"},
                                            {"pad_token", "padding"}};
    struct qn__template_run *run = w->run;
    struct qn__value list, v;
    QN_TRY(qn__value_new_list(&list, run, n));
    for (uint32_t i = 0; i < n; i++) {
        QN_TRY(make_message(&v, run, &messages[i]));
        QN_TRY(qn__list_add(run, list.as.list, v));
    }
    QN_TRY(set(run, d, "messages", list));
    QN_TRY(make_tools(&v, run, o->tools));
    QN_TRY(set(run, d, "tools", v));
    QN_TRY(set(run, d, "documents", QN__NONE));
    QN_TRY(set(run, d, "add_generation_prompt", QN__BOOL(!o->no_prompt)));
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        const char *text = qn__chat_writer_token(w->file, tokens[i][1]);
        if (text)
            QN_TRY(set(run, d, tokens[i][0], QN__TEXT_OF(text, strlen(text))));
    }
    return o->variables ? add_fields(run, d, o->variables, "the template's variables", false)
                        : QN_OK;
}

qn_status qn__chat_write_template(struct qn__chat_writer *w, const char *text,
                                  const struct qn__chat_message *messages, uint32_t n,
                                  const struct qn__chat_options *options)
{
    struct qn__template *t;
    struct qn__template_text written;
    struct qn__value_dict names = {0};
    QN_TRY(check_conversation(messages, n, options));
    QN_TRY(qn__template_parse(&t, text, strlen(text)));
    qn_status s = make_names(&names, w, messages, n, options);
    if (s == QN_OK)
        s = qn__template_render(&written, w->run, t, &names);
    if (s == QN_OK)
        s = qn__builder_add(w->run, &w->text, written);
    qn__template_destroy(t);
    return s;
}
