/* SPDX-License-Identifier: Apache-2.0
 *
 * Every call of the C library and the system that can fail, as our own objects make it: the linker
 * (--wrap) gives them these functions, and nobody else, so what drivers, LLVM and the C library
 * itself do is left alone. The N-th call of a class fails, once or from then on.
 *
 * QN_FAULTS names the file with the orders (faults.h); QN_FAULTS_TRACE=1 prints the stack of the
 * first call that fails. Output on stderr never fails: it is where the messages are looked for. */
#define _GNU_SOURCE
#include "tests/faults/faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

extern char __executable_start;
void *__real_mmap(void *address, size_t n, int protection, int flags, int fd, off_t offset);
int __real_open(const char *path, int flags, ...);

static struct faults *orders; /* NULL: nothing fails */

__attribute__((constructor)) static void take_orders(void)
{
    const char *path = getenv("QN_FAULTS");
    const int fd = path ? __real_open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    struct faults *f = __real_mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (f != MAP_FAILED && strcmp(f->program, program_invocation_short_name) == 0)
        orders = f;
}

static void note_first(const char *call, void *caller)
{
    atomic_store(&orders->caller, (uint64_t)((char *)caller - &__executable_start));
    memcpy(orders->call, call, strlen(call) + 1);
    if (getenv("QN_FAULTS_TRACE")) {
        void *stack[32];
        backtrace_symbols_fd(stack, backtrace(stack, 32), STDERR_FILENO);
    }
}

/* Does this call fail? */
static bool is_due(enum fault_class what, const char *call, void *caller)
{
    if (!orders)
        return false;
    const uint32_t number = atomic_fetch_add(&orders->counted[what], 1) + 1;
    if (orders->mode == FAULT_COUNT || orders->what != (int)what || number < orders->number ||
        (orders->mode == FAULT_ONCE && number > orders->number))
        return false;
    if (atomic_fetch_add(&orders->failed, 1) == 0)
        note_first(call, caller);
    return true;
}

static bool fails(enum fault_class what, int error, const char *call, void *caller)
{
    if (!is_due(what, call, caller))
        return false;
    errno = error;
    return true;
}
#define FAILS(what, error, name) fails(FAULT_##what, error, #name, __builtin_return_address(0))

#define WRAP(what, error, value, type, name, parameters, arguments)                                \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return FAILS(what, error, name) ? (value) : __real_##name arguments;                       \
    }

WRAP(ALLOCATE, ENOMEM, NULL, void *, malloc, (size_t n), (n))
WRAP(ALLOCATE, ENOMEM, NULL, void *, calloc, (size_t count, size_t n), (count, n))
WRAP(ALLOCATE, ENOMEM, NULL, void *, realloc, (void *p, size_t n), (p, n))
WRAP(ALLOCATE, ENOMEM, ENOMEM, int, posix_memalign, (void **out, size_t align, size_t n),
     (out, align, n))
WRAP(ALLOCATE, ENOMEM, NULL, char *, strdup, (const char *s), (s))
WRAP(ALLOCATE, ENOMEM, NULL, char *, strndup, (const char *s, size_t n), (s, n))
WRAP(ALLOCATE, ENOMEM, NULL, char *, realpath, (const char *path, char *out), (path, out))
WRAP(ALLOCATE, ENOMEM, -1, int, pthread_mutex_init,
     (pthread_mutex_t * m, const pthread_mutexattr_t *how), (m, how))

WRAP(OPEN, EMFILE, NULL, FILE *, fopen, (const char *path, const char *how), (path, how))
WRAP(OPEN, ENOMEM, NULL, FILE *, fdopen, (int fd, const char *how), (fd, how))
WRAP(OPEN, EMFILE, NULL, DIR *, opendir, (const char *path), (path))
WRAP(OPEN, ENOMEM, NULL, DIR *, fdopendir, (int fd), (fd))
WRAP(OPEN, EMFILE, NULL, char *, mkdtemp, (char *path), (path))
WRAP(OPEN, EMFILE, -1, int, mkostemp, (char *path, int flags), (path, flags))
WRAP(OPEN, EMFILE, -1, int, mkstemp, (char *path), (path))
WRAP(OPEN, EMFILE, -1, int, scandir,
     (const char *path, struct dirent ***list, int (*wanted)(const struct dirent *),
      int (*compare)(const struct dirent **, const struct dirent **)),
     (path, list, wanted, compare))

WRAP(READ, EIO, -1, ssize_t, pread, (int fd, void *out, size_t n, off_t at), (fd, out, n, at))
WRAP(READ, EIO, NULL, struct dirent *, readdir, (DIR * d), (d))
WRAP(READ, EIO, -1, ssize_t, readlink, (const char *path, char *out, size_t n), (path, out, n))
WRAP(READ, EIO, -1, ssize_t, getrandom, (void *out, size_t n, unsigned flags), (out, n, flags))

WRAP(RENAME, EIO, -1, int, rename, (const char *from, const char *to), (from, to))
WRAP(RENAME, EIO, -1, int, renameat, (int d, const char *from, int e, const char *to),
     (d, from, e, to))
