/* SPDX-License-Identifier: Apache-2.0
 *
 * Running blocks of a grid on this thread: its shared memory and frames, what kernels ask for, and
 * the guard against faults. */
#ifndef QN_RUNTIME_CPU_RUN_H
#define QN_RUNTIME_CPU_RUN_H

#include "base/error.h"
#include "runtime/cpu/cpu_abi.h"
#include "runtime/cpu/cpu_fault.h"

#include <stdbool.h>

struct qn__cpu_cost;
struct qn__cpu_heap;
struct qn__cpu_crew; /* the blocks of a cooperative launch: cpu_crew.h */

enum { QN__CPU_GRID_BYTES = 64 };

struct qn__cpu_grid {
    const struct qn_kernel_entry *entry;
    uint32_t grid[3], block[3];
    uint32_t dynamic_bytes; /* of shared memory, beyond entry->shared_bytes */
    void *const *args;
    struct qn__cpu_heap *heap; /* NULL: kernels get no memory */
    struct qn__cpu_cost *cost; /* of the kernel; NULL: it is not measured */
    /* Of a cooperative launch, else NULL: called by a block, it returns when all are there. False:
     * one of them faulted or has ended, and this block is to end, too. */
    bool (*meet)(struct qn__cpu_crew *crew);
    struct qn__cpu_crew *crew;
    void *words; /* QN__CPU_GRID_BYTES for a barrier of the kernel's own; NULL as meet */
};

uint64_t qn__cpu_grid_blocks(const struct qn__cpu_grid *g);

/* Blocks first to end - 1 in the order of x, y, z. False: one of them faulted and ended there, or
 * there was no memory for it; *fault says what happened. */
bool qn__cpu_run_blocks(struct qn__cpu_fault *fault, const struct qn__cpu_grid *g, uint64_t first,
                        uint64_t end);

/* The image that holds a kernel: its machine code is at `base` + addresses of the table of lines
 * (base/line_table.h) at the end of its bytes. */
struct qn__cpu_code {
    const void *bytes;
    size_t n;
    uint64_t base;
};

/* "kernel: [file:line: ]what happened" as the thread's message, with the signal as its code. */
qn_status qn__cpu_fault_status(const struct qn__cpu_fault *fault, const char *kernel,
                               const struct qn__cpu_code *code);

#endif
