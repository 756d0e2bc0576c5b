/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays with one element for each work-item of a block. */
#ifndef QN_COMPILER_STMT_FRAME_H
#define QN_COMPILER_STMT_FRAME_H

#include "compiler/model/node.h"

struct qn__stmt;

/* Of the frame: no array can have more. */
enum { QN__FRAME_ALIGNMENT = 128 };

/* qn_i: the number of the work-item whose turn it is. */
const struct qn__node *qn__item_number(struct qn__function *f);

/* The number of the work-item that the block asks, where all have the same. */
const struct qn__node *qn__first_item(struct qn__function *f);
/* A new array: a pointer to its first element. */
struct qn__var *qn__frame_array(struct qn__function *f, const char *wish,
                                const struct qn__type *type);
const struct qn__node *qn__frame_element(struct qn__function *f, const struct qn__var *array,
                                         const struct qn__node *index);
/* array[qn_i] = value */
struct qn__stmt *qn__frame_store(struct qn__function *f, const struct qn__var *array,
                                 const struct qn__node *value);

#endif
