/* SPDX-License-Identifier: Apache-2.0
 *
 * Literals, ranges and regular expressions in GBNF (schema_text.h). */
#include "engine/schema_text.h"

#include "engine/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void qn__schema_add_quoted(struct qn__str *out, const char *text, size_t n)
{
    qn__str_add_char(out, '"');
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            qn__str_printf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            qn__str_printf(out, "\\x%02X", c);
        else
            qn__str_add_char(out, (char)c);
    }
    qn__str_add_char(out, '"');
}

/* -- whole numbers -- */

static void add_digits(struct qn__str *out, char low, char high, uint32_t times)
{
    if (times == 0)
        return;
    if (low == high)
        qn__str_printf(out, " \"%c\"", low);
    else
        qn__str_printf(out, " [%c-%c]", low, high);
    if (times > 1)
        qn__str_printf(out, "{%u}", times);
}

static bool is_all(const char *text, char digit)
{
    return text[strspn(text, (const char[]){digit, 0})] == 0;
}

/* Numbers of n digits from low to high. */
static void add_same_length(struct qn__str *out, const char *low, const char *high)
{
    const uint32_t n = (uint32_t)strlen(low);
    uint32_t same = 0;
    while (same < n && low[same] == high[same])
        add_digits(out, low[same], low[same], 1), same++;
    if (same == n)
        return;
    const char *l = low + same + 1, *h = high + same + 1;
    const uint32_t rest = n - same - 1;
    char from = low[same], to = high[same];
    char nines[24], zeros[24];
    memset(nines, '9', rest);
    memset(zeros, '0', rest);
    nines[rest] = zeros[rest] = 0;
    const char *between = " (";
    if (!is_all(l, '0')) { /* with the first digit of low, but not all of what follows */
        qn__str_add(out, between);
        add_digits(out, from, from, 1);
        add_same_length(out, l, nines);
        between = " |";
        from++;
    }
    const bool cut = !is_all(h, '9');
    if (cut)
        to--;
    if (from <= to) {
        qn__str_add(out, between);
        add_digits(out, from, to, 1);
        add_digits(out, '0', '9', rest);
        between = " |";
    }
    if (cut) {
        qn__str_add(out, between);
        add_digits(out, high[same], high[same], 1);
        add_same_length(out, zeros, h);
    }
    qn__str_add(out, " )");
}

/* One alternative for each number of digits. */
static void add_naturals(struct qn__str *out, uint64_t low, uint64_t high)
{
    char from[24], to[24], last[24];
    snprintf(last, sizeof last, "%" PRIu64, high);
    for (const char *between = " (";; between = " |") {
        snprintf(from, sizeof from, "%" PRIu64, low);
        const size_t n = strlen(from);
        const bool is_last = n == strlen(last);
        memset(to, '9', n);
        to[n] = 0;
        qn__str_add(out, between);
        add_same_length(out, from, is_last ? last : to);
        if (is_last)
            break;
        low = 1;
        for (size_t i = 0; i < n; i++)
            low *= 10;
    }
    qn__str_add(out, " )");
}

void qn__schema_add_integers(struct qn__str *out, int64_t low, int64_t high)
{
    if (low < 0) {
        const uint64_t most = (uint64_t)0 - (uint64_t)low;
        const uint64_t least = high < 0 ? (uint64_t)0 - (uint64_t)high : 1;
        qn__str_add(out, " ( \"-\"");
        add_naturals(out, least, most);
        if (high >= 0) {
            qn__str_add(out, " |");
            add_naturals(out, 0, (uint64_t)high);
        }
        qn__str_add(out, " )");
    } else {
        add_naturals(out, (uint64_t)low, (uint64_t)high);
    }
}

/* -- regular expressions -- */

enum { PATTERN_DEPTH = 64, RANGES_MAX = 128 };

struct range {
    uint32_t low, high;
};

struct pattern {
    const char *p;
    const char *chr;
    struct qn__str *out;
    uint32_t depth;
};

static qn_status not_supported(const struct pattern *s, const char *what)
{
    return qn__fail(QN_E_UNSUPPORTED, "pattern: %s at '%.12s'", what, s->p);
}

/* A character in a JSON string, as GBNF. */
static void add_character(struct qn__str *out, uint32_t c)
{
    static const char names[] = "\b\f\n\r\t", escapes[] = "bfnrt";
    const char *at = c && c < 0x20 ? strchr(names, (int)c) : NULL;
    if (c == '"')
        qn__str_add(out, " \"\\\\\\\"\"");
    else if (c == '\\')
        qn__str_add(out, " \"\\\\\\\\\"");
    else if (at)
        qn__str_printf(out, " \"\\\\%c\"", escapes[at - names]);
    else if (c < 0x20)
        qn__str_printf(out, " \"\\\\u00%02x\"", c);
    else
        qn__str_printf(out, " \"\\U%08X\"", c);
}

/* The text was checked to be UTF-8 when the JSON was read. */
static uint32_t read_plain(struct pattern *s)
{
    uint32_t c = 0;
    s->p += qn__utf8_read(&c, s->p, strnlen(s->p, 4));
    return c;
}

