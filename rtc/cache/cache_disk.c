/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of the cache; cache_disk.h has the layout and the rules.
 *
 * Every name is relative to a descriptor of the root that is opened once, so a folder moved or
 * swapped under a running process cannot redirect it. A reader opens, reads whole, verifies; it
 * takes no lock and maps nothing. A writer fills a private file, syncs it and renames it, so a
 * reader sees an entry or none.
 */
#define _GNU_SOURCE
#include "rtc/cache/cache_disk.h"

#include "base/file.h"
#include "base/log.h"
#include "rtc/cache/cache_bound.h"
#include "rtc/cache/cache_mode.h"
#include "rtc/cache/cache_names.h"
#include "rtc/cache/counters.h"
#include "rtc/cache/network.h"
#include "rtc/cache/totals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    NAME_MAX_BYTES = 160,
    STAMP_SECONDS = 3600,      /* a use is written down at most this often */
    STALE_TEMP_SECONDS = 3600, /* a temporary this old has no writer any more */
    LOCK_WAIT_MS = 3000,
    LOCK_POLL_MS = 5,
    BOUND_EVERY = 64, /* publishes, on average over all processes */
};

static struct {
    pthread_once_t once;
    atomic_int root; /* -1: memory only */
    char dir[4096];
    char why[QN__MESSAGE_MAX];
    atomic_flag swept;
    pthread_once_t network_once;
    const char *network;
} disk = {.once = PTHREAD_ONCE_INIT,
          .root = -1,
          .swept = ATOMIC_FLAG_INIT,
          .network_once = PTHREAD_ONCE_INIT};

/* -- the root -- */

