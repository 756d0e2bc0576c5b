/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening files. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_FCNTL_H
#define QN_STD_FCNTL_H

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR   2
#define O_CREAT  64
#define O_TRUNC  512
#define O_APPEND 1024
extern "C" int open(const char *, int, ...);

#endif
