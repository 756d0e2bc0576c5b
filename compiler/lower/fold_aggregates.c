/* SPDX-License-Identifier: Apache-2.0
 *
 * What is taken out of a struct that was put together before: extractvalue(insertvalue(s, x)) -> x
 */
#include "compiler/model/aggregate.h"
#include "compiler/passes.h"

qn_status qn__fold_aggregates(struct qn__unit *u)
{
    LLVMValueRef other;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                const LLVMValueRef part =
                    LLVMIsAExtractValueInst(in) ? qn__aggregate_part(in, &other) : NULL;
                if (!part)
                    continue;
                LLVMReplaceAllUsesWith(in, part);
                LLVMInstructionEraseFromParent(in);
            }
    return QN_OK;
}
