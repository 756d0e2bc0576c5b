/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of inline PTX on floats of 32 and 64 bits (ptx_float.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_FLOAT_H
#define QN_COMPILER_LOWER_PTX_PTX_FLOAT_H

#include "compiler/lower/ptx/ptx_statement.h"

/* A float as a source or result of a statement with .ftz; without: itself. */
LLVMValueRef qn__ptx_flushed(struct qn__ptx *x, LLVMValueRef v, const struct qn__ptx_type *t);
enum qn__ptx_answer qn__ptx_float(struct qn__ptx *x);

#endif
