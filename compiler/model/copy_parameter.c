/* SPDX-License-Identifier: Apache-2.0
 *
 * The copy of a parameter that is written to. Its name is the parameter's, which the text numbers.
 */
#include "compiler/model/copy_parameter.h"

#include "compiler/model/address_space.h"

/* Is anything written through this pointer, or is it taken where that cannot be seen? */
static bool is_written(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user))
            continue;
        if (LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 0) != pointer)
            continue;
        if (!LLVMIsAGetElementPtrInst(user) || is_written(user))
            return true;
    }
    return false;
}

void qn__copy_written_parameter(struct qn__unit *u, LLVMValueRef f, unsigned i)
{
    const LLVMValueRef parameter = LLVMGetParam(f, i);
    const LLVMTypeRef type = qn__byval_type(u, f, i);
    size_t n;
    if (!type || !is_written(parameter))
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    const char *const name = LLVMGetValueName2(parameter, &n);
    const unsigned align = LLVMABIAlignmentOfType(u->layout, type);
    const LLVMValueRef copy = LLVMBuildAlloca(b, type, qn__text(u, "%.*s.qo0@", (int)n, name));
    const LLVMValueRef bytes =
        LLVMConstInt(LLVMInt64TypeInContext(u->context), LLVMABISizeOfType(u->layout, type), false);
    LLVMSetAlignment(copy, align);
    LLVMReplaceAllUsesWith(parameter, copy);
    LLVMBuildMemCpy(b, copy, align, parameter, align, bytes);
    LLVMDisposeBuilder(b);
}
