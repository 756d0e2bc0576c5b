/* SPDX-License-Identifier: Apache-2.0
 *
 * Values put into a text: "%s %d" % values, and "{} {name}".format(...). */
#include "engine/template_run.h"
#include "engine/template_text.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH_MAX = 1000 };

/* "%-5.2f" taken apart. */
struct spec {
    char flags[6];
    int width, precision; /* -1: none */
    char kind;
};

static qn_status wrong_format(const struct qn__template_run *run, struct qn__template_text format)
{
    return qn__template_fail(run, QN_E_UNSUPPORTED, "the format '%.*s'",
                             format.n < 40 ? (int)format.n : 40, format.bytes);
}

static bool read_count(int *out, struct qn__template_text t, size_t *at)
{
    *out = -1;
    while (*at < t.n && t.bytes[*at] >= '0' && t.bytes[*at] <= '9') {
        *out = (*out < 0 ? 0 : *out) * 10 + (t.bytes[(*at)++] - '0');
        if (*out > WIDTH_MAX)
            return false;
    }
    return true;
}

static bool read_spec(struct spec *out, struct qn__template_text t, size_t *at)
{
    size_t n = 0;
    *out = (struct spec){.precision = -1};
    while (*at < t.n && n < 5 && t.bytes[*at] && strchr("-+ #0", t.bytes[*at]))
        out->flags[n++] = t.bytes[(*at)++];
    if (!read_count(&out->width, t, at))
        return false;
    if (*at < t.n && t.bytes[*at] == '.') {
        ++*at;
        if (!read_count(&out->precision, t, at))
            return false;
        if (out->precision < 0)
            out->precision = 0;
    }
    if (*at >= t.n)
        return false;
    out->kind = t.bytes[(*at)++];
    return true;
}

static qn_status add_spaces(struct qn__template_run *run, struct qn__text_builder *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        QN_TRY(qn__builder_add_bytes(run, b, " ", 1, false));
    return QN_OK;
}

static qn_status put_text(struct qn__template_run *run, struct qn__text_builder *b,
                          const struct spec *s, struct qn__template_text t)
{
    if (s->precision >= 0)
        t.n = qn__text_offset(t, (size_t)s->precision);
    const size_t n = qn__text_characters(t);
    const size_t pad = s->width > 0 && (size_t)s->width > n ? (size_t)s->width - n : 0;
    const bool left = strchr(s->flags, '-') != NULL;
    QN_TRY(add_spaces(run, b, left ? 0 : pad));
    QN_TRY(qn__builder_add(run, b, t));
    return add_spaces(run, b, left ? pad : 0);
}

static qn_status put_number(struct qn__template_run *run, struct qn__text_builder *b,
                            const struct spec *s, const struct qn__value *v)
{
    char format[24], text[WIDTH_MAX + 400];
    const bool is_real = strchr("feEgG", s->kind) != NULL;
    const char kind = s->kind == 'i' || s->kind == 'u' ? 'd' : s->kind;
    const int width = s->width < 0 ? 0 : s->width;
    const int precision = s->precision < 0 && is_real ? 6 : s->precision; /* negative: none */
    if (!qn__value_is_number(v))
        return qn__template_fail(run, QN_E_INVALID, "'%%%c' of %s", s->kind,
                                 qn__value_kind_name(v));
    const double x = qn__value_number(v);
    if (precision > 60 || (!is_real && !(x > -9e18 && x < 9e18)))
        return qn__template_fail(run, QN_E_LIMIT, "a number that is too long");
    const long long integer = is_real                    ? 0
                              : v->kind == QN__VALUE_INT ? (long long)v->as.integer
                                                         : (long long)x;
    if (kind != 'd' && integer < 0)
        return qn__template_fail(run, QN_E_UNSUPPORTED, "'%%%c' of a negative number", s->kind);
    snprintf(format, sizeof format, "%%%s*.*%s%c", s->flags, is_real ? "" : "ll", kind);
    if (is_real)
        snprintf(text, sizeof text, format, width, precision, x);
    else
        snprintf(text, sizeof text, format, width, precision, integer);
    return qn__builder_add_bytes(run, b, text, strlen(text), false);
}

static qn_status put(struct qn__template_run *run, struct qn__text_builder *b, const struct spec *s,
                     const struct qn__value *v)
{
    struct qn__value text;
    struct qn__text_builder repr = {0};
    if (s->kind == 's') {
        QN_TRY(qn__to_text(&text, run, v));
        return put_text(run, b, s, text.as.text);
    }
    QN_TRY(qn__print_repr(run, &repr, v));
    return put_text(run, b, s, qn__builder_value(&repr).as.text);
}

