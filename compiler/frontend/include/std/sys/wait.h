/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for children. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_SYS_WAIT_H
#define QN_STD_SYS_WAIT_H

#include <sys/types.h>

extern "C" {
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
}

#endif
