/* SPDX-License-Identifier: Apache-2.0
 *
 * Methods of strings, dicts, lists and loops, as templates call them: message.content.strip(),
 * tool.items(). Those that would change a list or a dict are refused: a template gets data to read,
 * as in transformers. */
#include "engine/template_run.h"
#include "engine/template_text.h"

#include <string.h>

/* -- arguments -- */

const struct qn__function_row *qn__row_find(const struct qn__function_row *rows, const char *name,
                                            size_t n)
{
    for (; rows->name; rows++)
        if (strlen(rows->name) == n && !memcmp(rows->name, name, n))
            return rows;
    return NULL;
}

qn_status qn__row_call(struct qn__value *out, struct qn__template_run *run,
                       const struct qn__function_row *row, const struct qn__value *self,
                       const struct qn__arguments *args)
{
    size_t n = 0;
    for (const char *p = row->parameters; p && *p; p += *p == ' ') {
        n++;
        p += strcspn(p, " ");
    }
    if (row->parameters && args->n > n)
        return qn__template_fail(run, QN_E_INVALID, "'%s' takes at most %zu arguments", row->name,
                                 n);
    for (size_t i = 0; row->parameters && i < args->n_named; i++) {
        const struct qn__template_text name = args->named[i].key.as.text;
        bool known = false;
        for (const char *p = row->parameters; *p && !known; p += *p == ' ') {
            known = strcspn(p, " ") == name.n && !memcmp(p, name.bytes, name.n);
            p += strcspn(p, " ");
        }
        if (!known)
            return qn__template_fail(run, QN_E_UNSUPPORTED, "the argument '%.*s' of '%s'",
                                     name.n < 40 ? (int)name.n : 40, name.bytes, row->name);
    }
    return row->function(out, run, self, args);
}

const struct qn__value *qn__argument(const struct qn__arguments *args, size_t place,
                                     const char *name)
{
    if (place < args->n)
        return &args->values[place];
    for (size_t i = 0; i < args->n_named; i++)
        if (qn__value_is_text(&args->named[i].key, name))
            return &args->named[i].value;
    return NULL;
}

qn_status qn__argument_int(int64_t *out, const struct qn__template_run *run,
                           const struct qn__arguments *args, size_t place, const char *name,
                           int64_t otherwise)
{
    const struct qn__value *v = qn__argument(args, place, name);
    *out = otherwise;
    if (!v || v->kind == QN__VALUE_NONE)
        return QN_OK;
    if (v->kind != QN__VALUE_INT && v->kind != QN__VALUE_BOOL)
        return qn__template_fail(run, QN_E_INVALID, "the argument '%s' is %s, not an integer", name,
                                 qn__value_kind_name(v));
    *out = v->kind == QN__VALUE_INT ? v->as.integer : v->as.boolean;
    return QN_OK;
}

qn_status qn__argument_text(struct qn__template_text *out, const struct qn__template_run *run,
                            const struct qn__arguments *args, size_t place, const char *name)
{
    const struct qn__value *v = qn__argument(args, place, name);
    *out = (struct qn__template_text){"", NULL, 0};
    if (!v)
        return qn__template_fail(run, QN_E_INVALID, "the argument '%s' is missing", name);
    if (v->kind == QN__VALUE_UNDEFINED)
        return qn__template_fail_undefined(run, v);
    if (v->kind != QN__VALUE_TEXT)
        return qn__template_fail(run, QN_E_INVALID, "the argument '%s' is %s, not a string", name,
                                 qn__value_kind_name(v));
    *out = v->as.text;
    return QN_OK;
}

/* -- dicts -- */

enum part { KEYS, VALUES, ITEMS };

static qn_status parts_of(struct qn__value *out, struct qn__template_run *run,
                          const struct qn__value_dict *d, enum part part)
{
    QN_TRY(qn__value_new_list(out, run, d->n));
    for (size_t i = 0; i < d->n; i++) {
        struct qn__value v = part == KEYS ? d->pairs[i].key : d->pairs[i].value;
        if (part == ITEMS) {
            QN_TRY(qn__value_new_list(&v, run, 2));
            v.as.list->is_tuple = true;
            QN_TRY(qn__list_add(run, v.as.list, d->pairs[i].key));
            QN_TRY(qn__list_add(run, v.as.list, d->pairs[i].value));
        }
        QN_TRY(qn__list_add(run, out->as.list, v));
    }
    return QN_OK;
}

static qn_status dict_items(struct qn__value *out, struct qn__template_run *run,
                            const struct qn__value *self, const struct qn__arguments *args)
{
    (void)args;
    return parts_of(out, run, self->as.dict, ITEMS);
}

static qn_status dict_keys(struct qn__value *out, struct qn__template_run *run,
                           const struct qn__value *self, const struct qn__arguments *args)
{
    (void)args;
    return parts_of(out, run, self->as.dict, KEYS);
}

static qn_status dict_values(struct qn__value *out, struct qn__template_run *run,
                             const struct qn__value *self, const struct qn__arguments *args)
{
    (void)args;
    return parts_of(out, run, self->as.dict, VALUES);
}

