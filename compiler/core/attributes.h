/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of functions by their names in LLVM IR. */
#ifndef QN_COMPILER_CORE_ATTRIBUTES_H
#define QN_COMPILER_CORE_ATTRIBUTES_H

#include "compiler/core/unit.h"

void qn__add_attribute(struct qn__unit *u, LLVMValueRef function, const char *name);
void qn__drop_attribute(LLVMValueRef function, const char *name);

/* The function of that name, declared if it is not there: it reads and writes no memory. */
LLVMValueRef qn__pure_function(struct qn__unit *u, const char *name, LLVMTypeRef type);

#endif
