/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs passed by value.
 *
 * To a device function: a class with a copy or move constructor or a destructor of its own is built
 * by the caller, who also destroys it, so both must mean the same object. clang lets its GPU
 * targets copy it once more, bit by bit; here it is not.
 *
 *     take(move(a))     ->   T t(move(a)); take(&t); t.~T();
 *
 * To a kernel, if it writes there: the write goes to a copy.
 *
 *     void k(struct s a) { a.x = 1; }   ->   void k(struct s a) { struct s a_1 = a; a_1.x = 1; }
 *
 * OpenCL C gives each work-item its own parameter, as CUDA does. PoCL passes one pointer to all
 * work-items of a group, so one sees what another wrote. Parameters that are only read stay. */
#include "compiler/lower/lower.h"

#include "compiler/core/debug_info.h"
#include "compiler/model/address_space.h"

#include <string.h>

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* Does the caller make the object that this parameter is? Only the debug information says so. */
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

void qn__byval_share(struct qn__unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (unsigned k = 0; !qn__kernel_of(u, f) && k < LLVMCountParams(f); k++)
            if (is_made_by_caller(u, f, k))
                pass_by_reference(f, k);
}

/* Does somebody write through this pointer, or take it where that cannot be seen? */
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

void qn__byval_copy(struct qn__unit *u)
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
}