static qn_status dict_get(struct qn__value *out, struct qn__template_run *run,
                          const struct qn__value *self, const struct qn__arguments *args)
{
    const struct qn__value *key = qn__argument(args, 0, "key");
    const struct qn__value *otherwise = qn__argument(args, 1, "default");
    if (!key)
        return qn__template_fail(run, QN_E_INVALID, "get() without a key");
    QN_TRY(qn__template_step(run, self->as.dict->n / 8));
    const struct qn__value *v = qn__dict_find(self->as.dict, key);
    *out = v ? *v : otherwise ? *otherwise : QN__NONE;
    return QN_OK;
}

static qn_status copy(struct qn__value *out, struct qn__template_run *run,
                      const struct qn__value *self, const struct qn__arguments *args)
{
    (void)args;
    if (self->kind == QN__VALUE_LIST) {
        QN_TRY(qn__value_new_list(out, run, 0));
        for (size_t i = 0; i < self->as.list->n; i++)
            QN_TRY(qn__list_add(run, out->as.list, self->as.list->items[i]));
        return QN_OK;
    }
    QN_TRY(qn__value_new_dict(out, run));
    for (size_t i = 0; i < self->as.dict->n; i++)
        QN_TRY(qn__dict_add(run, out->as.dict, self->as.dict->pairs[i].key,
                            self->as.dict->pairs[i].value));
    return QN_OK;
}

static qn_status refuse_change(struct qn__value *out, struct qn__template_run *run,
                               const struct qn__value *self, const struct qn__arguments *args)
{
    (void)out;
    (void)args;
    return qn__template_fail(run, QN_E_UNSUPPORTED,
                             "a method that changes %s: a template may only read its data",
                             qn__value_kind_name(self));
}

static const struct qn__function_row dict_methods[] = {
    {"items", dict_items, ""},
    {"keys", dict_keys, ""},
    {"values", dict_values, ""},
    {"get", dict_get, "key default"},
    {"copy", copy, ""},
    {"pop", refuse_change, NULL},
    {"update", refuse_change, NULL},
    {"setdefault", refuse_change, NULL},
    {"clear", refuse_change, NULL},
    {"popitem", refuse_change, NULL},
    {NULL, NULL, NULL},
};

/* -- lists -- */

static qn_status list_count(struct qn__value *out, struct qn__template_run *run,
                            const struct qn__value *self, const struct qn__arguments *args)
{
    int64_t n = 0;
    if (args->n != 1)
        return qn__template_fail(run, QN_E_INVALID, "count() takes one value");
    QN_TRY(qn__template_step(run, self->as.list->n));
    for (size_t i = 0; i < self->as.list->n; i++)
        n += qn__value_equal(&self->as.list->items[i], &args->values[0]);
    *out = QN__INT(n);
    return QN_OK;
}

static qn_status list_index(struct qn__value *out, struct qn__template_run *run,
                            const struct qn__value *self, const struct qn__arguments *args)
{
    if (args->n != 1)
        return qn__template_fail(run, QN_E_INVALID, "index() takes one value");
    QN_TRY(qn__template_step(run, self->as.list->n));
    for (size_t i = 0; i < self->as.list->n; i++)
        if (qn__value_equal(&self->as.list->items[i], &args->values[0])) {
            *out = QN__INT((int64_t)i);
            return QN_OK;
        }
    return qn__template_fail(run, QN_E_INVALID, "index(): the value is not in the list");
}

static const struct qn__function_row list_methods[] = {
    {"count", list_count, "value"},
    {"index", list_index, "value"},
    {"copy", copy, ""},
    {"append", refuse_change, NULL},
    {"extend", refuse_change, NULL},
    {"insert", refuse_change, NULL},
    {"pop", refuse_change, NULL},
    {"remove", refuse_change, NULL},
    {"clear", refuse_change, NULL},
    {"reverse", refuse_change, NULL},
    {"sort", refuse_change, NULL},
    {NULL, NULL, NULL},
};

/* -- loops -- */

static qn_status loop_cycle(struct qn__value *out, struct qn__template_run *run,
                            const struct qn__value *self, const struct qn__arguments *args)
{
    if (!args->n)
        return qn__template_fail(run, QN_E_INVALID, "loop.cycle() without values");
    *out = args->values[self->as.loop->index % args->n];
    return QN_OK;
}

static qn_status loop_changed(struct qn__value *out, struct qn__template_run *run,
                              const struct qn__value *self, const struct qn__arguments *args)
{
    struct qn__value now;
    QN_TRY(qn__value_new_list(&now, run, args->n));
    for (size_t i = 0; i < args->n; i++)
        QN_TRY(qn__list_add(run, now.as.list, args->values[i]));
    struct qn__value *before = &self->as.loop->changed;
    *out = QN__BOOL(before->kind != QN__VALUE_LIST || !qn__value_equal(before, &now));
    *before = now;
    return QN_OK;
}

static const struct qn__function_row loop_methods[] = {
    {"cycle", loop_cycle, NULL},
    {"changed", loop_changed, NULL},
    {NULL, NULL, NULL},
};

const struct qn__function_row *qn__method_find(const struct qn__value *of,
                                               struct qn__template_text name)
{
    const struct qn__function_row *rows = of->kind == QN__VALUE_TEXT   ? qn__text_methods
                                          : of->kind == QN__VALUE_DICT ? dict_methods
                                          : of->kind == QN__VALUE_LIST && !of->as.list->is_generator
                                              ? list_methods
                                          : of->kind == QN__VALUE_LOOP ? loop_methods
                                                                       : NULL;
    return rows ? qn__row_find(rows, name.bytes, name.n) : NULL;
}
