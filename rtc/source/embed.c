/* SPDX-License-Identifier: Apache-2.0
 *
 * The parameters are those of C23, and the offset that GCC and clang have. Numbers must be written
 * as such: a macro's value is only known to the preprocessor. */
#include "rtc/source/embed.h"

#include <stdlib.h>
#include <string.h>

/* Blanks, comments within the line, and ends of lines that are continued. */
static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end) {
        if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\f' || *p == '\n' ||
            (*p == '\\' && end - p > 1 && (p[1] == '\n' || p[1] == '\r')))
            p++;
        else if (end - p > 1 && p[0] == '/' && p[1] == '/')
            return end;
        else if (end - p > 1 && p[0] == '/' && p[1] == '*') {
            for (p += 2; end - p > 1 && !(p[0] == '*' && p[1] == '/'); p++)
                ;
            if (end - p < 2)
                return p; /* goes on to the next line: no parameter begins so */
            p += 2;
        } else
            break;
    }
    return p;
}

static bool is_name_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':';
}

/* What stands between the bracket at p and the one that closes it. NULL: none closes it. */
static const char *in_brackets(struct qn__embed_text *out, const char *p, const char *end)
{
    const char *const open = p;
    int depth = 0;
    for (; p < end; p++) {
        if (*p == '"' || *p == '\'') {
            const char quote = *p;
            for (p++; p < end && *p != quote; p++)
                p += *p == '\\' && end - p > 1;
        } else if (*p == '(') {
            depth++;
        } else if (*p == ')' && --depth == 0) {
            *out = (struct qn__embed_text){open + 1, (size_t)(p - open) - 1};
            return p + 1;
        }
    }
    return NULL;
}

static bool read_number(uint64_t *out, struct qn__embed_text text)
{
    char digits[32];
    while (text.n && (text.begin[0] == ' ' || text.begin[0] == '\t'))
        text.begin++, text.n--;
    while (text.n && strchr(" \tuUlL", text.begin[text.n - 1]))
        text.n--;
    if (!text.n || text.n >= sizeof digits || text.begin[0] < '0' || text.begin[0] > '9')
        return false;
    memcpy(digits, text.begin, text.n);
    digits[text.n] = 0;
    char *last;
    *out = strtoull(digits, &last, 0);
    return !*last;
}

/* "__limit__" is "limit". */
static bool is_called(struct qn__embed_text name, const char *want)
{
    const size_t n = strlen(want);
    if (name.n == n + 4 && memcmp(name.begin, "__", 2) == 0 &&
        memcmp(name.begin + n + 2, "__", 2) == 0)
        name = (struct qn__embed_text){name.begin + 2, n};
    return name.n == n && memcmp(name.begin, want, n) == 0;
}

static qn_status take_parameter(struct qn__embed *e, struct qn__embed_text name,
                                struct qn__embed_text value)
{
    const bool is_limit = is_called(name, "limit");
    if (is_limit || is_called(name, "gnu::offset") || is_called(name, "clang::offset")) {
        if (!read_number(is_limit ? &e->limit : &e->offset, value))
            return qn__fail(QN_E_UNSUPPORTED,
                            "#embed: %.*s(%.*s): only a number can be read here, no macro and no "
                            "expression; write the number",
                            (int)name.n, name.begin, (int)value.n, value.begin);
    } else if (is_called(name, "prefix")) {
        e->prefix = value;
    } else if (is_called(name, "suffix")) {
        e->suffix = value;
    } else if (is_called(name, "if_empty")) {
        e->if_empty = value;
    } else {
        return qn__fail(QN_E_UNSUPPORTED,
                        "#embed: parameter '%.*s' is not known; known are limit, prefix, suffix, "
                        "if_empty and gnu::offset",
                        (int)name.n, name.begin);
    }
    return QN_OK;
}

static qn_status read_parameters(struct qn__embed *e, const char *p, const char *end)
{
    while ((p = skip_blanks(p, end)) < end) {
        struct qn__embed_text name = {p, 0}, value;
        while (p < end && is_name_part(*p))
            p++;
        name.n = (size_t)(p - name.begin);
        p = skip_blanks(p, end);
        if (!name.n || p >= end || *p != '(' || !(p = in_brackets(&value, p, end)))
            return qn__fail(QN_E_UNSUPPORTED,
                            "#embed: '%.*s' after the file's name: expected parameters such as "
                            "limit(16), on this line",
                            (int)strcspn(name.begin, "\r\n"), name.begin);
        QN_TRY(take_parameter(e, name, value));
    }
    return QN_OK;
}

qn_status qn__embed_read(struct qn__embed *out, const char *begin, const char *end)
{
    *out = (struct qn__embed){.limit = UINT64_MAX};
    for (const char *p = begin; p < end; p++)
        out->n_lines += *p == '\n';
    const bool is_question = *begin != '#';
    const char *open = begin;
    while (open < end && *open != (is_question ? '(' : 'b')) /* of "embed" */
        open++;
    while (!is_question && open < end && is_name_part(*open))
        open++;
    open = open < end ? skip_blanks(open + is_question, end) : end;
    out->is_angled = open < end && *open == '<';
    const char *const close =
        open < end && (*open == '<' || *open == '"')
            ? memchr(open + 1, out->is_angled ? '>' : '"', (size_t)(end - open) - 1)
            : NULL;
    if (!close)
        return qn__fail(QN_E_UNSUPPORTED,
                        "#embed: only a file's name can be read here, no macro; write the name");
    out->name = (struct qn__embed_text){open + 1, (size_t)(close - open) - 1};
    return read_parameters(out, close + 1, is_question ? end - 1 : end);
}

size_t qn__embed_count(const struct qn__embed *e, size_t n)
{
    n -= e->offset < n ? (size_t)e->offset : n;
    return e->limit < n ? (size_t)e->limit : n;
}

static void print_text(struct qn__str *out, struct qn__embed_text text)
{
    if (text.n)
        qn__str_add_bytes(out, text.begin, text.n);
}

void qn__embed_print(struct qn__str *out, const struct qn__embed *e, const void *bytes, size_t n)
{
    const size_t count = qn__embed_count(e, n);
    const unsigned char *p = count ? (const unsigned char *)bytes + e->offset : NULL;
    char text[4 * 256];
    print_text(out, count ? e->prefix : e->if_empty);
    if (count)
        qn__str_add_char(out, ' ');
    for (size_t done = 0; done < count;) {
        size_t k = 0;
        for (; done < count && k + 4 <= sizeof text; done++) {
            const unsigned char v = p[done];
            if (v >= 100)
                text[k++] = (char)('0' + v / 100);
            if (v >= 10)
                text[k++] = (char)('0' + v / 10 % 10);
            text[k++] = (char)('0' + v % 10);
            text[k++] = ',';
        }
        qn__str_add_bytes(out, text, done == count ? k - 1 : k);
    }
    if (count)
        qn__str_add_char(out, ' ');
    print_text(out, count ? e->suffix : (struct qn__embed_text){0});
    for (uint32_t i = 0; i < e->n_lines; i++)
        qn__str_add_char(out, '\n');
}
