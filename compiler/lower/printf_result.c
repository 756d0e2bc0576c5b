/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's printf returns the number of arguments after the format, OpenCL's returns 0. */
#include "compiler/passes.h"

qn_status qn__printf_result_replace(struct qn__unit *u)
{
    const LLVMValueRef f = LLVMGetNamedFunction(u->module, "__qn_printf");
    for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL; use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use);
        if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f)
            LLVMReplaceAllUsesWith(
                call, LLVMConstInt(LLVMTypeOf(call), LLVMGetNumArgOperands(call) - 1, false));
    }
    return QN_OK;
}
