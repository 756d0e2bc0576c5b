/* SPDX-License-Identifier: Apache-2.0
 *
 * A scanner that knows just enough of C++ not to be fooled: comments, string and character
 * literals, raw strings, digit separators, and lines continued by a backslash. */
#define _GNU_SOURCE
#include "rtc/source/include_scan.h"

#include <string.h>

/* The later of `last` and where the word occurs for the last time. */
static const char *last_word(const char *last, const char *word, const char *text, const char *end)
{
    const size_t n = strlen(word);
    while ((text = memmem(text, (size_t)(end - text), word, n)) != NULL) {
        last = !last || text > last ? text : last;
        text += n;
    }
    return last;
}

/* Where a line that begins here ends, with the lines that continue it. */
static const char *line_end(const char *p, const char *end)
{
    for (const char *nl = p; (nl = memchr(nl, '\n', (size_t)(end - nl))) != NULL; nl++)
        if (nl == p || !(nl[-1] == '\\' || (nl[-1] == '\r' && nl - p > 1 && nl[-2] == '\\')))
            return nl;
    return end;
}

/* May the directive, from its '#' on, name a file: an include, an embed, a condition? */
static bool is_of_interest(const char *p, const char *end)
{
    static const char names_none[] = "dplruw"; /* define, pragma, line, region, undef, warning */
    for (p++; p < end && (*p == ' ' || *p == '\t'); p++)
        ;
    return p < end && !memchr(names_none, *p, sizeof names_none - 1);
}

/* After this nothing is included: the last "include", "import" or "embed" of a directive, or the
 * end of the text where a comment in a directive goes on to the next line. */
static const char *last_of_interest(const char *text, const char *end)
{
    const char *last = text;
    for (const char *p = text; (p = memchr(p, '#', (size_t)(end - p))) != NULL; p++) {
        const char *line = line_end(p, end);
        const char *open = last_word(NULL, "/*", p, line);
        if (open && !memmem(open, (size_t)(line - open), "*/", 2))
            return end;
        if (!is_of_interest(p, line))
            continue;
        last = last_word(last, "include", p, line);
        last = last_word(last, "import", p, line);
        last = last_word(last, "embed", p, line);
    }
    return last;
}

void qn__include_scan_init(struct qn__include_scan *s, const char *text, size_t n)
{
    *s = (struct qn__include_scan){.p = text,
                                   .end = text + n,
                                   .start = text,
                                   .last = last_of_interest(text, text + n),
                                   .line_start = true};
}

