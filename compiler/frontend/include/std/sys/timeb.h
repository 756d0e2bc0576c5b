/* SPDX-License-Identifier: Apache-2.0
 *
 * Time of day, the older way. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_SYS_TIMEB_H
#define QN_STD_SYS_TIMEB_H

#include <sys/types.h>
#include <time.h>

struct timeb {
    time_t time;
    unsigned short millitm;
    short timezone, dstflag;
};
extern "C" int ftime(struct timeb *);

#endif
