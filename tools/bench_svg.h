/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of a run of `quern bench`, as SVG inside of HTML. Each has a title and a description
 * that a screen reader says, and shows nothing that the page's tables do not hold as well. Colours
 * are those of the page's classes. */
#ifndef QN_TOOLS_BENCH_SVG_H
#define QN_TOOLS_BENCH_SVG_H

#include "base/str.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Text between tags or in an attribute: & < > " ' are written out, control characters left out. */
void qn__html_text(struct qn__str *out, const char *text);

/* Ceilings of memory and arithmetic over operations a byte, and the kernels whose operations are
 * known. Nothing where no ceiling was measured. Returns whether there is a picture. */
bool qn__svg_roofline(struct qn__str *out, const json_t *rows, const char *device);

/* A bar for each row that has a rate in that unit, with its spread and its share of the roof. */
bool qn__svg_bars(struct qn__str *out, const json_t *rows, const char *unit);

/* Where the samples of each row lie around its median. */
bool qn__svg_spread(struct qn__str *out, const json_t *rows);

/* Medians over several runs, the last being this one, as parts of the first. */
bool qn__svg_history(struct qn__str *out, const json_t *const *runs, uint32_t n);

/* "read 512 MiB cold": what a row is about, without its device. */
void qn__bench_label(struct qn__str *out, const json_t *row);

#endif
