/* SPDX-License-Identifier: Apache-2.0
 *
 * What a driver computes of the size of a block, for which it compiles a kernel. */
#ifndef QN_COMPILER_LOWER_BLOCK_SIZE_H
#define QN_COMPILER_LOWER_BLOCK_SIZE_H

#include "compiler/lower/int_range.h"

/* May an operand of a sum, difference or product be a large constant to such a driver? */
bool qn__is_large_of_block(struct qn__int_facts *f, LLVMValueRef operation);

#endif
