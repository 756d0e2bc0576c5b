/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory maps. Host code must parse, no more. */
#pragma clang system_header
#ifndef QN_STD_SYS_MMAN_H
#define QN_STD_SYS_MMAN_H

#include <sys/types.h>

#define PROT_READ     1
#define PROT_WRITE    2
#define MAP_SHARED    1
#define MAP_PRIVATE   2
#define MAP_ANONYMOUS 32
#define MAP_FAILED    ((void *)-1)
extern "C" {
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);
}

#endif
