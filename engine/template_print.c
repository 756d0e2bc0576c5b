/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of chat templates as text: Python's str() and repr(), and JSON as Python's json.dumps()
 * writes it. */
#include "engine/template_run.h"
#include "engine/template_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static qn_status add(struct qn__template_run *run, struct qn__text_builder *b, const char *text)
{
    return qn__builder_add_bytes(run, b, text, strlen(text), false);
}

void qn__format_real(char out[48], double x)
{
    char digits[32];
    if (isnan(x) || isinf(x)) {
        snprintf(out, 48, "%s", isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
        return;
    }
    int precision = 1;
    do /* the fewest digits that are this number again */
        snprintf(digits, sizeof digits, "%.*e", precision - 1, x);
    while (strtod(digits, NULL) != x && precision++ < 17);
    const int exponent = atoi(strchr(digits, 'e') + 1);
    if (exponent < -4 || exponent >= 16) {
        char *e = strchr(digits, 'e');
        *e = 0;
        snprintf(out, 48, "%se%c%02d", digits, exponent < 0 ? '-' : '+', abs(exponent));
        return;
    }
    const int decimals = precision - 1 - exponent;
    snprintf(out, 48, "%.*f", decimals > 0 ? decimals : 1, x);
}

qn_status qn__print_number(struct qn__template_run *run, struct qn__text_builder *b,
                           const struct qn__value *v)
{
    char text[48];
    if (v->kind == QN__VALUE_FLOAT)
        qn__format_real(text, v->as.real);
    else
        snprintf(text, sizeof text, "%" PRId64, v->as.integer);
    return add(run, b, text);
}

/* -- repr -- */

static qn_status print_quoted(struct qn__template_run *run, struct qn__text_builder *b,
                              struct qn__template_text t)
{
    const bool has_single = t.n && memchr(t.bytes, '\'', t.n);
    const char quote = has_single && !memchr(t.bytes, '"', t.n) ? '"' : '\'';
    QN_TRY(qn__builder_add_bytes(run, b, &quote, 1, false));
    for (size_t at = 0, n; at < t.n; at += n) {
        char escape[16] = "";
        n = qn__text_character_bytes(t, at);
        const uint32_t c = qn__text_code_point(t, at);
        if (c == (unsigned char)quote || c == '\\')
            snprintf(escape, sizeof escape, "\\%c", (char)c);
        else if (c == '\n' || c == '\r' || c == '\t')
            snprintf(escape, sizeof escape, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        else if (!qn__is_printable(c))
            snprintf(escape, sizeof escape,
                     c < 0x100     ? "\\x%02" PRIx32
                     : c < 0x10000 ? "\\u%04" PRIx32
                                   : "\\U%08" PRIx32,
                     c);
        QN_TRY(*escape ? qn__builder_add_bytes(run, b, escape, strlen(escape),
                                               t.foreign && t.foreign[at])
                       : qn__builder_add(run, b, qn__text_part(t, at, n)));
    }
    return qn__builder_add_bytes(run, b, &quote, 1, false);
}

static qn_status print_list(struct qn__template_run *run, struct qn__text_builder *b,
                            const struct qn__value_list *l)
{
    QN_TRY(add(run, b, l->is_tuple ? "(" : "["));
    for (size_t i = 0; i < l->n; i++) {
        QN_TRY(add(run, b, i ? ", " : ""));
        QN_TRY(qn__print_repr(run, b, &l->items[i]));
    }
    return add(run, b, !l->is_tuple ? "]" : l->n == 1 ? ",)" : ")");
}

static qn_status print_dict(struct qn__template_run *run, struct qn__text_builder *b,
                            const struct qn__value_dict *d)
{
    QN_TRY(add(run, b, "{"));
    for (size_t i = 0; i < d->n; i++) {
        QN_TRY(add(run, b, i ? ", " : ""));
        QN_TRY(qn__print_repr(run, b, &d->pairs[i].key));
        QN_TRY(add(run, b, ": "));
        QN_TRY(qn__print_repr(run, b, &d->pairs[i].value));
    }
    return add(run, b, "}");
}

static qn_status print_by_kind(struct qn__template_run *run, struct qn__text_builder *b,
                               const struct qn__value *v)
{
    switch (v->kind) {
    case QN__VALUE_UNDEFINED: return add(run, b, "Undefined");
    case QN__VALUE_NONE: return add(run, b, "None");
    case QN__VALUE_BOOL: return add(run, b, v->as.boolean ? "True" : "False");
    case QN__VALUE_INT:
    case QN__VALUE_FLOAT: return qn__print_number(run, b, v);
    case QN__VALUE_TEXT: return print_quoted(run, b, v->as.text);
    case QN__VALUE_LIST:
        if (v->as.list->is_generator)
            return qn__template_fail(run, QN_E_INVALID,
                                     "what a filter generates is printed; '| list' makes a list");
        return print_list(run, b, v->as.list);
    case QN__VALUE_DICT: return print_dict(run, b, v->as.dict);
    case QN__VALUE_NAMESPACE:
    case QN__VALUE_CALLABLE:
    case QN__VALUE_LOOP: break;
    }
    return qn__template_fail(run, QN_E_INVALID, "%s is printed", qn__value_kind_name(v));
}

qn_status qn__print_repr(struct qn__template_run *run, struct qn__text_builder *b,
                         const struct qn__value *v)
{
    QN_TRY(qn__template_step(run, 1));
    if (run->depth >= QN__TEMPLATE_DEPTH_MAX)
        return qn__template_fail(run, QN_E_LIMIT, "a value of more than %d levels",
                                 QN__TEMPLATE_DEPTH_MAX);
    run->depth++;
    QN_TRY(print_by_kind(run, b, v));
    run->depth--;
    return QN_OK;
}

qn_status qn__print(struct qn__template_run *run, struct qn__text_builder *b,
                    const struct qn__value *v)
{
    if (v->kind == QN__VALUE_UNDEFINED)
        return QN_OK;
    return v->kind == QN__VALUE_TEXT ? qn__builder_add(run, b, v->as.text)
                                     : qn__print_repr(run, b, v);
}

qn_status qn__to_text(struct qn__value *out, struct qn__template_run *run,
                      const struct qn__value *v)
{
    struct qn__text_builder b = {0};
    *out = *v;
    if (v->kind == QN__VALUE_TEXT)
        return QN_OK;
    QN_TRY(qn__print(run, &b, v));
    *out = qn__builder_value(&b);
    return QN_OK;
}

/* -- JSON -- */

struct json {
    int64_t indent; /* -1: on one line */
    bool sort_keys, ascii;
};

static qn_status json_text(struct qn__template_run *run, struct qn__text_builder *b,
                           struct qn__template_text t, bool ascii)
{
    QN_TRY(add(run, b, "\""));
    size_t plain = 0;
    for (size_t at = 0, n; at < t.n; at += n) {
        char escape[16] = "";
        n = qn__text_character_bytes(t, at);
        const uint32_t c = qn__text_code_point(t, at);
        static const char names[] = "\"\\\n\r\t\f\b", letters[] = "\"\\nrtfb";
        const char *known = c < 0x80 && c ? strchr(names, (int)c) : NULL;
        if (known)
            snprintf(escape, sizeof escape, "\\%c", letters[known - names]);
        else if (c < 0x20 || (ascii && c >= 0x7f && c < 0x10000 && c != 0x7f))
            snprintf(escape, sizeof escape, "\\u%04" PRIx32, c);
        else if (ascii && c >= 0x10000)
            snprintf(escape, sizeof escape, "\\u%04" PRIx32 "\\u%04" PRIx32,
                     0xd800 + ((c - 0x10000) >> 10), 0xdc00 + (c & 0x3ff));
        if (!*escape)
            continue;
        QN_TRY(qn__builder_add(run, b, qn__text_part(t, plain, at - plain)));
        QN_TRY(qn__builder_add_bytes(run, b, escape, strlen(escape), t.foreign && t.foreign[at]));
        plain = at + n;
    }
    if (t.n > plain)
        QN_TRY(qn__builder_add(run, b, qn__text_part(t, plain, t.n - plain)));
    return add(run, b, "\"");
}

static qn_status json_line(struct qn__template_run *run, struct qn__text_builder *b,
                           const struct json *j, uint32_t level)
{
    if (j->indent < 0)
        return QN_OK;
    QN_TRY(add(run, b, "\n"));
    for (int64_t i = 0; i < j->indent * level; i++)
        QN_TRY(add(run, b, " "));
    return QN_OK;
}

static qn_status json_value(struct qn__template_run *run, struct qn__text_builder *b,
                            const struct qn__value *v, const struct json *j, uint32_t level);

static qn_status json_list(struct qn__template_run *run, struct qn__text_builder *b,
                           const struct qn__value_list *l, const struct json *j, uint32_t level)
{
    if (l->n == 0)
        return add(run, b, "[]");
    for (size_t i = 0; i < l->n; i++) {
        QN_TRY(add(run, b, i == 0 ? "[" : j->indent < 0 ? ", " : ","));
        QN_TRY(json_line(run, b, j, level + 1));
        QN_TRY(json_value(run, b, &l->items[i], j, level + 1));
    }
    QN_TRY(json_line(run, b, j, level));
    return add(run, b, "]");
}

static qn_status json_key(struct qn__template_run *run, struct qn__text_builder *b,
                          const struct qn__value *key, const struct json *j)
{
    struct qn__text_builder text = {0};
    if (key->kind == QN__VALUE_TEXT)
        return json_text(run, b, key->as.text, j->ascii);
    QN_TRY(json_value(run, &text, key, j, 0)); /* true, null, 1 */
    return json_text(run, b, qn__builder_value(&text).as.text, j->ascii);
}

static int by_key(const void *a, const void *b)
{
    const struct qn__value_pair *x = a, *y = b;
    const struct qn__template_text s = x->key.as.text, t = y->key.as.text;
    const int order = memcmp(s.bytes, t.bytes, s.n < t.n ? s.n : t.n);
    return order ? order : (s.n > t.n) - (s.n < t.n);
}

static qn_status sorted_by_key(struct qn__value_dict *out, struct qn__template_run *run,
                               const struct qn__value_dict *d)
{
    void *pairs;
    QN_TRY(qn__template_alloc(&pairs, run, d->n, sizeof *d->pairs));
    memcpy(pairs, d->pairs, d->n * sizeof *d->pairs);
    *out = (struct qn__value_dict){pairs, d->n, d->n};
    for (size_t i = 0; i < d->n; i++)
        if (d->pairs[i].key.kind != QN__VALUE_TEXT)
            return qn__template_fail(run, QN_E_INVALID, "keys are sorted that are no strings");
    QN_TRY(qn__template_step(run, d->n));
    qsort(pairs, d->n, sizeof *d->pairs, by_key);
    return QN_OK;
}

static qn_status json_dict(struct qn__template_run *run, struct qn__text_builder *b,
                           const struct qn__value_dict *d, const struct json *j, uint32_t level)
{
    struct qn__value_dict sorted;
    if (d->n == 0)
        return add(run, b, "{}");
    if (j->sort_keys) {
        QN_TRY(sorted_by_key(&sorted, run, d));
        d = &sorted;
    }
    for (size_t i = 0; i < d->n; i++) {
        QN_TRY(add(run, b, i == 0 ? "{" : j->indent < 0 ? ", " : ","));
        QN_TRY(json_line(run, b, j, level + 1));
        QN_TRY(json_key(run, b, &d->pairs[i].key, j));
        QN_TRY(add(run, b, ": "));
        QN_TRY(json_value(run, b, &d->pairs[i].value, j, level + 1));
    }
    QN_TRY(json_line(run, b, j, level));
    return add(run, b, "}");
}

static qn_status json_value(struct qn__template_run *run, struct qn__text_builder *b,
                            const struct qn__value *v, const struct json *j, uint32_t level)
{
    QN_TRY(qn__template_step(run, 1));
    if (level > QN__TEMPLATE_DEPTH_MAX)
        return qn__template_fail(run, QN_E_LIMIT, "a value of more than %d levels",
                                 QN__TEMPLATE_DEPTH_MAX);
    switch (v->kind) {
    case QN__VALUE_NONE: return add(run, b, "null");
    case QN__VALUE_BOOL: return add(run, b, v->as.boolean ? "true" : "false");
    case QN__VALUE_FLOAT:
        if (!isfinite(v->as.real))
            return add(run, b,
                       isnan(v->as.real) ? "NaN"
                       : v->as.real < 0  ? "-Infinity"
                                         : "Infinity");
        return qn__print_number(run, b, v);
    case QN__VALUE_INT: return qn__print_number(run, b, v);
    case QN__VALUE_TEXT: return json_text(run, b, v->as.text, j->ascii);
    case QN__VALUE_LIST:
        if (v->as.list->is_generator)
            break;
        return json_list(run, b, v->as.list, j, level);
    case QN__VALUE_DICT: return json_dict(run, b, v->as.dict, j, level);
    case QN__VALUE_UNDEFINED: return qn__template_fail_undefined(run, v);
    default: break;
    }
    return qn__template_fail(run, QN_E_INVALID, "%s as JSON", qn__value_kind_name(v));
}

qn_status qn__print_json(struct qn__template_run *run, struct qn__text_builder *b,
                         const struct qn__value *v, int64_t indent, bool sort_keys, bool ascii)
{
    const struct json j = {indent, sort_keys, ascii};
    return json_value(run, b, v, &j, 0);
}
