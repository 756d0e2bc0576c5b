/* SPDX-License-Identifier: Apache-2.0
 *
 * A statement with effects under a predicate becomes a branch:
 *
 *     @p st.global.u32 [a], v;      if (p) *a = v;
 *
 * What stands before the asm statement moves to a block of its own, so that the statement's block
 * keeps its successors, and their phis stay as they are:
 *
 *     head: ...                              what was before
 *           br p, if.then, if.end
 *     if.then: the statement                 br if.end
 *     if.end: phis of what it set; call asm; the rest */
#include "compiler/lower/ptx/ptx_branch.h"

#include "compiler/lower/ptx/ptx_operands.h"

#include <string.h>

/* Move what stands before `at` to a new block, which takes over the name and the predecessors. */
static LLVMBasicBlockRef split_before(struct qn__unit *u, LLVMValueRef at)
{
    const LLVMBasicBlockRef rest = LLVMGetInstructionParent(at);
    const LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(u->context, rest, "");
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    const LLVMValueRef value = LLVMBasicBlockAsValue(rest);
    const char *const name = qn__text(u, "%s", LLVMGetBasicBlockName(rest));
    LLVMSetValueName2(value, "", 0);
    LLVMSetValueName2(LLVMBasicBlockAsValue(head), name, strlen(name));
    for (LLVMUseRef use = LLVMGetFirstUse(value), next; use; use = next) {
        const LLVMValueRef branch = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        for (int i = 0; i < LLVMGetNumOperands(branch); i++)
            if (LLVMGetOperand(branch, (unsigned)i) == value) {
                LLVMSetOperand(branch, (unsigned)i, LLVMBasicBlockAsValue(head));
                break;
            }
    }
    LLVMPositionBuilderAtEnd(b, head);
    for (LLVMValueRef in; (in = LLVMGetFirstInstruction(rest)) != at;) {
        LLVMInstructionRemoveFromParent(in);
        LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(in));
        LLVMInsertIntoBuilder(b, in);
    }
    LLVMDisposeBuilder(b);
    return head;
}

/* A value of before, as one of the type that it has now; NULL: of another size. */
static LLVMValueRef like(struct qn__ptx *x, LLVMValueRef old, LLVMValueRef now)
{
    const LLVMTypeRef t = LLVMTypeOf(now), from = old ? LLVMTypeOf(old) : t;
    if (!old)
        return LLVMGetUndef(t);
    if (from == t)
        return old;
    if (LLVMGetTypeKind(from) == LLVMPointerTypeKind && t == LLVMInt64TypeInContext(x->u->context))
        return LLVMBuildPtrToInt(x->b, old, t, "");
    const bool narrower =
        LLVMGetTypeKind(from) == LLVMIntegerTypeKind && LLVMGetTypeKind(t) == LLVMIntegerTypeKind;
    if (narrower)
        return LLVMBuildIntCast2(x->b, old, t, false, "");
    if (LLVMSizeOfTypeInBits(x->u->layout, from) != LLVMSizeOfTypeInBits(x->u->layout, t) ||
        LLVMGetTypeKind(t) == LLVMPointerTypeKind)
        return NULL;
    return LLVMBuildBitCast(x->b, old, t, "");
}

struct change {
    LLVMValueRef *place, old, now;
};

/* Note a register that the statement set; the old value is made fit at the head's end. */
static bool note(struct qn__ptx *x, struct change *changes, unsigned *n, LLVMValueRef *place,
                 LLVMValueRef old)
{
    if (*place == old)
        return true;
    const LLVMValueRef fits = like(x, old, *place);
    changes[(*n)++] = (struct change){place, fits, *place};
    return fits || qn__ptx_unknown(x, "a register of two sizes under a predicate");
}

bool qn__ptx_branch(struct qn__ptx *x, LLVMValueRef condition,
                    bool (*run)(struct qn__ptx *x, const void *data), const void *data)
{
    struct qn__unit *const u = x->u;
    const LLVMValueRef at = x->at;
    const uint32_t n_registers = x->n_registers;
    LLVMValueRef *const before = QN__NEED_ARRAY(u, LLVMValueRef, x->n_values + n_registers + 1);
    for (unsigned i = 0; i < x->n_values; i++)
        before[i] = x->values[i];
    for (uint32_t i = 0; i < n_registers; i++)
        before[x->n_values + i] = x->registers[i].value;

    const LLVMBasicBlockRef head = split_before(u, at);
    const LLVMBasicBlockRef rest = LLVMGetInstructionParent(at);
    const LLVMBasicBlockRef then = LLVMInsertBasicBlockInContext(u->context, rest, "if.then");
    LLVMSetValueName2(LLVMBasicBlockAsValue(rest), "if.end", 6);
    LLVMPositionBuilderAtEnd(x->b, then);
    LLVMSetCurrentDebugLocation2(x->b, LLVMInstructionGetDebugLoc(x->call));
    const LLVMValueRef leave = LLVMBuildBr(x->b, rest);
    LLVMPositionBuilderAtEnd(x->b, head);
    const LLVMValueRef choice = LLVMBuildCondBr(x->b, condition, then, rest);
    LLVMPositionBuilderBefore(x->b, leave);
    x->at = leave;
    bool good = run(x, data);
    x->at = at;

    struct change *const changes =
        QN__NEED_ARRAY(u, struct change, x->n_values + x->n_registers + 1);
    unsigned n = 0;
    LLVMPositionBuilderBefore(x->b, choice);
    for (unsigned i = 0; good && i < x->n_values; i++)
        good = note(x, changes, &n, &x->values[i], before[i]);
    for (uint32_t i = 0; good && i < x->n_registers; i++)
        good = note(x, changes, &n, &x->registers[i].value,
                    i < n_registers ? before[x->n_values + i] : NULL);
    LLVMPositionBuilderBefore(x->b, at);
    for (unsigned i = 0; good && i < n; i++) {
        LLVMValueRef in[] = {changes[i].old, changes[i].now};
        LLVMBasicBlockRef from[] = {head, then};
        *changes[i].place = LLVMBuildPhi(x->b, LLVMTypeOf(in[0]), "");
        LLVMAddIncoming(*changes[i].place, in, from, 2);
    }
    return good;
}
