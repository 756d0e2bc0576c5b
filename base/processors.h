/* SPDX-License-Identifier: Apache-2.0
 *
 * How many processors this process may use: not those of the machine, but those that its affinity
 * (taskset, Slurm, a container's cpuset) and the quotas of its control groups leave. */
#ifndef QN_BASE_PROCESSORS_H
#define QN_BASE_PROCESSORS_H

#include <stdint.h>

uint32_t qn__processors(void); /* at least 1 */

/* The smallest quota over a process's groups and all above them, rounded up; UINT32_MAX: none.
 *   groups  text of /proc/PID/cgroup
 *   root    where the groups are mounted: /sys/fs/cgroup */
uint32_t qn__processors_of_quota(const char *groups, const char *root);

#endif
