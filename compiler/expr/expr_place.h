/* SPDX-License-Identifier: Apache-2.0
 *
 * What pointers point to. */
#ifndef QN_COMPILER_EXPR_EXPR_PLACE_H
#define QN_COMPILER_EXPR_EXPR_PLACE_H

#include "compiler/expr/expr_place_step.h"

struct qn__place qn__place(struct qn__function *f, LLVMValueRef pointer);
struct qn__expr qn__pointer_expr(struct qn__function *f, LLVMValueRef pointer);
/* The address a getelementptr computes, also when it lives in a variable. */
struct qn__expr qn__gep_expr(struct qn__function *f, LLVMValueRef gep);

#endif
