/* SPDX-License-Identifier: Apache-2.0
 *
 * What a name expression says, found by its brackets alone: no type is understood here. A kernel
 * with its parameters in brackets is no C++, so it becomes a cast to a pointer to such a function,
 * which picks one of several functions of a name in every compiler. */
#include "base/name_expression.h"

#include <ctype.h>
#include <string.h>

static const char *skip_blanks(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

static size_t length_without_blanks(const char *text)
{
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1]))
        n--;
    return n;
}

/* Where the bracket that the last of n characters closes is opened; NULL: nowhere. */
static const char *opening(const char *text, size_t n)
{
    int depth = 0;
    for (const char *p = text + n; p-- > text;) {
        depth += *p == ')' ? 1 : *p == '(' ? -1 : 0;
        if (depth == 0)
            return p;
    }
    return NULL;
}

static bool is_cast(const char *text)
{
    return *text == '(' || qn__starts_with(text, "static_cast");
}

/* The parameters of "bump(int *)": the opening bracket; NULL: it has none. */
static const char *parameters(const char *text, size_t n)
{
    if (!n || text[n - 1] != ')' || is_cast(text))
        return NULL;
    const char *const open = opening(text, n);
    return open > text ? open : NULL;
}

qn_status qn__name_expression_read(struct qn__name_expression *out, struct qn__arena *arena,
                                   const char *text)
{
    text = skip_blanks(text);
    const bool has_address = *text == '&';
    text = skip_blanks(text + has_address);
    const size_t n = length_without_blanks(text);
    const char *const open = parameters(text, n);
    *out = (struct qn__name_expression){is_cast(text) && !has_address ? "" : "&", text};
    if (!open)
        return QN_OK;
    out->before = qn__arena_printf(arena, "(void (*)%.*s)", (int)(text + n - open), open);
    out->name = qn__arena_strndup(arena, text, (size_t)(open - text));
    return out->before && out->name ? QN_OK
                                    : qn__fail(QN_E_MEMORY, "no memory for a name expression");
}

/* What is cast: "bump" of "(void (*)(int *))bump" and "static_cast<...>(&bump)". */
static const char *without_cast(const char *text)
{
    const size_t n = length_without_blanks(text);
    if (qn__starts_with(text, "static_cast") && n && text[n - 1] == ')') {
        const char *const open = opening(text, n);
        return open ? open + 1 : text;
    }
    int depth = 0;
    for (const char *p = text; *text == '(' && *p; p++) {
        depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
        if (depth == 0)
            return p + 1;
    }
    return text;
}

bool qn__name_expression_is_plain(const char *plain, const char *expression)
{
    expression = without_cast(skip_blanks(expression));
    const size_t end = strcspn(expression, "<()");
    size_t last = end;
    while (last > 0 && isspace((unsigned char)expression[last - 1]))
        last--;
    size_t begin = last;
    while (begin > 0 && !strchr(": &", expression[begin - 1]))
        begin--;
    const size_t n = last - begin;
    return strlen(plain) == n && memcmp(plain, expression + begin, n) == 0;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Would the two be one token without a blank between them? Of >> that is so, and means the same. */
static bool need_blank(char before, char after)
{
    return (is_word(before) && is_word(after)) || (before == '/' && after == '*') ||
           (before == after && before && strchr("+-&|/=", before));
}

void qn__name_expression_print(struct qn__str *out, const char *text)
{
    char last = 0;
    text = skip_blanks(text);
    text = skip_blanks(text + (*text == '&'));
    while (*text) {
        const char *const p = skip_blanks(text);
        if (p > text && *p && need_blank(last, *p))
            qn__str_add_char(out, ' ');
        const char *end = *p ? p + 1 : p;
        if (*p == '"' || *p == '\'') { /* whose blanks are its own */
            while (*end && *end != *p)
                end += *end == '\\' && end[1] ? 2 : 1;
            end += *end != 0;
        }
        qn__str_add_bytes(out, p, (size_t)(end - p));
        if (end > p)
            last = end[-1];
        text = end;
    }
}
