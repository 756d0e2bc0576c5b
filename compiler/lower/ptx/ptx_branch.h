/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements of inline PTX that run under a predicate and have effects (ptx_branch.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_BRANCH_H
#define QN_COMPILER_LOWER_PTX_PTX_BRANCH_H

#include "compiler/lower/ptx/ptx_statement.h"

/* if (condition) run(x, data); registers that it sets keep their values where it does not run. */
bool qn__ptx_branch(struct qn__ptx *x, LLVMValueRef condition,
                    bool (*run)(struct qn__ptx *x, const void *data), const void *data);

#endif