WRAP(RENAME, ENOSPC, -1, int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(RENAME, ENOSPC, -1, int, mkdirat, (int d, const char *path, mode_t mode), (d, path, mode))
WRAP(RENAME, EROFS, -1, int, fchmod, (int fd, mode_t mode), (fd, mode))
WRAP(RENAME, EROFS, -1, int, futimens, (int fd, const struct timespec t[2]), (fd, t))

WRAP(SYNC, EIO, -1, int, fsync, (int fd), (fd))
WRAP(SYNC, EIO, -1, int, ftruncate, (int fd, off_t n), (fd, n))

WRAP(MAP, ENOMEM, MAP_FAILED, void *, mmap,
     (void *address, size_t n, int protection, int flags, int fd, off_t offset),
     (address, n, protection, flags, fd, offset))

WRAP(LOOK, EIO, -1, int, stat, (const char *path, struct stat *out), (path, out))
WRAP(LOOK, EIO, -1, int, lstat, (const char *path, struct stat *out), (path, out))
WRAP(LOOK, EIO, -1, int, fstat, (int fd, struct stat *out), (fd, out))
WRAP(LOOK, EIO, -1, int, fstatat, (int d, const char *path, struct stat *out, int flags),
     (d, path, out, flags))
WRAP(LOOK, EIO, -1, int, fstatfs, (int fd, struct statfs *out), (fd, out))
WRAP(LOOK, EIO, -1, int, access, (const char *path, int mode), (path, mode))
WRAP(LOOK, EIO, -1, int, faccessat, (int d, const char *path, int mode, int flags),
     (d, path, mode, flags))
WRAP(LOOK, ENOENT, NULL, char *, getcwd, (char *out, size_t n), (out, n))

WRAP(LOCK, ENOLCK, -1, int, flock, (int fd, int how), (fd, how))

WRAP(START, EMFILE, -1, int, pipe2, (int fds[2], int flags), (fds, flags))
WRAP(START, EBADF, -1, int, dup2, (int from, int to), (from, to))
WRAP(START, ECHILD, -1, pid_t, waitpid, (pid_t pid, int *status, int flags), (pid, status, flags))
WRAP(START, ECHILD, -1, int, waitid, (idtype_t kind, id_t id, siginfo_t *out, int flags),
     (kind, id, out, flags))
WRAP(START, EAGAIN, EAGAIN, int, pthread_create,
     (pthread_t * out, const pthread_attr_t *how, void *(*run)(void *), void *payload),
     (out, how, run, payload))
WRAP(START, EAGAIN, EAGAIN, int, posix_spawn,
     (pid_t * out, const char *path, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *how, char *const argv[], char *const envp[]),
     (out, path, actions, how, argv, envp))
WRAP(START, EAGAIN, EAGAIN, int, posix_spawnp,
     (pid_t * out, const char *path, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *how, char *const argv[], char *const envp[]),
     (out, path, actions, how, argv, envp))

WRAP(SOCKET, EMFILE, -1, int, socketpair, (int domain, int type, int protocol, int fds[2]),
     (domain, type, protocol, fds))
WRAP(SOCKET, ENOMEM, -1, int, poll, (struct pollfd * fds, nfds_t n, int ms), (fds, n, ms))

/* -- those with an argument more or less -- */

static mode_t mode_of(int flags, va_list rest)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return FAILS(OPEN, EMFILE, open) ? -1 : __real_open(path, flags, mode);
}

int __real_openat(int d, const char *path, int flags, ...);
int __wrap_openat(int d, const char *path, int flags, ...);
int __wrap_openat(int d, const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return FAILS(OPEN, EMFILE, openat) ? -1 : __real_openat(d, path, flags, mode);
}

int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *const argument = va_arg(rest, void *);
    va_end(rest);
    return FAILS(LOCK, EMFILE, fcntl) ? -1 : __real_fcntl(fd, command, argument);
}

int __real_clone(int (*run)(void *), void *stack, int flags, void *payload, ...);
int __wrap_clone(int (*run)(void *), void *stack, int flags, void *payload, ...);
int __wrap_clone(int (*run)(void *), void *stack, int flags, void *payload, ...)
{
    va_list rest;
    va_start(rest, payload);
    void *const pidfd = va_arg(rest, void *);
    va_end(rest);
    return FAILS(START, EAGAIN, clone) ? -1 : __real_clone(run, stack, flags, payload, pidfd);
}

/* So that dlerror() has something to say. */
void *__real_dlopen(const char *name, int how);
void *__wrap_dlopen(const char *name, int how);
void *__wrap_dlopen(const char *name, int how)
{
    return __real_dlopen(FAILS(OPEN, EMFILE, dlopen) ? "/nowhere/a-fault.so" : name, how);
}

/* -- part of what was asked for -- */

static size_t part_of(size_t n)
{
    return n > 1 ? n / 2 : n;
}

