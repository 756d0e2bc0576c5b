/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cxx_text.h"

#include <ctype.h>
#include <string.h>

bool qn__cxx_text_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void fill(char *from, const char *to, char with)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = with;
}

/* After "delimiter(...)delimiter" of a raw string that begins at the quote p. */
static char *raw_string_end(char *p, char *end)
{
    char *const open = memchr(p, '(', (size_t)(end - p));
    if (!open)
        return end;
    const size_t n = (size_t)(open - p) - 1;
    for (char *q = open; q + n + 1 < end; q++)
        if (*q == ')' && memcmp(q + 1, p + 1, n) == 0 && q[n + 1] == '"')
            return q + n + 2;
    return end;
}

static char *quoted_end(char *p, char *end)
{
    char *q = p + 1;
    while (q < end && *q != *p && *q != '\n')
        q += *q == '\\' && q + 1 < end ? 2 : 1;
    return q < end ? q + 1 : end;
}

static char *line_end(char *p, char *end)
{
    while (p < end && *p != '\n')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    return p < end ? p : end;
}

static char *comment_end(char *p, char *end)
{
    if (p[1] == '/')
        return line_end(p, end);
    for (p += 2; p + 1 < end; p++)
        if (p[0] == '*' && p[1] == '/')
            return p + 2;
    return end;
}

void qn__cxx_text_blank(char *code, size_t n)
{
    char *const end = code + n;
    bool line_begins = true;
    for (char *p = code; p < end;) {
        char *next = p + 1;
        const bool in_number = p > code && qn__cxx_text_is_word(p[-1]);
        if (*p == '/' && next < end && (*next == '/' || *next == '*')) {
            next = comment_end(p, end);
            fill(p, next, ' ');
        } else if (*p == '#' && line_begins) {
            next = line_end(p, end);
            fill(p, next, ' ');
        } else if (*p == '"' || (*p == '\'' && !in_number)) {
            next = *p == '"' && in_number && p[-1] == 'R' ? raw_string_end(p, end)
                                                          : quoted_end(p, end);
            fill(p + 1, next - 1, '.');
        }
        line_begins = *p == '\n' || (line_begins && isspace((unsigned char)*p));
        p = next;
    }
}
