/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device can do at most, measured by small kernels of our own. */
#ifndef QN_TOOLS_BENCH_ROOFS_H
#define QN_TOOLS_BENCH_ROOFS_H

#include "tools/bench_timing.h"

#include <jansson.h>

/* Adds rows of the kind "roof". What cannot be measured there is a row with its error.
 *   brief  only what the shares of other rows need: reading memory, f32 */
void qn__bench_roofs(json_t *rows, qn_device *dev, const struct qn__bench_pace *pace, bool brief);

/* What each row measures, a line each, for --describe. */
void qn__bench_describe(void);

#endif
