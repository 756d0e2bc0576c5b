/* SPDX-License-Identifier: Apache-2.0
 *
 * Between work_items.c, which makes loops over the work-items, and item_variables.c. */
#ifndef QN_COMPILER_STMT_WORK_ITEMS_H
#define QN_COMPILER_STMT_WORK_ITEMS_H

#include "compiler/stmt/stmt.h"

/* The loop over the work-items that a statement is in; NULL: the group's. */
struct qn__stmt *qn__items_around(const struct qn__stmt *s);

/* Gives each variable its place: item_variables.c. */
void qn__item_variables(struct qn__function *f);

#endif
