/* SPDX-License-Identifier: Apache-2.0
 *
 * Signals. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_SIGNAL_H
#define QN_STD_SIGNAL_H

#define SIGINT  2
#define SIGABRT 6
#define SIGFPE  8
#define SIGSEGV 11
#define SIGTERM 15
typedef int sig_atomic_t;
extern "C" {
void (*signal(int, void (*)(int)))(int);
int raise(int);
}

#endif
