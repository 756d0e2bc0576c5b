/* SPDX-License-Identifier: Apache-2.0
 *
 * The unified hierarchy's cpu.max holds "quota period" or "max period"; the older one has a file
 * for each. */
#define _GNU_SOURCE
#include "base/processors.h"

#include "base/control_groups.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEXT_BYTES = 256, PATH_BYTES = 4096, SETS_MAX = 64 };

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
        if (qn__small_file_read(text, sizeof text, path) &&
            sscanf(text, "%lf %lf", &quota, &period) == 2)
            return rounded_up(quota, period);
        return UINT32_MAX;
    }
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (!qn__small_file_read(text, sizeof text, path) || sscanf(text, "%lf", &quota) != 1)
        return UINT32_MAX;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    return qn__small_file_read(text, sizeof text, path) && sscanf(text, "%lf", &period) == 1
               ? rounded_up(quota, period)
               : UINT32_MAX;
}

static void take_smaller(const char *folder, bool unified, void *payload)
{
    uint32_t *least = payload;
    const uint32_t here = quota_of(folder, unified);
    *least = here < *least ? here : *least;
}

uint32_t qn__processors_of_quota(const char *groups, const char *root)
{
    uint32_t least = UINT32_MAX;
    qn__groups_visit(groups, root, "cpu", take_smaller, &least);
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
    uint32_t least = allowed_by_affinity();
    qn__own_groups_visit("cpu", take_smaller, &least);
    return least;
}
