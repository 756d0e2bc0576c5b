/* SPDX-License-Identifier: Apache-2.0 */
#include "rtc/helper/gnu_forms.h"

#include "base/cxx_text.h"

#include <ctype.h>
#include <string.h>

const char qn__gnu_forms_prelude[] =
    "#ifdef __CUDACC_RTC__\n"
    "template <class T> struct __qn_typeof { typedef T type; };\n"
    "template <class T> struct __qn_typeof<T &> { typedef T type; };\n"
    "template <class T> struct __qn_typeof<T &&> { typedef T type; };\n"
    "#define __typeof__(...) typename __qn_typeof<decltype(__VA_ARGS__)>::type\n"
    "#endif\n";

static bool is_word(char c)
{
    return qn__cxx_text_is_word(c);
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* The value of a macro: "#define NAME " is all that stands in front on its line. */
static bool begins_macro(const char *text, const char *p)
{
    const char *line = p;
    while (line > text && line[-1] != '\n')
        line--;
    line = skip_blanks(line);
    if (*line != '#')
        return false;
    line = skip_blanks(line + 1);
    if (strncmp(line, "define", 6) != 0)
        return false;
    line = skip_blanks(line + 6);
    while (is_word(*line))
        line++;
    return *line != '(' && skip_blanks(line) == p;
}

/* "(T){" after what an expression follows: nothing else begins so. Where T ends, or NULL. */
static const char *literal_type(const char *text, const char *p)
{
    const char *end = skip_blanks(p + 1);
    const char *const name = end;
    while (is_word(*end) || *end == ':')
        end++;
    const char *const close = skip_blanks(end);
    if (end == name || isdigit((unsigned char)*name) || *close != ')' ||
        *skip_blanks(close + 1) != '{')
        return NULL;
    const char *before = p;
    while (before > text && isspace((unsigned char)before[-1]))
        before--;
    const bool returns = before - text >= 6 && memcmp(before - 6, "return", 6) == 0;
    if (before > text && (strchr("=,(+-*/?:&|<", before[-1]) || returns))
        return close;
    return begins_macro(text, p) ? close : NULL;
}

/* The last expression of the statements between braces: after the last ';' but the one at the end.
 * NULL: there is none. */
static const char *last_expression(const char *begin, const char *end)
{
    const char *at = begin;
    int depth = 0;
    while (end > begin && (isspace((unsigned char)end[-1]) || end[-1] == '\\'))
        end--;
    if (end == begin || end[-1] != ';')
        return NULL;
    for (const char *p = begin; p < end - 1; p++) {
        depth += strchr("({[", *p) ? 1 : strchr(")}]", *p) ? -1 : 0;
        if (*p == ';' && depth == 0)
            at = p + 1;
    }
    while (isspace((unsigned char)*at) || *at == '\\')
        at++;
    return at < end - 1 ? at : NULL;
}

/* Where the brace at p closes; NULL: nowhere. */
static const char *closing(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
        if (depth == 0)
            return p;
    }
    return NULL;
}

/* ({ ... }): what follows it, or NULL where it is none. */
static const char *add_statements(struct qn__str *out, const char *p)
{
    const char *const brace = skip_blanks(p + 1), *const close = closing(brace);
    const char *const value = close ? last_expression(brace + 1, close) : NULL;
    if (!value || *skip_blanks(close + 1) != ')')
        return NULL;
    qn__str_add(out, "([&]{");
    qn__str_add_bytes(out, brace + 1, (size_t)(value - brace - 1));
    qn__str_add(out, "return ");
    qn__str_add_bytes(out, value, (size_t)(close - value));
    qn__str_add(out, "}())");
    return skip_blanks(close + 1) + 1;
}

bool qn__gnu_forms_add(struct qn__str *out, const char *text)
{
    bool any = false;
    const char *p = text, *from = text;
    while ((p = strchr(p, '(')) != NULL) {
        const char *const close = literal_type(text, p);
        const char *after = NULL;
        if (close) {
            qn__str_add_bytes(out, from, (size_t)(p - from));
            qn__str_add_char(out, ' ');
            qn__str_add_bytes(out, p + 1, (size_t)(close - p) - 1);
            qn__str_add_char(out, ' ');
            after = close + 1;
        } else if (*skip_blanks(p + 1) == '{') {
            struct qn__str form = {0};
            after = add_statements(&form, p);
            if (after) {
                qn__str_add_bytes(out, from, (size_t)(p - from));
                qn__str_add(out, form.text);
            }
            out->failed = out->failed || form.failed;
            qn__str_release(&form);
        }
        any = any || after;
        p = after ? after : p + 1;
        from = after ? after : from;
    }
    qn__str_add(out, from);
    return any;
}