static bool read_hex(uint32_t *out, struct pattern *s, uint32_t n)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    *out = 0;
    for (uint32_t i = 0; i < n; i++, s->p++) {
        const char *at = *s->p ? strchr(digits, *s->p) : NULL;
        if (!at)
            return false;
        *out = *out << 4 | (uint32_t)((at - digits) % 16);
    }
    return *out < 0xd800 || *out >= 0xe000;
}

/* What stands behind a backslash: a character, or a class (*n ranges more). */
static qn_status read_escape(struct range *r, uint32_t *n, struct pattern *s)
{
    static const char literal[] = ".*+?()[]{}|^$/\\-\"'";
    static const char names[] = "ntrfv0", bytes[] = "\n\t\r\f\v";
    const char c = *s->p;
    uint32_t code;
    if (c == 'd' || c == 'w') {
        r[(*n)++] = (struct range){'0', '9'};
        if (c == 'w') {
            r[(*n)++] = (struct range){'A', 'Z'};
            r[(*n)++] = (struct range){'a', 'z'};
            r[(*n)++] = (struct range){'_', '_'};
        }
    } else if (c == 's') {
        r[(*n)++] = (struct range){' ', ' '};
        r[(*n)++] = (struct range){'\t', '\r'};
    } else if (c && strchr(literal, c)) {
        r[(*n)++] = (struct range){(uint32_t)c, (uint32_t)c};
    } else if (c && strchr(names, c)) {
        const uint32_t byte = (uint32_t)bytes[strchr(names, c) - names];
        r[(*n)++] = (struct range){byte, byte};
    } else if (c == 'x' || c == 'u') {
        s->p++;
        if (!read_hex(&code, s, c == 'x' ? 2 : 4))
            return qn__fail(QN_E_INVALID, "pattern: no character is meant by '\\%c%.4s'", c, s->p);
        r[(*n)++] = (struct range){code, code};
        return QN_OK;
    } else {
        s->p--;
        return not_supported(s, "an escape that is not supported");
    }
    s->p++;
    return QN_OK;
}

/* Characters that a JSON string has as they are, of one range. */
static void add_range(struct qn__str *out, uint32_t low, uint32_t high)
{
    static const uint32_t taboo[] = {'"', '\\'};
    for (size_t i = 0; i < sizeof taboo / sizeof *taboo; i++)
        if (low <= taboo[i] && taboo[i] <= high) {
            if (low < taboo[i])
                add_range(out, low, taboo[i] - 1);
            low = taboo[i] + 1;
        }
    if (low < 0x20)
        low = 0x20;
    if (low <= high)
        qn__str_printf(out, "\\U%08X-\\U%08X", low, high);
}

static bool is_in(const struct range *r, uint32_t n, uint32_t c)
{
    for (uint32_t i = 0; i < n; i++)
        if (r[i].low <= c && c <= r[i].high)
            return true;
    return false;
}

static void add_class(struct qn__str *out, const struct range *r, uint32_t n, bool negated)
{
    static const uint32_t escaped[] = {'"', '\\', '\n', '\t', '\r', '\f', '\b'};
    const char *between = " (";
    struct qn__str plain = {0};
    for (uint32_t i = 0; i < n; i++)
        if (negated) /* escapes are left out: fewer texts, none that is wrong */
            qn__str_printf(&plain, "\\U%08X-\\U%08X", r[i].low, r[i].high);
        else
            add_range(&plain, r[i].low, r[i].high);
    if (negated)
        qn__str_printf(out, " [^%s\\x00-\\x1F\\x22\\x5C]", plain.text ? plain.text : "");
    else if (plain.len) {
        qn__str_printf(out, "%s [%s]", between, plain.text);
        between = " |";
    }
    out->failed = out->failed || plain.failed;
    qn__str_release(&plain);
    for (size_t i = 0; !negated && i < sizeof escaped / sizeof *escaped; i++)
        if (is_in(r, n, escaped[i])) {
            qn__str_add(out, between);
            add_character(out, escaped[i]);
            between = " |";
        }
    if (!negated)
        qn__str_add(out, between[1] == '(' ? " ( [\\U00000020-\\U00000020]{0} )" : " )");
}

static qn_status read_class(struct pattern *s)
{
    struct range r[RANGES_MAX];
    uint32_t n = 0;
    const char *begin = s->p++;
    const bool negated = *s->p == '^';
    s->p += negated;
    while (*s->p != ']') {
        if (!*s->p)
            return qn__fail(QN_E_INVALID, "pattern: a ']' is missing");
        if (n + 8 > RANGES_MAX)
            return qn__fail(QN_E_LIMIT, "pattern: more than %d ranges in brackets", RANGES_MAX);
        const uint32_t before = n;
        if (*s->p == '\\') {
            s->p++;
            QN_TRY(read_escape(r, &n, s));
        } else {
            const uint32_t c = read_plain(s);
            r[n++] = (struct range){c, c};
        }
        if (s->p[0] != '-' || s->p[1] == ']' || !s->p[1] || n != before + 1)
            continue;
        s->p++;
        uint32_t m = 0;
        struct range to[4];
        if (*s->p == '\\') {
            s->p++;
            QN_TRY(read_escape(to, &m, s));
        } else {
            const uint32_t c = read_plain(s);
            to[m++] = (struct range){c, c};
        }
        if (m != 1 || to[0].high < r[n - 1].low)
            return qn__fail(QN_E_INVALID, "pattern: a range in brackets goes backwards");
        r[n - 1].high = to[0].high;
    }
    s->p++;
    if (!n)
        return qn__fail(QN_E_INVALID, "pattern: no character is in '%.*s'", (int)(s->p - begin),
                        begin);
    add_class(s->out, r, n, negated);
    return QN_OK;
}

