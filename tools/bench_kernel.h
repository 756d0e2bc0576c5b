/* SPDX-License-Identifier: Apache-2.0
 *
 * Timing a user's own kernel, with arguments as `quern launch` takes them. */
#ifndef QN_TOOLS_BENCH_KERNEL_H
#define QN_TOOLS_BENCH_KERNEL_H

#include "base/options.h"
#include "tools/bench_timing.h"

#include <jansson.h>

struct qn__bench_kernel_job {
    const char *file, *kernel;
    const struct qn__option_list *args, *blocks, *defines, *includes, *options;
    const char *grid; /* NULL: items / block */
    uint64_t items, shared_bytes;
    bool builds;       /* and how long it takes to compile */
    double operations; /* of a launch; 0: not said */
};

/* Splits "FILE:KERNEL" at the first colon behind the name of a file that is there; both to free().
 * False: there is none. */
bool qn__bench_split(char **file, char **kernel, const char *word);

/* Adds a row for each block size. The outputs of all block sizes are compared, byte by byte. False
 * after a complaint. */
bool qn__bench_user_kernel(json_t *rows, qn_device *dev, const struct qn__bench_kernel_job *job,
                           const struct qn__bench_pace *pace);

#endif
