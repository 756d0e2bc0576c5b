/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap of kernels on the CPU: what malloc() and new of a kernel give, up to the device's
 * heap_bytes together. */
#ifndef QN_RUNTIME_CPU_HEAP_H
#define QN_RUNTIME_CPU_HEAP_H

#include "runtime/backend.h"

struct qn__cpu_piece;

struct qn__cpu_heap { /* guarded by the device's lock */
    qn_device *device;
    struct qn__cpu_piece *live; /* by address; `capacity` places, a power of two or 0 */
    uint64_t n_live, capacity;
    uint64_t taken_bytes;
};

/* NULL: not so much is left. Align is a power of two. */
void *qn__cpu_heap_take(struct qn__cpu_heap *heap, uint64_t align, uint64_t bytes);

/* False: it is no address that was given, or it was given back. */
bool qn__cpu_heap_give(struct qn__cpu_heap *heap, void *p);

/* All of it goes. */
void qn__cpu_heap_close(struct qn__cpu_heap *heap);

#endif
