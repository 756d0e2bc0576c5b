/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs passed by value to a device function: a class with a copy or move constructor or a
 * destructor of its own is built by the caller, which also destroys it, so both must mean the same
 * object. clang has it copied once more, bit by bit, for GPU targets; here it is not.
 *
 *     take(move(a))     ->   T t(move(a)); take(&t); t.~T(); */
#include "compiler/core/debug_info.h"
#include "compiler/model/address_space.h"
#include "compiler/passes.h"

#include <string.h>

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* Does the caller build the object that this parameter is? Only the debug information shows it. */
static bool is_made_by_caller(struct qn__unit *u, LLVMValueRef f, unsigned parameter)
{
    const LLVMTypeRef t = qn__byval_type(u, f, parameter);
    const bool returns_in_memory = LLVMGetEnumAttributeAtIndex(f, 1, attribute_kind("sret"));
    if (!t || parameter < returns_in_memory)
        return false;
    const LLVMMetadataRef type =
        qn__di_strip(u, qn__di_parameter(u, f, parameter - returns_in_memory));
    return type && LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind &&
           (LLVMDITypeGetFlags(type) & LLVMDIFlagTypePassByReference);
}

static void pass_by_reference(LLVMValueRef f, unsigned parameter)
{
    LLVMRemoveEnumAttributeAtIndex(f, parameter + 1, attribute_kind("byval"));
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use);
        if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f)
            LLVMRemoveCallSiteEnumAttribute(call, parameter + 1, attribute_kind("byval"));
    }
}

qn_status qn__share_byval(struct qn__unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (unsigned k = 0; !qn__kernel_of(u, f) && k < LLVMCountParams(f); k++)
            if (is_made_by_caller(u, f, k))
                pass_by_reference(f, k);
    return QN_OK;
}
