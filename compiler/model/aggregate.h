/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of structs that are values (aggregate.c). */
#ifndef QN_COMPILER_MODEL_AGGREGATE_H
#define QN_COMPILER_MODEL_AGGREGATE_H

#include "compiler/core/unit.h"

/* The value that was put into a struct where `extract` takes it out. NULL when that is not known;
 * *from is then the value that hides it. */
LLVMValueRef qn__aggregate_part(LLVMValueRef extract, LLVMValueRef *from);

#endif
