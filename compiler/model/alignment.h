/* SPDX-License-Identifier: Apache-2.0
 *
 * Alignment of local and shared memory (alignment.c). */
#ifndef QN_COMPILER_MODEL_ALIGNMENT_H
#define QN_COMPILER_MODEL_ALIGNMENT_H

#include "compiler/model/types.h"

/* The alignment that is certain for a load's or store's address, in bytes; is it at least the one
 * that its type has in OpenCL C? */
uint64_t qn__alignment_of(struct qn__unit *u, LLVMValueRef access);
bool qn__is_aligned(struct qn__unit *u, LLVMValueRef access, uint64_t natural);
/* What the accesses to a variable need beyond its type's own alignment, in bytes; or 0. */
uint32_t qn__extra_alignment(struct qn__unit *u, LLVMValueRef memory, const struct qn__type *type);

#endif
