/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers of widths that C does not have: SROA keeps a bit-field of 40 bits as one. Cut to such a
 * width and widened at once, a value is masked or shifted.
 *
 *     zext (trunc i64 x to i40) to i64  ->  and x, 0xffffffffff
 *     sext (trunc i64 x to i40) to i64  ->  ashr (shl x, 24), 24
 *
 * What is done in between, and what lies in memory at such a width, is refused where it is printed
 * (types.c, convert.c). */
#include "compiler/lower.h"
#include "compiler/types.h"

static unsigned width(LLVMValueRef v)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

static bool is_odd_trunc(LLVMValueRef v)
{
    return LLVMIsATruncInst(v) && width(v) > 1 && !qn__width_is_c(width(v));
}

static LLVMValueRef resized(LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef to, bool is_signed)
{
    return LLVMBuildIntCast2(b, v, to, is_signed, "");
}

/* `in` widens or cuts further what was cut to an odd width: the same from what it was cut from. */
static LLVMValueRef from_whole(LLVMBuilderRef b, LLVMValueRef in)
{
    LLVMValueRef whole = LLVMGetOperand(in, 0);
    const unsigned bits = width(whole);
    const LLVMTypeRef to = LLVMTypeOf(in);
    while (is_odd_trunc(whole))
        whole = LLVMGetOperand(whole, 0);
    LLVMPositionBuilderBefore(b, in);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(in));
    if (LLVMIsATruncInst(in))
        return resized(b, whole, to, false);
    if (LLVMIsAZExtInst(in)) {
        const LLVMValueRef mask = LLVMConstInt(to, ((uint64_t)1 << bits) - 1, false);
        return LLVMBuildAnd(b, resized(b, whole, to, false), mask, "");
    }
    const LLVMValueRef by = LLVMConstInt(LLVMTypeOf(whole), width(whole) - bits, false);
    return resized(b, LLVMBuildAShr(b, LLVMBuildShl(b, whole, by, ""), by, ""), to, true);
}

static bool can_take_whole(LLVMValueRef in)
{
    if (!LLVMIsAZExtInst(in) && !LLVMIsASExtInst(in) && !LLVMIsATruncInst(in))
        return false;
    LLVMValueRef whole = LLVMGetOperand(in, 0);
    if (!is_odd_trunc(whole) || !qn__width_is_c(width(in)))
        return false;
    while (is_odd_trunc(whole))
        whole = LLVMGetOperand(whole, 0);
    return qn__width_is_c(width(whole));
}

void qn__widths_settle(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                if (!can_take_whole(in))
                    continue;
                LLVMReplaceAllUsesWith(in, from_whole(b, in));
                LLVMInstructionEraseFromParent(in);
            }
    LLVMDisposeBuilder(b);
}
