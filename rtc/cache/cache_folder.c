/* SPDX-License-Identifier: Apache-2.0
 *
 * The folder itself: which one, opened once; files in it, read whole and put in their place whole.
 *
 * Every name is relative to a descriptor of the root that is opened once, so a folder moved or
 * swapped under a running process cannot redirect it. A reader opens and reads whole; it takes no
 * lock and maps nothing. A writer fills a private file, syncs it and renames it, so a reader sees a
 * file or none.
 */
#define _GNU_SOURCE
#include "rtc/cache/cache_folder.h"

#include "base/descriptors.h"
#include "base/environment.h"
#include "base/file.h"
#include "base/forks.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/threads.h"
#include "rtc/cache/cache_mode.h"
#include "rtc/cache/cache_names.h"
#include "rtc/cache/counters.h"
#include "rtc/cache/entry.h"
#include "rtc/cache/network.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    STAMP_SECONDS = 3600,      /* a use is written down at most this often */
    STALE_TEMP_SECONDS = 3600, /* a temporary this old has no writer any more */
};

static struct {
    pthread_once_t once;
    atomic_int root;      /* -1: memory only */
    struct qn__fd opened; /* what it was then */
    pthread_mutex_t reopening;
    char dir[4096];
    char why[QN__MESSAGE_MAX];
    atomic_flag swept;
    pthread_once_t network_once;
    const char *network;
} folder = {.once = PTHREAD_ONCE_INIT,
            .root = -1,
            .reopening = PTHREAD_MUTEX_INITIALIZER,
            .swept = ATOMIC_FLAG_INIT,
            .network_once = PTHREAD_ONCE_INIT};

/* -- the root -- */

static qn_status choose_dir(char *out, size_t capacity)
{
    const char *own = qn__getenv("QUERN_CACHE_DIR"), *xdg = qn__getenv("XDG_CACHE_HOME");
    const char *home = qn__getenv("HOME");
    const char *base, *below;
    const bool is_xdg_relative = xdg && xdg[0] && xdg[0] != '/'; /* its rules: as if not set */
    if (qn__is_privileged())
        return qn__fail(QN_E_IO, "the program runs with the rights of another user, so no folder "
                                 "of whoever started it is used");
    if (own && own[0])
        base = own, below = "";
    else if (xdg && xdg[0] && !is_xdg_relative)
        base = xdg, below = "/quern";
    else if (home && home[0])
        base = home, below = "/.cache/quern";
    else
        return qn__fail(QN_E_IO, "QUERN_CACHE_DIR, XDG_CACHE_HOME and HOME are not set");
    if (is_xdg_relative && base == home)
        qn__log(QN_LOG_WARNING, "XDG_CACHE_HOME=%s is ignored: it must be an absolute path", xdg);
    if (base[0] != '/')
        return qn__fail(QN_E_IO, "%s%s: the cache folder must be an absolute path", base, below);
    if (strlen(base) + strlen(below) >= capacity)
        return qn__fail(QN_E_IO, "the name of the cache folder is too long");
    QN__TEXT_JOIN(out, capacity, base, below);
    return QN_OK;
}

