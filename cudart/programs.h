/* SPDX-License-Identifier: Apache-2.0
 *
 * What translation units have registered, and what a device has made of it. */
#ifndef QN_CUDART_PROGRAMS_H
#define QN_CUDART_PROGRAMS_H

#include "cudart/runtime.h"

enum { QN__RT_DEVICES_MAX = 64 };

struct qn__rt_program {
    struct qn__rt_program *next;
    const char *name;
    const unsigned char *fields;
    size_t n;
    bool relocatable, gone;
    struct qn__rt_variable *variables;
};

/* The address in the host comes first in both: tables are sorted by it. */
struct qn__rt_kernel {
    const void *host;
    const char *symbol;
    struct qn__rt_program *program;
    const qn_kernel *on[QN__RT_DEVICES_MAX]; /* by device, once found */
};

struct qn__rt_variable {
    const void *host;
    struct qn__rt_variable *next; /* of the program */
    void **managed;               /* where a __managed__ variable's address is kept; else NULL */
    const char *symbol;
    uint64_t n;
    struct qn__rt_program *program;
    qn_addr unused_on[QN__RT_DEVICES_MAX]; /* its memory where no kernel uses it */
};

/* By address in the host; NULL where it was not registered. */
struct qn__rt_kernel *qn__rt_kernel_find(const void *host);
struct qn__rt_variable *qn__rt_variable_find(const void *host);

/* All of them, to go through. */
struct qn__rt_program *qn__rt_programs(void);

/* All kernels that were registered, which stay so until the other call. */
const struct qn__rt_kernel *const *qn__rt_kernels_lock(uint32_t *n);
void qn__rt_kernels_unlock(void);

/* Forget what was found on the device. */
void qn__rt_programs_reset(int device);

#endif
