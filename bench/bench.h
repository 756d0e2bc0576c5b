/* SPDX-License-Identifier: Apache-2.0
 *
 * What every benchmark shares: a clock, the median, and one printed line per case.
 * Variants are measured in turn (A B A B ...), so that a drifting machine hits both alike. */
#ifndef QN_BENCH_H
#define QN_BENCH_H

#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double bench_now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static inline int bench_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts v. */
static inline double bench_median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, bench_compare);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* End the program with the reason of the last failure: a benchmark has nothing to save. */
static inline void bench_check(qn_status s, const char *what)
{
    if (s == QN_OK)
        return;
    fprintf(stderr, "%s: %s: %s\n", what, qn_status_name(s), qn_message());
    exit(1);
}

/* One case: our median and spread beside the raw one, and the ratio. Sorts both arrays. */
static inline void bench_print(const char *name, const char *unit, double *ours, double *raw,
                               size_t n)
{
    const double mine = bench_median(ours, n), theirs = bench_median(raw, n);
    printf("%-28s quern %9.3f [%.3f..%.3f]  raw %9.3f [%.3f..%.3f] %s  ratio %.3f  +%.3f\n", name,
           mine, ours[0], ours[n - 1], theirs, raw[0], raw[n - 1], unit, mine / theirs,
           mine - theirs);
}

#endif
