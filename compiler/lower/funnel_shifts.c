/* SPDX-License-Identifier: Apache-2.0
 *
 * Rotations, which LLVM makes and C has no operator for, and shifts of two words.
 *
 *     switch (rotate(x - 4, 29)) case 1:        switch (x) case 12:
 *         LLVM packs the cases of a switch on multiples of a power of two; the source's come back.
 *     fshl(x, x, n), fshr(x, x, n)              rotate(x, n), rotate(x, -n)
 *     fshl(a, b, n)                             a << (n & 31) | b >> 1 >> (~n & 31)
 *     fshr(a, b, n)                             a << 1 << (~n & 31) | b >> (n & 31)
 *     cttz(x)                                   qn_ctz_u32(x)
 */
#include "base/str.h"
#include "compiler/model/value_names.h"
#include "compiler/passes.h"

static bool is_funnel(LLVMValueRef in, bool *right)
{
    size_t n;
    const LLVMValueRef callee = LLVMIsACallInst(in) ? LLVMGetCalledValue(in) : NULL;
    const char *const name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
    *right = qn__starts_with(name, "llvm.fshr.i");
    return *right || qn__starts_with(name, "llvm.fshl.i");
}

static bool is_count(LLVMValueRef in)
{
    size_t n;
    const LLVMValueRef callee = LLVMIsACallInst(in) ? LLVMGetCalledValue(in) : NULL;
    return callee && LLVMIsAFunction(callee) &&
           qn__starts_with(LLVMGetValueName2(callee, &n), "llvm.cttz.i");
}

/* ---- switches ---- */

static uint64_t rotated_right(uint64_t x, unsigned by, unsigned bits)
{
    const uint64_t all = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    by %= bits;
    return by ? ((x >> by) | (x << (bits - by))) & all : x;
}

/* switch (fshl(x + a, x + a, n))  ->  switch (x) */
static bool undo_switch(LLVMValueRef call)
{
    const LLVMValueRef packed = LLVMGetOperand(call, 0), by = LLVMGetOperand(call, 2);
    const LLVMTypeRef t = LLVMTypeOf(call);
    if (packed != LLVMGetOperand(call, 1) || !LLVMIsAConstantInt(by) || !LLVMGetFirstUse(call))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use))
        if (!LLVMIsASwitchInst(LLVMGetUser(use)))
            return false;
    LLVMValueRef x = packed;
    uint64_t base = 0;
    if (LLVMIsABinaryOperator(x) && LLVMIsAConstantInt(LLVMGetOperand(x, 1))) {
        const uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(x, 1));
        const LLVMOpcode op = LLVMGetInstructionOpcode(x);
        base = op == LLVMSub ? n : op == LLVMAdd ? 0 - n : 0;
        x = op == LLVMSub || op == LLVMAdd ? LLVMGetOperand(x, 0) : x;
    }
    for (LLVMUseRef use; (use = LLVMGetFirstUse(call)) != NULL;) {
        const LLVMValueRef in = LLVMGetUser(use);
        for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(in); i += 2) {
            const uint64_t n =
                rotated_right(LLVMConstIntGetZExtValue(LLVMGetOperand(in, i)),
                              (unsigned)LLVMConstIntGetZExtValue(by), LLVMGetIntTypeWidth(t));
            LLVMSetOperand(in, i, LLVMConstInt(t, n + base, false));
        }
        LLVMSetOperand(in, 0, x);
    }
    LLVMInstructionEraseFromParent(call);
    return true;
}

/* ---- all others ---- */

static LLVMValueRef call_of(struct qn__unit *u, LLVMBuilderRef b, const char *name,
                            LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef types[2] = {LLVMTypeOf(args[0]), LLVMTypeOf(args[0])};
    const LLVMTypeRef type = LLVMFunctionType(types[0], types, n, false);
    LLVMValueRef f = LLVMGetNamedFunction(u->module, name);
    if (!f)
        f = LLVMAddFunction(u->module, name, type);
    return LLVMBuildCall2(b, type, f, args, n, "");
}

