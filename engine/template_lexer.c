/* SPDX-License-Identifier: Apache-2.0
 *
 * The lexer of chat templates. */
#include "engine/template_lexer.h"

#include "base/str.h"
#include "engine/template_text.h"
#include "engine/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEMPLATE_BYTES_MAX = 4 << 20, BRACKETS_MAX = 128 };

struct lexer {
    struct qn__arena *arena;
    struct qn__words *words;
    const char *text; /* with "\n" for every line end */
    size_t n, at;
    uint32_t line;
    bool starts_line; /* what was read last ended a line */
};

qn_status qn__template_error(uint32_t line, qn_status status, const char *fmt, ...)
{
    struct qn__str message = {0};
    va_list ap;
    va_start(ap, fmt);
    qn__str_vprintf(&message, fmt, ap);
    va_end(ap);
    const qn_status s = qn__fail(status, "chat template, line %u: %s", line,
                                 message.text ? message.text : "out of memory");
    qn__str_release(&message);
    return s;
}

/* -- the words -- */

static qn_status add(struct lexer *x, struct qn__word word)
{
    struct qn__words *w = x->words;
    if (w->n == w->capacity) {
        const size_t more = w->capacity ? 2 * w->capacity : 256;
        struct qn__word *items = QN__ARENA_ARRAY(x->arena, struct qn__word, more);
        if (!items)
            return qn__fail(QN_E_MEMORY, "no memory for a chat template");
        if (w->n)
            memcpy(items, w->items, w->n * sizeof *items);
        w->items = items;
        w->capacity = more;
    }
    word.line = x->line;
    w->items[w->n++] = word;
    return QN_OK;
}

static qn_status add_kind(struct lexer *x, enum qn__word_kind kind)
{
    return add(x, (struct qn__word){.kind = kind});
}

/* Go on to `end`, counting lines. */
static void pass(struct lexer *x, size_t end)
{
    for (; x->at < end; x->at++)
        x->line += x->text[x->at] == '\n';
}

static bool is_at(const struct lexer *x, size_t at, const char *what)
{
    const size_t n = strlen(what);
    return n <= x->n - at && !memcmp(x->text + at, what, n);
}

static size_t skip_space(const struct lexer *x, size_t at)
{
    const struct qn__template_text all = {x->text, NULL, x->n};
    while (at < x->n && qn__is_space(qn__text_code_point(all, at)))
        at += qn__text_character_bytes(all, at);
    return at;
}

/* -- between tags -- */

/* Data in front of a tag that begins at `end` with `sign` after its two characters. */
static qn_status add_data(struct lexer *x, size_t end, char sign, bool is_output)
{
    const size_t start = x->at;
    struct qn__template_text data = {x->text + start, NULL, end - start};
    if (sign == '-') {
        data = qn__text_strip(data, NULL, QN__RIGHT);
    } else if (sign != '+' && !is_output) {
        size_t line = data.n;
        while (line > 0 && data.bytes[line - 1] != '\n')
            line--;
        const struct qn__template_text last = qn__text_part(data, line, data.n - line);
        if ((line > 0 || x->starts_line) && last.n && !qn__text_strip(last, NULL, QN__BOTH).n)
            data.n = line;
    }
    if (data.n)
        QN_TRY(add(x, (struct qn__word){.kind = QN__WORD_DATA, .text = data.bytes, .n = data.n}));
    pass(x, end);
    return QN_OK;
}

/* The end of a tag, "%}" or "#}" or "}}", which begins at `at`: where the text goes on. */
static size_t after_tag(const struct lexer *x, size_t at, bool trims)
{
    if (x->text[at] == '-')
        return skip_space(x, at + 3);
    if (x->text[at] == '+')
        return at + 3;
    at += 2;
    return trims && at < x->n && x->text[at] == '\n' ? at + 1 : at;
}

static void pass_tag(struct lexer *x, size_t end)
{
    pass(x, end);
    x->starts_line = end > 0 && x->text[end - 1] == '\n';
}

