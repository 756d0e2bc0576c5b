/* SPDX-License-Identifier: Apache-2.0
 *
 * Constants as expressions, and initialisers of tables. */
#ifndef QN_COMPILER_EXPR_EXPR_CONSTANT_H
#define QN_COMPILER_EXPR_EXPR_CONSTANT_H

#include "compiler/expr/expr.h"

struct qn__expr qn__constant(struct qn__function *f, LLVMValueRef v);
/* Of a table of the program. */
const struct qn__node *qn__initializer(struct qn__unit *u, LLVMValueRef v);

#endif
