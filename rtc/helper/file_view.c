/* SPDX-License-Identifier: Apache-2.0
 *
 * open(), openat() and fopen() of this program come before the C library's in the search of the
 * dynamic loader, for all libraries that are loaded later (the program is linked with -rdynamic).
 * Only reading is looked at: what a compiler writes goes to the folder for temporary files.
 * Libraries are loaded by the loader, which does not come through here. */
#undef _FORTIFY_SOURCE /* which would define these functions in the header */
#define _GNU_SOURCE
#include "rtc/helper/file_view.h"

#include "rtc/helper/serve.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OPENS __attribute__((visibility("default")))

enum { OPENED_MAX = 8192 };

static struct {
    pthread_mutex_t lock; /* a compiler may have threads */
    bool active, failed;
    int home;           /* the working folder outside */
    const char *folder; /* NULL: none; both borrowed */
    const char *temp;
    char *opened[OPENED_MAX];
    uint32_t n_opened;
} view = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Does the path lead to below that folder, and nowhere out of it? */
static bool is_below(const char *path, const char *folder)
{
    const size_t length = folder ? strlen(folder) : 0;
    int depth = 0;
    if (!length || strncmp(path, folder, length) != 0 || path[length] != '/')
        return false;
    for (const char *p = path + length; *p && depth >= 0;) {
        p += strspn(p, "/");
        const size_t n = strcspn(p, "/");
        if (n == 2 && p[0] == '.' && p[1] == '.')
            depth--;
        else if (n && !(n == 1 && p[0] == '.'))
            depth++;
        p += n;
    }
    return depth > 0;
}

static void note(const char *path)
{
    for (uint32_t i = 0; i < view.n_opened; i++)
        if (strcmp(view.opened[i], path) == 0)
            return;
    char *const kept = view.n_opened < OPENED_MAX ? strdup(path) : NULL;
    if (kept)
        view.opened[view.n_opened++] = kept;
    else
        view.failed = true;
}

static bool is_regular(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* May this be opened for reading? */
static bool may_read(const char *path)
{
    static const char *const everybodys[] = {"/etc", "/proc", "/sys", "/dev"};
    bool may = false;
    pthread_mutex_lock(&view.lock);
    for (size_t i = 0; view.active && !may && i < sizeof everybodys / sizeof *everybodys; i++)
        may = is_below(path, everybodys[i]);
    may = may || !view.active || is_below(path, view.temp);
    if (!may && is_below(path, view.folder) && is_regular(path)) {
        note(path);
        may = true;
    }
    pthread_mutex_unlock(&view.lock);
    return may;
}

/* Folders themselves are no files that a compiler could include. */
static bool is_hidden(const char *path, int flags)
{
    if ((flags & O_ACCMODE) != O_RDONLY || (flags & O_DIRECTORY) || may_read(path))
        return false;
    errno = ENOENT;
    return true;
}

/* -- in front of the C library -- */

/* Below an open folder: the folder was looked at when it was opened. */
static int open_below(int folder, const char *path, int flags, va_list args)
{
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    if ((folder == AT_FDCWD || path[0] == '/') && is_hidden(path, flags))
        return -1;
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

OPENS int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const int fd = open_below(AT_FDCWD, path, flags, args);
    va_end(args);
    return fd;
}

OPENS int openat(int folder, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const int fd = open_below(folder, path, flags, args);
    va_end(args);
    return fd;
}

typedef FILE *open_stream(const char *, const char *);

static FILE *open_hidden_or(const char *name, const char *path, const char *mode)
{
    open_stream *real;
    void *const at = mode[0] == 'r' && mode[1] != '+' && is_hidden(path, O_RDONLY)
                         ? NULL
                         : dlsym(RTLD_NEXT, name);
    memcpy(&real, &at, sizeof real);
    return at ? real(path, mode) : NULL;
}

OPENS FILE *fopen(const char *path, const char *mode)
{
    return open_hidden_or("fopen", path, mode);
}

#ifdef __GLIBC__ /* whose names for large files are functions of their own */
OPENS int open64(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const int fd = open_below(AT_FDCWD, path, flags, args);
    va_end(args);
    return fd;
}

OPENS int openat64(int folder, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const int fd = open_below(folder, path, flags, args);
    va_end(args);
    return fd;
}

OPENS FILE *fopen64(const char *path, const char *mode)
{
    return open_hidden_or("fopen64", path, mode);
}
#endif

/* -- the view -- */

static void forget(void)
{
    for (uint32_t i = 0; i < view.n_opened; i++)
        free(view.opened[i]);
    view.n_opened = 0;
    view.failed = false;
}

qn_status qn__file_view_begin(const char *folder)
{
    const char *const temp = qn__helper_work_folder(); /* its names are none that a source has */
    const int home = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    /* it may have been removed, where a file system knows no locks */
    if ((!temp || chdir(temp) != 0) && chdir("/proc/self") != 0) {
        if (home >= 0)
            close(home);
        return qn__fail_errno("no folder to compile in");
    }
    pthread_mutex_lock(&view.lock);
    forget();
    view.home = home;
    view.folder = folder;
    view.temp = temp;
    view.active = true;
    pthread_mutex_unlock(&view.lock);
    return QN_OK;
}

static qn_status list(struct qn__machine_files *out, struct qn__arena *arena)
{
    const char **headers = QN__ARENA_ARRAY(arena, const char *, view.n_opened);
    const char **folders = QN__ARENA_ARRAY(arena, const char *, 1);
    bool ok = headers && folders && !view.failed;
    for (uint32_t i = 0; ok && i < view.n_opened; i++)
        ok = (headers[i] = qn__arena_strdup(arena, view.opened[i])) != NULL;
    if (ok && view.folder)
        ok = (folders[0] = qn__arena_strdup(arena, view.folder)) != NULL;
    if (!ok)
        return qn__fail(QN_E_MEMORY, "no memory for the names of %u headers", view.n_opened);
    *out = (struct qn__machine_files){.headers = headers,
                                      .n_headers = view.n_opened,
                                      .folders = folders,
                                      .n_folders = view.folder != NULL};
    return QN_OK;
}

qn_status qn__file_view_end(struct qn__machine_files *out, struct qn__arena *arena)
{
    pthread_mutex_lock(&view.lock);
    view.active = false;
    const qn_status s = list(out, arena);
    forget();
    pthread_mutex_unlock(&view.lock);
    if (view.home >= 0) {
        if (fchdir(view.home) != 0) /* it is gone; nothing relative was to be found there */
            (void)chdir("/");
        close(view.home);
    }
    return s;
}
