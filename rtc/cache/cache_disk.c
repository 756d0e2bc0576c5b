/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries in the cache's folder: verified when they are read, set aside when they are bad, stored
 * whole or not at all; and the lock that keeps two processes from making the same one. */
#define _GNU_SOURCE
#include "rtc/cache/cache_disk.h"

#include "base/descriptors.h"
#include "base/file.h"
#include "base/log.h"
#include "rtc/cache/cache_bound.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/cache_mode.h"
#include "rtc/cache/counters.h"
#include "rtc/cache/totals.h"
#include "rtc/cache/trusted_keys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    LOCK_WAIT_MS = 3000,
    LOCK_POLL_MS = 5,
    BOUND_EVERY = 64, /* publishes, on average over all processes */
};

/* -- reading -- */

static void image_name(char out[QN__CACHE_NAME_BYTES], const char *key_hex)
{
    const char folder[3] = {key_hex[0], key_hex[0] ? key_hex[1] : 0, 0};
    QN__TEXT_JOIN(out, QN__CACHE_NAME_BYTES, "images/", folder, "/", key_hex);
}

/* seen: the file that was found bad; another one that took its place meanwhile stays. */
static void quarantine(const char *key_hex, const struct stat *seen, const char *reason)
{
    char from[QN__CACHE_NAME_BYTES], to[QN__CACHE_NAME_BYTES];
    struct stat now;
    image_name(from, key_hex);
    snprintf(to, sizeof to, "quarantine/%s", key_hex);
    if (seen && fstatat(qn__folder_root(), from, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
        now.st_ino != seen->st_ino)
        return;
    qn__count(&qn__counters.quarantined, 1);
    QN__WARN_ONCE("kernel cache: an entry was set aside and is built anew: %s (quarantine folder "
                  "in %s; later ones are only counted)",
                  reason, qn__folder_dir(NULL));
    qn__log(QN_LOG_DEBUG, "kernel cache: %s set aside: %s", key_hex, reason);
    if (!qn__cache_may_write())
        return;
    if (!qn__folder_make("quarantine") ||
        renameat(qn__folder_root(), from, qn__folder_root(), to) != 0)
        unlinkat(qn__folder_root(), from, 0);
}

void qn__disk_quarantine(const char *key_hex, const char *reason)
{
    if (qn__folder_root() >= 0)
        quarantine(key_hex, NULL, reason);
}

qn_status qn__disk_load(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
                        const char *key_hex, const char *target)
{
    *image = NULL;
    if (!qn__folder_dir(NULL)[0])
        return qn__fail(QN_E_NOT_FOUND, "no cache folder");
    char name[QN__CACHE_NAME_BYTES];
    struct stat st = {0};
    char *bytes;
    size_t n;
    image_name(name, key_hex);
    qn_status s = qn__folder_read_file(&bytes, &n, &st, name);
    if (s == QN_E_IO && qn_message_code() == ELOOP)
        s = qn__fail(QN_E_CORRUPT, "%s", qn_message());
    if (s == QN_OK)
        s = qn__entry_adopt(image, log, arena, bytes, n);
    if (s == QN_OK &&
        (strcmp((*image)->notes.key, key_hex) != 0 || strcmp((*image)->info.target, target) != 0)) {
        s = qn__fail(QN_E_CORRUPT, "entry %.12s... is that of key %.12s... for %s, not for %s",
                     key_hex, (*image)->notes.key, (*image)->info.target, target);
        qn_image_release(*image);
        *image = NULL;
    }
    if (s == QN_OK && (*image)->origin.signer[0] && qn__keys_revoke((*image)->origin.signer)) {
        s = qn__fail(QN_E_CORRUPT,
                     "entry %.12s... is of %s, signed by %s, which QUERN_BUNDLE_KEYS revokes",
                     key_hex, (*image)->origin.from, (*image)->origin.signer);
        qn_image_release(*image);
        *image = NULL;
    }
    if (s == QN_OK || s == QN_E_NOT_FOUND || s == QN_E_MEMORY || s == QN_E_IO)
        return s; /* what could not be read may be good */
    char reason[QN__MESSAGE_MAX];
    snprintf(reason, sizeof reason, "%s", qn_message());
    quarantine(key_hex, st.st_ino ? &st : NULL, reason);
    return qn__fail(s, "%s", reason);
}

qn_status qn__disk_find(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
                        const char *key_hex, const char *target)
{
    return qn__disk_load(image, log, arena, key_hex, target) == QN_OK
               ? QN_OK
               : qn__fail(QN_E_NOT_FOUND, "%s", qn_message());
}

/* -- writing -- */

/* Reported by the first process that stores something in a folder; a file there records that. */
static void mention_network(void)
{
    static const char mark[] = "on-a-network";
    const char *network = qn_cache_get_network();
    if (!network[0] || faccessat(qn__folder_root(), mark, F_OK, 0) == 0)
        return;
    const int fd =
        openat(qn__folder_root(), mark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    close(fd);
    qn__log(QN_LOG_WARNING,
            "the kernel cache %s lies on a network file system (%s): every program's start reads "
            "it from there, and without locks machines may compile the same kernel twice. "
            "QUERN_CACHE_DIR names a local folder; a bundle (quern prewarm) needs none",
            qn__folder_dir(NULL), network);
}

void qn__disk_publish(const char *key_hex, const struct qn__str *entry)
{
    char name[QN__CACHE_NAME_BYTES];
    image_name(name, key_hex);
    qn__folder_write(name, entry);
    if (qn__folder_root() >= 0 && qn__cache_may_write())
        mention_network();
    qn__totals_write();
    if (qn__folder_root() >= 0 && qn__cache_may_write() && randombytes_uniform(BOUND_EVERY) == 0) {
        const struct qn__cache_bounds bounds = qn__cache_bounds();
        uint64_t removed;
        if (qn__cache_bound(&removed, qn__folder_root(), &bounds) == QN_OK && removed)
            qn__log(QN_LOG_DEBUG, "kernel cache: removed %llu entries to make room",
                    (unsigned long long)removed);
    }
}

/* -- locks -- */

static bool entry_exists(const char *key_hex)
{
    char name[QN__CACHE_NAME_BYTES];
    struct stat st;
    image_name(name, key_hex);
    return fstatat(qn__folder_root(), name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

bool qn__disk_lock(int *lock, const char *key_hex)
{
    char name[QN__CACHE_NAME_BYTES];
    *lock = -1;
    if (qn__folder_root() < 0 || !qn__cache_may_write() || qn_cache_get_network()[0] ||
        !qn__folder_make("locks"))
        return false; /* network locks may hang with the machine that keeps them */
    snprintf(name, sizeof name, "locks/%s", key_hex);
    const int fd = openat(qn__folder_root(), name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
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
    *lock = qn__fd_own(fd);
    return entry_exists(key_hex);
}

void qn__disk_unlock(int lock, const char *key_hex)
{
    if (lock < 0)
        return;
    char name[QN__CACHE_NAME_BYTES];
    snprintf(name, sizeof name, "locks/%s", key_hex);
    unlinkat(qn__folder_root(), name,
             0); /* a waiter on the removed file compiles a second time: harmless */
    if (qn__fd_is_owned(lock))
        flock(lock, LOCK_UN); /* as in slots.c */
    qn__fd_disown(lock);
}
