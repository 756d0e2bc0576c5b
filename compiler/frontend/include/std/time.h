/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocks and dates. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_TIME_H
#define QN_STD_TIME_H

#include <stddef.h>

typedef long time_t;
typedef long clock_t;
#define CLOCKS_PER_SEC  1000000L
#define CLOCK_REALTIME  0
#define CLOCK_MONOTONIC 1
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};
extern "C" {
time_t time(time_t *);
clock_t clock();
double difftime(time_t, time_t);
struct tm *localtime(const time_t *);
struct tm *gmtime(const time_t *);
char *ctime(const time_t *);
size_t strftime(char *, size_t, const char *, const struct tm *);
int clock_gettime(int, struct timespec *);
int nanosleep(const struct timespec *, struct timespec *);
}

#endif
