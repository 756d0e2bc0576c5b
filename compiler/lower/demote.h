/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that live from one block to another become variables (demote.c). */
#ifndef QN_COMPILER_LOWER_DEMOTE_H
#define QN_COMPILER_LOWER_DEMOTE_H

#include "compiler/core/unit.h"

/* Every phi becomes a variable. */
void qn__demote_phis(struct qn__unit *u, LLVMValueRef f);

/* Every value that another block uses becomes a variable. Loads in `kept`, of variables that
 * nobody writes any more, are done again instead. */
void qn__demote_values(struct qn__unit *u, LLVMValueRef f, struct qn__map *kept);

/* What follows an instruction goes into a block of its own, to which a branch leads. Nothing may be
 * a phi. */
LLVMBasicBlockRef qn__split_after(struct qn__unit *u, LLVMValueRef in);

#endif