static qn_status comment(struct lexer *x)
{
    const uint32_t line = x->line;
    for (size_t at = x->at + 2; at < x->n; at++) {
        const bool has_sign = is_at(x, at, "-#}") || is_at(x, at, "+#}");
        if (has_sign || is_at(x, at, "#}")) {
            pass_tag(x, after_tag(x, at, true));
            return QN_OK;
        }
    }
    return qn__template_error(line, QN_E_INVALID, "a comment without its end '#}'");
}

/* Is this "{% raw %}" (or endraw), from the "%" on? Where it ends, or 0. */
static size_t raw_tag(const struct lexer *x, size_t at, const char *name)
{
    at += 2;
    if (at < x->n && (x->text[at] == '-' || x->text[at] == '+'))
        at++;
    at = skip_space(x, at);
    if (!is_at(x, at, name))
        return 0;
    at = skip_space(x, at + strlen(name));
    return is_at(x, at, "%}") || is_at(x, at, "-%}") || is_at(x, at, "+%}") ? at : 0;
}

static qn_status raw(struct lexer *x, size_t begin)
{
    const uint32_t line = x->line;
    pass_tag(x, x->text[begin] == '-' ? skip_space(x, begin + 3) : begin + 2);
    for (size_t at = x->at; at < x->n; at++) {
        size_t end;
        if (!is_at(x, at, "{%") || !(end = raw_tag(x, at, "endraw")))
            continue;
        const char sign = at + 2 < x->n ? x->text[at + 2] : 0;
        QN_TRY(add_data(x, at, sign, false));
        pass_tag(x, after_tag(x, end, true));
        return QN_OK;
    }
    return qn__template_error(line, QN_E_INVALID, "raw without endraw");
}

/* -- inside tags -- */

static bool is_name_byte(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80 || (!first && c >= '0' && c <= '9');
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

/* `n` hexadecimal digits at p. */
static bool read_hex(uint32_t *out, const char *p, size_t left, size_t n)
{
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        if (i >= left || digit_of(p[i]) > 15)
            return false;
        *out = *out << 4 | (uint32_t)digit_of(p[i]);
    }
    return *out <= 0x10ffff && !(*out >= 0xd800 && *out < 0xe000);
}

/* What stands after a backslash; returns how much of it was read. */
static size_t unescape(char *out, size_t *n_out, const char *p, size_t left)
{
    static const char names[] = "abfnrtv\\'\"", stand[] = "\a\b\f\n\r\t\v\\'\"";
    const char *known = memchr(names, *p, sizeof names - 1);
    const size_t digits = *p == 'x' ? 2 : *p == 'u' ? 4 : *p == 'U' ? 8 : 0;
    uint32_t c;
    *n_out = 0;
    if (*p == '\n')
        return 1;
    if (known) {
        out[(*n_out)++] = stand[known - names];
        return 1;
    }
    if (*p >= '0' && *p <= '7') {
        size_t n = 0;
        for (c = 0; n < 3 && n < left && p[n] >= '0' && p[n] <= '7'; n++)
            c = c << 3 | (uint32_t)(p[n] - '0');
        *n_out = qn__utf8_write(out, c);
        return n;
    }
    if (!digits) { /* stands for itself, with its backslash */
        out[(*n_out)++] = '\\';
        return 0;
    }
    if (!read_hex(&c, p + 1, left - 1, digits))
        return SIZE_MAX;
    *n_out = qn__utf8_write(out, c);
    return 1 + digits;
}

static qn_status text(struct lexer *x)
{
    const char quote = x->text[x->at];
    size_t end = x->at + 1, n = 0;
    while (end < x->n && x->text[end] != quote)
        end += x->text[end] == '\\' ? 2 : 1;
    if (end >= x->n)
        return qn__template_error(x->line, QN_E_INVALID, "a string without its end %c", quote);
    char *out = qn__arena_alloc(x->arena, end - x->at + 4, 1);
    if (!out)
        return qn__fail(QN_E_MEMORY, "no memory for a chat template");
    for (size_t at = x->at + 1; at < end;) {
        size_t added = 1;
        if (x->text[at] != '\\') {
            out[n++] = x->text[at++];
            continue;
        }
        const size_t read = unescape(out + n, &added, x->text + at + 1, end - at - 1);
        if (read == SIZE_MAX)
            return qn__template_error(x->line, QN_E_INVALID, "a string with a wrong escape '%.6s'",
                                      x->text + at);
        n += added;
        at += 1 + read;
    }
    QN_TRY(add(x, (struct qn__word){.kind = QN__WORD_TEXT, .text = out, .n = n}));
    pass(x, end + 1);
    return QN_OK;
}

