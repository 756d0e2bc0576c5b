/* SPDX-License-Identifier: Apache-2.0
 *
 * Every device function becomes internal and always inline, whatever the source asks for: OpenCL C
 * has one address space per pointer type, so the space of a function's pointers is only known where
 * it is called. Kernels stay. */
#include "compiler/core/attributes.h"
#include "compiler/passes.h"

qn_status qn__internalise(struct qn__unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        qn__drop_attribute(f, "noinline");
        qn__drop_attribute(f, "optnone");
        if (qn__kernel_of(u, f)) {
            LLVMSetLinkage(f, LLVMExternalLinkage);
        } else {
            LLVMSetLinkage(f, LLVMInternalLinkage);
            qn__add_attribute(u, f, "alwaysinline");
        }
    }
    return QN_OK;
}
