/* SPDX-License-Identifier: Apache-2.0
 *
 * Signed overflow: C++ and OpenCL C leave it undefined, NVIDIA's instructions wrap.
 *
 *     int h = x * 31 + 7; long long o = h;      int h = (int)((uint)x * 31 + 7);
 *     int h = x * 31 + 7; *p = h;               as it is: the same bits
 *     int i = threadIdx.x * 4 + 1; o = i;       as it is: it cannot overflow
 *
 * clang says with a flag which operations are signed. LLVM's passes would use it, so it becomes a
 * note until they can do no harm. Then it is decided for each: where nobody sees an overflow
 * (overflow_uses.c), or there is none (int_range.c), the flag comes back, and the text is the
 * source's. Where it does not, expr.c prints arithmetic that wraps. */
#include "base/str.h"
#include "compiler/lower/overflow_results.h"
#include "compiler/lower/overflow_uses.h"
#include "compiler/lower/signs.h"
#include "compiler/model/value_names.h"
#include "compiler/passes.h"

static bool is_signed_operation(LLVMValueRef in)
{
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: return true;
    default: return false;
    }
}

/* abs(), and counts of zeros: some of their operands say that a number is not the smallest, or not
 * 0, and that the result is anything else. */
static void define_all(LLVMValueRef in)
{
    static const char *const names[] = {"llvm.abs.", "llvm.ctlz.", "llvm.cttz."};
    size_t n;
    const LLVMValueRef callee = LLVMGetCalledValue(in);
    const char *const name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (qn__starts_with(name, names[i]))
            LLVMSetOperand(in, 1, LLVMConstNull(LLVMTypeOf(LLVMGetOperand(in, 1))));
}

qn_status qn__hide_overflow(struct qn__unit *u)
{
    const unsigned kind = qn__signed_note(u);
    const LLVMValueRef note =
        LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, NULL, 0));
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
                if (is_signed_operation(in) && LLVMGetNSW(in)) {
                    LLVMSetNSW(in, false);
                    LLVMSetMetadata(in, kind, note);
                } else if (LLVMIsACallInst(in)) {
                    define_all(in);
                }
    return QN_OK;
}

static void settle(struct qn__unit *u, struct qn__map *known, LLVMValueRef in, unsigned kind)
{
    const LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(in));
    struct qn__int_facts *const facts = qn__int_facts_of(u, known, function);
    LLVMSetMetadata(in, kind, NULL);
    LLVMSetNSW(in, !qn__overflow_is_seen(facts, in) || !qn__may_overflow(facts, in));
}

/* abs(x): may x be the smallest integer, and would somebody see it? */
static void settle_abs(struct qn__unit *u, struct qn__map *known, LLVMValueRef call)
{
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(call));
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(call);
    LLVMTypeRef t = LLVMTypeOf(call);
    LLVMValueRef x = LLVMGetOperand(call, 0);
    struct qn__int_facts *const facts = qn__int_facts_of(u, known, LLVMGetBasicBlockParent(at));
    const struct qn__int_range r = qn__int_range(facts, x, false, at);
    if ((bits != 32 && bits != 64) || r.low > qn__range_whole(bits, false).low)
        return;
    if (r.high == r.low) { /* which has no low bits either */
        LLVMReplaceAllUsesWith(call, x);
        LLVMInstructionEraseFromParent(call);
        return;
    }
    if (!qn__overflow_is_seen(facts, call))
        return;
    const LLVMTypeRef type = LLVMFunctionType(t, &t, 1, false);
    const char *const name = bits == 32 ? "__qn_ir_abs_i32" : "__qn_ir_abs_i64";
    LLVMValueRef f = LLVMGetNamedFunction(u->module, name);
    if (!f)
        f = LLVMAddFunction(u->module, name, type);
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    const LLVMValueRef wraps = LLVMBuildCall2(b, type, f, &x, 1, "");
    qn__name_like(u, wraps, call);
    LLVMReplaceAllUsesWith(call, wraps);
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
}

qn_status qn__settle_overflow(struct qn__unit *u)
{
    const unsigned kind = qn__signed_note(u);
    struct qn__map known = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                if (is_signed_operation(in) && LLVMGetMetadata(in, kind))
                    settle(u, &known, in, kind);
                else if (qn__is_abs(in))
                    settle_abs(u, &known, in);
            }
    return QN_OK;
}
