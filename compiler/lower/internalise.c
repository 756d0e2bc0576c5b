/* SPDX-License-Identifier: Apache-2.0
 *
 * Every device function becomes internal and always inline, whatever the source asks for: OpenCL C
 * has one address space per pointer type, so the space of a function's pointers is only known where
 * it is called. Kernels stay. */
#include "compiler/passes.h"

#include <string.h>

static void drop_attribute(LLVMValueRef f, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static void add_attribute(struct qn__unit *u, LLVMValueRef f, const char *name)
{
    LLVMAddAttributeAtIndex(
        f, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(u->context, LLVMGetEnumAttributeKindForName(name, strlen(name)),
                                0));
}

qn_status qn__internalise(struct qn__unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        drop_attribute(f, "noinline");
        drop_attribute(f, "optnone");
        if (qn__kernel_of(u, f)) {
            LLVMSetLinkage(f, LLVMExternalLinkage);
        } else {
            LLVMSetLinkage(f, LLVMInternalLinkage);
            add_attribute(u, f, "alwaysinline");
        }
    }
    return QN_OK;
}
