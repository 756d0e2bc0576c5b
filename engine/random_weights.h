/* SPDX-License-Identifier: Apache-2.0
 *
 * Random weights in any format: normals of a given deviation, the same for the same seed on any
 * number of threads. */
#ifndef QN_ENGINE_RANDOM_WEIGHTS_H
#define QN_ENGINE_RANDOM_WEIGHTS_H

#include "kernels/formats.h"

enum { QN__NORMAL_STEPS = 4096 };

struct qn__random_table {
    float quantiles[QN__NORMAL_STEPS + 1]; /* of the normal distribution, cut at 4 deviations */
};
void qn__random_table_fill(struct qn__random_table *t);

/* n elements (whole blocks) as blocks: mean + deviation * normal. Where Quern cannot pack a format,
 * the blocks are random codes with scales that give this deviation, around 0. */
void qn__random_blocks(void *blocks, const struct qn__format *format, uint64_t n, float mean,
                       float deviation, uint64_t seed, const struct qn__random_table *table);

#endif
