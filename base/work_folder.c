/* SPDX-License-Identifier: Apache-2.0
 *
 * Between making a folder and locking it, somebody else's sweep may take the lock and remove it;
 * then the maker takes another name. */
#define _GNU_SOURCE
#include "base/work_folder.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/log.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "quern-work-"
enum { RANDOM_BYTES = 16, TRIES = 8, HOW = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

/* -- abandoned ones -- */

static void sweep(const char *base)
{
    DIR *d = opendir(base);
    const struct dirent *e;
    struct stat st;
    while (d && (e = readdir(d))) {
        if (!qn__starts_with(e->d_name, PREFIX))
            continue;
        const int fd = openat(dirfd(d), e->d_name, HOW);
        if (fd < 0)
            continue;
        char *path = qn__path_join(base, e->d_name);
        if (path && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
            flock(fd, LOCK_EX | LOCK_NB) == 0)
            qn__temp_dir_remove(path);
        free(path);
        close(fd);
    }
    if (d)
        closedir(d);
}

/* -- making one -- */

static bool random_name(char *out, size_t capacity, const char *base)
{
    unsigned char bytes[RANDOM_BYTES];
    char hex[2 * RANDOM_BYTES + 1];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return false;
    for (int i = 0; i < RANDOM_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    return (size_t)snprintf(out, capacity, "%s/" PREFIX "%s", base, hex) < capacity;
}

/* 1: made and locked. 0: lost to a sweep. -1: cannot be made, errno says why. */
static int try_once(struct qn__work_folder *out, const char *base)
{
    struct stat st;
    if (!random_name(out->path, sizeof out->path, base)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (mkdir(out->path, 0700) != 0)
        return errno == EEXIST ? 0 : -1;
    out->lock = open(out->path, HOW);
    if (out->lock < 0)
        return errno == ENOENT ? 0 : -1;
    const bool locked = flock(out->lock, LOCK_EX | LOCK_NB) == 0;
    if ((locked || errno != EWOULDBLOCK) && fstat(out->lock, &st) == 0 && st.st_nlink > 0)
        return 1; /* a file system without locks has no sweeps that could take it either */
    close(out->lock);
    return 0;
}

static bool create_in(struct qn__work_folder *out, const char *base)
{
    static atomic_flag swept = ATOMIC_FLAG_INIT;
    int made = 0;
    if (base[0] != '/') {
        errno = EINVAL;
        return false;
    }
    for (int i = 0; i < TRIES && made == 0; i++)
        made = try_once(out, base);
    if (made <= 0)
        return false;
    if (!atomic_flag_test_and_set(&swept))
        sweep(base);
    return true;
}

qn_status qn__work_folder_create(struct qn__work_folder *out, const char *last)
{
    const char *named = qn__getenv("TMPDIR");
    const char *const bases[] = {named && named[0] ? named : "/tmp", "/tmp", "/var/tmp", "/dev/shm",
                                 last};
    int first = 0;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        *out = (struct qn__work_folder){.lock = -1};
        if (bases[i] && bases[i][0] && create_in(out, bases[i])) {
            if (i > 0)
                QN__WARN_ONCE("temporary files go to %s, because %s cannot be used (%s); TMPDIR "
                              "names another folder",
                              bases[i], bases[0], strerror(first));
            return QN_OK;
        }
        first = first ? first : errno;
    }
    *out = (struct qn__work_folder){.lock = -1};
    return qn__fail_code(QN_E_IO, first,
                         "no folder for temporary files: %s: %s, nor can /tmp, /var/tmp, /dev/shm "
                         "or the cache's folder be written; set TMPDIR to one that can",
                         bases[0], strerror(first));
}

void qn__work_folder_remove(struct qn__work_folder *w)
{
    if (w->path[0])
        qn__temp_dir_remove(w->path);
    w->path[0] = 0;
}
