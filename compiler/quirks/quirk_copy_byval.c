/* SPDX-License-Identifier: Apache-2.0
 *
 * Workaround for PoCL 3.1 (README.md): structs passed by value to a kernel that writes to them. The
 * write goes to a copy.
 *
 *     void k(struct s a) { a.x = 1; }   ->   void k(struct s a) { struct s a_1 = a; a_1.x = 1; }
 *
 * OpenCL C gives each work-item its own parameter, as CUDA does. PoCL passes one pointer to all
 * work-items of a group, so one sees what another wrote. Parameters that are only read stay. */
#include "compiler/model/address_space.h"
#include "compiler/passes.h"

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

static void copy_parameter(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef parameter,
                           LLVMTypeRef type)
{
    size_t n;
    const char *const name = LLVMGetValueName2(parameter, &n);
    const unsigned align = LLVMABIAlignmentOfType(u->layout, type);
    const LLVMValueRef copy = LLVMBuildAlloca(b, type, qn__text(u, "%.*s.qo0@", (int)n, name));
    const LLVMValueRef bytes =
        LLVMConstInt(LLVMInt64TypeInContext(u->context), LLVMABISizeOfType(u->layout, type), false);
    LLVMSetAlignment(copy, align);
    LLVMReplaceAllUsesWith(parameter, copy);
    LLVMBuildMemCpy(b, copy, align, parameter, align, bytes);
}

qn_status qn__byval_copy(struct qn__unit *u)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (uint32_t i = 0; i < u->n_kernels; i++) {
        const LLVMValueRef f = u->kernels[i].function;
        const LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
        for (unsigned k = 0; k < LLVMCountParams(f); k++) {
            const LLVMTypeRef type = qn__byval_type(u, f, k);
            if (!type || !is_written(LLVMGetParam(f, k)))
                continue;
            LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
            copy_parameter(u, b, LLVMGetParam(f, k), type);
        }
    }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
