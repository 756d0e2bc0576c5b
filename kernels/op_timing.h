/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of one launch's time, with what it reads in the caches or not. */
#ifndef QN_KERNELS_OP_TIMING_H
#define QN_KERNELS_OP_TIMING_H

#include "base/error.h"

#include <quern/device.h>
#include <quern/module.h>
#include <quern/stream.h>
#include <stdbool.h>
#include <stdint.h>

/* In the order they were taken. */
struct qn__op_samples {
    double *ms;
    uint32_t capacity, n; /* n of them were taken */
    double budget_ms;     /* after which no more are begun; 0: none, all of capacity */
    bool cold;            /* what is in the caches is driven out before each launch */
    uint32_t n_copies;    /* of the arrays, that cold launches took in turns; 1: see below */
};

struct qn__op_launch {
    qn_device *dev;
    qn_stream *stream; /* with timing */
    const qn_kernel *kernel;
    qn_dims dims;
    void *const *args; /* n_args pointers to values */
    const int *arrays; /* of each argument: below 0 when it is no address */
    uint32_t n_args;
    /* the memory that the arguments point into: launches on cold caches go around copies of it */
    const qn_addr *memory; /* n_memory, 0: none */
    const uint64_t *memory_bytes;
    uint32_t n_memory;
};

/* Cold: launches take copies of all arrays in turns, so many that 256 MiB lie between two uses of
 * one; small arrays (more than 64 copies) and those for whose copies there is no memory: one launch
 * a sample, after 256 MiB were written. */
qn_status qn__op_take_samples(struct qn__op_samples *samples, const struct qn__op_launch *launch);

#endif
