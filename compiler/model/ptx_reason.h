/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a block of inline PTX has no OpenCL form (ptx_reason.c). */
#ifndef QN_COMPILER_MODEL_PTX_REASON_H
#define QN_COMPILER_MODEL_PTX_REASON_H

#include "compiler/core/unit.h"

/* Why this block is still there: "mma.sync: tensor cores ...". */
const char *qn__ptx_reason(struct qn__unit *u, LLVMValueRef call);
void qn__ptx_reason_set(struct qn__unit *u, LLVMValueRef call, const char *reason);

#endif
