/* SPDX-License-Identifier: Apache-2.0
 *
 * Hiding values in an entry's list of fields; hidden_values.h has the form. */
#include "rtc/cache/hidden_values.h"

#include "base/hash.h"

#include <stdint.h>
#include <string.h>

enum { SHOWN_DIGITS = 32 };

static const char mark[] = "digest:", macro[] = "option: -D";

/* Labels whose values are names, digests and versions, which stay; any other label is that of a
 * variable of the environment. */
static bool is_plain(const char *line, size_t n)
{
    static const char *const labels[] = {"source: ",
                                         "include not found: ",
                                         "option: ",
                                         "name expression: ",
                                         "target: ",
                                         "compiler: ",
                                         "compiler identity: ",
                                         "stand-in header: ",
                                         "toolkit header: ",
                                         "machine header: ",
                                         "device and driver: "};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (n >= strlen(labels[i]) && memcmp(line, labels[i], strlen(labels[i])) == 0)
            return true;
    return false;
}

/* Where the value to hide begins; false: there is none. */
static bool find_value(size_t *at, const char *line, size_t n)
{
    const bool is_macro = n >= sizeof macro - 1 && memcmp(line, macro, sizeof macro - 1) == 0;
    const char *end = is_macro            ? memchr(line, '=', n)
                      : is_plain(line, n) ? NULL
                                          : memchr(line, ':', n);
    *at = end ? (size_t)(end - line) + (is_macro ? 1 : 2) : n;
    return end && *at <= n;
}

/* The digest is of the whole line, so that equal values of two macros do not show. */
static void hide_line(struct qn__str *out, const char *line, size_t n)
{
    unsigned char digest[QN__HASH_BYTES];
    char hex[QN__HASH_HEX];
    size_t at;
    const bool has_value = find_value(&at, line, n);
    const bool is_hidden = has_value && n - at == sizeof mark - 1 + SHOWN_DIGITS &&
                           memcmp(line + at, mark, sizeof mark - 1) == 0;
    qn__str_add_bytes(out, line, has_value ? at : n);
    if (!has_value)
        return;
    if (is_hidden) {
        qn__str_add_bytes(out, line + at, n - at);
        return;
    }
    qn__hash_of(digest, line, n);
    qn__hash_to_hex(hex, digest);
    qn__str_printf(out, "%s%.*s", mark, SHOWN_DIGITS, hex);
}

void qn__values_hide(struct qn__str *out, const char *fields)
{
    for (const char *p = fields; *p;) {
        const size_t n = strcspn(p, "\n");
        hide_line(out, p, n);
        if (p[n])
            qn__str_add_char(out, '\n');
        p += n + (p[n] == '\n');
    }
}

bool qn__values_match(const char *a, size_t a_n, const char *b, size_t b_n)
{
    size_t at, b_at;
    if (a_n == b_n && memcmp(a, b, a_n) == 0)
        return true;
    if (!find_value(&at, a, a_n) || !find_value(&b_at, b, b_n) || at != b_at ||
        memcmp(a, b, at) != 0)
        return false;
    struct qn__str x = {0}, y = {0};
    hide_line(&x, a, a_n);
    hide_line(&y, b, b_n);
    const bool same =
        !x.failed && !y.failed && x.len == y.len && memcmp(x.text, y.text, x.len) == 0;
    qn__str_release(&x);
    qn__str_release(&y);
    return same;
}

bool qn__values_show(const char *text, const char *const *options, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *equal = strncmp(options[i], "-D", 2) == 0 ? strchr(options[i], '=') : NULL;
        const char *value = equal ? equal + 1 : "";
        if (value[0] && strcmp(value, "1") != 0 && strstr(text, value))
            return true;
    }
    return false;
}
