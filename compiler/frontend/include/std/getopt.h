/* SPDX-License-Identifier: Apache-2.0
 *
 * Command lines. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_GETOPT_H
#define QN_STD_GETOPT_H

#include <unistd.h>

#define no_argument       0
#define required_argument 1
#define optional_argument 2
struct option {
    const char *name;
    int has_arg, *flag, val;
};
extern "C" int getopt_long(int, char *const *, const char *, const struct option *, int *);

#endif
