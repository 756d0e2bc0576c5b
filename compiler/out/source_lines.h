/* SPDX-License-Identifier: Apache-2.0
 *
 * Comments and #line directives that lead back to the source. */
#ifndef QN_COMPILER_OUT_SOURCE_LINES_H
#define QN_COMPILER_OUT_SOURCE_LINES_H

#include "compiler/core/diagnose.h"
#include "compiler/stmt/stmt.h"

/* Where in the source the text stands. With directives: what the next line of text counts as. */
struct qn__lines_at {
    struct qn__unit *u;
    struct qn__place_in_source at;
    struct qn__place_in_source last; /* with directives: of the statement before */
};

/* The line to print before a statement, or NULL. outer: where the list began, to see a return. */
const char *qn__lines_before(struct qn__lines_at *l, struct qn__stmt *s,
                             const struct qn__place_in_source *outer);

#endif
