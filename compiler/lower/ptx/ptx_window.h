/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses of shared memory as numbers of 32 bits (ptx_window.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_WINDOW_H
#define QN_COMPILER_LOWER_PTX_PTX_WINDOW_H

#include "compiler/lower/ptx/ptx_statement.h"

/* The number of a pointer to shared memory, i32, and the pointer of a number of 32 or 64 bits. */
LLVMValueRef qn__ptx_shared_number(struct qn__ptx *x, LLVMValueRef pointer);
LLVMValueRef qn__ptx_shared_pointer(struct qn__ptx *x, LLVMValueRef number);

#endif
