/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading them; configuration.h has the form. environment.c depends on this file, so nothing here
 * may ask for a variable or log: files are read by the system's calls, and errors are kept. */
#define _GNU_SOURCE
#include "base/configuration.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char own_prefix[] = "QUERN_", itself[] = "QUERN_CONFIG";

static void __attribute__((format(printf, 4, 5))) add_error(struct qn__conf *c, uint32_t file,
                                                            uint32_t line, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = '?';
    c->n_errors++;
    qn__str_add(&c->errors, c->files[file] ? c->files[file] : "");
    if (line)
        qn__str_printf(&c->errors, ":%u", line);
    qn__str_printf(&c->errors, ": %s\n", text);
}

/* ---- keys ---- */

static bool is_key_of_file(const struct qn__variable *v)
{
    return !strcmp(v->owner, "quern") && strcmp(v->name, itself) != 0;
}

void qn__conf_key(char out[QN__CONF_KEY_BYTES], const char *variable)
{
    const char *p = variable;
    size_t n = 0;
    if (qn__starts_with(p, own_prefix))
        p += sizeof own_prefix - 1;
    for (; *p && n + 1 < QN__CONF_KEY_BYTES; p++)
        out[n++] = *p == '_' ? '-' : (char)tolower((unsigned char)*p);
    out[n] = 0;
}

const struct qn__variable *qn__conf_variable(const char *key, char meant[QN__MEANT_BYTES])
{
    char want[QN__CONF_KEY_BYTES], have[QN__CONF_KEY_BYTES];
    struct qn__str choices = {0};
    const struct qn__variable *found = NULL;
    qn__conf_key(want, key);
    for (uint32_t i = 0; i < qn__n_environment && !found; i++) {
        if (!is_key_of_file(&qn__environment[i]))
            continue;
        qn__conf_key(have, qn__environment[i].name);
        if (!strcmp(have, want))
            found = &qn__environment[i];
        qn__str_printf(&choices, "%s%s", choices.len ? "|" : "", have);
    }
    meant[0] = 0;
    if (!found && !choices.failed && choices.text)
        qn__did_you_mean(meant, choices.text, want);
    qn__str_release(&choices);
    return found;
}

const struct qn__conf_entry *qn__conf_find(const struct qn__conf *c, const char *variable)
{
    for (uint32_t i = c->n_entries; i > 0; i--)
        if (!strcmp(c->entries[i - 1].variable->name, variable))
            return &c->entries[i - 1];
    return NULL;
}

/* ---- lines ---- */

/* The part of a line between blanks. */
static char *trimmed(const char *from, const char *to)
{
    while (from < to && strchr(" \t\r", *from))
        from++;
    while (from < to && strchr(" \t\r", to[-1]))
        to--;
    return strndup(from, (size_t)(to - from));
}

static char *expanded(char *value, const char *home)
{
    struct qn__str out = {0};
    qn__str_printf(&out, "%s%s", home, value + 1);
    free(value);
    return qn__str_take(&out);
}

/* `value` is taken over. */
static void add_entry(struct qn__conf *c, uint32_t file, uint32_t line, const char *key,
                      char *value, const char *home)
{
    char meant[QN__MEANT_BYTES];
    const struct qn__variable *v = qn__conf_variable(key, meant);
    const bool of_home = qn__starts_with(value, "~/");
    bool is_taken = false;
    if (!v) {
        add_error(c, file, line, "'%.60s' is no key%s ('quern config' lists them)", key, meant);
    } else if (c->n_entries == QN__CONF_ENTRIES) {
        add_error(c, file, line, "more than %d lines", QN__CONF_ENTRIES);
    } else if (of_home && (!home || !*home)) {
        add_error(c, file, line, "%.60s: HOME is not set", value);
    } else {
        value = of_home ? expanded(value, home) : value;
        is_taken = value != NULL;
        if (!is_taken)
            add_error(c, file, line, "out of memory");
    }
    if (is_taken)
        c->entries[c->n_entries++] = (struct qn__conf_entry){v, value, file, line};
    else
        free(value);
}

