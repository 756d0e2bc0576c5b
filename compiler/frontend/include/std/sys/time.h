/* SPDX-License-Identifier: Apache-2.0
 *
 * Time of day. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_SYS_TIME_H
#define QN_STD_SYS_TIME_H

#include <sys/types.h>
#include <time.h>

struct timezone {
    int tz_minuteswest, tz_dsttime;
};
extern "C" int gettimeofday(struct timeval *, struct timezone *);

#endif
