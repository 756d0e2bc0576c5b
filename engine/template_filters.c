/* SPDX-License-Identifier: Apache-2.0
 *
 * Filters of chat templates that take one value: texts, numbers, JSON. Those over elements are in
 * template_sequences.c. */
#include "engine/template_run.h"
#include "engine/template_text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILTER(name)                                                                               \
    static qn_status name(struct qn__value *out, struct qn__template_run *run,                     \
                          const struct qn__value *self, const struct qn__arguments *args)

/* A method of strings, of the value as a text. */
static qn_status by_method(struct qn__value *out, struct qn__template_run *run,
                           const struct qn__value *self, const struct qn__arguments *args,
                           const char *method)
{
    struct qn__value text;
    QN_TRY(qn__to_text(&text, run, self));
    if (text.kind != QN__VALUE_TEXT)
        text = QN__TEXT_LITERAL("");
    const struct qn__function_row *row = qn__row_find(qn__text_methods, method, strlen(method));
    return row->function(out, run, &text, args);
}

FILTER(trim)
{
    return by_method(out, run, self, args, "strip");
}
FILTER(upper)
{
    return by_method(out, run, self, args, "upper");
}
FILTER(lower)
{
    return by_method(out, run, self, args, "lower");
}
FILTER(capitalize)
{
    return by_method(out, run, self, args, "capitalize");
}
FILTER(title)
{
    return by_method(out, run, self, args, "title");
}
FILTER(center)
{
    return by_method(out, run, self, args, "center");
}

FILTER(replace)
{
    struct qn__value values[3];
    const size_t n = args->n < 3 ? args->n : 3;
    if (n < 2)
        return by_method(out, run, self, args, "replace");
    for (size_t i = 0; i < n; i++) { /* what is replaced may be a number */
        values[i] = args->values[i];
        if (i < 2)
            QN_TRY(qn__to_text(&values[i], run, &args->values[i]));
    }
    const struct qn__arguments texts = {values, n, args->named, args->n_named};
    return by_method(out, run, self, &texts, "replace");
}

FILTER(string)
{
    (void)args;
    return qn__to_text(out, run, self);
}

FILTER(safe)
{
    QN_TRY(string(out, run, self, args));
    out->is_markup = true;
    return QN_OK;
}

FILTER(otherwise)
{
    const struct qn__value *value = qn__argument(args, 0, "default_value");
    const struct qn__value *boolean = qn__argument(args, 1, "boolean");
    (void)run;
    const bool is_missing = self->kind == QN__VALUE_UNDEFINED ||
                            (boolean && qn__value_is_true(boolean) && !qn__value_is_true(self));
    *out = !is_missing ? *self : value ? *value : QN__TEXT_LITERAL("");
    return QN_OK;
}

FILTER(length)
{
    int64_t n;
    (void)args;
    QN_TRY(qn__value_length(&n, run, self));
    *out = QN__INT(n);
    return QN_OK;
}

FILTER(as_json)
{
    const struct qn__value *sort = qn__argument(args, 3, "sort_keys");
    const struct qn__value *ascii = qn__argument(args, 0, "ensure_ascii");
    const struct qn__value *separators = qn__argument(args, 2, "separators");
    struct qn__text_builder b = {0};
    int64_t indent;
    QN_TRY(qn__argument_int(&indent, run, args, 1, "indent", -1));
    if (separators && separators->kind != QN__VALUE_NONE)
        return qn__template_fail(run, QN_E_UNSUPPORTED, "tojson with separators");
    if (indent > 64)
        return qn__template_fail(run, QN_E_LIMIT, "tojson with an indent of more than 64");
    QN_TRY(qn__print_json(run, &b, self, indent, sort && qn__value_is_true(sort),
                          ascii && qn__value_is_true(ascii)));
    *out = qn__builder_value(&b);
    return QN_OK;
}

