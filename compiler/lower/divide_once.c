/* SPDX-License-Identifier: Apache-2.0
 *
 * Divisions by an index are computed once.
 *
 *     piece = (n + get_local_size(0) - 1) / get_local_size(0);     at several places of a kernel
 *
 * An index is a load of an external variable to LLVM, so that after a store it may have changed,
 * and what was computed from it is computed again. A work-item's indices never change: those that a
 * division reads are marked so. Anything cheaper is rather computed again than kept in a variable.
 */
#include "compiler/model/address_space.h"
#include "compiler/passes.h"

/* Marks the indices that a value is computed from. */
static void mark(struct qn__unit *u, LLVMValueRef v, int depth)
{
    unsigned axis;
    if (!LLVMIsAInstruction(v) || depth == 0)
        return;
    if (LLVMIsALoadInst(v) && qn__work_item(u, v, &axis) != QN__NO_WORK_ITEM) {
        const LLVMMetadataRef none = LLVMMDNodeInContext2(u->context, NULL, 0);
        LLVMSetMetadata(v, LLVMGetMDKindIDInContext(u->context, "invariant.load", 14),
                        LLVMMetadataAsValue(u->context, none));
    }
    if (LLVMIsABinaryOperator(v) || LLVMIsACastInst(v))
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
            mark(u, LLVMGetOperand(v, i), depth - 1);
}

static bool is_division(LLVMValueRef in)
{
    size_t n;
    if (LLVMIsACallInst(in)) { /* out of LLVM's sight: guard_divisions.c */
        const char *const name = LLVMGetValueName2(LLVMGetCalledValue(in), &n);
        return qn__starts_with(name, "__qn_ir_div_") || qn__starts_with(name, "__qn_ir_rem_");
    }
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    return (op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem) &&
           !LLVMIsAConstant(LLVMGetOperand(in, 1));
}

qn_status qn__divide_once(struct qn__unit *u)
{
    enum { DEPTH = 6 };
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
                for (unsigned i = 0; i < 2 && is_division(in); i++)
                    mark(u, LLVMGetOperand(in, i), DEPTH - 1);
    return QN_OK;
}
