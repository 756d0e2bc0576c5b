/* SPDX-License-Identifier: Apache-2.0
 *
 * A number is compared by device and inode of its file; those of sockets and pipes are unique. */
#include "base/descriptors.h"

#include "base/forks.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock;
    struct qn__fd *rows;
    size_t n, capacity;
} owned = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct qn__fd qn__fd_of(int fd)
{
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0)
        return (struct qn__fd){.fd = -1};
    return (struct qn__fd){fd, st.st_dev, st.st_ino};
}

bool qn__fd_is_ours(const struct qn__fd *fd)
{
    const struct qn__fd now = qn__fd_of(fd->fd);
    return now.fd >= 0 && now.device == fd->device && now.file == fd->file;
}

void qn__fd_close(struct qn__fd *fd)
{
    if (qn__fd_is_ours(fd))
        close(fd->fd);
    fd->fd = -1;
}

static void close_in_child(void)
{
    for (size_t i = 0; i < owned.n; i++)
        qn__fd_close(&owned.rows[i]);
    owned.n = 0;
}
QN__FORK_PART(&owned.lock, close_in_child)

/* The row of a number, or n. Under the lock. */
static size_t find(int fd)
{
    size_t i = 0;
    while (i < owned.n && owned.rows[i].fd != fd)
        i++;
    return i;
}

int qn__fd_own(int fd)
{
    if (fd < 0)
        return fd;
    pthread_mutex_lock(&owned.lock);
    const size_t i = find(fd); /* a row that is there is of a file that the program closed */
    if (i == owned.capacity) {
        const size_t capacity = owned.capacity ? 2 * owned.capacity : 32;
        struct qn__fd *rows = realloc(owned.rows, capacity * sizeof *rows);
        if (rows) {
            owned.rows = rows;
            owned.capacity = capacity;
        }
    }
    if (i < owned.capacity) { /* without memory a child keeps it, and no more is lost */
        owned.rows[i] = qn__fd_of(fd);
        owned.n += i == owned.n;
    }
    pthread_mutex_unlock(&owned.lock);
    return fd;
}

bool qn__fd_is_owned(int fd)
{
    pthread_mutex_lock(&owned.lock);
    const size_t i = find(fd);
    const bool is = fd >= 0 && i < owned.n && qn__fd_is_ours(&owned.rows[i]);
    pthread_mutex_unlock(&owned.lock);
    return is;
}

void qn__fd_disown(int fd)
{
    pthread_mutex_lock(&owned.lock);
    const size_t i = find(fd);
    if (fd >= 0 && i < owned.n) {
        qn__fd_close(&owned.rows[i]);
        owned.rows[i] = owned.rows[--owned.n];
    }
    pthread_mutex_unlock(&owned.lock);
}
