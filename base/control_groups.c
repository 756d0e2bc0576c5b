/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of /proc/self/cgroup is "0::/path" in the unified hierarchy and "4:cpu,cpuacct:/path" in
 * the older one, which has a folder for each controller. Inside a container the paths may be those
 * of the host; a file that is not there limits nothing, and the walk up ends at the root, where the
 * container's own limit is. */
#include "base/control_groups.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096, PATH_BYTES = 2048, MOUNT_BYTES = 1024 };

bool qn__small_file_read(char *out, size_t capacity, const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, out, capacity - 1) : -1;
    if (fd >= 0)
        close(fd);
    out[n > 0 ? n : 0] = 0;
    return n > 0;
}

/* The group and all above it. */
static void walk_up(const char *mount, const char *group, size_t n, bool unified,
                    qn__group_visit *visit, void *payload)
{
    char folder[PATH_BYTES];
    const size_t base = strlen(mount);
    if (base + n + 1 > sizeof folder)
        return;
    snprintf(folder, sizeof folder, "%s%.*s", mount, (int)n, group);
    for (;;) {
        visit(folder, unified, payload);
        char *slash = strrchr(folder, '/');
        if (!slash || strlen(folder) <= base)
            return;
        *slash = 0;
    }
}

/* Is the name one of the list, "cpu,cpuacct"? */
static bool is_listed(const char *list, size_t n, const char *name)
{
    const size_t wanted = strlen(name);
    for (size_t i = 0; i < n;) {
        size_t m = 0;
        while (i + m < n && list[i + m] != ',')
            m++;
        if (m == wanted && memcmp(list + i, name, m) == 0)
            return true;
        i += m + 1;
    }
    return false;
}

void qn__groups_visit(const char *groups, const char *root, const char *controller,
                      qn__group_visit *visit, void *payload)
{
    char mount[MOUNT_BYTES];
    for (const char *line = groups; *line;) {
        const size_t n = strcspn(line, "\n");
        const char *controllers = memchr(line, ':', n);
        const char *path =
            controllers ? memchr(controllers + 1, ':', n - (size_t)(controllers + 1 - line)) : NULL;
        if (path) {
            const size_t list_n = (size_t)(path - controllers - 1);
            const size_t path_n = n - (size_t)(path + 1 - line);
            const bool unified = list_n == 0;
            snprintf(mount, sizeof mount, "%s%s%s", root, unified ? "" : "/",
                     unified ? "" : controller);
            if (unified || is_listed(controllers + 1, list_n, controller))
                walk_up(mount, path + 1, path_n, unified, visit, payload);
        }
        line += n + (line[n] == '\n');
    }
}

void qn__own_groups_visit(const char *controller, qn__group_visit *visit, void *payload)
{
    char groups[TEXT_BYTES];
    if (qn__small_file_read(groups, sizeof groups, "/proc/self/cgroup"))
        qn__groups_visit(groups, "/sys/fs/cgroup", controller, visit, payload);
}
