/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of inline PTX as LLVM values (ptx_operands.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_OPERANDS_H
#define QN_COMPILER_LOWER_PTX_PTX_OPERANDS_H

#include "compiler/lower/ptx/ptx_statement.h"

/* All of these return NULL (or false) and set x->reason where something is not known. */
LLVMTypeRef qn__ptx_llvm_type(struct qn__ptx *x, const struct qn__ptx_type *t);
LLVMValueRef qn__ptx_source(struct qn__ptx *x, unsigned operand, const struct qn__ptx_type *t);
LLVMValueRef qn__ptx_part(struct qn__ptx *x, const char *name, const struct qn__ptx_type *t);
/* a register or an output that nothing was written to yet */
bool qn__ptx_is_unset(struct qn__ptx *x, const char *name);
bool qn__ptx_set(struct qn__ptx *x, unsigned operand, LLVMValueRef v);
bool qn__ptx_set_part(struct qn__ptx *x, const char *name, LLVMValueRef v);
/* [p+8]; of the statement's space, or of shared memory or not */
LLVMValueRef qn__ptx_address(struct qn__ptx *x, unsigned operand);
LLVMValueRef qn__ptx_address_in(struct qn__ptx *x, unsigned operand, bool is_shared);
LLVMValueRef qn__ptx_number(struct qn__ptx *x, unsigned bits, uint64_t value);
/* Call a device function of builtins.def; argument types are the values'. */
LLVMValueRef qn__ptx_call(struct qn__ptx *x, const char *name, LLVMTypeRef result,
                          const LLVMValueRef *arguments, unsigned n);

#endif
