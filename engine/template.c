/* SPDX-License-Identifier: Apache-2.0
 *
 * A chat template from its text to what it writes. */
#include "engine/template.h"

#include "engine/template_run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct qn__template {
    struct qn__arena arena;
    struct qn__node *body;
};

qn_status qn__template_parse(struct qn__template **out, const char *text, size_t n)
{
    struct qn__words words;
    *out = NULL;
    struct qn__template *t = qn__alloc(1, sizeof *t);
    if (!t)
        return qn__fail(QN_E_MEMORY, "no memory for a chat template");
    qn_status s = qn__template_lex(&words, &t->arena, text, n);
    if (s == QN_OK)
        s = qn__read_template(&t->body, &t->arena, &words);
    if (s != QN_OK) {
        qn__template_destroy(t);
        return s;
    }
    *out = t;
    return QN_OK;
}

void qn__template_destroy(struct qn__template *t)
{
    if (!t)
        return;
    qn__arena_release(&t->arena);
    free(t);
}

qn_status qn__template_render(struct qn__template_text *out, struct qn__template_run *run,
                              const struct qn__template *t, const struct qn__value_dict *names)
{
    struct qn__template_scope given = {.names = *names}, *scope;
    struct qn__value text;
    *out = (struct qn__template_text){"", NULL, 0};
    QN_TRY(qn__scope_new(&scope, run, &given));
    QN_TRY(qn__capture(&text, run, t->body, scope));
    *out = text.as.text;
    return QN_OK;
}

static qn_status from_list(struct qn__value *out, struct qn__template_run *run, const json_t *json,
                           bool foreign)
{
    struct qn__value v;
    QN_TRY(qn__value_new_list(out, run, json_array_size(json)));
    for (size_t i = 0; i < json_array_size(json); i++) {
        QN_TRY(qn__template_json(&v, run, json_array_get(json, i), foreign));
        QN_TRY(qn__list_add(run, out->as.list, v));
    }
    return QN_OK;
}

static qn_status from_object(struct qn__value *out, struct qn__template_run *run,
                             const json_t *json, bool foreign)
{
    json_t *const object = (json_t *)(uintptr_t)json; /* which the iteration leaves as it is */
    struct qn__value key, v;
    QN_TRY(qn__value_new_dict(out, run));
    for (void *i = json_object_iter(object); i; i = json_object_iter_next(object, i)) {
        const char *name = json_object_iter_key(i);
        QN_TRY(qn__value_copy_text(&key, run, name, strlen(name), foreign));
        QN_TRY(qn__template_json(&v, run, json_object_iter_value(i), foreign));
        QN_TRY(qn__dict_add(run, out->as.dict, key, v));
    }
    return QN_OK;
}

qn_status qn__template_json(struct qn__value *out, struct qn__template_run *run, const json_t *json,
                            bool foreign)
{
    *out = QN__NONE;
    QN_TRY(qn__template_step(run, 1));
    switch (json_typeof(json)) {
    case JSON_OBJECT: return from_object(out, run, json, foreign);
    case JSON_ARRAY: return from_list(out, run, json, foreign);
    case JSON_STRING:
        return qn__value_copy_text(out, run, json_string_value(json), json_string_length(json),
                                   foreign);
    case JSON_INTEGER: *out = QN__INT(json_integer_value(json)); return QN_OK;
    case JSON_REAL: *out = QN__REAL(json_real_value(json)); return QN_OK;
    case JSON_TRUE:
    case JSON_FALSE: *out = QN__BOOL(json_is_true(json)); return QN_OK;
    case JSON_NULL: break;
    }
    return QN_OK;
}
