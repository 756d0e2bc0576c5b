/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparing the rows of two runs. */
#ifndef QN_TOOLS_BENCH_COMPARE_H
#define QN_TOOLS_BENCH_COMPARE_H

#include "tools/bench_rows.h"

/* Adds a change for each row that both have, prints it unless quiet, and returns how many became
 * slower or can no longer be measured. A change counts when a Mann-Whitney test of the two sets of
 * samples gives p below 0.01 and the medians differ by more than threshold (0.05: five in a
 * hundred). Rows are found by kind, what, shape, caches and device. */
uint32_t qn__bench_compare(json_t *changes, const json_t *before, const json_t *now,
                           double threshold, bool quiet);

/* The row of another run that has the same kind, what, shape, caches and device; NULL: none. */
const json_t *qn__bench_find(const json_t *rows, const json_t *row);

/* Two-sided p of the hypothesis that both come from one distribution, by the normal approximation
 * with a correction for ties; 1 where either has fewer than 4. */
double qn__bench_mann_whitney(const double *a, uint32_t n_a, const double *b, uint32_t n_b);

#endif
