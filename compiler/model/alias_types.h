/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is accessed as several types (alias_types.c). */
#ifndef QN_COMPILER_MODEL_ALIAS_TYPES_H
#define QN_COMPILER_MODEL_ALIAS_TYPES_H

#include "compiler/model/function.h"

/* The pointer type for accesses to the memory that `pointer` leads to: `t` itself, or where that
 * memory is accessed as several types, one that may alias all of them. For pointers whose type the
 * translator chooses; an object's own type stays. */
const struct qn__type *qn__type_with_aliases(struct qn__function *f, LLVMValueRef pointer,
                                             const struct qn__type *t);

#endif
