/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of /proc/self/cgroup is "0::/path" in the unified hierarchy, whose cpu.max holds "quota
 * period" or "max period", and "4:cpu,cpuacct:/path" in the older one, which has a file for each.
 * Inside a container the paths may be those of the host; a file that is not there limits nothing,
 * and the walk up ends at the root, where the container's own limit is. */
#define _GNU_SOURCE
#include "base/processors.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096, PATH_BYTES = 4096, SETS_MAX = 64 };

/* A small file; false: none. */
static bool read_text(char out[TEXT_BYTES], const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, out, TEXT_BYTES - 1) : -1;
    if (fd >= 0)
        close(fd);
    out[n > 0 ? n : 0] = 0;
    return n > 0;
}

static uint32_t rounded_up(double quota, double period)
{
    if (quota <= 0 || period <= 0 || quota / period > 1e6)
        return UINT32_MAX;
    const uint32_t n = (uint32_t)(quota / period);
    return (double)n * period < quota ? n + 1 : n ? n : 1;
}

static uint32_t quota_of(const char *folder, bool unified)
{
    char path[PATH_BYTES], text[TEXT_BYTES];
    double quota = 0, period = 0;
    if (unified) {
        snprintf(path, sizeof path, "%s/cpu.max", folder);
        if (read_text(text, path) && sscanf(text, "%lf %lf", &quota, &period) == 2)
            return rounded_up(quota, period);
        return UINT32_MAX;
    }
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (!read_text(text, path) || sscanf(text, "%lf", &quota) != 1)
        return UINT32_MAX;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    return read_text(text, path) && sscanf(text, "%lf", &period) == 1 ? rounded_up(quota, period)
                                                                      : UINT32_MAX;
}

/* The group and all above it. */
static uint32_t smallest(const char *mount, const char *group, size_t n, bool unified)
{
    char folder[PATH_BYTES / 2];
    uint32_t least = UINT32_MAX;
    const size_t base = strlen(mount);
    if (base + n + 1 > sizeof folder)
        return least;
    snprintf(folder, sizeof folder, "%s%.*s", mount, (int)n, group);
    for (;;) {
        const uint32_t here = quota_of(folder, unified);
        least = here < least ? here : least;
        char *slash = strrchr(folder, '/');
        if (!slash || strlen(folder) <= base)
            return least;
        *slash = 0;
    }
}

static bool has_cpu(const char *controllers, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t m = 0;
        while (i + m < n && controllers[i + m] != ',')
            m++;
        if (m == 3 && memcmp(controllers + i, "cpu", 3) == 0)
            return true;
        i += m + 1;
    }
    return false;
}

uint32_t qn__processors_of_quota(const char *groups, const char *root)
{
    uint32_t least = UINT32_MAX;
    char mount[PATH_BYTES / 4];
    for (const char *line = groups; *line;) {
        const size_t n = strcspn(line, "\n");
        const char *controllers = memchr(line, ':', n);
        const char *path =
            controllers ? memchr(controllers + 1, ':', n - (size_t)(controllers + 1 - line)) : NULL;
        if (path) {
            const size_t c_n = (size_t)(path - controllers - 1);
            const size_t path_n = n - (size_t)(path + 1 - line);
            const bool unified = c_n == 0;
            snprintf(mount, sizeof mount, "%s%s", root, unified ? "" : "/cpu");
            if (unified || has_cpu(controllers + 1, c_n)) {
                const uint32_t here = smallest(mount, path + 1, path_n, unified);
                least = here < least ? here : least;
            }
        }
        line += n + (line[n] == '\n');
    }
    return least;
}

static uint32_t allowed_by_affinity(void)
{
    for (int n = 1024; n <= 1024 * SETS_MAX; n *= 2) { /* until the machine's all fit */
        cpu_set_t *set = CPU_ALLOC((size_t)n);
        const size_t bytes = CPU_ALLOC_SIZE((size_t)n);
        const int count =
            set && sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return (uint32_t)count;
    }
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 1 ? (uint32_t)online : 1;
}

uint32_t qn__processors(void)
{
    char groups[TEXT_BYTES];
    const uint32_t affinity = allowed_by_affinity();
    if (!read_text(groups, "/proc/self/cgroup"))
        return affinity;
    const uint32_t quota = qn__processors_of_quota(groups, "/sys/fs/cgroup");
    return quota < affinity ? quota : affinity;
}