qn_status qn__format_percent(struct qn__value *out, struct qn__template_run *run,
                             struct qn__template_text format, const struct qn__arguments *args)
{
    struct qn__text_builder b = {0};
    size_t used = 0, plain = 0;
    *out = QN__NONE;
    for (size_t at = 0; at < format.n;) {
        if (format.bytes[at] != '%') {
            at++;
            continue;
        }
        QN_TRY(qn__builder_add(run, &b, qn__text_part(format, plain, at - plain)));
        struct spec s;
        const struct qn__value *v = NULL;
        const bool is_named = ++at < format.n && format.bytes[at] == '(';
        if (is_named) {
            const char *end = memchr(format.bytes + at, ')', format.n - at);
            if (!end)
                return wrong_format(run, format);
            const size_t n = (size_t)(end - format.bytes) - at - 1;
            const struct qn__value_dict named = {(struct qn__value_pair *)(uintptr_t)args->named,
                                                 args->n_named, args->n_named};
            if (!(v = qn__dict_find_name(&named, format.bytes + at + 1, n)))
                return wrong_format(run, format);
            at += n + 2;
        }
        if (!read_spec(&s, format, &at) || !strchr("srdiuxXofeEgG%", s.kind) || !s.kind)
            return wrong_format(run, format);
        plain = at;
        if (s.kind == '%') {
            QN_TRY(qn__builder_add_bytes(run, &b, "%", 1, false));
            continue;
        }
        if (!is_named && used >= args->n)
            return qn__template_fail(run, QN_E_INVALID, "too few values for a format");
        if (!is_named)
            v = &args->values[used++];
        QN_TRY(strchr("sr", s.kind) ? put(run, &b, &s, v) : put_number(run, &b, &s, v));
    }
    if (used < args->n && !args->n_named)
        return qn__template_fail(run, QN_E_INVALID, "too many values for a format");
    QN_TRY(qn__builder_add(run, &b, qn__text_part(format, plain, format.n - plain)));
    *out = qn__builder_value(&b);
    return QN_OK;
}

/* What "{", "{0}" or "{name}" stands for; attributes and format specifications are refused. */
static qn_status field(const struct qn__value **out, const struct qn__template_run *run,
                       struct qn__template_text name, size_t *next,
                       const struct qn__arguments *args)
{
    size_t at = 0;
    int place;
    *out = NULL;
    if (!read_count(&place, name, &at))
        return wrong_format(run, name);
    if (name.n == 0 || (place >= 0 && at == name.n)) {
        const size_t wanted = name.n == 0 ? (*next)++ : (size_t)place;
        *out = wanted < args->n ? &args->values[wanted] : NULL;
    } else {
        const struct qn__value_dict named = {(struct qn__value_pair *)(uintptr_t)args->named,
                                             args->n_named, args->n_named};
        *out = qn__dict_find_name(&named, name.bytes, name.n);
    }
    return *out ? QN_OK : wrong_format(run, name);
}

qn_status qn__format_braces(struct qn__value *out, struct qn__template_run *run,
                            struct qn__template_text format, const struct qn__arguments *args)
{
    struct qn__text_builder b = {0};
    size_t next = 0;
    *out = QN__NONE;
    for (size_t at = 0; at < format.n;) {
        const char c = format.bytes[at];
        size_t n = at;
        while (n < format.n && format.bytes[n] != '{' && format.bytes[n] != '}')
            n++;
        if (n > at) {
            QN_TRY(qn__builder_add(run, &b, qn__text_part(format, at, n - at)));
            at = n;
            continue;
        }
        if (at + 1 < format.n && format.bytes[at + 1] == c) {
            QN_TRY(qn__builder_add(run, &b, qn__text_part(format, at, 1)));
            at += 2;
            continue;
        }
        const char *end = c == '{' ? memchr(format.bytes + at, '}', format.n - at) : NULL;
        if (!end)
            return wrong_format(run, format);
        const struct qn__template_text name =
            qn__text_part(format, at + 1, (size_t)(end - format.bytes) - at - 1);
        const struct qn__value *v;
        QN_TRY(field(&v, run, name, &next, args));
        QN_TRY(qn__print(run, &b, v));
        at += name.n + 2;
    }
    *out = qn__builder_value(&b);
    return QN_OK;
}