/* Who may have written what is read: root prepares a cache for all users of a machine. */
static bool is_trusted(const struct stat *st)
{
    return (st->st_uid == geteuid() || st->st_uid == 0) && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

static qn_status check_root(const char *dir, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return qn__fail_errno("%s", dir);
    if (st.st_uid != geteuid() && st.st_uid != 0)
        return qn__fail(QN_E_IO, "%s belongs to user %u, not to %u or root", dir,
                        (unsigned)st.st_uid, (unsigned)geteuid());
    if (!is_trusted(&st))
        return qn__fail(QN_E_IO, "%s may be written by others (mode %o); chmod go-w it", dir,
                        (unsigned)(st.st_mode & 07777));
    char other[QN__CACHE_NAME_BYTES];
    if (!qn__cache_is_own(other, sizeof other, fd))
        return qn__fail(QN_E_IO, "%s holds other things ('%s'); name a folder of its own", dir,
                        other);
    return QN_OK;
}

/* folder.dir, which is made where it is not there. */
static qn_status open_root(void)
{
    enum { HOW = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    struct stat st;
    int fd = open(folder.dir, HOW);
    if (fd < 0 && lstat(folder.dir, &st) == 0 && S_ISLNK(st.st_mode))
        return qn__fail(QN_E_IO, "%s is a symbolic link; set QUERN_CACHE_DIR to the folder itself",
                        folder.dir);
    if (fd < 0 && qn__cache_may_write()) {
        QN_TRY(qn__file_make_dirs(folder.dir, 0700));
        fd = open(folder.dir, HOW);
    }
    if (fd < 0)
        return qn__fail_errno("%s", folder.dir);
    const qn_status s = check_root(folder.dir, fd);
    if (s != QN_OK) {
        close(fd);
        return s;
    }
    folder.opened = qn__fd_of(fd);
    atomic_store(&folder.root, fd);
    return QN_OK;
}

/* Is the descriptor still ours, and the folder still somewhere? */
static bool is_there(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return errno != EBADF && errno != ESTALE;
    return st.st_dev == folder.opened.device && st.st_ino == folder.opened.file && st.st_nlink > 0;
}

/* The program closed all descriptors, or somebody removed the folder: it is opened anew, or made.
 * The old number is left alone, because it may be a file of the program's by now. */
static int open_again(void)
{
    qn_status s = QN_OK;
    pthread_mutex_lock(&folder.reopening);
    int fd = atomic_load(&folder.root);
    if (fd >= 0 && !is_there(fd)) {
        atomic_store(&folder.root, -1);
        s = open_root();
        fd = atomic_load(&folder.root);
    }
    pthread_mutex_unlock(&folder.reopening);
    if (s != QN_OK)
        QN__WARN_ONCE("the kernel cache is gone, so nothing more is stored: %s", qn_message());
    return fd;
}
QN__FORK_PART(&folder.reopening, NULL)

/* Unloaded, or at the end of the process; after the totals were written. */
__attribute__((destructor(101))) static void close_root(void)
{
    const int fd = atomic_exchange(&folder.root, -1);
    if (fd >= 0 && is_there(fd))
        close(fd);
}

static void open_once(void)
{
    if (choose_dir(folder.dir, sizeof folder.dir) == QN_OK && open_root() == QN_OK)
        return;
    snprintf(folder.why, sizeof folder.why, "%s", qn_message());
    folder.dir[0] = 0;
    qn__log(QN_LOG_WARNING, "no kernel cache on disk, so every process compiles anew: %s",
            folder.why);
}

const char *qn__folder_dir(const char **why)
{
    pthread_once(&folder.once, open_once);
    if (why)
        *why = folder.why;
    return folder.dir;
}

int qn__folder_root(void)
{
    pthread_once(&folder.once, open_once);
    const int fd = atomic_load_explicit(&folder.root, memory_order_relaxed);
    return fd < 0 || is_there(fd) ? fd : open_again();
}

int qn__folder_root_in_use(void)
{
    const int fd = atomic_load(&folder.root);
    return fd >= 0 && is_there(fd) ? fd : -1;
}

/* Asked for once, and not on the path of a hit. */
static void find_network(void)
{
    folder.network = qn__network_of(qn__folder_root());
}

const char *qn_cache_get_network(void)
{
    if (qn__folder_root() < 0)
        return "";
    pthread_once(&folder.network_once, find_network);
    return folder.network;
}

const char *qn_cache_get_dir(const char **why)
{
    return qn__folder_dir(why);
}

/* -- reading -- */

qn_status qn__folder_read_file(char **bytes, size_t *n, struct stat *st, const char *name)
{
    enum { HOW = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
    *bytes = NULL;
    *n = 0;
    /* What is read is verified, so the descriptor is looked at only where nothing was found. */
    const int root = atomic_load_explicit(&folder.root, memory_order_relaxed);
    int fd = openat(root, name, HOW);
    if (fd < 0 && !is_there(root)) {
        errno = ENOENT;
        fd = openat(qn__folder_root(), name, HOW);
    }
    if (fd < 0)
        return errno == ENOENT ? qn__fail(QN_E_NOT_FOUND, "%s: no such entry", name)
                               : qn__fail_errno("%s", name);
    qn_status s = QN_OK;
    if (fstat(fd, st) != 0)
        s = qn__fail_errno("%s", name);
    else if (!S_ISREG(st->st_mode) || !is_trusted(st))
        s = qn__fail(QN_E_CORRUPT, "%s: not a file that only we or root may write", name);
    else if (st->st_size <= 0 || st->st_size > QN__ENTRY_LIMIT_BYTES)
        s = qn__fail(QN_E_CORRUPT, "%s: %lld bytes", name, (long long)st->st_size);
    else if (!(*bytes = malloc((size_t)st->st_size + 1)))
        s = qn__fail(QN_E_MEMORY, "%s: no memory for %lld bytes", name, (long long)st->st_size);
    while (s == QN_OK && *n < (size_t)st->st_size) {
        const ssize_t got = read(fd, *bytes + *n, (size_t)st->st_size - *n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            s = qn__fail_errno("%s", name);
        if (got <= 0)
            break; /* shorter than it was: the checksum will tell */
        *n += (size_t)got;
    }
    const long long age_s = (long long)time(NULL) - st->st_mtime; /* < 0: a clock went back */
    if (s == QN_OK && (age_s > STAMP_SECONDS || age_s < -STAMP_SECONDS) && qn__cache_may_write())
        futimens(fd, NULL); /* last use, for the least recently used order; may fail */
    close(fd);
    if (s != QN_OK) {
        free(*bytes);
        *bytes = NULL;
        return s;
    }
    (*bytes)[*n] = 0;
    return QN_OK;
}

char *qn__folder_read(size_t *n, const char *name)
{
    char *bytes;
    struct stat st;
    return qn__folder_dir(NULL)[0] && qn__folder_read_file(&bytes, n, &st, name) == QN_OK ? bytes
                                                                                          : NULL;
}

qn_status qn__folder_list(DIR **out, int at, const char *name)
{
    const int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *out = fd >= 0 ? fdopendir(fd) : NULL;
    if (*out || (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)))
        return QN_OK;
    const qn_status s = qn__fail_errno("%s", name);
    if (fd >= 0)
        close(fd);
    return s;
}

const struct dirent *qn__folder_next(qn_status *status, DIR *d, const char *name)
{
    errno = 0;
    const struct dirent *e = readdir(d);
    if (!e && errno != 0 && *status == QN_OK)
        *status = qn__fail_errno("%s", name);
    return e;
}

/* -- writing -- */

bool qn__folder_make(const char *name)
{
    return mkdirat(qn__folder_root(), name, 0700) == 0 || errno == EEXIST;
}

static qn_status write_file(int fd, const struct qn__str *bytes)
{
    struct qn__quiet quiet;
    qn_status s = QN_OK;
    qn__quiet_begin(&quiet);
    for (size_t done = 0; done < bytes->len && s == QN_OK;) {
        const ssize_t put = write(fd, bytes->text + done, bytes->len - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            s = qn__fail_errno("write");
        done += (size_t)put;
    }
    qn__quiet_end(&quiet);
    if (s != QN_OK)
        return s;
    return fsync(fd) == 0 ? QN_OK : qn__fail_errno("fsync");
}

/* Remove what writers that died have left. */
static void sweep_temporaries(void)
{
    const int fd =
        openat(qn__folder_root(), "tmp", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d) {
        if (fd >= 0)
            close(fd);
        return;
    }
    const struct dirent *e;
    struct stat st;
    while ((e = readdir(d)))
        if (qn__cache_is_temporary(e->d_name) &&
            fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            time(NULL) - st.st_mtime > STALE_TEMP_SECONDS)
            unlinkat(fd, e->d_name, 0);
    closedir(d);
}

static qn_status write_and_rename(const char *name, const struct qn__str *bytes)
{
    static atomic_uint serial;
    char temp[QN__CACHE_NAME_BYTES];
    QN_TRY(qn__str_check(bytes));
    if (!qn__folder_make("tmp"))
        return qn__fail_errno("%s/tmp", folder.dir);
    if (!atomic_flag_test_and_set(&folder.swept))
        sweep_temporaries();
    qn__cache_temporary(temp, sizeof temp, atomic_fetch_add(&serial, 1), randombytes_random());
    const int fd =
        openat(qn__folder_root(), temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return qn__fail_errno("%s/%s", folder.dir, temp);
    qn_status s = write_file(fd, bytes);
    if (close(fd) != 0 && s == QN_OK)
        s = qn__fail_errno("close");
    if (s == QN_OK && renameat(qn__folder_root(), temp, qn__folder_root(), name) != 0)
        s = qn__fail_errno("%s/%s: rename", folder.dir, name);
    if (s != QN_OK)
        unlinkat(qn__folder_root(), temp, 0);
    return s;
}

/* The folders above a file. */
static qn_status make_dirs(const char *name)
{
    char above[QN__CACHE_NAME_BYTES];
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(above, sizeof above, "%.*s", (int)(slash - name), name);
        if (!qn__folder_make(above))
            return qn__fail_errno("%s/%s", folder.dir, above);
    }
    return QN_OK;
}

void qn__folder_write(const char *name, const struct qn__str *bytes)
{
    if (qn__folder_root() < 0 || !qn__cache_may_write())
        return;
    qn_status s = make_dirs(name);
    if (s == QN_OK)
        s = write_and_rename(name, bytes);
    if (s == QN_OK)
        return;
    qn__count(&qn__counters.publish_errors, 1);
    QN__WARN_ONCE("kernel cache: not stored: %s (later ones are only counted)", qn_message());
}

/* -- records -- */

static const unsigned char record_key[QN__CHECKSUM_BYTES] = "quern's record";

char *qn__folder_read_record(size_t *n, const char *name)
{
    char *bytes = NULL;
    struct stat st;
    unsigned char sum[QN__CHECKSUM_BYTES];
    *n = 0;
    if (!qn__folder_dir(NULL)[0] || qn__folder_read_file(&bytes, n, &st, name) != QN_OK)
        return NULL;
    if (*n >= sizeof sum)
        qn__checksum_of(sum, record_key, bytes + sizeof sum, *n - sizeof sum);
    if (*n < sizeof sum || memcmp(sum, bytes, sizeof sum) != 0) {
        free(bytes);
        return NULL;
    }
    *n -= sizeof sum;
    memmove(bytes, bytes + sizeof sum, *n);
    return bytes;
}

void qn__folder_write_record(const char *name, const struct qn__str *bytes)
{
    unsigned char sum[QN__CHECKSUM_BYTES];
    struct qn__str file = {0};
    qn__checksum_of(sum, record_key, bytes->text, bytes->len);
    qn__str_add_bytes(&file, sum, sizeof sum);
    qn__str_add_bytes(&file, bytes->text, bytes->len);
    qn__folder_write(name, &file);
    qn__str_release(&file);
}