static qn_status choose_dir(char *out, size_t capacity)
{
    const char *own = getenv("QUERN_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    const char *base, *below;
    if (own && own[0])
        base = own, below = "";
    else if (xdg && xdg[0])
        base = xdg, below = "/quern";
    else if (home && home[0])
        base = home, below = "/.cache/quern";
    else
        return qn__fail(QN_E_IO, "QUERN_CACHE_DIR, XDG_CACHE_HOME and HOME are not set");
    if (base[0] != '/')
        return qn__fail(QN_E_IO, "%s%s: the cache folder must be an absolute path", base, below);
    if (strlen(base) + strlen(below) >= capacity)
        return qn__fail(QN_E_IO, "the name of the cache folder is too long");
    QN__TEXT_JOIN(out, capacity, base, below);
    return QN_OK;
}

static qn_status check_root(const char *dir, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return qn__fail_errno("%s", dir);
    if (st.st_uid != geteuid())
        return qn__fail(QN_E_IO, "%s belongs to user %u, not to %u", dir, (unsigned)st.st_uid,
                        (unsigned)geteuid());
    if (st.st_mode & (S_IWGRP | S_IWOTH))
        return qn__fail(QN_E_IO, "%s may be written by others (mode %o); chmod go-w it", dir,
                        (unsigned)(st.st_mode & 07777));
    char other[NAME_MAX_BYTES];
    if (!qn__cache_is_own(other, sizeof other, fd))
        return qn__fail(QN_E_IO, "%s holds other things ('%s'); name a folder of its own", dir,
                        other);
    return QN_OK;
}

static qn_status open_root(void)
{
    enum { HOW = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    QN_TRY(choose_dir(disk.dir, sizeof disk.dir));
    struct stat st;
    int fd = open(disk.dir, HOW);
    if (fd < 0 && lstat(disk.dir, &st) == 0 && S_ISLNK(st.st_mode))
        return qn__fail(QN_E_IO, "%s is a symbolic link; set QUERN_CACHE_DIR to the folder itself",
                        disk.dir);
    if (fd < 0 && qn__cache_may_write()) {
        QN_TRY(qn__file_make_dirs(disk.dir, 0700));
        fd = open(disk.dir, HOW);
    }
    if (fd < 0)
        return qn__fail_errno("%s", disk.dir);
    const qn_status s = check_root(disk.dir, fd);
    if (s != QN_OK) {
        close(fd);
        return s;
    }
    atomic_store(&disk.root, fd);
    return QN_OK;
}

static void open_once(void)
{
    if (open_root() == QN_OK)
        return;
    snprintf(disk.why, sizeof disk.why, "%s", qn_message());
    disk.dir[0] = 0;
    qn__log(QN_LOG_WARNING, "no kernel cache on disk, so every process compiles anew: %s",
            disk.why);
}

const char *qn__disk_dir(const char **why)
{
    pthread_once(&disk.once, open_once);
    if (why)
        *why = disk.why;
    return disk.dir;
}

static int root(void)
{
    pthread_once(&disk.once, open_once);
    return atomic_load_explicit(&disk.root, memory_order_relaxed);
}

int qn__disk_root_in_use(void)
{
    return atomic_load(&disk.root);
}

int qn__disk_root(void)
{
    return root();
}

/* Asked for once, and not on the path of a hit. */
static void find_network(void)
{
    disk.network = qn__network_of(root());
}

const char *qn_cache_get_network(void)
{
    if (root() < 0)
        return "";
    pthread_once(&disk.network_once, find_network);
    return disk.network;
}

/* Said by the first process that stores something in a folder; a file there remembers it. */
static void mention_network(void)
{
    static const char mark[] = "on-a-network";
    const char *network = qn_cache_get_network();
    if (!network[0] || faccessat(root(), mark, F_OK, 0) == 0)
        return;
    const int fd = openat(root(), mark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    close(fd);
    qn__log(QN_LOG_WARNING,
            "the kernel cache %s lies on a network file system (%s): every program's start reads "
            "it from there, and without locks machines may compile the same kernel twice. "
            "QUERN_CACHE_DIR names a local folder; a bundle (quern prewarm) needs none",
            disk.dir, network);
}

const char *qn_cache_get_dir(const char **why)
{
    return qn__disk_dir(why);
}

/* -- reading -- */

static void image_name(char out[NAME_MAX_BYTES], const char *key_hex)
{
    const char folder[3] = {key_hex[0], key_hex[0] ? key_hex[1] : 0, 0};
    QN__TEXT_JOIN(out, NAME_MAX_BYTES, "images/", folder, "/", key_hex);
}

/* A regular file of ours, whole, with a 0 behind it. *st tells which file it was. */
static qn_status read_file(char **bytes, size_t *n, struct stat *st, const char *name)
{
    *bytes = NULL;
    *n = 0;
    const int fd = openat(root(), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? qn__fail(QN_E_NOT_FOUND, "%s: no such entry", name)
                               : qn__fail_errno("%s", name);
    qn_status s = QN_OK;
    if (fstat(fd, st) != 0)
        s = qn__fail_errno("%s", name);
    else if (!S_ISREG(st->st_mode) || st->st_uid != geteuid() ||
             (st->st_mode & (S_IWGRP | S_IWOTH)))
        s = qn__fail(QN_E_CORRUPT, "%s: not a file that only we may write", name);
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

char *qn__disk_read(size_t *n, const char *name)
{
    char *bytes;
    struct stat st;
    return root() >= 0 && read_file(&bytes, n, &st, name) == QN_OK ? bytes : NULL;
}

static bool make_dir(const char *name)
{
    return mkdirat(root(), name, 0700) == 0 || errno == EEXIST;
}

/* seen: the file that was found bad; another one that took its place meanwhile stays. */
static void quarantine(const char *key_hex, const struct stat *seen, const char *reason)
{
    char from[NAME_MAX_BYTES], to[NAME_MAX_BYTES];
    struct stat now;
    image_name(from, key_hex);
    snprintf(to, sizeof to, "quarantine/%s", key_hex);
    if (seen && fstatat(root(), from, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_ino != seen->st_ino)
        return;
    qn__count(&qn__counters.quarantined, 1);
    QN__WARN_ONCE("kernel cache: an entry was set aside and is built anew: %s (quarantine folder "
                  "in %s; later ones are only counted)",
                  reason, disk.dir);
    qn__log(QN_LOG_DEBUG, "kernel cache: %s set aside: %s", key_hex, reason);
    if (!qn__cache_may_write())
        return;
    if (!make_dir("quarantine") || renameat(root(), from, root(), to) != 0)
        unlinkat(root(), from, 0);
}

void qn__disk_quarantine(const char *key_hex, const char *reason)
{
    if (root() >= 0)
        quarantine(key_hex, NULL, reason);
}

qn_status qn__disk_find(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
                        const char *key_hex, const char *target)
{
    *image = NULL;
    if (root() < 0)
        return qn__fail(QN_E_NOT_FOUND, "no cache folder");
    char name[NAME_MAX_BYTES];
    struct stat st = {0};
    char *bytes;
    size_t n;
    image_name(name, key_hex);
    qn_status s = read_file(&bytes, &n, &st, name);
    if (s == QN_E_NOT_FOUND || s == QN_E_MEMORY || (s == QN_E_IO && qn_message_code() != ELOOP))
        return qn__fail(QN_E_NOT_FOUND, "%s", qn_message());
    if (s == QN_OK)
        s = qn__entry_adopt(image, log, arena, bytes, n);
    if (s == QN_OK &&
        (strcmp((*image)->notes.key, key_hex) != 0 || strcmp((*image)->info.target, target) != 0)) {
        s = qn__fail(QN_E_CORRUPT, "entry %.12s... is that of key %.12s... for %s, not for %s",
                     key_hex, (*image)->notes.key, (*image)->info.target, target);
        qn_image_release(*image);
        *image = NULL;
    }
    if (s == QN_OK)
        return QN_OK;
    char reason[QN__MESSAGE_MAX];
    snprintf(reason, sizeof reason, "%s", qn_message());
    quarantine(key_hex, st.st_ino ? &st : NULL, reason);
    return qn__fail(QN_E_NOT_FOUND, "%s", reason);
}

/* -- writing -- */

static qn_status write_file(int fd, const struct qn__str *bytes)
{
    size_t done = 0;
    while (done < bytes->len) {
        const ssize_t put = write(fd, bytes->text + done, bytes->len - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return qn__fail_errno("write");
        done += (size_t)put;
    }
    return fsync(fd) == 0 ? QN_OK : qn__fail_errno("fsync");
}

/* Remove what writers that died have left. */
static void sweep_temporaries(void)
{
    const int fd = openat(root(), "tmp", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
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
    char temp[NAME_MAX_BYTES];
    QN_TRY(qn__str_check(bytes));
    if (!make_dir("tmp"))
        return qn__fail_errno("%s/tmp", disk.dir);
    if (!atomic_flag_test_and_set(&disk.swept))
        sweep_temporaries();
    qn__cache_temporary(temp, sizeof temp, atomic_fetch_add(&serial, 1), randombytes_random());
    const int fd = openat(root(), temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return qn__fail_errno("%s/%s", disk.dir, temp);
    qn_status s = write_file(fd, bytes);
    if (close(fd) != 0 && s == QN_OK)
        s = qn__fail_errno("close");
    if (s == QN_OK && renameat(root(), temp, root(), name) != 0)
        s = qn__fail_errno("%s/%s: rename", disk.dir, name);
    if (s != QN_OK)
        unlinkat(root(), temp, 0);
    return s;
}

static void publish(const char *folder, const char *name, const struct qn__str *bytes)
{
    if (root() < 0 || !qn__cache_may_write())
        return;
    char top[NAME_MAX_BYTES];
    snprintf(top, sizeof top, "%.*s", (int)strcspn(folder, "/"), folder);
    qn_status s = QN_OK;
    if (!make_dir(top) || !make_dir(folder))
        s = qn__fail_errno("%s/%s", disk.dir, folder);
    if (s == QN_OK)
        s = write_and_rename(name, bytes);
    if (s == QN_OK)
        return;
    qn__count(&qn__counters.publish_errors, 1);
    QN__WARN_ONCE("kernel cache: not stored: %s (later ones are only counted)", qn_message());
}

void qn__disk_publish(const char *key_hex, const struct qn__str *entry)
{
    char folder[NAME_MAX_BYTES], name[NAME_MAX_BYTES];
    snprintf(folder, sizeof folder, "images/%.2s", key_hex);
    image_name(name, key_hex);
    publish(folder, name, entry);
    if (root() >= 0 && qn__cache_may_write())
        mention_network();
    qn__totals_write();
    if (root() >= 0 && qn__cache_may_write() && randombytes_uniform(BOUND_EVERY) == 0) {
        const struct qn__cache_bounds bounds = qn__cache_bounds();
        const uint64_t removed = qn__cache_bound(root(), &bounds);
        if (removed)
            qn__log(QN_LOG_DEBUG, "kernel cache: %llu entries made room",
                    (unsigned long long)removed);
    }
}

/* -- locks -- */

static bool entry_exists(const char *key_hex)
{
    char name[NAME_MAX_BYTES];
    struct stat st;
    image_name(name, key_hex);
    return fstatat(root(), name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

bool qn__disk_lock(int *lock, const char *key_hex)
{
    char name[NAME_MAX_BYTES];
    *lock = -1;
    if (root() < 0 || !qn__cache_may_write() || qn_cache_get_network()[0] || !make_dir("locks"))
        return false; /* locks of a network may hang with the machine that keeps them */
    snprintf(name, sizeof name, "locks/%s", key_hex);
    const int fd = openat(root(), name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    const double until = qn__now_ms() + LOCK_WAIT_MS;
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        const bool busy = errno == EWOULDBLOCK || errno == EINTR;
        if (!busy || qn__now_ms() > until || entry_exists(key_hex)) {
            close(fd);
            return busy && entry_exists(key_hex);
        }
        const struct timespec nap = {0, LOCK_POLL_MS * 1000000L};
        nanosleep(&nap, NULL);
    }
    *lock = fd;
    return entry_exists(key_hex);
}

void qn__disk_unlock(int lock, const char *key_hex)
{
    if (lock < 0)
        return;
    char name[NAME_MAX_BYTES];
    snprintf(name, sizeof name, "locks/%s", key_hex);
    unlinkat(root(), name, 0); /* a waiter on the removed file compiles a second time: harmless */
    close(lock);
}

/* -- records -- */

static const unsigned char record_key[QN__CHECKSUM_BYTES] = "quern's record";

char *qn__disk_read_record(size_t *n, const char *name)
{
    char *bytes = NULL;
    struct stat st;
    unsigned char sum[QN__CHECKSUM_BYTES];
    *n = 0;
    if (root() < 0 || read_file(&bytes, n, &st, name) != QN_OK)
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

void qn__disk_write_record(const char *name, const struct qn__str *bytes)
{
    char folder[NAME_MAX_BYTES];
    unsigned char sum[QN__CHECKSUM_BYTES];
    struct qn__str file = {0};
    snprintf(folder, sizeof folder, "%.*s", (int)strcspn(name, "/"), name);
    qn__checksum_of(sum, record_key, bytes->text, bytes->len);
    qn__str_add_bytes(&file, sum, sizeof sum);
    qn__str_add_bytes(&file, bytes->text, bytes->len);
    publish(folder, name, &file);
    qn__str_release(&file);
}