static qn_status read_choice(struct pattern *s);

static qn_status read_group(struct pattern *s)
{
    if (++s->depth > PATTERN_DEPTH)
        return qn__fail(QN_E_LIMIT, "pattern: more than %d groups within one another",
                        PATTERN_DEPTH);
    s->p++;
    if (s->p[0] == '?' && s->p[1] == ':')
        s->p += 2;
    else if (s->p[0] == '?')
        return not_supported(s, "a group that looks ahead, behind or has a name");
    qn__str_add(s->out, " (");
    QN_TRY(read_choice(s));
    if (*s->p != ')')
        return qn__fail(QN_E_INVALID, "pattern: a ')' is missing");
    s->p++;
    s->depth--;
    qn__str_add(s->out, " )");
    return QN_OK;
}

static qn_status read_atom(struct pattern *s)
{
    struct range r[4];
    uint32_t n = 0;
    switch (*s->p) {
    case '(': return read_group(s);
    case '[': return read_class(s);
    case '.':
        s->p++;
        qn__str_printf(s->out, " %s", s->chr);
        return QN_OK;
    case '^':
    case '$': return not_supported(s, "an anchor within the expression");
    case '*':
    case '+':
    case '?':
    case '{': return qn__fail(QN_E_INVALID, "pattern: nothing is repeated at '%.12s'", s->p);
    case '\\':
        s->p++;
        QN_TRY(read_escape(r, &n, s));
        if (n == 1 && r[0].low == r[0].high)
            add_character(s->out, r[0].low);
        else
            add_class(s->out, r, n, false);
        return QN_OK;
    }
    add_character(s->out, read_plain(s));
    return QN_OK;
}

/* The bytes of "{2}", "{2,}" or "{2,4}"; 0: none of them. */
static size_t repetition_bytes(const char *p)
{
    size_t n = 1 + strspn(p + 1, "0123456789");
    if (n == 1)
        return 0;
    const bool has_most = p[n] == ',' && p[n + 1] != '}';
    if (p[n] == ',')
        n += 1 + strspn(p + n + 1, "0123456789");
    if (p[n] != '}' ||
        (has_most && strtoul(strchr(p, ',') + 1, NULL, 10) < strtoul(p + 1, NULL, 10)))
        return 0;
    return n + 1;
}

static qn_status read_repeat(struct pattern *s)
{
    if (*s->p == '*' || *s->p == '+' || *s->p == '?') {
        qn__str_add_char(s->out, *s->p++);
    } else if (*s->p == '{') {
        const size_t n = repetition_bytes(s->p);
        if (n == 0)
            return qn__fail(QN_E_INVALID, "pattern: no repetition: '%.12s'", s->p);
        qn__str_add_bytes(s->out, s->p, n);
        s->p += n;
    } else {
        return QN_OK;
    }
    if (*s->p == '?') /* as few as will do: the same texts */
        s->p++;
    if (*s->p == '+')
        return not_supported(s, "a repetition that gives nothing back");
    return QN_OK;
}

/* Ends at a ')' or at the end. */
static qn_status read_choice(struct pattern *s)
{
    bool is_empty = true;
    for (; *s->p && *s->p != ')' && !(s->p[0] == '$' && !s->p[1]);) {
        if (*s->p == '|') {
            qn__str_add(s->out, is_empty ? " \"\" |" : " |");
            s->p++;
            is_empty = true;
            continue;
        }
        QN_TRY(read_atom(s));
        QN_TRY(read_repeat(s));
        is_empty = false;
    }
    if (is_empty)
        qn__str_add(s->out, " \"\"");
    return QN_OK;
}

qn_status qn__schema_add_pattern(struct qn__str *out, const char *pattern, const char *chr)
{
    const size_t n = strlen(pattern);
    struct pattern s = {.p = pattern + 1, .chr = chr, .out = out};
    if (n < 2 || pattern[0] != '^' || pattern[n - 1] != '$' || (n > 2 && pattern[n - 2] == '\\'))
        return qn__fail(QN_E_UNSUPPORTED,
                        "pattern '%.60s': only one for the whole text, as '^...$', is supported",
                        pattern);
    qn__str_add(out, " (");
    QN_TRY(read_choice(&s));
    if (*s.p == ')')
        return qn__fail(QN_E_INVALID, "pattern: a '(' is missing in front of '%.12s'", s.p);
    qn__str_add(out, " )");
    return QN_OK;
}
