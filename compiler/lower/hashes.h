/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashes: loops that multiply what they add up. */
#ifndef QN_COMPILER_LOWER_HASHES_H
#define QN_COMPILER_LOWER_HASHES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Is a sum, difference or product one of a hash that begins with a constant, or with
 * the number of an iteration? */
bool qn__is_of_hash(LLVMValueRef operation);

#endif
