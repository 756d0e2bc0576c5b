/* SPDX-License-Identifier: Apache-2.0
 *
 * What is taken out of a struct that was put together before: extractvalue(insertvalue(s, x)) -> x
 * What LLVM put into a part of a vector: select <true, true, false, false>, x, v -> a shuffle
 */
#include "compiler/model/aggregate.h"
#include "compiler/passes.h"

/* A choice between vectors by constants as the vector of the elements that are chosen. NULL: in is
 * no such choice. */
static LLVMValueRef chosen_elements(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef in)
{
    const LLVMValueRef c = LLVMIsASelectInst(in) ? LLVMGetOperand(in, 0) : NULL;
    if (!c || !LLVMIsAConstant(c) || LLVMGetTypeKind(LLVMTypeOf(c)) != LLVMVectorTypeKind)
        return NULL;
    const LLVMTypeRef index = LLVMInt32TypeInContext(u->context);
    const unsigned n = LLVMGetVectorSize(LLVMTypeOf(c));
    LLVMValueRef *const mask = QN__NEED_ARRAY(u, LLVMValueRef, n);
    for (unsigned i = 0; i < n; i++) {
        const LLVMValueRef e = LLVMGetAggregateElement(c, i);
        if (!e || !LLVMIsAConstantInt(e))
            return NULL;
        const bool first = LLVMConstIntGetZExtValue(e) != 0;
        mask[i] = LLVMIsUndef(LLVMGetOperand(in, first ? 1 : 2))
                      ? LLVMGetPoison(index)
                      : LLVMConstInt(index, first ? i : n + i, false);
    }
    LLVMPositionBuilderBefore(b, in);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(in));
    return LLVMBuildShuffleVector(b, LLVMGetOperand(in, 1), LLVMGetOperand(in, 2),
                                  LLVMConstVector(mask, n), "");
}

qn_status qn__fold_aggregates(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMValueRef other;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                const LLVMValueRef part = LLVMIsAExtractValueInst(in)
                                              ? qn__aggregate_part(in, &other)
                                              : chosen_elements(u, b, in);
                if (!part)
                    continue;
                LLVMReplaceAllUsesWith(in, part);
                LLVMInstructionEraseFromParent(in);
            }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