static LLVMValueRef rotated(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef n,
                            bool right)
{
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(x));
    if (LLVMIsAConstantInt(n)) {
        const uint64_t by = LLVMConstIntGetZExtValue(n) % bits;
        n = LLVMConstInt(LLVMTypeOf(x), right && by ? bits - by : by, false);
    } else if (right) {
        n = LLVMBuildNeg(b, n, "");
    }
    LLVMValueRef args[] = {x, n};
    return call_of(u, b, bits == 32 ? "__qn_ir_rotate_u32" : "__qn_ir_rotate_u64", args, 2);
}

static LLVMValueRef shifted(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef call, bool right)
{
    const LLVMValueRef x = LLVMGetOperand(call, 0), y = LLVMGetOperand(call, 1),
                       n = LLVMGetOperand(call, 2);
    const LLVMTypeRef t = LLVMTypeOf(call);
    const unsigned bits = LLVMGetIntTypeWidth(t);
    if (x == y && bits >= 32)
        return rotated(u, b, x, n, right);
    if (LLVMIsAConstantInt(n)) {
        const uint64_t by = LLVMConstIntGetZExtValue(n) % bits, left = right ? bits - by : by;
        if (by == 0)
            return right ? y : x;
        return LLVMBuildOr(b, LLVMBuildShl(b, x, LLVMConstInt(t, left, false), ""),
                           LLVMBuildLShr(b, y, LLVMConstInt(t, bits - left, false), ""), "");
    }
    const LLVMValueRef most = LLVMConstInt(t, bits - 1, false), one = LLVMConstInt(t, 1, false);
    const LLVMValueRef by = LLVMBuildAnd(b, n, most, ""), rest = LLVMBuildXor(b, by, most, "");
    const LLVMValueRef high =
        right ? LLVMBuildShl(b, LLVMBuildShl(b, x, one, ""), rest, "") : LLVMBuildShl(b, x, by, "");
    const LLVMValueRef low = right ? LLVMBuildLShr(b, y, by, "")
                                   : LLVMBuildLShr(b, LLVMBuildLShr(b, y, one, ""), rest, "");
    return LLVMBuildOr(b, high, low, "");
}

/* The zeros below the lowest one; of 0 as many as there are bits. */
static LLVMValueRef counted(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef call)
{
    const LLVMTypeRef t = LLVMTypeOf(call), word = LLVMInt32TypeInContext(u->context);
    const unsigned bits = LLVMGetIntTypeWidth(t);
    LLVMValueRef x = LLVMGetOperand(call, 0);
    if (bits >= 32)
        return call_of(u, b, bits == 32 ? "__qn_ir_ctz_u32" : "__qn_ir_ctz_u64", &x, 1);
    x = LLVMBuildOr(b, LLVMBuildZExt(b, x, word, ""),
                    LLVMConstInt(word, (uint64_t)1 << bits, false), "");
    return LLVMBuildTrunc(b, call_of(u, b, "__qn_ir_ctz_u32", &x, 1), t, "");
}

static void lower(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef in)
{
    bool right;
    const bool funnel = is_funnel(in, &right);
    if ((!funnel && !is_count(in)) || LLVMGetIntTypeWidth(LLVMTypeOf(in)) > 64 ||
        (funnel && !right && undo_switch(in)))
        return;
    LLVMPositionBuilderBefore(b, in);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(in));
    const LLVMValueRef v = funnel ? shifted(u, b, in, right) : counted(u, b, in);
    if (LLVMIsAInstruction(v))
        qn__name_like(u, v, in);
    LLVMReplaceAllUsesWith(in, v);
    LLVMInstructionEraseFromParent(in);
}

qn_status qn__funnel_shifts(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                lower(u, b, in);
            }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
