/* SPDX-License-Identifier: Apache-2.0
 *
 * Recursion of a depth that is not known, with a stack (recursion_stack.c). */
#ifndef QN_COMPILER_LOWER_RECURSION_STACK_H
#define QN_COMPILER_LOWER_RECURSION_STACK_H

#include "compiler/core/unit.h"

/* Does the kernel call a function that has a body? After inlining only recursion is left. */
bool qn__calls_functions(LLVMValueRef kernel);

qn_status qn__recursion_stack(struct qn__unit *u);

#endif
