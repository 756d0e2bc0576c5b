/* SPDX-License-Identifier: Apache-2.0
 *
 * Resource use and limits. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_SYS_RESOURCE_H
#define QN_STD_SYS_RESOURCE_H

#include <sys/types.h>

#define RUSAGE_SELF     0
#define RUSAGE_CHILDREN (-1)
#define RLIMIT_STACK    3
#define RLIMIT_NOFILE   7
#define RLIM_INFINITY   (~0ul)
typedef unsigned long rlim_t;
struct rlimit {
    rlim_t rlim_cur, rlim_max;
};
struct rusage {
    struct timeval ru_utime, ru_stime;
    long ru_maxrss, ru_minflt, ru_majflt, ru_nvcsw, ru_nivcsw;
};
extern "C" {
int getrusage(int, struct rusage *);
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);
}

#endif
