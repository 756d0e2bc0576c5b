/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of a machine, below a prefix: see root.h. */
#define _GNU_SOURCE
#include "doctor/root.h"

#include "base/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 1 << 20 };

char *qn__root_path(const struct qn__root *root, const char *path)
{
    struct qn__str name = {0};
    qn__str_printf(&name, "%s%s", root->prefix, path);
    return qn__str_take(&name);
}

static int open_file(const struct qn__root *root, const char *path, int flags)
{
    char *name = qn__root_path(root, path);
    const int fd = name ? open(name, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
    const int error = name ? errno : ENOMEM;
    free(name);
    errno = error;
    return fd;
}

char *qn__root_read(const struct qn__root *root, const char *path)
{
    struct qn__str text = {0};
    char part[4096];
    ssize_t n = 0;
    const int fd = open_file(root, path, O_RDONLY);
    if (fd < 0)
        return NULL;
    while (text.len < FILE_BYTES_MAX && (n = read(fd, part, sizeof part)) > 0)
        qn__str_add_bytes(&text, part, (size_t)n);
    close(fd);
    if (n < 0) {
        qn__str_release(&text);
        return NULL;
    }
    return qn__str_take(&text);
}

bool qn__root_line(const struct qn__root *root, const char *path, char *out, size_t capacity)
{
    char *text = qn__root_read(root, path);
    const char *line = text ? text + strspn(text, " \t") : "";
    size_t n = strcspn(line, "\r\n");
    while (n && strchr(" \t", line[n - 1]))
        n--;
    snprintf(out, capacity, "%.*s", (int)n, line);
    free(text);
    return n > 0;
}

int64_t qn__root_number(const struct qn__root *root, const char *path, int64_t missing)
{
    char line[64], *end;
    if (!qn__root_line(root, path, line, sizeof line))
        return missing;
    const long long value = strtoll(line, &end, 0);
    return end == line ? missing : value;
}

bool qn__root_exists(const struct qn__root *root, const char *path)
{
    struct stat st;
    char *name = qn__root_path(root, path);
    const bool is_there = name && stat(name, &st) == 0;
    free(name);
    return is_there;
}

int qn__root_access(const struct qn__root *root, const char *path)
{
    char *name = qn__root_path(root, path);
    const int error = !name ? ENOMEM : access(name, R_OK | W_OK) == 0 ? 0 : errno;
    free(name);
    return error;
}

int qn__root_open_error(const struct qn__root *root, const char *path)
{
    const int fd = open_file(root, path, O_RDWR);
    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

char *qn__root_real(const struct qn__root *root, const char *path)
{
    char *name = qn__root_path(root, path), *real = name ? realpath(name, NULL) : NULL;
    char *prefix = *root->prefix ? realpath(root->prefix, NULL) : NULL, *inside = NULL;
    const size_t n = prefix ? strlen(prefix) : 0;
    if (real)
        inside = strdup(n && strncmp(real, prefix, n) == 0 ? real + n : real);
    free(name);
    free(real);
    free(prefix);
    return inside;
}

bool qn__root_link_base(const struct qn__root *root, const char *path, char *out, size_t capacity)
{
    char target[1024];
    char *name = qn__root_path(root, path);
    const ssize_t n = name ? readlink(name, target, sizeof target - 1) : -1;
    free(name);
    *out = 0;
    if (n <= 0)
        return false;
    target[n] = 0;
    const char *slash = strrchr(target, '/');
    snprintf(out, capacity, "%s", slash ? slash + 1 : target);
    return true;
}

void qn__names_add(struct qn__names *names, const char *text)
{
    char **grown = realloc(names->items, (names->n + 1) * sizeof *grown);
    if (!grown)
        return;
    names->items = grown;
    char *copy = strdup(text);
    if (copy)
        names->items[names->n++] = copy;
}

void qn__names_release(struct qn__names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->items[i]);
    free(names->items);
    *names = (struct qn__names){0};
}

void qn__root_match(struct qn__names *out, const struct qn__root *root, const char *pattern)
{
    glob_t found;
    char *name = qn__root_path(root, pattern);
    const size_t n = strlen(root->prefix);
    if (name && glob(name, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            qn__names_add(out, found.gl_pathv[i] + n);
        globfree(&found);
    }
    free(name);
}

/* ---- libraries ---- */

static const char usual_folders[] =
    "/usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu /lib/x86_64-linux-gnu /usr/lib64 /lib64 "
    "/usr/lib /lib /usr/local/lib /usr/lib/wsl/lib /usr/local/nvidia/lib64 /usr/local/nvidia/lib";

static void add_libraries(struct qn__names *out, const struct qn__root *root, const char *folder,
                          size_t n_folder, const char *name)
{
    struct qn__str pattern = {0};
    struct qn__names found = {0};
    qn__str_printf(&pattern, "%.*s/%s", (int)n_folder, folder, name);
    if (pattern.text && n_folder && folder[0] == '/')
        qn__root_match(&found, root, pattern.text);
    for (size_t i = 0; i < found.n; i++) {
        char *real = qn__root_real(root, found.items[i]);
        bool is_known = !real;
        for (size_t k = 0; !is_known && k < out->n; k++) {
            char *other = qn__root_real(root, out->items[k]);
            is_known = other && strcmp(other, real) == 0;
            free(other);
        }
        if (!is_known)
            qn__names_add(out, found.items[i]);
        free(real);
    }
    qn__names_release(&found);
    qn__str_release(&pattern);
}

static void add_each(struct qn__names *out, const struct qn__root *root, const char *folders,
                     const char *between, const char *name)
{
    for (const char *p = folders; *p;) {
        const size_t n = strcspn(p, between);
        add_libraries(out, root, p, n, name);
        p += n + (p[n] != 0);
    }
}

void qn__root_libraries(struct qn__names *out, const struct qn__root *root, const char *name,
                        const char *more)
{
    const char *path = qn__getenv("LD_LIBRARY_PATH");
    struct qn__names lists = {0};
    if (path)
        add_each(out, root, path, ":", name);
    qn__root_match(&lists, root, "/etc/ld.so.conf.d/*.conf");
    for (size_t i = 0; i < lists.n; i++) {
        char *text = qn__root_read(root, lists.items[i]);
        if (text)
            add_each(out, root, text, "\n", name);
        free(text);
    }
    qn__names_release(&lists);
    add_each(out, root, usual_folders, " ", name);
    add_each(out, root, more, " ", name);
}
