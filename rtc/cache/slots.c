/* SPDX-License-Identifier: Apache-2.0
 *
 * The files locks/compile-0, -1, ...; each process begins its search at another one. */
#define _GNU_SOURCE
#include "rtc/cache/slots.h"

#include "base/file.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/cache_mode.h"

#include <errno.h>
#include <fcntl.h>
#include <quern/cache.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { POLL_MS = 10 };

uint32_t qn__slots(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 1 ? (uint32_t)n : 1;
}

/* One look at every slot. *wait: all are taken, and it is worth looking again. */
static int try_all(bool *wait, int root)
{
    const uint32_t n = qn__slots();
    *wait = false;
    for (uint32_t i = 0; i < n; i++) {
        char name[48];
        snprintf(name, sizeof name, "locks/compile-%u", (i + (uint32_t)getpid()) % n);
        const int fd = openat(root, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0)
            return -1;
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return fd;
        const bool is_taken = errno == EWOULDBLOCK || errno == EINTR;
        close(fd);
        if (!is_taken)
            return -1;
    }
    *wait = true;
    return -1;
}

int qn__slot_take(double until_ms)
{
    const int root = qn__folder_root();
    bool wait = true;
    if (root < 0 || !qn__cache_may_write() || qn_cache_get_network()[0])
        return -1;
    mkdirat(root, "locks", 0700); /* usually exists */
    for (;;) {
        const int slot = try_all(&wait, root);
        if (slot >= 0 || !wait || qn__now_ms() > until_ms)
            return slot;
        const struct timespec nap = {0, POLL_MS * 1000000L};
        nanosleep(&nap, NULL);
    }
}

void qn__slot_give(int slot)
{
    if (slot >= 0)
        close(slot);
}
