/* SPDX-License-Identifier: Apache-2.0
 *
 * C types from LLVM's types and debug information. */
#ifndef QN_COMPILER_MODEL_SOURCE_TYPES_H
#define QN_COMPILER_MODEL_SOURCE_TYPES_H

#include "compiler/model/types.h"

/* From LLVM's type; `di` (may be NULL) is the source type, for signs and pointees. Refuses what
 * OpenCL C has no type for, at `where`. */
const struct qn__type *qn__type_of(struct qn__unit *u, LLVMTypeRef t, LLVMMetadataRef di,
                                   LLVMValueRef where);
/* Does the C type hold exactly what LLVM's type holds (signs aside)? */
bool qn__type_holds(const struct qn__type *c, LLVMTypeRef t, struct qn__unit *u);

#endif