FILTER(indent)
{
    const struct qn__value *width = qn__argument(args, 0, "width");
    const struct qn__value *first = qn__argument(args, 1, "first");
    const struct qn__value *blank = qn__argument(args, 2, "blank");
    struct qn__value text;
    struct qn__text_builder b = {0}, by = {0};
    int64_t n = 4;
    QN_TRY(qn__to_text(&text, run, self));
    if (width && width->kind == QN__VALUE_TEXT)
        QN_TRY(qn__builder_add(run, &by, width->as.text));
    else
        QN_TRY(qn__argument_int(&n, run, args, 0, "width", 4));
    if (n > 1000)
        return qn__template_fail(run, QN_E_LIMIT, "an indent of more than 1000");
    for (int64_t i = 0; i < n && !(width && width->kind == QN__VALUE_TEXT); i++)
        QN_TRY(qn__builder_add_bytes(run, &by, " ", 1, false));
    const struct qn__template_text space = qn__builder_value(&by).as.text;
    const struct qn__template_text t = text.kind == QN__VALUE_TEXT ? text.as.text : space;
    if (first && qn__value_is_true(first))
        QN_TRY(qn__builder_add(run, &b, space));
    for (size_t at = 0; text.kind == QN__VALUE_TEXT;) {
        const char *end = at < t.n ? memchr(t.bytes + at, '\n', t.n - at) : NULL;
        const size_t stop = end ? (size_t)(end - t.bytes) : t.n;
        QN_TRY(qn__template_step(run, 1));
        if (at > 0 && (stop > at || (blank && qn__value_is_true(blank))))
            QN_TRY(qn__builder_add(run, &b, space));
        QN_TRY(qn__builder_add(run, &b, qn__text_part(t, at, stop + (end != NULL) - at)));
        if (!end)
            break;
        at = stop + 1;
    }
    *out = qn__builder_value(&b);
    return QN_OK;
}

/* -- numbers -- */

/* The number that a text is as a whole, by Python's int() or float(). */
static bool parse_number(double *out, struct qn__template_text t, bool whole, int64_t *integer)
{
    char digits[64], *end;
    t = qn__text_strip(t, NULL, QN__BOTH);
    if (!t.n || t.n >= sizeof digits || memchr(t.bytes, 'x', t.n) || memchr(t.bytes, 'X', t.n))
        return false;
    memcpy(digits, t.bytes, t.n);
    digits[t.n] = 0;
    errno = 0;
    if (whole)
        *integer = strtoll(digits, &end, 10);
    else
        *out = strtod(digits, &end);
    return !*end && end != digits && !(whole && errno);
}

FILTER(as_int)
{
    const struct qn__value *fallback = qn__argument(args, 0, "default");
    int64_t integer = 0;
    double real = 0;
    (void)run;
    *out = fallback ? *fallback : QN__INT(0);
    if (self->kind == QN__VALUE_INT || self->kind == QN__VALUE_BOOL) {
        *out = QN__INT(self->kind == QN__VALUE_INT ? self->as.integer : self->as.boolean);
        return QN_OK;
    }
    if (self->kind == QN__VALUE_TEXT && parse_number(&real, self->as.text, true, &integer)) {
        *out = QN__INT(integer);
        return QN_OK;
    }
    if (self->kind == QN__VALUE_FLOAT)
        real = self->as.real;
    else if (self->kind != QN__VALUE_TEXT || !parse_number(&real, self->as.text, false, &integer))
        return QN_OK;
    if (real > -9.2e18 && real < 9.2e18)
        *out = QN__INT((int64_t)real);
    return QN_OK;
}

FILTER(as_float)
{
    const struct qn__value *value = qn__argument(args, 0, "default");
    double real = 0;
    int64_t unused;
    (void)run;
    *out = value ? *value : QN__REAL(0);
    if (qn__value_is_number(self))
        *out = QN__REAL(qn__value_number(self));
    else if (self->kind == QN__VALUE_TEXT && parse_number(&real, self->as.text, false, &unused))
        *out = QN__REAL(real);
    return QN_OK;
}

