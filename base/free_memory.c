/* SPDX-License-Identifier: Apache-2.0
 *
 * A group's files are memory.max (and memory.high, above which the process is slowed down) and
 * memory.current in the unified hierarchy, memory.limit_in_bytes and memory.usage_in_bytes in the
 * older one. Pages of files that were not read lately count as used there, but are given up before
 * anything fails: memory.stat says how many. */
#include "base/free_memory.h"

#include "base/control_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { TEXT_BYTES = 8192, PATH_BYTES = 4096 };

/* The number behind the first line that begins with `key`; 0 where there is none. */
static uint64_t number_behind(const char *text, const char *key)
{
    const size_t n = strlen(key);
    for (const char *line = text; *line;) {
        if (strncmp(line, key, n) == 0 && (line[n] == ' ' || line[n] == ':'))
            return strtoull(line + n + 1, NULL, 10);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return 0;
}

/* The number a file of the group holds; `otherwise` where it is not there or says "max". */
static uint64_t number_in(const char *folder, const char *name, uint64_t otherwise)
{
    char path[PATH_BYTES], text[64], *end;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!qn__small_file_read(text, sizeof text, path))
        return otherwise;
    const uint64_t value = strtoull(text, &end, 10);
    return end == text ? otherwise : value;
}

static uint64_t given_up_first(const char *folder, bool unified)
{
    char path[PATH_BYTES], text[TEXT_BYTES];
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    if (!qn__small_file_read(text, sizeof text, path))
        return 0;
    return number_behind(text, unified ? "inactive_file" : "total_inactive_file");
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void leave(struct qn__free_memory *m, uint64_t limit, uint64_t used)
{
    m->total_bytes = smaller(m->total_bytes, limit);
    m->free_bytes = smaller(m->free_bytes, limit > used ? limit - used : 0);
}

static void limit_by_group(const char *folder, bool unified, void *payload)
{
    struct qn__free_memory *m = payload;
    const char *const most = unified ? "memory.max" : "memory.limit_in_bytes";
    const char *const usage = unified ? "memory.current" : "memory.usage_in_bytes";
    uint64_t limit = number_in(folder, most, UINT64_MAX);
    if (unified)
        limit = smaller(limit, number_in(folder, "memory.high", UINT64_MAX));
    if (limit >= m->total_bytes) /* no limit, which the older kind writes as a very large one */
        return;
    const uint64_t used = number_in(folder, usage, 0), cached = given_up_first(folder, unified);
    leave(m, limit, used > cached ? used - cached : 0);
}

struct qn__free_memory qn__free_memory_of_groups(struct qn__free_memory m, const char *groups,
                                                 const char *root)
{
    qn__groups_visit(groups, root, "memory", limit_by_group, &m);
    return m;
}

/* ulimit -v and -d */
static void limit_by_process(struct qn__free_memory *m)
{
    char text[TEXT_BYTES];
    struct rlimit space, data;
    if (getrlimit(RLIMIT_AS, &space) != 0 || getrlimit(RLIMIT_DATA, &data) != 0 ||
        (space.rlim_cur == RLIM_INFINITY && data.rlim_cur == RLIM_INFINITY) ||
        !qn__small_file_read(text, sizeof text, "/proc/self/status"))
        return;
    if (space.rlim_cur != RLIM_INFINITY)
        leave(m, space.rlim_cur, number_behind(text, "VmSize") << 10);
    if (data.rlim_cur != RLIM_INFINITY)
        leave(m, data.rlim_cur, number_behind(text, "VmData") << 10);
}

struct qn__free_memory qn__free_memory(void)
{
    char text[TEXT_BYTES];
    struct qn__free_memory m = {0};
    if (!qn__small_file_read(text, sizeof text, "/proc/meminfo"))
        return m;
    m.total_bytes = number_behind(text, "MemTotal") << 10;
    m.free_bytes = number_behind(text, "MemAvailable") << 10;
    qn__own_groups_visit("memory", limit_by_group, &m);
    limit_by_process(&m);
    return m;
}
