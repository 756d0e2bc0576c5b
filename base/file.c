/* SPDX-License-Identifier: Apache-2.0
 *
 * Files and paths, POSIX. */
#define _GNU_SOURCE
#include "base/file.h"

#include "base/arena.h"
#include "base/environment.h"
#include "base/str.h"
#include "base/threads.h"
#include "base/trust.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

double qn__now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

bool qn__file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

bool qn__file_is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool qn__file_is_executable(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

qn_status qn__file_read(char **bytes, size_t *n, const char *path, size_t limit_bytes)
{
    *bytes = NULL;
    *n = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return qn__fail_errno("%s", path);
    qn_status s = QN_OK;
    char *buffer = NULL;
    size_t used = 0;
    struct stat st;
    if (fstat(fd, &st) != 0) {
        s = qn__fail_errno("%s", path);
        goto out;
    }
    if (!S_ISREG(st.st_mode)) {
        s = qn__fail(QN_E_IO, "%s: not a regular file", path);
        goto out;
    }
    if ((uint64_t)st.st_size > limit_bytes) {
        s = qn__fail(QN_E_LIMIT, "%s: %lld bytes, at most %zu are read", path,
                     (long long)st.st_size, limit_bytes);
        goto out;
    }
    buffer = malloc((size_t)st.st_size + 1);
    if (!buffer) {
        s = qn__fail(QN_E_MEMORY, "%s: no memory for %lld bytes", path, (long long)st.st_size);
        goto out;
    }
    while (used < (size_t)st.st_size) {
        const ssize_t got = read(fd, buffer + used, (size_t)st.st_size - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            s = qn__fail_errno("%s", path);
            goto out;
        }
        if (got == 0)
            break; /* the file shrank while we read it */
        used += (size_t)got;
    }
    buffer[used] = 0;
    *bytes = buffer;
    *n = used;
    buffer = NULL;
out:
    free(buffer);
    close(fd);
    return s;
}

static qn_status write_all(int fd, const char *bytes, size_t n, const char *path)
{
    struct qn__quiet quiet;
    qn_status s = QN_OK;
    qn__quiet_begin(&quiet);
    while (n && s == QN_OK) {
        const ssize_t put = write(fd, bytes, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            s = qn__fail_errno("%s: write", path);
        bytes += put;
        n -= (size_t)put;
    }
    qn__quiet_end(&quiet);
    return s;
}

qn_status qn__file_check_replaceable(const char *path)
{
    struct stat st;
    if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return qn__fail(QN_E_IO, "%s: not a regular file, so it cannot be replaced", path);
    return QN_OK;
}

qn_status qn__file_write_atomic(const char *path, const void *bytes, size_t n, unsigned mode)
{
    QN_TRY(qn__file_check_replaceable(path));
    struct qn__str temp = {0};
    qn__str_printf(&temp, "%s.tmp-XXXXXX", path);
    qn_status s = qn__str_check(&temp);
    if (s != QN_OK)
        return s;
    const int fd = mkostemp(temp.text, O_CLOEXEC);
    if (fd < 0) {
        s = qn__fail_errno("%s", path);
        qn__str_release(&temp);
        return s;
    }
    s = write_all(fd, bytes, n, path);
    if (s == QN_OK && fchmod(fd, (mode_t)mode) != 0)
        s = qn__fail_errno("%s: chmod", path);
    if (s == QN_OK && fsync(fd) != 0)
        s = qn__fail_errno("%s: fsync", path);
    if (close(fd) != 0 && s == QN_OK)
        s = qn__fail_errno("%s: close", path);
    if (s == QN_OK && rename(temp.text, path) != 0)
        s = qn__fail_errno("%s: rename", path);
    if (s != QN_OK)
        unlink(temp.text);
    qn__str_release(&temp);
    return s;
}

qn_status qn__file_make_dirs(const char *path, unsigned mode)
{
    struct qn__str p = {0};
    qn__str_add(&p, path);
    QN_TRY(qn__str_check(&p));
    qn_status s = QN_OK;
    for (size_t i = 1; i <= p.len; i++) {
        if (p.text[i] != '/' && p.text[i] != 0)
            continue;
        const char saved = p.text[i];
        p.text[i] = 0;
        if (mkdir(p.text, (mode_t)mode) != 0 && errno != EEXIST) {
            s = qn__fail_errno("%s: mkdir", p.text);
            break;
        }
        p.text[i] = saved;
    }
    if (s == QN_OK && !qn__file_is_dir(path))
        s = qn__fail(QN_E_IO, "%s: exists and is not a folder", path);
    qn__str_release(&p);
    return s;
}

char *qn__path_join(const char *a, const char *b)
{
    struct qn__str s = {0};
    if (b[0] != '/') {
        qn__str_add(&s, a);
        if (s.len && s.text[s.len - 1] != '/')
            qn__str_add_char(&s, '/');
    }
    qn__str_add(&s, b);
    return qn__str_take(&s);
}

char *qn__path_dir(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct qn__str s = {0};
    if (!slash)
        qn__str_add_char(&s, '.');
    else if (slash == path)
        qn__str_add_char(&s, '/');
    else
        qn__str_add_bytes(&s, path, (size_t)(slash - path));
    return qn__str_take(&s);
}

const char *qn__path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool qn__path_of_program(char *out, size_t capacity)
{
    const ssize_t n = readlink("/proc/self/exe", out, capacity - 1);
    out[n > 0 ? n : 0] = 0;
    char *slash = strrchr(out, '/');
    if (!slash)
        return false;
    *slash = 0;
    return true;
}

static const char *own_base;

void qn__temp_dirs_go_to(const char *folder)
{
    own_base = folder;
}

static const char *temp_base(void)
{
    const char *base = own_base ? own_base : qn__getenv("TMPDIR");
    return base && base[0] ? base : "/tmp";
}

qn_status qn__temp_dir_create(char **out)
{
    struct qn__str name = {0};
    qn__str_printf(&name, "%s/quern-XXXXXX", temp_base());
    *out = qn__str_take(&name);
    if (!*out)
        return qn__fail(QN_E_MEMORY, "no memory for a file name");
    if (!mkdtemp(*out)) {
        const qn_status s = qn__fail_errno("%s", *out);
        free(*out);
        *out = NULL;
        return s;
    }
    return QN_OK;
}

enum { TREE_DEPTH_MAX = 64 };

static void remove_tree(const char *path, int depth)
{
    DIR *d = opendir(path);
    if (!d)
        return;
    const struct dirent *e;
    while ((e = readdir(d))) {
        if (qn__equal(e->d_name, ".") || qn__equal(e->d_name, ".."))
            continue;
        char *file = qn__path_join(path, e->d_name);
        if (file && unlink(file) != 0 && depth > 0)
            remove_tree(file, depth - 1);
        free(file);
    }
    closedir(d);
    rmdir(path);
}

void qn__temp_dir_remove(const char *path)
{
    if (path)
        remove_tree(path, TREE_DEPTH_MAX);
}

/* The same file from every working folder. */
static char *absolute(const char *name)
{
    char folder[4096];
    return name[0] == '/' || !getcwd(folder, sizeof folder) ? strdup(name)
                                                            : qn__path_join(folder, name);
}

char *qn__find_program(const char *name, const char *how)
{
    if (strchr(name, '/'))
        return qn__file_is_executable(name) ? absolute(name) : NULL;
    const char *path = qn__program_path();
    while (path && *path) {
        const size_t n = strcspn(path, ":");
        struct qn__str file = {0};
        qn__str_add_bytes(&file, n ? path : ".", n ? n : 1);
        qn__str_printf(&file, "/%s", name);
        if (!file.failed && qn__file_is_executable(file.text) &&
            (!how || qn__trust_found(file.text, how)))
            return qn__str_take(&file);
        qn__str_release(&file);
        path += n;
        path += *path == ':';
    }
    return NULL;
}
