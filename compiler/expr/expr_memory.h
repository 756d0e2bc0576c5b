/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores. */
#ifndef QN_COMPILER_EXPR_EXPR_MEMORY_H
#define QN_COMPILER_EXPR_EXPR_MEMORY_H

#include "compiler/expr/expr.h"

struct qn__expr qn__load(struct qn__function *f, LLVMValueRef load);
/* The whole statement of a store. */
const struct qn__node *qn__store(struct qn__function *f, struct qn__value *store);

#endif
