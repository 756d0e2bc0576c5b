/* SPDX-License-Identifier: Apache-2.0
 *
 * What `quern bench` measures: rows, each with all its samples, and how they are printed. Comparing
 * them with an earlier run's is in bench_compare.h. */
#ifndef QN_TOOLS_BENCH_ROWS_H
#define QN_TOOLS_BENCH_ROWS_H

#include <jansson.h>
#include <quern/quern.h>
#include <stdbool.h>
#include <stdint.h>

struct qn__bench_row {
    const char *kind;   /* "roof", "op", "kernel", "model" */
    const char *what;   /* the variant that ran: "rmsnorm_f32", "read" */
    const char *shape;  /* "rows=1 n=4096", "512 MiB" */
    const char *caches; /* "warm", "cold"; "" where it makes no difference */
    const char *device; /* "cuda:0" */
    const char *unit;   /* of amount / second: "GB/s", "GFLOP/s", "tok/s"; "" for a bare time */
    double amount;      /* what one sample does, in the unit times seconds; 0: only its time */
    double roof;        /* of the device, in the unit; 0: not known */
    const double *ms;   /* the samples */
    uint32_t n;
    const struct qn__bench_launch *launch; /* of a kernel, or NULL */
};

/* How a kernel ran, and what its compiler made of it. */
struct qn__bench_launch {
    qn_dims dims;
    qn_kernel_attributes attributes;
    double occupancy;      /* 0: not known */
    uint64_t binary_bytes; /* of its module */
};
void qn__bench_describe_launch(struct qn__bench_launch *out, qn_module *module,
                               const qn_kernel *kernel, const qn_dims *dims);

/* Rows are JSON objects: the fields above and "median_ms", "min_ms", "max_ms", "spread" (half of
 * the middle half, as a part of the median), "rate", "share" of the roof, "samples_ms"; of a kernel
 * "grid", "block", "registers", "local_bytes", "shared_bytes", "occupancy", "binary_bytes": null
 * where it is not known. */
void qn__bench_add(json_t *rows, const struct qn__bench_row *row);
/* One that could not be measured or was wrong: "error". */
void qn__bench_add_error(json_t *rows, const struct qn__bench_row *row, const char *error);

double qn__bench_median(const double *ms, uint32_t n);
double qn__bench_rate(const json_t *rows, const char *device, const char *what); /* 0: none */

enum qn__bench_form { QN__BENCH_TEXT, QN__BENCH_CSV, QN__BENCH_MD };
/* The rows from the index `from` on; with_launch: as text a second line of what the others have as
 * columns. */
void qn__bench_print(const json_t *rows, size_t from, enum qn__bench_form form, bool with_launch);

#endif