static void parse_line(struct qn__conf *c, uint32_t file, uint32_t line, const char *text, size_t n,
                       const char *home)
{
    const char *equals = memchr(text, '=', n);
    char *key = trimmed(text, equals ? equals : text + n);
    char *value = equals ? trimmed(equals + 1, text + n) : NULL;
    if (!key || (equals && !value)) {
        add_error(c, file, line, "out of memory");
    } else if (!*key && !equals) {
        ; /* empty */
    } else if (*key == '#') {
        ; /* a comment */
    } else if (memchr(text, 0, n)) {
        add_error(c, file, line, "a zero byte");
    } else if (!equals || !*key) {
        add_error(c, file, line, "'%.60s': expected `key = value`", *key ? key : "=");
    } else {
        add_entry(c, file, line, key, value, home);
        value = NULL;
    }
    free(key);
    free(value);
}

void qn__conf_parse(struct qn__conf *out, uint32_t file, const char *text, size_t n,
                    const char *home)
{
    uint32_t line = 1;
    for (const char *p = text, *end = text + n; p < end; line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        const size_t length = (size_t)((stop ? stop : end) - p);
        parse_line(out, file, line, p, length, home);
        p += length + (stop != NULL);
    }
}

/* ---- files ---- */

/* Could nobody but root and this user have written it? */
static bool is_own(const struct stat *st)
{
    const bool group_may = (st->st_mode & S_IWGRP) && st->st_gid != 0 && st->st_gid != getegid();
    return (st->st_uid == 0 || st->st_uid == geteuid()) && !(st->st_mode & S_IWOTH) && !group_may;
}

/* All of an open file; NULL with errno. */
static char *read_all(size_t *n, int fd, const struct stat *st)
{
    const size_t capacity = (size_t)st->st_size;
    char *bytes = malloc(capacity + 1);
    for (*n = 0; bytes && *n < capacity;) {
        const ssize_t got = read(fd, bytes + *n, capacity - *n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            free(bytes);
            return NULL;
        }
        if (got == 0)
            break;
        *n += (size_t)got;
    }
    return bytes;
}

/* `name` is taken over; NULL without memory. */
static void read_file(struct qn__conf *c, char *name, bool was_named, const char *home)
{
    struct stat st;
    size_t n;
    if (!name)
        return;
    const uint32_t file = c->n_files++;
    c->files[file] = name;
    const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        /* a service may run with the home folder of a user whose files it cannot see */
        if (was_named || (errno != ENOENT && errno != ENOTDIR && errno != EACCES))
            add_error(c, file, 0, "%s", strerror(errno));
        return;
    }
    char *bytes = NULL;
    if (fstat(fd, &st) != 0)
        add_error(c, file, 0, "%s", strerror(errno));
    else if (!S_ISREG(st.st_mode))
        add_error(c, file, 0, "not a regular file");
    else if (st.st_size > QN__CONF_BYTES_MAX)
        add_error(c, file, 0, "larger than %d bytes", QN__CONF_BYTES_MAX);
    else if (!was_named && !is_own(&st))
        add_error(c, file, 0,
                  "left out, because others may write it (chmod go-w, or name it with %s)", itself);
    else if (!(bytes = read_all(&n, fd, &st)))
        add_error(c, file, 0, "%s", strerror(errno));
    close(fd);
    if (!bytes)
        return;
    c->is_read[file] = true;
    qn__conf_parse(c, file, bytes, n, home);
    free(bytes);
}

void qn__conf_read(struct qn__conf *out, const char *named, const char *config_home,
                   const char *home)
{
    const int before = errno;
    struct qn__str own = {0};
    *out = (struct qn__conf){0};
    if (named && *named) {
        if (strcmp(named, "none") != 0)
            read_file(out, strdup(named), true, home);
    } else {
        read_file(out, strdup("/etc/quern/config"), false, home);
        if (config_home && *config_home == '/')
            qn__str_printf(&own, "%s/quern/config", config_home);
        else if (home && *home == '/')
            qn__str_printf(&own, "%s/.config/quern/config", home);
        if (own.text)
            read_file(out, qn__str_take(&own), false, home);
    }
    errno = before;
}

void qn__conf_release(struct qn__conf *c)
{
    for (uint32_t i = 0; i < c->n_entries; i++)
        free(c->entries[i].value);
    for (uint32_t i = 0; i < c->n_files; i++)
        free(c->files[i]);
    qn__str_release(&c->errors);
    *c = (struct qn__conf){0};
}
