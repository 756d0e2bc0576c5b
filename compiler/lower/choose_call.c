/* SPDX-License-Identifier: Apache-2.0
 *
 * f(x), where the number of f is known to be one of a few:
 *
 *     choose(number, x), where choose(k, x) is switch (k) { case 2: f2(x); case 4: f4(x); ... }
 *
 * choose() is a function, so that LLVM's inliner makes its branches. A number that stands for none
 * is a pointer that was never set to a function, and calls any. */
#include "compiler/lower/choose_call.h"

#include "compiler/core/attributes.h"
#include "compiler/core/diagnose.h"

static void call_target(struct qn__unit *u, LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef target,
                        LLVMValueRef choose)
{
    const unsigned n = LLVMCountParamTypes(type);
    LLVMValueRef *const passed = QN__NEED_ARRAY(u, LLVMValueRef, n + 1);
    for (unsigned i = 0; i < n; i++)
        passed[i] = LLVMGetParam(choose, i + 1);
    const LLVMValueRef result = LLVMBuildCall2(b, type, target, passed, n, "");
    if (LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, result);
}

/* The block that calls this function, if there is one already. */
static LLVMBasicBlockRef block_of(const struct qn__choice *choices, LLVMBasicBlockRef *blocks,
                                  uint32_t n, LLVMValueRef function)
{
    for (uint32_t i = 0; i < n; i++)
        if (choices[i].function == function)
            return blocks[i];
    return NULL;
}

static LLVMValueRef choose_function(struct qn__unit *u, LLVMBuilderRef b, LLVMTypeRef type,
                                    LLVMTypeRef number, const struct qn__choice *choices,
                                    uint32_t n)
{
    const unsigned n_params = LLVMCountParamTypes(type);
    LLVMTypeRef *const types = QN__NEED_ARRAY(u, LLVMTypeRef, n_params + 1);
    LLVMBasicBlockRef *const blocks = QN__NEED_ARRAY(u, LLVMBasicBlockRef, n);
    types[0] = number;
    LLVMGetParamTypes(type, types + 1);
    const LLVMValueRef f =
        LLVMAddFunction(u->module, "__qn_choose",
                        LLVMFunctionType(LLVMGetReturnType(type), types, n_params + 1, false));
    qn__add_attribute(u, f, "alwaysinline");
    qn__add_attribute(u, f, "convergent");
    qn__add_attribute(u, f, "nounwind");
    LLVMSetLinkage(f, LLVMInternalLinkage);
    const LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(u->context, f, "entry");
    LLVMSetCurrentDebugLocation2(b, NULL);
    for (uint32_t i = 0; i < n; i++) {
        blocks[i] = block_of(choices, blocks, i, choices[i].function);
        if (blocks[i])
            continue;
        blocks[i] = LLVMAppendBasicBlockInContext(u->context, f, "sw.bb");
        LLVMPositionBuilderAtEnd(b, blocks[i]);
        call_target(u, b, type, choices[i].function, f);
    }
    LLVMPositionBuilderAtEnd(b, entry);
    const LLVMValueRef choice = LLVMBuildSwitch(b, LLVMGetParam(f, 0), blocks[n - 1], n);
    for (uint32_t i = 0; i < n; i++)
        if (blocks[i] != blocks[n - 1])
            LLVMAddCase(choice, LLVMConstInt(number, choices[i].number, false), blocks[i]);
    return f;
}

void qn__choose_call(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef number,
                     const struct qn__choice *choices, uint32_t n)
{
    const LLVMValueRef f =
        choose_function(u, b, LLVMGetCalledFunctionType(call), LLVMTypeOf(number), choices, n);
    const unsigned n_args = LLVMGetNumArgOperands(call);
    LLVMValueRef *const passed = QN__NEED_ARRAY(u, LLVMValueRef, n_args + 1);
    passed[0] = number;
    for (unsigned i = 0; i < n_args; i++)
        passed[i + 1] = LLVMGetArgOperand(call, i);
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    const LLVMValueRef now =
        LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, passed, n_args + 1, "");
    size_t length;
    const char *const name = qn__text(u, "%s", LLVMGetValueName2(call, &length));
    LLVMReplaceAllUsesWith(call, now);
    LLVMSetValueName2(now, name, length);
    LLVMInstructionEraseFromParent(call);
    qn__explain(u, now, "a call through a pointer becomes a choice among its targets");
}