FILTER(absolute)
{
    (void)args;
    *out = *self;
    if (!qn__value_is_number(self))
        return qn__template_fail(run, QN_E_INVALID, "abs of %s", qn__value_kind_name(self));
    if (self->kind == QN__VALUE_FLOAT)
        *out = QN__REAL(fabs(self->as.real));
    else if (self->kind == QN__VALUE_BOOL || self->as.integer < 0) {
        const struct qn__value zero = QN__INT(0);
        return qn__binary(out, run, self->kind == QN__VALUE_BOOL ? "+" : "-", &zero, self);
    }
    return QN_OK;
}

FILTER(rounded)
{
    const struct qn__value *method = qn__argument(args, 1, "method");
    int64_t precision;
    QN_TRY(qn__argument_int(&precision, run, args, 0, "precision", 0));
    *out = *self;
    if (!qn__value_is_number(self))
        return qn__template_fail(run, QN_E_INVALID, "round of %s", qn__value_kind_name(self));
    const bool common = !method || qn__value_is_text(method, "common");
    if ((self->kind != QN__VALUE_FLOAT && common) || precision < 0 || precision > 15)
        return precision < 0 || precision > 15
                   ? qn__template_fail(run, QN_E_UNSUPPORTED, "round to %d digits", (int)precision)
                   : QN_OK;
    const double scale = pow(10, (double)precision), x = qn__value_number(self);
    if (common) { /* to the nearest decimal, as printing does */
        char digits[400];
        if (!isfinite(x) || fabs(x) > 1e300)
            return QN_OK;
        snprintf(digits, sizeof digits, "%.*f", (int)precision, x);
        *out = QN__REAL(strtod(digits, NULL));
    } else {
        *out = QN__REAL((qn__value_is_text(method, "ceil") ? ceil(x * scale) : floor(x * scale)) /
                        scale);
    }
    return QN_OK;
}

FILTER(formatted)
{
    struct qn__value text;
    QN_TRY(qn__to_text(&text, run, self));
    return text.kind == QN__VALUE_TEXT ? qn__format_percent(out, run, text.as.text, args) : QN_OK;
}

FILTER(attribute)
{
    struct qn__template_text name;
    QN_TRY(qn__argument_text(&name, run, args, 0, "name"));
    return qn__get_attribute(out, run, self, name);
}

static const struct qn__function_row filters[] = {
    {"trim", trim, "chars"},
    {"upper", upper, ""},
    {"lower", lower, ""},
    {"capitalize", capitalize, ""},
    {"title", title, ""},
    {"center", center, "width"},
    {"replace", replace, "old new count"},
    {"string", string, ""},
    {"safe", safe, ""},
    {"default", otherwise, "default_value boolean"},
    {"d", otherwise, "default_value boolean"},
    {"length", length, ""},
    {"count", length, ""},
    {"tojson", as_json, "ensure_ascii indent separators sort_keys"},
    {"indent", indent, "width first blank"},
    {"int", as_int, "default"},
    {"float", as_float, "default"},
    {"abs", absolute, ""},
    {"round", rounded, "precision method"},
    {"format", formatted, NULL},
    {"attr", attribute, "name"},
    {NULL, NULL, NULL},
};

const struct qn__function_row *qn__filter_find(struct qn__template_text name)
{
    const struct qn__function_row *row = qn__row_find(filters, name.bytes, name.n);
    return row ? row : qn__row_find(qn__sequence_filters, name.bytes, name.n);
}

qn_status qn__filter_call(struct qn__value *out, struct qn__template_run *run,
                          struct qn__template_text name, const struct qn__value *self,
                          const struct qn__arguments *args)
{
    const struct qn__function_row *row = qn__filter_find(name);
    *out = QN__NONE;
    if (!row)
        return qn__template_fail(run, QN_E_UNSUPPORTED, "the filter '%.*s'",
                                 name.n < 40 ? (int)name.n : 40, name.bytes);
    return qn__row_call(out, run, row, self, args);
}
