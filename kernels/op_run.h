/* SPDX-License-Identifier: Apache-2.0
 *
 * Carrying a case to a device and comparing what comes back. */
#ifndef QN_KERNELS_OP_RUN_H
#define QN_KERNELS_OP_RUN_H

#include "kernels/op_case.h"
#include "kernels/op_choice.h"
#include "kernels/op_timing.h"

struct qn__op_run_options {
    uint32_t block;                 /* block size; 0: the launch plan's own, or what was tuned */
    struct qn__op_samples *samples; /* to take after the check where it is right, or NULL */
    const struct qn__op_choice *choice; /* to try, in place of what was tuned */
    bool is_known;                      /* its result was right before: only timed */
    bool in_place;     /* the output is also the first input; only where the contract allows it */
    qn_module *module; /* of qn__op_build() for the row, or NULL: built for this case alone */
};

/* The row's kernel for a device, for several cases; close it with qn_module_close(). */
qn_status qn__op_build(qn_module **out, qn_device *dev, const struct qn__op_row *row, qn_log *log);

/* Run a case on a device; see qn_op_check(). */
qn_status qn__op_run(qn_op_report *out, qn_device *dev, const struct qn__op_row *row,
                     const struct qn__op_shape *shape, const struct qn__op_run_options *options);

/* The same in parts: the case, its reference and its memory are made once, and run with one choice
 * after another. Close gives what could not be given back as an error, and takes NULL. */
struct qn__op_run_state;
qn_status qn__op_run_open(struct qn__op_run_state **out, qn_device *dev,
                          const struct qn__op_row *row, const struct qn__op_shape *shape,
                          bool in_place, bool with_timing);
qn_status qn__op_run_once(struct qn__op_run_state *r, qn_op_report *out,
                          const struct qn__op_run_options *options);
uint64_t qn__op_run_items(const struct qn__op_run_state *r); /* that say its size class */
qn_status qn__op_run_close(struct qn__op_run_state *r);

/* An element of an array as a number, and |got - want| in units of the tolerance. */
double qn__op_element(enum qn__dtype dtype, const void *p);
double qn__op_error(double got, double want, double tolerance);

#endif
