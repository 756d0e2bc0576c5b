/* SPDX-License-Identifier: Apache-2.0
 *
 * A for loop keeps its step.
 *
 *     for (z ...; z++) a[z + 1] = b[z];
 *
 * LLVM computes z + 1 once, where the body first needs it, and the loop would be printed with z++
 * in the middle. For readability only: z + 1 is computed again at the end of the iteration, as its
 * step.
 */
#include "compiler/model/value_names.h"
#include "compiler/passes.h"

static void split_step(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef step = LLVMGetIncomingValue(phi, i);
        const LLVMBasicBlockRef latch = LLVMGetIncomingBlock(phi, i);
        if (!LLVMIsABinaryOperator(step) || LLVMGetOperand(step, 0) != phi ||
            !LLVMIsAConstantInt(LLVMGetOperand(step, 1)) || !LLVMGetNextUse(LLVMGetFirstUse(step)))
            continue;
        const LLVMValueRef own = LLVMInstructionClone(step);
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(latch));
        LLVMInsertIntoBuilder(b, own);
        LLVMSetOperand(phi, i, own);
        qn__name_like(u, own, phi);
    }
}

qn_status qn__split_loop_step(struct qn__unit *u)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb);
                 in && LLVMIsAPHINode(in) && qn__starts_with(LLVMGetBasicBlockName(bb), "for.");
                 in = LLVMGetNextInstruction(in))
                split_step(u, b, in);
    LLVMDisposeBuilder(b);
    return QN_OK;
}
