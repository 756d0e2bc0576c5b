/* SPDX-License-Identifier: Apache-2.0
 *
 * Masking: see secrets.h. The text is gone through word by word; a word is letters, digits, '_',
 * '-'. It is better to mask too much than too little. */
#define _GNU_SOURCE
#include "doctor/secrets.h"

#include "base/environment.h"

#include <ctype.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES_MIN = 3, TOKEN_BYTES_MIN = 24 };

void qn__secrets_init(struct qn__secrets *out)
{
    const char *home = qn__getenv("HOME");
    const struct passwd *me = getpwuid(getuid());
    *out = (struct qn__secrets){0};
    if (home && strlen(home) > 1)
        snprintf(out->home, sizeof out->home, "%s", home);
    if (me && strcmp(me->pw_name, "root") != 0)
        snprintf(out->user, sizeof out->user, "%s", me->pw_name);
    if (gethostname(out->host, sizeof out->host - 1) != 0)
        out->host[0] = 0;
    if (!strcmp(out->host, "localhost"))
        out->host[0] = 0;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static bool is_hex(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isxdigit((unsigned char)p[i]))
            return false;
    return true;
}

/* 8-4-4-4-12 hexadecimal digits from p. */
static bool is_uuid(const char *p, size_t n)
{
    static const size_t groups[] = {8, 4, 4, 4, 12};
    enum { UUID_BYTES = 36 };
    if (n < UUID_BYTES)
        return false;
    for (size_t i = 0, at = 0; i < 5; at += groups[i] + 1, i++)
        if (!is_hex(p + at, groups[i]) || (i < 4 && p[at + groups[i]] != '-'))
            return false;
    return true;
}

static bool is_mac(const char *p)
{
    for (int i = 0; i < 6; i++)
        if (!isxdigit((unsigned char)p[3 * i]) || !isxdigit((unsigned char)p[3 * i + 1]) ||
            (i < 5 && p[3 * i + 2] != ':'))
            return false;
    return !isalnum((unsigned char)p[17]) && p[17] != ':';
}

static bool is_token(const char *p, size_t n)
{
    static const char *const forms[] = {"hf_", "ghp_", "gho_", "github_pat_", "glpat-",
                                        "sk-", "xox",  "AKIA", "pypi-",       "nvapi-"};
    size_t digits = 0, uppers = 0, lowers = 0;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (n >= strlen(forms[i]) + 8 && strncmp(p, forms[i], strlen(forms[i])) == 0)
            return true;
    for (size_t i = 0; i < n; i++) {
        digits += isdigit((unsigned char)p[i]) != 0;
        uppers += isupper((unsigned char)p[i]) != 0;
        lowers += islower((unsigned char)p[i]) != 0;
    }
    if (n < TOKEN_BYTES_MIN)
        return false;
    return is_hex(p, n) || (digits >= 4 && uppers >= 3 && lowers >= 3);
}

static bool is_name(const char *p, size_t n, const char *name)
{
    return strlen(name) >= NAME_BYTES_MIN && strlen(name) == n && strncmp(p, name, n) == 0;
}

/* What stands for a word; NULL: the word itself. */
static const char *mask_of(const char *p, size_t n, const struct qn__secrets *s)
{
    if (is_name(p, n, s->user))
        return "USER";
    if (is_name(p, n, s->host))
        return "HOST";
    for (size_t i = 0; i + 36 <= n; i++)
        if (is_uuid(p + i, n - i))
            return n > 36 && !strncmp(p, "GPU-", 4) ? "GPU-(masked)" : "(masked)";
    return is_token(p, n) ? "(masked)" : NULL;
}

/* The end of the part of a path or of a mail address that begins here. */
static size_t name_length(const char *p)
{
    return strcspn(p, "/ \t\n\"',:;)");
}

static bool starts_path(const char *p, const char *prefix, size_t n)
{
    return n && strncmp(p, prefix, n) == 0 && !is_word(p[n]);
}

/* Is this word the first half of a mail address? */
static bool is_mail(const char *p, size_t n)
{
    size_t at = n;
    while (is_word(p[at]) || p[at] == '.')
        at++;
    return p[at] == '@' && is_word(p[at + 1]);
}

static size_t mail_length(const char *p)
{
    size_t n = 0;
    while (is_word(p[n]) || p[n] == '.' || p[n] == '@')
        n++;
    return n;
}

void qn__str_add_masked(struct qn__str *out, const char *text, const struct qn__secrets *s)
{
    const char *p = text;
    while (*p) {
        const char *const rest = strstr(p, "://") == p ? p + 3 : NULL;
        const size_t login = rest ? strcspn(rest, "@/ \t\n") : 0;
        const bool is_start = p == text || !is_word(p[-1]);
        if (rest && rest[login] == '@') {
            qn__str_add(out, "://(masked)");
            p = rest + login;
        } else if (starts_path(p, s->home, strlen(s->home))) {
            qn__str_add(out, "~");
            p += strlen(s->home);
        } else if (strncmp(p, "/home/", 6) == 0 && name_length(p + 6)) {
            qn__str_add(out, "/home/USER");
            p += 6 + name_length(p + 6);
        } else if (is_start && is_mac(p)) {
            qn__str_add(out, "(masked)");
            p += 17;
        } else if (is_word(*p)) {
            size_t n = 0;
            while (is_word(p[n]))
                n++;
            const char *mask = mask_of(p, n, s);
            if (is_mail(p, n)) {
                mask = "(masked)";
                n = mail_length(p);
            }
            if (mask)
                qn__str_add(out, mask);
            else
                qn__str_add_bytes(out, p, n);
            p += n;
        } else {
            qn__str_add_char(out, *p++);
        }
    }
}

static bool is_secret_name(const char *name)
{
    static const char *const words[] = {"TOKEN", "SECRET", "PASSWORD", "LOGIN", "_KEY"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

static json_t *masked_string(const char *text, const struct qn__secrets *s)
{
    struct qn__str out = {0};
    qn__str_add_masked(&out, text, s);
    json_t *value = json_string(out.text ? out.text : "");
    qn__str_release(&out);
    return value;
}

void qn__mask_json(json_t *value, const struct qn__secrets *s)
{
    const char *name;
    json_t *part;
    void *next;
    if (json_is_object(value)) {
        json_object_foreach_safe(value, next, name, part)
        {
            if (!json_is_string(part))
                qn__mask_json(part, s);
            else if (is_secret_name(name))
                json_object_set_new(value, name, json_string("(not shown)"));
            else
                json_object_set_new(value, name, masked_string(json_string_value(part), s));
        }
    }
    for (size_t i = 0; json_is_array(value) && i < json_array_size(value); i++) {
        part = json_array_get(value, i);
        if (json_is_string(part))
            json_array_set_new(value, i, masked_string(json_string_value(part), s));
        else
            qn__mask_json(part, s);
    }
}
