/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values are folded and which live in variables (inline_values.c, coalesce.c). */
#ifndef QN_COMPILER_MODEL_INLINE_VALUES_H
#define QN_COMPILER_MODEL_INLINE_VALUES_H

#include "compiler/model/function.h"

bool qn__value_writes(struct qn__unit *u, LLVMValueRef instruction);

/* The load that this store's compound assignment (x[i] += v) swallows; NULL where it is none. */
struct qn__value *qn__compound_load(struct qn__function *f, const struct qn__value *store);

/* Give every value that is not folded a variable; values that flow into a phi share the phi's where
 * their lives do not overlap. */
void qn__webs_make(struct qn__function *f);

/* C type of a pointer value that gets a variable: what is read and written through it says what it
 * points to. pointee.c */
const struct qn__type *qn__pointer_type(struct qn__function *f, struct qn__value *v);

#endif
