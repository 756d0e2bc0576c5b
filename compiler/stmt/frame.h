/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays with one element for each work-item of a block. */
#ifndef QN_COMPILER_STMT_FRAME_H
#define QN_COMPILER_STMT_FRAME_H

#include "compiler/model/node.h"

struct qn__stmt;

/* qn_i: the number of the work-item whose turn it is. */
const struct qn__node *qn__item_number(struct qn__function *f);
/* A new array: a pointer to its first element. */
struct qn__var *qn__frame_array(struct qn__function *f, const char *wish,
                                const struct qn__type *type);
const struct qn__node *qn__frame_element(struct qn__function *f, const struct qn__var *array,
                                         const struct qn__node *index);
/* array[qn_i] = value */
struct qn__stmt *qn__frame_store(struct qn__function *f, const struct qn__var *array,
                                 const struct qn__node *value);

/* collectives.c: a statement that the whole group executes together, which is no barrier alone.
 * What it needs of all work-items is computed in `before`, a loop over them, and kept in arrays;
 * after it the statement is one for each work-item. NULL: nothing is left to do.
 * What is one for the whole group (*group) stands between the two. */
struct qn__stmt *qn__collective_split(struct qn__function *f, struct qn__stmt *s,
                                      struct qn__stmt *before, struct qn__stmt **group);

#endif