static bool at(const struct qn__include_scan *s, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(s->end - s->p) >= n && memcmp(s->p, word, n) == 0;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Length of a backslash and the end of line after it; 0 where there is none. */
static size_t continuation(const struct qn__include_scan *s)
{
    return at(s, "\\\n") ? 2 : at(s, "\\\r\n") ? 3 : 0;
}

static void skip_line_comment(struct qn__include_scan *s)
{
    for (;;) {
        const char *nl = memchr(s->p, '\n', (size_t)(s->end - s->p));
        s->p = nl ? nl : s->end;
        if (!nl || !(nl[-1] == '\\' || (nl[-1] == '\r' && nl[-2] == '\\')))
            return;
        s->p++; /* continued */
    }
}

static void skip_block_comment(struct qn__include_scan *s)
{
    s->p += 2;
    while (s->p < s->end && !at(s, "*/")) {
        const char *star = memchr(s->p + 1, '*', (size_t)(s->end - s->p) - 1);
        s->p = star ? star : s->end;
    }
    s->p += s->p < s->end ? 2 : 0;
}

/* Skip characters that begin no comment, literal or new line. */
static void skip_plain(struct qn__include_scan *s)
{
    static const bool begins[256] = {
        ['\n'] = true, ['\\'] = true, ['/'] = true, ['"'] = true, ['\''] = true};
    while (s->p < s->end && !begins[(unsigned char)*s->p])
        s->p++;
}

/* Blanks, comments and continued line ends within a line. */
static void skip_blanks(struct qn__include_scan *s)
{
    while (s->p < s->end) {
        const size_t n = continuation(s);
        if (n)
            s->p += n;
        else if (at(s, "/*"))
            skip_block_comment(s);
        else if (*s->p == ' ' || *s->p == '\t' || *s->p == '\r' || *s->p == '\f')
            s->p++;
        else
            break;
    }
}

/* From an opening quote to past the closing one, or to the end of the line. */
static void skip_literal(struct qn__include_scan *s, char quote)
{
    s->p++;
    while (s->p < s->end && *s->p != quote && *s->p != '\n') {
        const size_t n = continuation(s);
        s->p += n ? n : *s->p == '\\' && s->end - s->p > 1 ? 2 : 1;
    }
    if (s->p < s->end && *s->p == quote)
        s->p++;
}

/* R"delimiter( ... )delimiter" with s->p at the quote. */
static void skip_raw_string(struct qn__include_scan *s)
{
    const char *delimiter = s->p + 1;
    const char *open = delimiter;
    while (open < s->end && *open != '(' && *open != '\n' && open - delimiter <= 16)
        open++;
    if (open >= s->end || *open != '(') {
        skip_literal(s, '"');
        return;
    }
    const size_t n = (size_t)(open - delimiter);
    for (s->p = open; s->p < s->end; s->p++)
        if (*s->p == ')' && (size_t)(s->end - s->p) > n + 1 &&
            memcmp(s->p + 1, delimiter, n) == 0 && s->p[n + 1] == '"') {
            s->p += n + 2;
            return;
        }
}

/* Is the quote at s->p inside a number, as in 1'000? */
static bool is_separator(const struct qn__include_scan *s)
{
    const char *p = s->p;
    while (p > s->start && (is_word(p[-1]) || p[-1] == '\''))
        p--;
    return p < s->p && *p >= '0' && *p <= '9';
}

/* The word before the quote at s->p ends in R and is a raw string's prefix. */
static bool is_raw_prefix(const struct qn__include_scan *s)
{
    static const char *const prefixes[] = {"R", "u8R", "uR", "UR", "LR"};
    const char *p = s->p;
    while (p > s->start && is_word(p[-1]))
        p--;
    const size_t n = (size_t)(s->p - p);
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strlen(prefixes[i]) == n && memcmp(prefixes[i], p, n) == 0)
            return true;
    return false;
}

/* "..." or <...> at s->p, on one line. */
static bool read_name(struct qn__include *out, struct qn__include_scan *s)
{
    if (s->p >= s->end || (*s->p != '"' && *s->p != '<'))
        return false;
    const char close = *s->p == '<' ? '>' : '"';
    const char *q = s->p + 1;
    while (q < s->end && *q != close && *q != '\n')
        q++;
    if (q >= s->end || *q != close || q == s->p + 1)
        return false;
    *out = (struct qn__include){s->p, q + 1, close == '>', QN__INCLUDE};
    s->p = q + 1;
    return true;
}

/* #embed with s->p past that word; `hash` is its '#'. */
static bool read_embed(struct qn__include *out, struct qn__include_scan *s, const char *hash)
{
    *out = (struct qn__include){hash, line_end(s->p, s->end), false, QN__EMBED};
    s->p = out->end;
    return true;
}

/* The rest of __has_embed(...), with s->p at its bracket; `word` is where it begins. */
static bool read_has_embed(struct qn__include *out, struct qn__include_scan *s, const char *word)
{
    const char *const end = line_end(s->p, s->end);
    int depth = 0;
    for (const char *p = s->p; p < end; p++) {
        if (*p == '"' && !(p = memchr(p + 1, '"', (size_t)(end - p) - 1)))
            return false;
        depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
        if (depth == 0) {
            *out = (struct qn__include){word, p + 1, false, QN__HAS_EMBED};
            s->p = p + 1;
            return true;
        }
    }
    return false;
}

