/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that a chat template can call by name: Jinja's own, and the two that transformers adds,
 * raise_exception() and strftime_now(). */
#include "engine/template_run.h"
#include "engine/template_text.h"

#include <string.h>
#include <time.h>

#define FUNCTION(name)                                                                             \
    static qn_status name(struct qn__value *out, struct qn__template_run *run,                     \
                          const struct qn__value *self, const struct qn__arguments *args)

enum { RANGE_MAX = 100000 }; /* as Jinja's sandbox has it */

FUNCTION(range)
{
    int64_t from = 0, to, step;
    (void)self;
    QN_TRY(qn__argument_int(&to, run, args, args->n > 1 ? 1 : 0, "stop", 0));
    if (args->n > 1)
        QN_TRY(qn__argument_int(&from, run, args, 0, "start", 0));
    QN_TRY(qn__argument_int(&step, run, args, 2, "step", 1));
    if (!args->n || step == 0)
        return qn__template_fail(run, QN_E_INVALID, "range() without an end, or in steps of 0");
    QN_TRY(qn__value_new_list(out, run, 0));
    for (int64_t i = from; step > 0 ? i < to : i > to;) {
        if (out->as.list->n == RANGE_MAX)
            return qn__template_fail(run, QN_E_LIMIT, "range() of more than %d", RANGE_MAX);
        QN_TRY(qn__template_step(run, 1));
        QN_TRY(qn__list_add(run, out->as.list, QN__INT(i)));
        if (__builtin_add_overflow(i, step, &i))
            break;
    }
    return QN_OK;
}

static qn_status add_named(struct qn__template_run *run, struct qn__value_dict *d,
                           const struct qn__arguments *args)
{
    if (args->n > 1 || (args->n == 1 && args->values[0].kind != QN__VALUE_DICT))
        return qn__template_fail(run, QN_E_UNSUPPORTED,
                                 "a dict made of anything but a dict and "
                                 "named values");
    for (size_t i = 0; args->n && i < args->values[0].as.dict->n; i++)
        QN_TRY(qn__dict_set(run, d, args->values[0].as.dict->pairs[i].key,
                            args->values[0].as.dict->pairs[i].value));
    for (size_t i = 0; i < args->n_named; i++)
        QN_TRY(qn__dict_set(run, d, args->named[i].key, args->named[i].value));
    return QN_OK;
}

FUNCTION(make_dict)
{
    (void)self;
    QN_TRY(qn__value_new_dict(out, run));
    return add_named(run, out->as.dict, args);
}

FUNCTION(make_namespace)
{
    QN_TRY(make_dict(out, run, self, args));
    out->kind = QN__VALUE_NAMESPACE;
    return QN_OK;
}

FUNCTION(raise_exception)
{
    struct qn__template_text t;
    (void)out;
    (void)self;
    QN_TRY(qn__argument_text(&t, run, args, 0, "message"));
    return qn__template_fail(run, QN_E_INVALID, "it refuses the conversation: %.*s",
                             t.n < 400 ? (int)t.n : 400, t.bytes);
}

/* The format's letters that mean the same in every C library and in Python. */
static bool is_known_format(struct qn__template_text t)
{
    for (size_t i = 0; i < t.n; i++) {
        if (t.bytes[i] != '%')
            continue;
        i += i + 1 < t.n && t.bytes[i + 1] == '-'; /* "%-d": without a leading zero */
        if (++i >= t.n || !t.bytes[i] || !strchr("aAbBcdHIjmMpSUwWxXyYZzeDFRTuVGnt%", t.bytes[i]))
            return false;
    }
    return true;
}

FUNCTION(strftime_now)
{
    struct qn__template_text t;
    struct tm local;
    const time_t now = (time_t)run->now;
    char format[128], text[512];
    (void)self;
    QN_TRY(qn__argument_text(&t, run, args, 0, "format"));
    if (t.n >= sizeof format || !is_known_format(t))
        return qn__template_fail(run, QN_E_UNSUPPORTED, "the date format '%.*s'",
                                 t.n < 40 ? (int)t.n : 40, t.bytes);
    memcpy(format, t.bytes, t.n);
    format[t.n] = 0;
    if (!localtime_r(&now, &local))
        return qn__template_fail(run, QN_E_INVALID, "a time that is no date");
    const size_t n = strftime(text, sizeof text, format, &local);
    return qn__value_copy_text(out, run, text, n, false);
}

static const struct qn__function_row functions[] = {
    {"range", range, "start stop step"},      {"dict", make_dict, NULL},
    {"namespace", make_namespace, NULL},      {"raise_exception", raise_exception, "message"},
    {"strftime_now", strftime_now, "format"}, {NULL, NULL, NULL},
};

const struct qn__function_row *qn__function_find(struct qn__template_text name)
{
    return qn__row_find(functions, name.bytes, name.n);
}
