/* SPDX-License-Identifier: Apache-2.0
 *
 * Which combination is measured next. Few: all of them, in order. Many: a number of random ones,
 * then the neighbours of the best (one parameter, one step), and at random again where all of these
 * are known. The random numbers come from the seed alone, so a search can be repeated. */
#ifndef QN_TOOLS_TUNE_SEARCH_H
#define QN_TOOLS_TUNE_SEARCH_H

#include "tools/tune_space.h"

#include <stdbool.h>

struct qn__tune_search {
    const struct qn__tune_space *space;
    const struct qn__tune_point *points;
    uint32_t n;
    double *ms; /* by point: below 0 is not measured, INFINITY cannot run or was wrong */
    uint32_t n_seen;
    uint32_t exhaustive, n_random; /* up to so many: all; so many at random before climbing */
    uint64_t random;               /* state of the generator, the seed at first */
};

/* False: no memory. */
bool qn__tune_search_open(struct qn__tune_search *out, const struct qn__tune_space *space,
                          const struct qn__tune_point *points, uint32_t n, uint32_t exhaustive,
                          uint64_t seed);
void qn__tune_search_close(struct qn__tune_search *s);

bool qn__tune_is_exhaustive(const struct qn__tune_search *s);

/* The next point to measure, or n when all are known. The first is always point 0. */
uint32_t qn__tune_next(struct qn__tune_search *s);
/* What came of it. */
void qn__tune_tell(struct qn__tune_search *s, uint32_t point, double ms);

/* The point with the least time; n: none could run. */
uint32_t qn__tune_best(const struct qn__tune_search *s);

#endif
