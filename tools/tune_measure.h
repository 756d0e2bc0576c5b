/* SPDX-License-Identifier: Apache-2.0
 *
 * Building, checking and timing one combination of values, and several in turns. */
#ifndef QN_TOOLS_TUNE_MEASURE_H
#define QN_TOOLS_TUNE_MEASURE_H

#include "tools/bench_kernel.h"
#include "tools/kernel_buffers.h"
#include "tools/source_options.h"
#include "tools/tune_space.h"

struct qn__tune_job {
    const char *file, *kernel, *device;
    const struct qn__option_list *args;
    struct qn__source_options source;
    uint64_t items;
    uint32_t shared_bytes;
    double tolerance;
};

struct qn__tune_measure {
    struct qn__tune_job job;
    const struct qn__tune_space *space;
    qn_device *dev;
    bool borrows_device;
    qn_stream *stream;
    qn_source source; /* without the values */
    struct qn__kernel_buffers buffers;
    qn_op_trial *trial; /* of a shipped kernel; NULL: one of the user's */
    char shape[64];     /* of it, once it ran */
    qn_dims dims;       /* of the last point that ran */
};

struct qn__tune_result {
    double ms;       /* of a launch, median */
    char error[256]; /* "" when it ran and its outputs are the first combination's */
};

/* False after a complaint. Close it in every case. */
bool qn__tune_measure_open(struct qn__tune_measure *out, const struct qn__tune_space *space,
                           const struct qn__tune_job *job);
/* One shape of a shipped kernel; job->items becomes what says its size class. */
bool qn__tune_measure_open_op(struct qn__tune_measure *out, const struct qn__tune_space *space,
                              qn_device *dev, uint32_t op, uint32_t shape);
void qn__tune_measure_close(struct qn__tune_measure *m);

/* is_first: its outputs are those that the others must have. */
void qn__tune_measure_point(struct qn__tune_result *out, struct qn__tune_measure *m,
                            const struct qn__tune_point *point, bool is_first);

/* n of them, A B C, C B A, ..., so that what changes with time changes for all. False after a
 * complaint. */
bool qn__tune_measure_in_turns(struct qn__bench_times *times, struct qn__tune_measure *m,
                               const struct qn__tune_point *points, uint32_t n);

#endif
