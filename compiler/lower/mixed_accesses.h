/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses through mixed pointers (mixed_accesses.c). */
#ifndef QN_COMPILER_LOWER_MIXED_ACCESSES_H
#define QN_COMPILER_LOWER_MIXED_ACCESSES_H

#include "compiler/lower/mixed_parts.h"

/* This instruction, some operands of which are mixed pointers, becomes one for each space. */
void qn__split_access(struct qn__split *s, LLVMValueRef in);

#endif
