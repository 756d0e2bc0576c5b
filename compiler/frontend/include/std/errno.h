/* SPDX-License-Identifier: Apache-2.0
 *
 * Error numbers. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_ERRNO_H
#define QN_STD_ERRNO_H

extern "C" int *__errno_location();
#define errno  (*__errno_location())
#define ENOENT 2
#define EINTR  4
#define ENOMEM 12
#define EINVAL 22
#define ERANGE 34

#endif
