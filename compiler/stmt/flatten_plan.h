/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two halves of flattening share: flatten_plan.c decides, flatten.c rewrites. */
#ifndef QN_COMPILER_STMT_FLATTEN_PLAN_H
#define QN_COMPILER_STMT_FLATTEN_PLAN_H

#include "compiler/stmt/stmt.h"

/* Marks what is uniform, which jumps go by flags, and what such a jump's target needs for that.
 * *kernel_flag: some return is one of them. */
void qn__flatten_plan(struct qn__function *f, bool *kernel_flag);

#endif