/* s->p is past the '#'. True when the directive names a file. */
static bool read_directive(struct qn__include *out, struct qn__include_scan *s)
{
    const char *const hash = s->p - 1;
    skip_blanks(s);
    const char *word = s->p;
    while (s->p < s->end && is_word(*s->p))
        s->p++;
    const size_t n = (size_t)(s->p - word);
    s->in_condition =
        (n == 2 && memcmp(word, "if", 2) == 0) || (n == 4 && memcmp(word, "elif", 4) == 0);
    if ((n == 7 && memcmp(word, "include", 7) == 0) || (n == 6 && memcmp(word, "import", 6) == 0)) {
        skip_blanks(s);
        s->met_macro |= s->p < s->end && is_word(*s->p);
        return read_name(out, s);
    }
    return n == 5 && memcmp(word, "embed", 5) == 0 && read_embed(out, s, hash);
}

/* A question for a file in a condition, with s->p at its word. The word is skipped. */
static bool read_question(struct qn__include *out, struct qn__include_scan *s)
{
    static const char include[] = "__has_include", embed[] = "__has_embed";
    const char *const word = s->p;
    const bool is_embed = at(s, embed);
    s->p += is_embed ? sizeof embed - 1 : sizeof include - 1;
    skip_blanks(s);
    if (s->p >= s->end || *s->p != '(')
        return false;
    if (is_embed)
        return read_has_embed(out, s, word);
    s->p++;
    skip_blanks(s);
    return read_name(out, s);
}

bool qn__include_scan_next(struct qn__include *out, struct qn__include_scan *s)
{
    while (s->p < s->last) {
        const char c = *s->p;
        const size_t n = continuation(s);
        if (n) {
            s->p += n;
        } else if (c == '\n') {
            s->p++;
            s->line_start = true;
            s->in_condition = false;
        } else if (at(s, "//")) {
            skip_line_comment(s);
        } else if (at(s, "/*")) {
            skip_block_comment(s);
        } else if (c == '#' && s->line_start) {
            s->p++;
            s->line_start = false;
            if (read_directive(out, s))
                return true;
        } else if (c == '"') {
            s->line_start = false;
            if (is_raw_prefix(s))
                skip_raw_string(s);
            else
                skip_literal(s, '"');
        } else if (c == '\'') {
            s->line_start = false;
            if (is_separator(s))
                s->p++;
            else
                skip_literal(s, '\'');
        } else if (s->in_condition && (at(s, "__has_include") || at(s, "__has_embed"))) {
            if (read_question(out, s))
                return true;
        } else {
            if (c != ' ' && c != '\t' && c != '\r' && c != '\f')
                s->line_start = false;
            s->p++;
            if (!s->line_start && !s->in_condition)
                skip_plain(s);
        }
    }
    return false;
}

/* "#define NAME " at the beginning of what is left of the line. */
static bool skip_define(struct qn__include_scan *s)
{
    static const char define[] = "define";
    skip_blanks(s);
    if (!at(s, define))
        return false;
    s->p += sizeof define - 1;
    skip_blanks(s);
    const char *const name = s->p;
    while (s->p < s->end && is_word(*s->p))
        s->p++;
    const bool found = s->p > name && s->p < s->end && (*s->p == ' ' || *s->p == '\t');
    skip_blanks(s);
    return found;
}

bool qn__include_macro_next(struct qn__include *out, const char **p, const char *end)
{
    while ((*p = memchr(*p, '#', (size_t)(end - *p))) != NULL) {
        struct qn__include_scan s = {.p = ++*p, .start = *p, .end = line_end(*p, end)};
        if (!skip_define(&s) || !read_name(out, &s))
            continue;
        skip_blanks(&s);
        *p = s.p;
        if (s.p == s.end || at(&s, "//"))
            return true;
    }
    *p = end;
    return false;
}
