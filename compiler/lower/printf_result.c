/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's printf returns how many arguments it was given after the format, OpenCL's 0. */
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
