/* SPDX-License-Identifier: Apache-2.0
 *
 * The smaller or larger of two integers, one of which has no name in the source: clang has computed
 * it before it compares, so that it would need a variable.
 *
 *     t = piece * part;                       end = min(piece * part, n);
 *     end = t < n ? t : n;
 *
 * Where both have names the source's own ?: stays. Floats stay as well: fmin() means something else
 * for NaN. */
#include "compiler/model/value_names.h"
#include "compiler/passes.h"

/* Is it computed for the comparison and the choice alone? */
static bool is_passing(struct qn__unit *u, LLVMValueRef v, LLVMValueRef test, LLVMValueRef choice)
{
    if (!LLVMIsABinaryOperator(v) || qn__name_of(u, v).kind == QN__NAME_LOCAL)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (LLVMGetUser(use) != test && LLVMGetUser(use) != choice)
            return false;
    return true;
}

/* "smin" and so on of a choice by `a < b`; NULL for everything else. */
static const char *kind_of(LLVMIntPredicate p, bool takes_first)
{
    switch (p) {
    case LLVMIntSLT:
    case LLVMIntSLE: return takes_first ? "smin" : "smax";
    case LLVMIntSGT:
    case LLVMIntSGE: return takes_first ? "smax" : "smin";
    case LLVMIntULT:
    case LLVMIntULE: return takes_first ? "umin" : "umax";
    case LLVMIntUGT:
    case LLVMIntUGE: return takes_first ? "umax" : "umin";
    default: return NULL;
    }
}

static void recover(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef choice)
{
    const LLVMValueRef test = LLVMGetOperand(choice, 0);
    LLVMTypeRef t = LLVMTypeOf(choice);
    if (!LLVMIsAICmpInst(test) || LLVMGetTypeKind(t) != LLVMIntegerTypeKind ||
        !LLVMGetFirstUse(test) || LLVMGetNextUse(LLVMGetFirstUse(test)))
        return;
    const unsigned bits = LLVMGetIntTypeWidth(t);
    LLVMValueRef both[] = {LLVMGetOperand(test, 0), LLVMGetOperand(test, 1)};
    const LLVMValueRef x = LLVMGetOperand(choice, 1), y = LLVMGetOperand(choice, 2);
    const bool first = x == both[0] && y == both[1];
    const char *const kind = kind_of(LLVMGetICmpPredicate(test), first);
    if (!kind || (bits != 32 && bits != 64) || (!first && !(x == both[1] && y == both[0])) ||
        (!is_passing(u, both[0], test, choice) && !is_passing(u, both[1], test, choice)))
        return;
    LLVMTypeRef types[] = {t, t};
    const LLVMTypeRef type = LLVMFunctionType(t, types, 2, false);
    const char *const name = qn__text(u, "llvm.%s.i%u", kind, bits);
    LLVMValueRef f = LLVMGetNamedFunction(u->module, name);
    if (!f)
        f = LLVMAddFunction(u->module, name, type);
    LLVMPositionBuilderBefore(b, choice);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(choice));
    const LLVMValueRef call = LLVMBuildCall2(b, type, f, both, 2, "");
    size_t n;
    const char *const old = LLVMGetValueName2(choice, &n);
    const char *const kept = qn__text(u, "%s", old);
    LLVMReplaceAllUsesWith(choice, call);
    LLVMInstructionEraseFromParent(choice);
    LLVMInstructionEraseFromParent(test);
    LLVMSetValueName2(call, kept, n);
}

qn_status qn__recover_min_max(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                if (LLVMIsASelectInst(in))
                    recover(u, b, in);
            }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
