/* SPDX-License-Identifier: Apache-2.0
 *
 * The one way in which `quern bench` takes times: samples until their mean is known well enough or
 * the budget is spent, by the device's events or the host's clock. */
#ifndef QN_TOOLS_BENCH_TIMING_H
#define QN_TOOLS_BENCH_TIMING_H

#include <quern/quern.h>

enum { QN__BENCH_SAMPLES_MAX = 400, QN__BENCH_SAMPLES_MIN = 7 };

struct qn__bench_times {
    double ms[QN__BENCH_SAMPLES_MAX];
    uint32_t n;
};

struct qn__bench_pace { /* when it is enough */
    double budget_ms;
};

/* Is another sample wanted? Enough are 7 whose mean's standard error is below 0.5 %, or the budget
 * (from start_ms, qn__now_ms()), or as many as there is room for. */
bool qn__bench_goes_on(const struct qn__bench_times *t, const struct qn__bench_pace *pace,
                       double start_ms);

/* `launches` of the kernel a sample between two events, after one that is not counted. */
qn_status qn__bench_kernel(struct qn__bench_times *out, qn_device *dev, qn_stream *stream,
                           const qn_kernel *kernel, const qn_dims *dims, void *const *args,
                           uint32_t launches, const struct qn__bench_pace *pace);

/* By the host's clock: what work() takes, which waits for its end, divided by `times`. */
qn_status qn__bench_host(struct qn__bench_times *out, qn_status (*work)(void *arg), void *arg,
                         uint32_t times, const struct qn__bench_pace *pace);

/* A text is built; *kernel is its only one of that name. */
qn_status qn__bench_build(qn_module **module, const qn_kernel **kernel, qn_device *dev,
                          const char *text, const char *file, const char *name);

#endif
