/* SPDX-License-Identifier: Apache-2.0
 *
 * A shared object from memory into the process: each load is a copy of its own, and no file of a
 * folder is involved, so one whose file system forbids execution does not matter. */
#ifndef QN_RUNTIME_CPU_LOAD_H
#define QN_RUNTIME_CPU_LOAD_H

#include "base/error.h"

#include <stdint.h>

/* *base is added to the object's addresses. The bytes must have passed qn__cpu_elf_read().
 * QN_E_DRIVER  the loader refuses, or the system has no file in memory that may be executed */
qn_status qn__cpu_load(void **handle, uint64_t *base, const void *bytes, size_t n,
                       const char *name);
void qn__cpu_unload(void *handle);

#endif
