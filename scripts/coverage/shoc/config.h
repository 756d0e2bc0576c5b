/* SPDX-License-Identifier: Apache-2.0
 *
 * In place of what SHOC's configure script writes. */
#define HAVE_GETTIMEOFDAY 1
#define HAVE_SYS_TIME_H   1
