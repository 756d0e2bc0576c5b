/* SPDX-License-Identifier: Apache-2.0
 *
 * Is the cache folder on a file system of another machine? */
#ifndef QN_RTC_CACHE_NETWORK_H
#define QN_RTC_CACHE_NETWORK_H

#include <stdint.h>

/* "nfs", "lustre", ...: what the magic number of statfs(2) stands for; "" for a local one. */
const char *qn__network_name(uint32_t magic);

/* The same for the file system an open file is on. */
const char *qn__network_of(int fd);

#endif
