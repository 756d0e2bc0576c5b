/* SPDX-License-Identifier: Apache-2.0
 *
 * The first half of flattening: flatten_uniform.c decides while the tree is whole, flatten.c
 * rewrites it.
 */
#ifndef QN_COMPILER_STMT_FLATTEN_UNIFORM_H
#define QN_COMPILER_STMT_FLATTEN_UNIFORM_H

#include "compiler/stmt/stmt.h"

/* Marks what is uniform, which jumps set flags, and which flags their targets need.
 * *kernel_flag: some return is one of them. */
void qn__flatten_uniform(struct qn__function *f, bool *kernel_flag);

#endif
