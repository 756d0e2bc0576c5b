/* SPDX-License-Identifier: Apache-2.0
 *
 * String builder and small string questions. Growth is by doubling. */
#include "base/str.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local uint32_t n_failures;

uint32_t qn__str_failures(void)
{
    return n_failures;
}

static bool fail(struct qn__str *s)
{
    n_failures++;
    s->failed = true;
    return false;
}

static bool reserve(struct qn__str *s, size_t more)
{
    if (s->failed)
        return false;
    if (more < s->capacity - s->len && s->text)
        return true;
    if (more > SIZE_MAX / 2 - s->len)
        return fail(s);
    size_t capacity = s->capacity ? s->capacity : 64;
    while (capacity - s->len <= more)
        capacity *= 2;
    char *grown = realloc(s->text, capacity);
    if (!grown)
        return fail(s);
    if (!s->text)
        grown[0] = 0;
    s->text = grown;
    s->capacity = capacity;
    return true;
}

void qn__str_add_bytes(struct qn__str *s, const void *bytes, size_t n)
{
    if (!reserve(s, n))
        return;
    if (n)
        memcpy(s->text + s->len, bytes, n);
    s->len += n;
    s->text[s->len] = 0;
}

void qn__str_add(struct qn__str *s, const char *text)
{
    qn__str_add_bytes(s, text, strlen(text));
}

void qn__str_add_char(struct qn__str *s, char c)
{
    qn__str_add_bytes(s, &c, 1);
}

void qn__str_add_repeat(struct qn__str *s, char c, size_t n)
{
    if (!reserve(s, n))
        return;
    memset(s->text + s->len, c, n);
    s->len += n;
    s->text[s->len] = 0;
}

void qn__str_vprintf(struct qn__str *s, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    const int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0) {
        s->failed = true;
        return;
    }
    if (!reserve(s, (size_t)n))
        return;
    vsnprintf(s->text + s->len, (size_t)n + 1, fmt, ap);
    s->len += (size_t)n;
}

void qn__str_printf(struct qn__str *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    qn__str_vprintf(s, fmt, ap);
    va_end(ap);
}

qn_status qn__str_check(const struct qn__str *s)
{
    return s->failed ? qn__fail(QN_E_MEMORY, "out of memory at %zu bytes of text", s->len) : QN_OK;
}

char *qn__str_take(struct qn__str *s)
{
    if (!s->failed)
        reserve(s, 0);
    if (s->failed) {
        qn__str_release(s);
        return NULL;
    }
    char *text = s->text;
    *s = (struct qn__str){0};
    return text;
}

void qn__str_clear(struct qn__str *s)
{
    s->len = 0;
    s->failed = false;
    if (s->text)
        s->text[0] = 0;
}

void qn__str_release(struct qn__str *s)
{
    free(s->text);
    *s = (struct qn__str){0};
}

void qn__text_join(char *out, size_t capacity, const char *const *texts, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t length = strlen(texts[i]), room = capacity - 1 - used;
        const size_t taken = length < room ? length : room;
        memcpy(out + used, texts[i], taken);
        used += taken;
    }
    out[used] = 0;
}

void qn__str_add_plain(struct qn__str *s, const char *text, size_t n)
{
    enum { FIRST_C1 = 0x80, LAST_C1 = 0x9f, C1_LEAD = 0xc2, DELETE = 0x7f };
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];
        const unsigned char next = i + 1 < n ? (unsigned char)text[i + 1] : 0;
        if (c == C1_LEAD && next >= FIRST_C1 && next <= LAST_C1) /* the same in UTF-8 */
            qn__str_printf(s, "\\x%02x", (unsigned char)text[++i]);
        else if ((c < ' ' && c != '\n' && c != '\t') || c == DELETE)
            qn__str_printf(s, "\\x%02x", c);
        else
            qn__str_add_char(s, (char)c);
    }
}

void qn__str_add_url(struct qn__str *s, const char *url)
{
    const char *scheme = strstr(url, "://");
    const char *host = scheme ? scheme + strlen("://") : url;
    const char *at = strrchr(host, '@'); /* a password may hold one too, and a / */
    qn__str_add_bytes(s, url, (size_t)(host - url));
    host = at ? at + 1 : host;
    qn__str_add_plain(s, host, strcspn(host, "?#"));
}

bool qn__starts_with(const char *s, const char *prefix)
{
    while (*prefix && *s == *prefix)
        s++, prefix++;
    return !*prefix;
}

bool qn__ends_with(const char *s, const char *suffix)
{
    const size_t n = strlen(s), m = strlen(suffix);
    return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

bool qn__equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool qn__is_listed(const char *const *list, uint32_t n, const char *text)
{
    for (uint32_t i = 0; i < n; i++)
        if (qn__equal(list[i], text))
            return true;
    return false;
}
