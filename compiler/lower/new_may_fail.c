/* SPDX-License-Identifier: Apache-2.0
 *
 * new gives NULL where the heap has nothing left, as CUDA's does. C++ says that it throws, so clang
 * says that it never gives NULL, and a test of what it gave would be folded. */
#include "compiler/passes.h"

#include <string.h>

static const char *const names[] = {"_Znwm", "_Znam", "_ZnwmSt11align_val_t",
                                    "_ZnamSt11align_val_t"};

qn_status qn__new_may_fail(struct qn__unit *u)
{
    const unsigned nonnull = LLVMGetEnumAttributeKindForName("nonnull", strlen("nonnull"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const LLVMValueRef f = LLVMGetNamedFunction(u->module, names[i]);
        if (!f)
            continue;
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeReturnIndex, nonnull);
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
            if (LLVMIsACallInst(LLVMGetUser(use)))
                LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(use), LLVMAttributeReturnIndex,
                                                nonnull);
    }
    return QN_OK;
}
