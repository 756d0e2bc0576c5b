/* SPDX-License-Identifier: Apache-2.0
 *
 * System types. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_SYS_TYPES_H
#define QN_STD_SYS_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef long off_t;
typedef int pid_t;
struct timeval {
    long tv_sec, tv_usec;
};
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#endif
