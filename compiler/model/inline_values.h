/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values are folded and which live in variables (inline_values.c). */
#ifndef QN_COMPILER_MODEL_INLINE_VALUES_H
#define QN_COMPILER_MODEL_INLINE_VALUES_H

#include "compiler/model/function.h"

bool qn__value_writes(struct qn__unit *u, LLVMValueRef instruction);

/* The load that this store's compound assignment (x[i] += v) takes in; NULL where it is not one. */
struct qn__value *qn__compound_load(struct qn__function *f, const struct qn__value *store);

#endif
