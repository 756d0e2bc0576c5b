/* SPDX-License-Identifier: Apache-2.0
 *
 * Warp operations and barriers with a result, where work-items are loops. */
#ifndef QN_COMPILER_STMT_SPLIT_COLLECTIVE_H
#define QN_COMPILER_STMT_SPLIT_COLLECTIVE_H

#include "compiler/stmt/stmt.h"

/* A statement that the whole group executes together. What it needs of all work-items is computed
 * in `before`, a loop over them, and kept in arrays; after it the statement is one for each
 * work-item. NULL: nothing is left to do, as of a barrier. What is one for the whole group (*group)
 * stands between the two. */
struct qn__stmt *qn__collective_split(struct qn__function *f, struct qn__stmt *s,
                                      struct qn__stmt *before, struct qn__stmt **group);

#endif
