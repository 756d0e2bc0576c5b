/* SPDX-License-Identifier: Apache-2.0
 *
 * Carrying a case to a device and comparing what comes back. */
#ifndef QN_KERNELS_OP_RUN_H
#define QN_KERNELS_OP_RUN_H

#include "kernels/op_case.h"

/* Samples of a launch's time, in the order they were taken. */
struct qn__op_samples {
    double *ms;
    uint32_t capacity, n; /* n of them were taken */
    double budget_ms;     /* after which no more are begun; 0: none, all of capacity */
    bool cold;            /* each of one launch, after what is in the caches was driven out */
};

struct qn__op_run_options {
    uint32_t block;                 /* block size; 0: the launch plan's own */
    struct qn__op_samples *samples; /* to take after the check where it is right, or NULL */
    bool in_place;     /* the output is also the first input; only where the contract allows it */
    qn_module *module; /* of qn__op_build() for the row, or NULL: built for this case alone */
};

/* The row's kernel for a device, for several cases; close it with qn_module_close(). */
qn_status qn__op_build(qn_module **out, qn_device *dev, const struct qn__op_row *row, qn_log *log);

/* Run a case on a device; see qn_op_check(). */
qn_status qn__op_run(qn_op_report *out, qn_device *dev, const struct qn__op_row *row,
                     const struct qn__op_shape *shape, const struct qn__op_run_options *options);

/* An element of an array as a number, and |got - want| in units of the tolerance. */
double qn__op_element(enum qn__dtype dtype, const void *p);
double qn__op_error(double got, double want, double tolerance);

#endif
