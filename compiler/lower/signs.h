/* SPDX-License-Identifier: Apache-2.0
 *
 * What a compiler takes an integer's sign to be (signs.c). */
#ifndef QN_COMPILER_LOWER_SIGNS_H
#define QN_COMPILER_LOWER_SIGNS_H

#include "compiler/lower/int_range.h"

/* Is it a call of abs(), of integers of 32 or 64 bits? */
bool qn__is_abs(LLVMValueRef v);
/* Is it not negative, provided that no signed sum or product overflows? */
bool qn__is_not_negative(struct qn__int_facts *f, LLVMValueRef v);

#endif
