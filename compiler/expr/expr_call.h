/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls and atomic operations as expressions. */
#ifndef QN_COMPILER_EXPR_EXPR_CALL_H
#define QN_COMPILER_EXPR_EXPR_CALL_H

#include "compiler/expr/expr.h"

struct qn__expr qn__call(struct qn__function *f, LLVMValueRef call);
/* The hidden argument for a failed assertion's words: the runtime knows it by its name. */
struct qn__var *qn__fault_buffer(struct qn__function *f);
/* "file.cu", 12u */
void qn__position(struct qn__unit *u, LLVMValueRef at, const struct qn__node *file_and_line[2]);

#endif
