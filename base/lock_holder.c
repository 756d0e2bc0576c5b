/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of /proc/locks: "1: FLOCK  ADVISORY  WRITE 1234 fe:01:5678 0 EOF", with the device in hex
 * and the file's inode; one with "->" in it is a waiter. */
#define _GNU_SOURCE
#include "base/lock_holder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* The line of /proc/PID/stat up to the state: "1234 (name) T". */
static bool read_stat(char *out, size_t capacity, long pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "re");
    const bool good = f && fgets(out, (int)capacity, f);
    if (f)
        fclose(f);
    return good;
}

static long find_pid(int fd)
{
    struct stat st;
    char line[256];
    long found = 0;
    FILE *f = fstat(fd, &st) == 0 ? fopen("/proc/locks", "re") : NULL;
    while (f && !found && fgets(line, sizeof line, f)) {
        unsigned major_number, minor_number;
        unsigned long long inode;
        long pid;
        if (sscanf(line, "%*d: FLOCK %*s %*s %ld %x:%x:%llu", &pid, &major_number, &minor_number,
                   &inode) == 4 &&
            inode == st.st_ino && major_number == major(st.st_dev) &&
            minor_number == minor(st.st_dev))
            found = pid;
    }
    if (f)
        fclose(f);
    return found > 0 ? found : 0;
}

struct qn__lock_holder qn__lock_holder(int fd)
{
    char line[512];
    struct qn__lock_holder h = {.pid = find_pid(fd)};
    if (h.pid && !read_stat(line, sizeof line, h.pid))
        h.pid = 0;
    const char *end = h.pid ? strrchr(line, ')') : NULL;
    h.is_stopped = end && (strncmp(end, ") T", 3) == 0 || strncmp(end, ") t", 3) == 0);
    return h;
}

void qn__lock_holder_print(struct qn__str *out, const struct qn__lock_holder *h)
{
    char line[512];
    if (!h->pid || !read_stat(line, sizeof line, h->pid)) {
        qn__str_add(out, "a process that cannot be seen from here");
        return;
    }
    const char *name = strchr(line, '('), *end = strrchr(line, ')');
    qn__str_printf(out, "process %ld", h->pid);
    if (name && end && end > name)
        qn__str_printf(out, " %.*s)", (int)(end - name), name);
    if (h->is_stopped)
        qn__str_add(out, ", which is stopped");
}
