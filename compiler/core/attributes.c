/* SPDX-License-Identifier: Apache-2.0
 *
 * The value of each is 0, which for "memory" is none. */
#include "compiler/core/attributes.h"

#include <string.h>

void qn__add_attribute(struct qn__unit *u, LLVMValueRef function, const char *name)
{
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(u->context, LLVMGetEnumAttributeKindForName(name, strlen(name)),
                                0));
}

void qn__drop_attribute(LLVMValueRef function, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

LLVMValueRef qn__pure_function(struct qn__unit *u, const char *name, LLVMTypeRef type)
{
    LLVMValueRef f = LLVMGetNamedFunction(u->module, name);
    if (f)
        return f;
    f = LLVMAddFunction(u->module, name, type);
    qn__add_attribute(u, f, "memory");
    qn__add_attribute(u, f, "nounwind");
    qn__add_attribute(u, f, "willreturn");
    return f;
}
