/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's kernel launched again and again from the same beginning: its arguments as `quern launch`
 * takes them, in device memory, and what the first launch wrote, which the others must write too.
 */
#ifndef QN_TOOLS_KERNEL_BUFFERS_H
#define QN_TOOLS_KERNEL_BUFFERS_H

#include "base/options.h"
#include "tools/launch_args.h"

#include <quern/quern.h>

struct qn__kernel_buffer {
    qn_addr addr;
    unsigned char *start, *first; /* values before; outputs of the first launch that counts */
};

struct qn__kernel_buffers {
    const char *command; /* for complaints */
    qn_device *dev;
    uint32_t n;
    struct qn__launch_arg *args;
    struct qn__kernel_buffer *buffers;
    void **pointers; /* for qn_stream_launch() */
    double bytes;    /* that a launch reads and writes, each buffer once */
};

/* Parse, allocate, fill; false after a complaint. Close it in every case. */
bool qn__kernel_buffers_open(struct qn__kernel_buffers *out, const char *command, qn_device *dev,
                             const struct qn__option_list *words);
void qn__kernel_buffers_close(struct qn__kernel_buffers *b);

/* Are they what the kernel takes? False after a complaint. */
bool qn__kernel_buffers_fit(const struct qn__kernel_buffers *b, const qn_kernel *kernel,
                            const char *name);

/* One launch from the beginning. *same: the outputs are those of the first one, every byte, or
 * where tolerance is above 0 each number within that part of its value. */
qn_status qn__kernel_buffers_run(bool *same, struct qn__kernel_buffers *b, qn_stream *stream,
                                 const qn_kernel *kernel, const qn_dims *dims, bool is_first,
                                 double tolerance);

#endif
