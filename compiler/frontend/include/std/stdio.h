/* SPDX-License-Identifier: Apache-2.0
 *
 * Standard input and output. A program that includes it is a program for nvcc, not a source for
 * NVRTC: it gets what nvcc includes by itself, too. */
#pragma clang system_header
#ifndef QN_STD_STDIO_H
#define QN_STD_STDIO_H

#include <quern_host.h>
#include <quern_std_stdio.h>

#endif
