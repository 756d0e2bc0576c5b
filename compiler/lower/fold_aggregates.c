/* SPDX-License-Identifier: Apache-2.0
 *
 * What is taken out of a struct that was put together before: extractvalue(insertvalue(s, x)) -> x
 * What LLVM put into a part of a vector: select <true, true, false, false>, x, v -> a shuffle
 * A choice between structs, as pointers to member functions are, or one that depends on where
 * control comes from: a choice for each member.
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

static bool chooses_struct(LLVMValueRef in)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    return (op == LLVMPHI || op == LLVMSelect) &&
           LLVMGetTypeKind(LLVMTypeOf(in)) == LLVMStructTypeKind;
}

static LLVMValueRef member_of_phi(LLVMBuilderRef b, LLVMValueRef phi, LLVMTypeRef type, unsigned i)
{
    LLVMPositionBuilderBefore(b, phi);
    const LLVMValueRef member = LLVMBuildPhi(b, type, "");
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from));
        LLVMValueRef v = LLVMBuildExtractValue(b, LLVMGetIncomingValue(phi, k), i, "");
        LLVMAddIncoming(member, &v, &from, 1);
    }
    return member;
}

static LLVMValueRef member_of_select(LLVMBuilderRef b, LLVMValueRef select, unsigned i)
{
    LLVMPositionBuilderBefore(b, select);
    const LLVMValueRef then = LLVMBuildExtractValue(b, LLVMGetOperand(select, 1), i, ""),
                       otherwise = LLVMBuildExtractValue(b, LLVMGetOperand(select, 2), i, "");
    return LLVMBuildSelect(b, LLVMGetOperand(select, 0), then, otherwise, "");
}

/* The struct is put together again, for whoever wants the whole; what takes it apart is folded. */
static void split_choice(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef in)
{
    const LLVMTypeRef type = LLVMTypeOf(in);
    const unsigned n = LLVMCountStructElementTypes(type);
    LLVMValueRef *const members = QN__NEED_ARRAY(u, LLVMValueRef, n), whole = LLVMGetPoison(type);
    LLVMValueRef at = in;
    for (unsigned i = 0; i < n; i++)
        members[i] = LLVMIsAPHINode(in) ? member_of_phi(b, in, LLVMStructGetTypeAtIndex(type, i), i)
                                        : member_of_select(b, in, i);
    while (LLVMIsAPHINode(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(b, at);
    for (unsigned i = 0; i < n; i++)
        whole = LLVMBuildInsertValue(b, whole, members[i], i, "");
    LLVMReplaceAllUsesWith(in, whole);
    LLVMInstructionEraseFromParent(in);
}

/* Backwards, as each is used by the next. */
static void drop_unused(LLVMValueRef function)
{
    LLVMValueRef before;
    for (LLVMBasicBlockRef bb = LLVMGetLastBasicBlock(function); bb;
         bb = LLVMGetPreviousBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetLastInstruction(bb); in; in = before) {
            before = LLVMGetPreviousInstruction(in);
            if ((LLVMIsAInsertValueInst(in) || LLVMIsAExtractValueInst(in)) && !LLVMGetFirstUse(in))
                LLVMInstructionEraseFromParent(in);
        }
}

/* True where there was one: structs may hold others. */
static bool split_choices(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef function)
{
    bool found = false;
    LLVMSetCurrentDebugLocation2(b, NULL);
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb;
         bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
            next = LLVMGetNextInstruction(in);
            if (!chooses_struct(in))
                continue;
            split_choice(u, b, in);
            found = true;
        }
    return found;
}

static bool fold(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef f)
{
    bool has_choice = false;
    LLVMValueRef other;
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
            next = LLVMGetNextInstruction(in);
            has_choice |= chooses_struct(in);
            const LLVMValueRef part = LLVMIsAExtractValueInst(in) ? qn__aggregate_part(in, &other)
                                                                  : chosen_elements(u, b, in);
            if (!part)
                continue;
            LLVMReplaceAllUsesWith(in, part);
            LLVMInstructionEraseFromParent(in);
        }
    return has_choice;
}

qn_status qn__fold_aggregates(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (!fold(u, b, f))
            continue;
        while (split_choices(u, b, f))
            fold(u, b, f);
        drop_unused(f);
    }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
