/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/ops.h: the kernels that ship with Quern, and proof that a device computes them right.
 *
 * An op is a formula with a C reference that accumulates in double, and one or more kernels
 * (variants) that compute it. Their sources are part of the library; the list is
 * kernels/kernels.def.
 */
#ifndef QUERN_OPS_H
#define QUERN_OPS_H

#include <quern/compile.h>
#include <quern/device.h>
#include <quern/module.h>
#include <quern/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_op_info {
    const char *op;     /* "rmsnorm" */
    const char *kernel; /* entry point: "rmsnorm_f32" */
    const char *file;   /* "rmsnorm.cu" */
    const char *source; /* its text; static */
    const char *brief;  /* one line: the formula */
} qn_op_info;

QN_API uint32_t qn_op_count(void);
QN_API const qn_op_info *qn_op_get(uint32_t index); /* index < qn_op_count(); static */

/* Result of one check: one kernel, one shape, against its reference. */
typedef struct qn_op_report {
    char shape[64];         /* "rows=3 n=1027" */
    bool passed;            /* every element within the contract's tolerance */
    double max_error;       /* largest |got - want| / tolerance */
    uint64_t worst_element; /* where it is; past the output's last: written outside it */
    double got, want;       /* there */
    double ms;              /* of one launch, median of the samples; 0 when repeats is 0 */
    double gb_per_s;        /* bytes that must move / ms */
    uint64_t bytes;         /* those; 0 when it was not timed */
    qn_dims dims;           /* it was launched with */
    qn_kernel_attributes attributes;
    double occupancy;      /* qn_kernel_get_occupancy(); 0: not known */
    uint64_t binary_bytes; /* of the module's image */
    uint32_t n_copies;     /* of its arrays that launches on cold caches took in turns; 1: none */
    qn_log build;          /* how its module was built; released with the report */
} qn_op_report;

QN_API void qn_op_report_release(qn_op_report *r);

/* How many shapes the kernel is checked on; shapes beyond the small ones have size >= n_small. */
QN_API uint32_t qn_op_count_shapes(uint32_t op_index, bool small_only);

/* Build the kernel on the device, fill its inputs with skewed values, run, compare.
 *   shape    < qn_op_count_shapes(op_index, false)
 *   repeats  timed samples of ten launches each, after the check; 0: no timing
 * Returns QN_OK also when the result is wrong: look at out->passed.
 * The caller releases *out in every case. Errors: those of building and launching. */
QN_CHECKED qn_status qn_op_check(qn_op_report *out, qn_device *dev, uint32_t op_index,
                                 uint32_t shape, uint32_t repeats);

/* The same with its times told one by one. A result that is wrong is not timed.
 *   cold       launches take copies of the arrays in turns, so many that 256 MiB lie between two
 * uses of one, more than most devices' caches; small arrays, and those for whose copies there is no
 * memory: one launch a sample, after 256 MiB were written. Else ten launches, which find in the
 * caches what fits budget_ms  after which no more samples are begun; at least seven are taken, and
 * fewer than the capacity when the mean's standard error falls below 0.5 % samples_ms capacity of
 * them; *n gets how many there are */
QN_CHECKED qn_status qn_op_measure(qn_op_report *out, double *samples_ms, uint32_t *n,
                                   uint32_t capacity, qn_device *dev, uint32_t op_index,
                                   uint32_t shape, bool cold, double budget_ms);

/* What `quern tune` may choose of the kernel on this device, in the words of docs/tune.md
 * ("BLOCK = 0, 64, 128; EACH = 0, 1, 2"), or "". A value of 0 is the kernel's own. Static. */
QN_API const char *qn_op_get_parameters(uint32_t op_index, qn_device *dev);

/* One shape, kept on the device and run with one set of values after another. What
 * qn_op_check() and qn_op_measure() run, and the engine launches, is what was kept by
 * qn_tuned_keep() for the kernel (text: info->source, path: info->file) and the nearest size class
 * of qn_op_trial_get_items(). */
typedef struct qn_op_trial qn_op_trial;
QN_CHECKED qn_status qn_op_trial_open(qn_op_trial **out, qn_device *dev, uint32_t op_index,
                                      uint32_t shape);
QN_API uint64_t qn_op_trial_get_items(const qn_op_trial *t);
/*   values    "BLOCK=128", n_values of them
 *   is_known  they gave the right result before: they are only timed
 * The rest as qn_op_measure().
 * QN_E_INVALID  a value that the kernel or the device does not take */
QN_CHECKED qn_status qn_op_trial_run(qn_op_report *out, double *samples_ms, uint32_t *n,
                                     uint32_t capacity, qn_op_trial *t, const char *const *values,
                                     uint32_t n_values, bool is_known, double budget_ms);
QN_API void qn_op_trial_close(qn_op_trial *t); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