#define WRAP_TRANSFER(fail, shorten, error, type, name, parameters, all, part)                     \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        if (FAILS(fail, error, name))                                                              \
            return -1;                                                                             \
        return FAILS(shorten, 0, name) ? __real_##name part : __real_##name all;                   \
    }
WRAP_TRANSFER(READ, SHORT_READ, EIO, ssize_t, read, (int fd, void *out, size_t n), (fd, out, n),
              (fd, out, part_of(n)))
WRAP_TRANSFER(WRITE, SHORT_WRITE, ENOSPC, ssize_t, write, (int fd, const void *bytes, size_t n),
              (fd, bytes, n), (fd, bytes, part_of(n)))
WRAP_TRANSFER(WRITE, SHORT_WRITE, ENOSPC, ssize_t, pwrite,
              (int fd, const void *bytes, size_t n, off_t at), (fd, bytes, n, at),
              (fd, bytes, part_of(n), at))
WRAP_TRANSFER(SOCKET, SHORT_WRITE, ECONNRESET, ssize_t, send,
              (int fd, const void *bytes, size_t n, int flags), (fd, bytes, n, flags),
              (fd, bytes, part_of(n), flags))
WRAP_TRANSFER(SOCKET, SHORT_READ, ECONNRESET, ssize_t, recv,
              (int fd, void *out, size_t n, int flags), (fd, out, n, flags),
              (fd, out, part_of(n), flags))

/* -- streams --
 * A stream whose reading or writing failed says so from then on (ferror()); glibc keeps that in a
 * bit of its flags. */
enum { STREAM_ERROR = 0x20 };

static bool stream_fails(FILE *f, enum fault_class what, const char *call, void *caller)
{
    if (f == stderr || !fails(what, what == FAULT_READ ? EIO : ENOSPC, call, caller))
        return false;
    f->_flags |= STREAM_ERROR;
    return true;
}
#define STREAM_FAILS(f, what, name)                                                                \
    stream_fails(f, FAULT_##what, #name, __builtin_return_address(0))
#define WRAP_STREAM(what, value, type, name, stream, parameters, arguments)                        \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return STREAM_FAILS(stream, what, name) ? (value) : __real_##name arguments;               \
    }
WRAP_STREAM(READ, 0, size_t, fread, f, (void *out, size_t size, size_t n, FILE *f),
            (out, size, n, f))
WRAP_STREAM(READ, NULL, char *, fgets, f, (char *out, int n, FILE *f), (out, n, f))
WRAP_STREAM(READ, EOF, int, fgetc, f, (FILE * f), (f))
WRAP_STREAM(READ, EOF, int, getc, f, (FILE * f), (f))
WRAP_STREAM(READ, -1, ssize_t, getline, f, (char **out, size_t *n, FILE *f), (out, n, f))
WRAP_STREAM(WRITE, 0, size_t, fwrite, f, (const void *bytes, size_t size, size_t n, FILE *f),
            (bytes, size, n, f))
WRAP_STREAM(WRITE, EOF, int, fputs, f, (const char *text, FILE *f), (text, f))
WRAP_STREAM(WRITE, EOF, int, fputc, f, (int c, FILE *f), (c, f))
WRAP_STREAM(WRITE, EOF, int, putc, f, (int c, FILE *f), (c, f))
WRAP_STREAM(WRITE, EOF, int, puts, stdout, (const char *text), (text))
WRAP_STREAM(WRITE, EOF, int, putchar, stdout, (int c), (c))
WRAP_STREAM(WRITE, EOF, int, fflush, f, (FILE * f), (f))
WRAP_STREAM(WRITE, -1, int, vfprintf, f, (FILE * f, const char *form, va_list rest),
            (f, form, rest))

int __wrap_fprintf(FILE *f, const char *form, ...) __attribute__((format(printf, 2, 3)));
int __wrap_fprintf(FILE *f, const char *form, ...)
{
    va_list rest;
    if (STREAM_FAILS(f, WRITE, fprintf))
        return -1;
    va_start(rest, form);
    const int n = __real_vfprintf(f, form, rest);
    va_end(rest);
    return n;
}

int __wrap_printf(const char *form, ...) __attribute__((format(printf, 1, 2)));
int __wrap_printf(const char *form, ...)
{
    va_list rest;
    if (STREAM_FAILS(stdout, WRITE, printf))
        return -1;
    va_start(rest, form);
    const int n = __real_vfprintf(stdout, form, rest);
    va_end(rest);
    return n;
}

int __wrap_asprintf(char **out, const char *form, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **out, const char *form, ...)
{
    va_list rest;
    if (FAILS(ALLOCATE, ENOMEM, asprintf))
        return -1;
    va_start(rest, form);
    const int n = vasprintf(out, form, rest);
    va_end(rest);
    return n;
}

/* The file is closed all the same. */
int __real_fclose(FILE *f);
int __wrap_fclose(FILE *f);
int __wrap_fclose(FILE *f)
{
    const bool failed = FAILS(WRITE, ENOSPC, fclose);
    const int result = __real_fclose(f);
    if (failed)
        errno = ENOSPC;
    return failed ? EOF : result;
}
