/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions and functions that make numbers of shared memory's addresses (ptx_shared.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_SHARED_H
#define QN_COMPILER_LOWER_PTX_PTX_SHARED_H

#include "compiler/lower/ptx/ptx_statement.h"

/* cvta to and from shared memory, isspacep */
enum qn__ptx_answer qn__ptx_shared(struct qn__ptx *x);
/* __cvta_generic_to_shared() and __cvta_shared_to_generic(): the call is replaced. True: it was
 * one. */
bool qn__ptx_shared_call(struct qn__unit *u, LLVMValueRef call);

#endif
