/* SPDX-License-Identifier: Apache-2.0
 *
 * File status. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_SYS_STAT_H
#define QN_STD_SYS_STAT_H

#include <sys/types.h>

struct stat {
    off_t st_size;
    unsigned int st_mode;
};
extern "C" {
int stat(const char *, struct stat *);
int fstat(int, struct stat *);
int mkdir(const char *, unsigned int);
}

#endif
