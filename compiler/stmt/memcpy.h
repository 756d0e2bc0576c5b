/* SPDX-License-Identifier: Apache-2.0
 *
 * memcpy, memmove and memset, at the end of a list. */
#ifndef QN_COMPILER_STMT_MEMCPY_H
#define QN_COMPILER_STMT_MEMCPY_H

#include "compiler/stmt/stmt.h"

void qn__copy_memory(struct qn__function *f, struct qn__stmt *list, LLVMValueRef call);
void qn__set_memory(struct qn__function *f, struct qn__stmt *list, LLVMValueRef call);

#endif
