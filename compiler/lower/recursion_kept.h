/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call keeps (recursion_kept.c). */
#ifndef QN_COMPILER_LOWER_RECURSION_KEPT_H
#define QN_COMPILER_LOWER_RECURSION_KEPT_H

#include "compiler/lower/recursion_machine.h"

/* The element of a stack for the call under way. */
LLVMValueRef qn__recursion_element(struct machine *m, LLVMTypeRef array, LLVMValueRef stack);
/* What is read after a call inside is stored before it, and loaded again behind it. */
void qn__recursion_keep(struct machine *m);

#endif
