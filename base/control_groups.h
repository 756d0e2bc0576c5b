/* SPDX-License-Identifier: Apache-2.0
 *
 * The control groups of a process, and all above them: where its limits are written. */
#ifndef QN_BASE_CONTROL_GROUPS_H
#define QN_BASE_CONTROL_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* Called once for each group, from the inmost outwards.
 *   folder   the group's files
 *   unified  the newer hierarchy, where a folder has the files of all controllers */
typedef void qn__group_visit(const char *folder, bool unified, void *payload);

/* Visit the groups that `controller` ("cpu", "memory") may limit.
 *   groups  text of /proc/PID/cgroup
 *   root    where the groups are mounted: /sys/fs/cgroup */
void qn__groups_visit(const char *groups, const char *root, const char *controller,
                      qn__group_visit *visit, void *payload);

/* The same for this process. */
void qn__own_groups_visit(const char *controller, qn__group_visit *visit, void *payload);

/* The beginning of a small file, as those of /proc and of groups are; false and "": none. */
bool qn__small_file_read(char *out, size_t capacity, const char *path);

#endif
