/* SPDX-License-Identifier: Apache-2.0
 *
 * How much memory this process may still take: not what the machine has, but what the kernel calls
 * available, what the control groups' limits leave, and what the process's own limits leave. Swap
 * is not counted. */
#ifndef QN_BASE_FREE_MEMORY_H
#define QN_BASE_FREE_MEMORY_H

#include <stdint.h>

struct qn__free_memory {
    uint64_t free_bytes, total_bytes; /* both 0: the system does not say */
};

struct qn__free_memory qn__free_memory(void);

/* What groups leave of `m`.
 *   groups  text of /proc/PID/cgroup
 *   root    where the groups are mounted: /sys/fs/cgroup */
struct qn__free_memory qn__free_memory_of_groups(struct qn__free_memory m, const char *groups,
                                                 const char *root);

#endif
