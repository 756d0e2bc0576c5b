/* SPDX-License-Identifier: Apache-2.0
 *
 * Halves and bfloat16s of inline PTX, one by one and in pairs (ptx_half.c). */
#ifndef QN_COMPILER_LOWER_PTX_PTX_HALF_H
#define QN_COMPILER_LOWER_PTX_PTX_HALF_H

#include "compiler/lower/ptx/ptx_statement.h"

enum qn__ptx_half { QN__PTX_NO_HALF, QN__PTX_F16, QN__PTX_BF16 };

/* Of "f16" and "bf16"; for all else none. */
enum qn__ptx_half qn__ptx_half_kind(const char *type);
/* As floats: an operand, the two of an operand (the low one first). */
LLVMValueRef qn__ptx_half_source(struct qn__ptx *x, unsigned operand, enum qn__ptx_half kind);
bool qn__ptx_half_pair(struct qn__ptx *x, unsigned operand, enum qn__ptx_half kind,
                       LLVMValueRef out[2]);
/* i16 from a float, with the rounding of CUDA's name, or from a double. */
LLVMValueRef qn__ptx_half_narrow(struct qn__ptx *x, LLVMValueRef v, enum qn__ptx_half kind,
                                 const char *rounding);
LLVMValueRef qn__ptx_half_of_double(struct qn__ptx *x, LLVMValueRef v, enum qn__ptx_half kind);
enum qn__ptx_answer qn__ptx_half(struct qn__ptx *x);

#endif
