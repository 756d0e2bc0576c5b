/* SPDX-License-Identifier: Apache-2.0
 *
 * The system. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_UNISTD_H
#define QN_STD_UNISTD_H

#include <sys/types.h>

extern "C" {
unsigned int sleep(unsigned int);
int usleep(unsigned int);
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
int getpid();
int access(const char *, int);
int unlink(const char *);
long sysconf(int);
int gethostname(char *, size_t);
int getopt(int, char *const *, const char *);
extern char *optarg;
extern int optind, opterr, optopt;
}

#endif
