/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables that have an address: local arrays, shared memory, hidden arguments, constant tables.
 */
#ifndef QN_COMPILER_EXPR_EXPR_VARIABLE_H
#define QN_COMPILER_EXPR_EXPR_VARIABLE_H

#include "compiler/model/function.h"

/* A local array or struct. */
struct qn__var *qn__memory_var(struct qn__function *f, LLVMValueRef alloca_);
struct qn__var *qn__shared_var(struct qn__function *f, LLVMValueRef global);
/* A local-memory variable the source does not have. */
struct qn__var *qn__shared_scratch(struct qn__function *f, const char *wish,
                                   const struct qn__type *type);
/* The array of one uint or ulong per work-item that warp operations exchange values through. */
struct qn__var *qn__scratch(struct qn__function *f, unsigned bits);
struct qn__var *qn__hidden_var(struct qn__function *f, LLVMValueRef global);
struct qn__var *qn__table_var(struct qn__function *f, LLVMValueRef global);
const char *qn__table_name(struct qn__unit *u, uint32_t i);
const char *qn__variable_name(struct qn__unit *u, LLVMValueRef global);
bool qn__is_constant_variable(LLVMValueRef global); /* __constant__ */

#endif
