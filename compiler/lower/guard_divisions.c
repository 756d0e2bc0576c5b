/* SPDX-License-Identifier: Apache-2.0
 *
 * Division and remainder: C++ and OpenCL C leave a divisor of 0, and the smallest integer divided
 * by -1, undefined; a compiler then takes it that the divisor is not 0, and a processor may trap.
 * NVIDIA's code gives a number for each: all bits one for 0, and for -1 what wraps.
 *
 *     n / d, n % d     d can be neither      ->  the same
 *                      not known             ->  qn_div_i32(n, d), qn_rem_i32(n, d)
 *     n / -1           a constant            ->  -n, which wraps
 *
 * LLVM's own instruction would take a later test of the divisor away, so until LLVM's passes have
 * run a doubtful division is a call that it does not know. What is known about a divisor is looked
 * up when everything is inlined (int_range.c). */
#include "compiler/core/attributes.h"
#include "compiler/lower/int_range.h"
#include "compiler/model/value_names.h"
#include "compiler/passes.h"

static const struct {
    LLVMOpcode op;
    unsigned bits;
    const char *name;
} divisions[] = {
    {LLVMSDiv, 32, "__qn_ir_div_i32"}, {LLVMUDiv, 32, "__qn_ir_div_u32"},
    {LLVMSRem, 32, "__qn_ir_rem_i32"}, {LLVMURem, 32, "__qn_ir_rem_u32"},
    {LLVMSDiv, 64, "__qn_ir_div_i64"}, {LLVMUDiv, 64, "__qn_ir_div_u64"},
    {LLVMSRem, 64, "__qn_ir_rem_i64"}, {LLVMURem, 64, "__qn_ir_rem_u64"},
};
enum { N_DIVISIONS = sizeof divisions / sizeof *divisions };

static bool is_division(LLVMValueRef in)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    return op == LLVMSDiv || op == LLVMUDiv || op == LLVMSRem || op == LLVMURem;
}

static bool is_signed(LLVMOpcode op)
{
    return op == LLVMSDiv || op == LLVMSRem;
}

/* A constant that neither sign of division minds, in all elements of a vector. */
static bool is_plain_divisor(LLVMValueRef d, bool is_signed_)
{
    if (LLVMIsAConstantInt(d))
        return !LLVMIsNull(d) && !(is_signed_ && LLVMConstIntGetSExtValue(d) == -1);
    if (LLVMGetTypeKind(LLVMTypeOf(d)) != LLVMVectorTypeKind || !LLVMIsAConstant(d))
        return false;
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(d)); i++) {
        const LLVMValueRef e = LLVMGetAggregateElement(d, i);
        if (!e || !LLVMIsAConstantInt(e) || !is_plain_divisor(e, is_signed_))
            return false;
    }
    return true;
}

static void place_before(LLVMBuilderRef b, LLVMValueRef in)
{
    LLVMPositionBuilderBefore(b, in);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(in));
}

/* n / d  ->  __qn_ir_div_i32(n, d); narrower ones by way of 32 bits. NULL: of a width that is
 * refused later. */
static LLVMValueRef hidden(struct qn__unit *u, LLVMBuilderRef b, LLVMOpcode op, LLVMValueRef n,
                           LLVMValueRef d)
{
    const LLVMTypeRef t = LLVMTypeOf(n);
    const unsigned own = LLVMGetIntTypeWidth(t), bits = own <= 32 ? 32 : 64;
    const LLVMTypeRef wide = LLVMIntTypeInContext(u->context, bits);
    LLVMTypeRef types[] = {wide, wide};
    const LLVMTypeRef type = LLVMFunctionType(wide, types, 2, false);
    unsigned k = 0;
    if (own > 64)
        return NULL;
    while (divisions[k].op != op || divisions[k].bits != bits)
        k++;
    LLVMValueRef args[] = {n, d};
    for (unsigned i = 0; i < 2 && own < bits; i++)
        args[i] = is_signed(op) ? LLVMBuildSExt(b, args[i], wide, "")
                                : LLVMBuildZExt(b, args[i], wide, "");
    const LLVMValueRef call =
        LLVMBuildCall2(b, type, qn__pure_function(u, divisions[k].name, type), args, 2, "");
    return own < bits ? LLVMBuildTrunc(b, call, t, "") : call;
}

