/* SPDX-License-Identifier: Apache-2.0
 *
 * The files locks/compile-0, -1, ...; each process begins its search at another one. */
#define _GNU_SOURCE
#include "rtc/cache/slots.h"

#include "base/descriptors.h"
#include "base/file.h"
#include "base/lock_holder.h"
#include "base/log.h"
#include "base/processors.h"
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

enum { POLL_MS = 10, LOOK_MS = 1000, MENTION_MS = 10000, SHOWN_MAX = 4 };

uint32_t qn__slots(void)
{
    static atomic_uint known; /* asking costs some files */
    uint32_t n = atomic_load(&known);
    if (!n)
        atomic_store(&known, n = qn__processors());
    return n;
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
            return qn__fd_own(fd);
        const bool is_taken = errno == EWOULDBLOCK || errno == EINTR;
        close(fd);
        if (!is_taken)
            return -1;
    }
    *wait = true;
    return -1;
}

/* Those that hold them now, in words; true when every one of them is stopped. */
static bool describe_holders(struct qn__str *out, int root)
{
    const uint32_t n = qn__slots();
    bool all_stopped = true;
    for (uint32_t i = 0; i < n; i++) {
        char name[48];
        snprintf(name, sizeof name, "locks/compile-%u", i);
        const int fd = openat(root, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        const struct qn__lock_holder holder = qn__lock_holder(fd);
        all_stopped = all_stopped && holder.is_stopped;
        if (i < SHOWN_MAX) {
            qn__str_add(out, i ? ", " : "");
            qn__lock_holder_print(out, &holder);
        }
        if (fd >= 0)
            close(fd);
    }
    if (n > SHOWN_MAX)
        qn__str_printf(out, " and %u more", n - SHOWN_MAX);
    return all_stopped;
}

/* Every one of them is held by a process that is stopped? Then it is said, and waiting is of no
 * use. */
static bool is_hopeless(int root)
{
    struct qn__str who = {0};
    const bool all_stopped = describe_holders(&who, root);
    if (all_stopped)
        qn__log(QN_LOG_WARNING,
                "a compile runs although its turn has not come: %s (locks/compile-* in %s)",
                who.text ? who.text : "", qn__folder_dir(NULL));
    qn__str_release(&who);
    return all_stopped;
}

static void mention(int root)
{
    struct qn__str who = {0};
    describe_holders(&who, root);
    QN__WARN_ONCE("a compile waits for its turn: as many as there are processors run in %s "
                  "(locks/compile-* in %s)",
                  who.text ? who.text : "other processes", qn__folder_dir(NULL));
    qn__str_release(&who);
}

int qn__slot_take(double until_ms)
{
    const int root = qn__folder_root();
    const double start = qn__now_ms();
    bool wait = true, is_looked_at = false, is_mentioned = false;
    if (root < 0 || !qn__cache_may_write() || qn_cache_get_network()[0])
        return -1;
    mkdirat(root, "locks", 0700); /* usually exists */
    for (;;) {
        const int slot = try_all(&wait, root);
        const double now = qn__now_ms();
        if (slot >= 0 || !wait || now > until_ms)
            return slot;
        if (!is_looked_at && now - start > LOOK_MS) {
            is_looked_at = true;
            if (is_hopeless(root))
                return -1;
        }
        if (!is_mentioned && now - start > MENTION_MS) {
            is_mentioned = true;
            mention(root);
        }
        const struct timespec nap = {0, POLL_MS * 1000000L};
        nanosleep(&nap, NULL);
    }
}

void qn__slot_give(int slot)
{
    if (qn__fd_is_owned(slot))
        flock(slot, LOCK_UN); /* also where a child has a copy, made before it could be closed */
    qn__fd_disown(slot);
}