static qn_status number(struct lexer *x)
{
    char digits[64];
    size_t n = 0, at = x->at;
    bool is_real = false;
    const int base = !is_at(x, at, "0") || at + 1 >= x->n ? 10
                     : (x->text[at + 1] | 0x20) == 'x'    ? 16
                     : (x->text[at + 1] | 0x20) == 'o'    ? 8
                     : (x->text[at + 1] | 0x20) == 'b'    ? 2
                                                          : 10;
    at += base == 10 ? 0 : 2;
    for (; at < x->n && n + 1 < sizeof digits; at++) {
        const char c = x->text[at], next = at + 1 < x->n ? x->text[at + 1] : 0;
        const bool sign_follows =
            (next == '+' || next == '-') && at + 2 < x->n && digit_of(x->text[at + 2]) < 10;
        if (c == '_' && digit_of(next) < base)
            continue;
        if (base == 10 && c == '.' && !is_real && digit_of(next) < 10) {
            is_real = true;
        } else if (base == 10 && (c == 'e' || c == 'E') && (digit_of(next) < 10 || sign_follows)) {
            is_real = true;
            digits[n++] = c;
            if (sign_follows && n + 1 < sizeof digits)
                digits[n++] = x->text[++at];
            continue;
        } else if (digit_of(c) >= base) {
            break;
        }
        digits[n++] = c;
    }
    digits[n] = 0;
    struct qn__word word = {.kind = is_real ? QN__WORD_FLOAT : QN__WORD_INT};
    char *end;
    errno = 0;
    if (is_real)
        word.real = strtod(digits, &end);
    else
        word.integer = strtoll(digits, &end, base);
    if (!n || *end || errno || n + 1 >= sizeof digits)
        return qn__template_error(x->line, QN_E_INVALID, "a number that is none: '%.32s'", digits);
    QN_TRY(add(x, word));
    x->at = at;
    return QN_OK;
}