static void hide(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef in)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    const LLVMValueRef n = LLVMGetOperand(in, 0), d = LLVMGetOperand(in, 1);
    const LLVMTypeRef t = LLVMTypeOf(in);
    LLVMValueRef v = NULL;
    place_before(b, in);
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind) {
        v = hidden(u, b, op, n, d);
    } else if (LLVMGetIntTypeWidth(LLVMGetElementType(t)) <= 64) {
        v = LLVMGetUndef(t);
        for (unsigned i = 0; i < LLVMGetVectorSize(t); i++) {
            const LLVMValueRef at = LLVMConstInt(LLVMInt32TypeInContext(u->context), i, false);
            v = LLVMBuildInsertElement(b, v,
                                       hidden(u, b, op, LLVMBuildExtractElement(b, n, at, ""),
                                              LLVMBuildExtractElement(b, d, at, "")),
                                       at, "");
        }
    }
    if (!v)
        return;
    LLVMReplaceAllUsesWith(in, v);
    LLVMInstructionEraseFromParent(in);
}

qn_status qn__hide_divisions(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                if (is_division(in) && !is_plain_divisor(LLVMGetOperand(in, 1),
                                                         is_signed(LLVMGetInstructionOpcode(in))))
                    hide(u, b, in);
            }
    LLVMDisposeBuilder(b);
    return QN_OK;
}

/* ---- after inlining ---- */

static void replace(struct qn__unit *u, LLVMValueRef call, LLVMValueRef by)
{
    if (LLVMIsAInstruction(by) && qn__name_of(u, by).kind == QN__NAME_NONE)
        qn__name_like(u, by, call);
    LLVMReplaceAllUsesWith(call, by);
    LLVMInstructionEraseFromParent(call);
}

/* By a constant 0 or -1. NULL: by another. */
static LLVMValueRef by_constant(LLVMBuilderRef b, LLVMOpcode op, LLVMValueRef n, LLVMValueRef d)
{
    if (!LLVMIsAConstantInt(d))
        return NULL;
    if (LLVMIsNull(d))
        return LLVMConstAllOnes(LLVMTypeOf(n));
    if (!is_signed(op) || LLVMConstIntGetSExtValue(d) != -1)
        return NULL;
    return op == LLVMSDiv ? LLVMBuildNeg(b, n, "") : LLVMConstNull(LLVMTypeOf(n));
}

/* Can the operands be none of those that C leaves undefined? */
static bool is_safe(struct qn__int_facts *f, LLVMValueRef call, unsigned k)
{
    const bool sign = is_signed(divisions[k].op);
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(call);
    const struct qn__int_range d = qn__int_range(f, LLVMGetOperand(call, 1), !sign, at);
    if (d.zero || !sign || !d.minus_one)
        return !d.zero;
    return qn__int_range(f, LLVMGetOperand(call, 0), false, at).low >
           qn__range_whole(divisions[k].bits, false).low;
}

static void settle(struct qn__unit *u, LLVMBuilderRef b, struct qn__map *facts, LLVMValueRef call,
                   unsigned k)
{
    const LLVMOpcode op = divisions[k].op;
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(call);
    const LLVMValueRef n = LLVMGetOperand(call, 0), d = LLVMGetOperand(call, 1);
    place_before(b, call);
    const LLVMValueRef known = by_constant(b, op, n, d);
    if (known) {
        replace(u, call, known);
        return;
    }
    if (is_safe(qn__int_facts_of(u, facts, LLVMGetBasicBlockParent(at)), call, k))
        replace(u, call, LLVMBuildBinOp(b, op, n, d, ""));
}

qn_status qn__settle_divisions(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    struct qn__map facts = {0};
    for (unsigned k = 0; k < N_DIVISIONS; k++) {
        const LLVMValueRef f = LLVMGetNamedFunction(u->module, divisions[k].name);
        for (LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next; use; use = next) {
            next = LLVMGetNextUse(use);
            settle(u, b, &facts, LLVMGetUser(use), k);
        }
    }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