static qn_status operator(struct lexer *x)
{
    static const char *const all[] = {"==", "!=", ">=", "<=", "//", "**", "+", "-", "/",
                                      "*",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                      ">",  "<",  "=",  ".",  ":",  "|",  ",", ";"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (is_at(x, x->at, all[i])) {
            x->at += strlen(all[i]);
            return add(x, (struct qn__word){
                              .kind = QN__WORD_OPERATOR, .text = all[i], .n = strlen(all[i])});
        }
    return qn__template_error(
        x->line, QN_E_INVALID, "a character that means nothing here: '%.*s'",
        (int)qn__text_character_bytes((struct qn__template_text){x->text, NULL, x->n}, x->at),
        x->text + x->at);
}

static qn_status name(struct lexer *x)
{
    size_t end = x->at;
    while (end < x->n && is_name_byte(x->text[end], false))
        end++;
    QN_TRY(add(
        x, (struct qn__word){.kind = QN__WORD_NAME, .text = x->text + x->at, .n = end - x->at}));
    x->at = end;
    return QN_OK;
}

/* Brackets that are open; the end of a tag does not count inside of them. */
static qn_status balance(struct lexer *x, char *open, size_t *n)
{
    const struct qn__word *last = &x->words->items[x->words->n - 1];
    const char c = last->n == 1 ? *last->text : 0;
    if (c == '(' || c == '[' || c == '{') {
        if (*n == BRACKETS_MAX)
            return qn__template_error(x->line, QN_E_LIMIT, "more than %d open brackets",
                                      BRACKETS_MAX);
        open[(*n)++] = c == '(' ? ')' : c == '[' ? ']' : '}';
    } else if (c == ')' || c == ']' || c == '}') {
        if (!*n || open[*n - 1] != c)
            return qn__template_error(x->line, QN_E_INVALID, "'%c' closes no bracket", c);
        --*n;
    }
    return QN_OK;
}

static qn_status tag(struct lexer *x, bool is_output)
{
    const char *const end = is_output ? "}}" : "%}";
    const uint32_t line = x->line;
    char open[BRACKETS_MAX];
    size_t n_open = 0;
    x->at += 2;
    if (x->at < x->n && (x->text[x->at] == '-' || x->text[x->at] == '+'))
        x->at++;
    QN_TRY(add_kind(x, is_output ? QN__WORD_OUTPUT_BEGIN : QN__WORD_BLOCK_BEGIN));
    for (;;) {
        pass(x, skip_space(x, x->at));
        if (x->at >= x->n)
            return qn__template_error(line, QN_E_INVALID, "a tag without its end '%s'", end);
        const char c = x->text[x->at];
        const bool signed_end = (c == '-' || (c == '+' && !is_output)) && is_at(x, x->at + 1, end);
        if (!n_open && (signed_end || is_at(x, x->at, end))) {
            QN_TRY(add_kind(x, is_output ? QN__WORD_OUTPUT_END : QN__WORD_BLOCK_END));
            pass_tag(x, after_tag(x, x->at, !is_output));
            return QN_OK;
        }
        if (c == '"' || c == '\'') {
            QN_TRY(text(x));
        } else if (c >= '0' && c <= '9') {
            QN_TRY(number(x));
        } else if (is_name_byte(c, true)) {
            QN_TRY(name(x));
        } else {
            QN_TRY(operator(x));
            QN_TRY(balance(x, open, &n_open));
        }
    }
}

/* -- the whole -- */

static qn_status lex(struct lexer *x)
{
    while (x->at < x->n) {
        size_t at = x->at;
        while (at < x->n &&
               !(x->text[at] == '{' && at + 1 < x->n && strchr("{%#", x->text[at + 1])))
            at++;
        const bool is_output = at < x->n && x->text[at + 1] == '{';
        QN_TRY(add_data(x, at, at + 2 < x->n ? x->text[at + 2] : at < x->n ? 0 : '+', is_output));
        if (x->at >= x->n)
            break;
        size_t begin;
        if (x->text[at + 1] == '#')
            QN_TRY(comment(x));
        else if (!is_output && (begin = raw_tag(x, at, "raw")))
            QN_TRY(raw(x, begin));
        else
            QN_TRY(tag(x, is_output));
    }
    return add_kind(x, QN__WORD_END);
}

qn_status qn__template_lex(struct qn__words *out, struct qn__arena *arena, const char *text,
                           size_t n)
{
    struct lexer x = {.arena = arena, .words = out, .line = 1, .starts_line = true};
    *out = (struct qn__words){0};
    if (n > TEMPLATE_BYTES_MAX)
        return qn__fail(QN_E_LIMIT, "a chat template of %zu bytes; at most %d", n,
                        TEMPLATE_BYTES_MAX);
    char *copy = qn__arena_alloc(arena, n + 1, 1);
    if (!copy)
        return qn__fail(QN_E_MEMORY, "no memory for a chat template");
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\0')
            return qn__fail(QN_E_INVALID, "a chat template with a zero byte");
        if (text[i] == '\r' && i + 1 < n && text[i + 1] == '\n')
            continue;
        copy[x.n++] = text[i] == '\r' ? '\n' : text[i];
    }
    for (size_t at = 0, length; at < x.n; at += length)
        if (!(length = qn__utf8_bytes(copy + at, x.n - at)))
            return qn__fail(QN_E_INVALID, "a chat template that is not UTF-8");
    if (x.n && copy[x.n - 1] == '\n') /* as Jinja does */
        x.n--;
    x.text = copy;
    return lex(&x);
}
