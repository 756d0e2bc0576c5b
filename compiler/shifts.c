/* SPDX-License-Identifier: Apache-2.0
 *
 * Shift counts: C++ leaves a count of the type's width or more undefined, NVIDIA's hardware gives 0
 * (the sign, to the right), which CUDA code relies on, and OpenCL C takes the count modulo the
 * width.
 *
 *     x << n, x >> n    count below the width  ->  the same
 *                       not known              ->  n < 32 ? x << n : 0
 *     x >> n, signed    not known              ->  x >> min(n, 31u)
 *
 * Inlining folds a shift by a constant that is too large into nothing at all, so until then a
 * doubtful shift is a call that LLVM does not know. What is known after it LLVM says: in a copy of
 * the module each count's comparison is a probe, and what its passes make true holds. The passes
 * never see the module itself, whose loops they would blur.
 */
#include "compiler/lower.h"

#include <string.h>

/* Does control get from one block to another without passing a third? */
static bool reaches(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef without)
{
    enum { MOST_BLOCKS = 256 }; /* beyond that: perhaps */
    LLVMBasicBlockRef seen[MOST_BLOCKS] = {from};
    unsigned n = from != without;
    for (unsigned i = 0; i < n; i++) {
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[i]);
        if (seen[i] == to)
            return true;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            const LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
            unsigned known = 0;
            while (known < n && seen[known] != next)
                known++;
            if (known < n || next == without)
                continue;
            if (n == MOST_BLOCKS)
                return true;
            seen[n++] = next;
        }
    }
    return false;
}

static uint64_t most(LLVMValueRef v, LLVMBasicBlockRef at, int depth);

/* The counter of for (i = start; i < end; i += step), numbers all but the start: the largest it
 * has in block `at`, in the loop or behind it. UINT32_MAX when it is not of that form. */
static uint64_t most_of_counter(LLVMValueRef phi, LLVMBasicBlockRef at, int depth)
{
    const LLVMBasicBlockRef header = LLVMGetInstructionParent(phi);
    const LLVMValueRef branch = LLVMGetBasicBlockTerminator(header);
    const LLVMValueRef test = LLVMGetNumSuccessors(branch) == 2 ? LLVMGetCondition(branch) : NULL;
    if (LLVMCountIncoming(phi) != 2 || !test || !LLVMIsAICmpInst(test) ||
        LLVMGetOperand(test, 0) != phi || !LLVMIsAConstantInt(LLVMGetOperand(test, 1)))
        return UINT32_MAX;
    const LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    for (unsigned i = 0; i < 2; i++) {
        const LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd ||
            LLVMGetOperand(next, 0) != phi || !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
            continue;
        const uint64_t start = most(LLVMGetIncomingValue(phi, 1 - i), at, depth - 1),
                       end = LLVMConstIntGetZExtValue(LLVMGetOperand(test, 1)),
                       step = LLVMConstIntGetZExtValue(LLVMGetOperand(next, 1));
        const bool stays_below = p == LLVMIntULT || p == LLVMIntSLT;
        if (!stays_below || start > INT16_MAX || end > INT16_MAX || step > INT16_MAX ||
            reaches(LLVMGetSuccessor(branch, 1), LLVMGetIncomingBlock(phi, i), header))
            return UINT32_MAX;
        if (at != header && end && !reaches(LLVMGetSuccessor(branch, 1), at, header))
            return end - 1; /* whoever comes there has passed the test */
        return end - 1 + step > start ? end - 1 + step : start;
    }
    return UINT32_MAX;
}

/* The largest unsigned value `v` can have, as far as the few instructions before it tell. */
static uint64_t most(LLVMValueRef v, LLVMBasicBlockRef at, int depth)
{
    const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    const uint64_t all = width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
    if (LLVMIsAConstantInt(v) && width <= 64)
        return LLVMConstIntGetZExtValue(v);
    if (depth == 0 || width > 64 || !LLVMIsAInstruction(v))
        return all;
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMPHI) {
        const uint64_t a = most_of_counter(v, at, depth);
        return a < all ? a : all;
    }
    if (op == LLVMSelect) {
        const uint64_t a = most(LLVMGetOperand(v, 1), at, depth - 1),
                       b = most(LLVMGetOperand(v, 2), at, depth - 1);
        return a > b ? a : b;
    }
    if (op == LLVMZExt || op == LLVMTrunc) {
        const LLVMValueRef from = LLVMGetOperand(v, 0);
        const uint64_t a =
            LLVMGetIntTypeWidth(LLVMTypeOf(from)) <= 64 ? most(from, at, depth - 1) : all;
        return a < all ? a : all;
    }
    if (op != LLVMAnd && op != LLVMURem && op != LLVMUDiv && op != LLVMLShr && op != LLVMShl &&
        op != LLVMAdd && op != LLVMMul)
        return all;
    const uint64_t a = most(LLVMGetOperand(v, 0), at, depth - 1),
                   b = most(LLVMGetOperand(v, 1), at, depth - 1);
    if ((op == LLVMShl || op == LLVMAdd || op == LLVMMul) && (a > UINT32_MAX || b > UINT32_MAX))
        return all;
    uint64_t m; /* of 32-bit numbers: no sum or product leaves 64 bits */
    switch (op) {
    case LLVMAnd: return a < b ? a : b;
    case LLVMURem: return b && b - 1 < a ? b - 1 : a;
    case LLVMUDiv: return LLVMIsAConstantInt(LLVMGetOperand(v, 1)) && b ? a / b : a;
    case LLVMLShr: return LLVMIsAConstantInt(LLVMGetOperand(v, 1)) && b < 64 ? a >> b : a;
    case LLVMShl: m = b < width && b < 32 ? a << b : all; break;
    case LLVMAdd: m = a + b; break;
    default: m = a * b; break;
    }
    return m < all ? m : all;
}

/* The type's width when the count may be too large, else 0. */
static unsigned doubtful_width(LLVMValueRef in)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    if ((op != LLVMShl && op != LLVMLShr && op != LLVMAShr) ||
        LLVMGetTypeKind(LLVMTypeOf(in)) != LLVMIntegerTypeKind)
        return 0;
    const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(in));
    enum { STEPS = 10 };
    return most(LLVMGetOperand(in, 1), LLVMGetInstructionParent(in), STEPS) < width ? 0 : width;
}

static LLVMValueRef in_range(LLVMBuilderRef b, LLVMValueRef shift, unsigned width)
{
    const LLVMValueRef count = LLVMGetOperand(shift, 1);
    return LLVMBuildICmp(b, LLVMIntULT, count, LLVMConstInt(LLVMTypeOf(count), width, false), "");
}

/* ---- out of LLVM's sight until inlining is done ---- */

#define HIDDEN "__qn_shift"
static const struct {
    LLVMOpcode op;
    const char *name;
} kinds[] = {{LLVMShl, ".shl."}, {LLVMLShr, ".lshr."}, {LLVMAShr, ".ashr."}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* x << n  ->  __qn_shift.shl.i32(x, n) */
static void hide(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef in, unsigned width)
{
    const LLVMTypeRef t = LLVMTypeOf(in);
    LLVMTypeRef parts[] = {t, t};
    const LLVMTypeRef type = LLVMFunctionType(t, parts, 2, false);
    unsigned k = 0;
    while (kinds[k].op != LLVMGetInstructionOpcode(in))
        k++;
    const char *const name = qn__text(u, HIDDEN "%si%u", kinds[k].name, width);
    LLVMValueRef f = LLVMGetNamedFunction(u->module, name);
    if (!f)
        f = LLVMAddFunction(u->module, name, type);
    LLVMValueRef args[] = {LLVMGetOperand(in, 0), LLVMGetOperand(in, 1)};
    LLVMPositionBuilderBefore(b, in);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(in));
    LLVMReplaceAllUsesWith(in, LLVMBuildCall2(b, type, f, args, 2, ""));
    LLVMInstructionEraseFromParent(in);
}

void qn__shifts_hide(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                const unsigned width = doubtful_width(in);
                if (width)
                    hide(u, b, in, width);
            }
    LLVMDisposeBuilder(b);
}

/* The shift again; a constant count gives its result at once. */
static void reveal(LLVMBuilderRef b, LLVMValueRef call, LLVMOpcode op)
{
    const LLVMValueRef x = LLVMGetOperand(call, 0);
    const LLVMTypeRef t = LLVMTypeOf(call);
    const unsigned width = LLVMGetIntTypeWidth(t);
    LLVMValueRef n = LLVMGetOperand(call, 1), v;
    const bool over = LLVMIsAConstantInt(n) && LLVMConstIntGetZExtValue(n) >= width;
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    if (over && op != LLVMAShr)
        v = LLVMConstNull(t);
    else
        v = LLVMBuildBinOp(b, op, x, over ? LLVMConstInt(t, width - 1, false) : n, "");
    LLVMReplaceAllUsesWith(call, v);
    LLVMInstructionEraseFromParent(call);
}

static void reveal_all(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module), next; f; f = next) {
        size_t n;
        const char *const name = LLVMGetValueName2(f, &n);
        next = LLVMGetNextFunction(f);
        if (!qn__starts_with(name, HIDDEN))
            continue;
        unsigned k = 0;
        while (k + 1 < N_KINDS && !strstr(name, kinds[k].name))
            k++;
        for (LLVMUseRef use; (use = LLVMGetFirstUse(f)) != NULL;)
            reveal(b, LLVMGetUser(use), kinds[k].op);
        LLVMDeleteFunction(f);
    }
    LLVMDisposeBuilder(b);
}

/* ---- what is known ---- */

/* Before each doubtful shift a call of `probe` with its number and the comparison; how many. */
static unsigned add_probes(LLVMModuleRef m, LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef probe)
{
    unsigned n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in;
                 in = LLVMGetNextInstruction(in)) {
                const unsigned width = doubtful_width(in);
                if (!width)
                    continue;
                LLVMPositionBuilderBefore(b, in);
                LLVMValueRef args[] = {
                    LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(m)), n++, false),
                    in_range(b, in, width)};
                LLVMBuildCall2(b, type, probe, args, 2, "");
            }
    return n;
}

static bool any_doubtful(LLVMModuleRef m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
                if (doubtful_width(in))
                    return true;
    return false;
}

/* doubtful[i]: LLVM cannot tell that the count of the module's shift number i is in range */
static qn_status ask(struct qn__unit *u, bool **doubtful)
{
    LLVMTypeRef parts[] = {LLVMInt32TypeInContext(u->context), LLVMInt1TypeInContext(u->context)};
    const LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(u->context), parts, 2, false);
    const LLVMModuleRef copy = LLVMCloneModule(u->module);
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    const LLVMValueRef probe = LLVMAddFunction(copy, "__qn_count_in_range", type);
    const unsigned n = add_probes(copy, b, type, probe);
    qn_status s = QN_OK;
    *doubtful = n ? QN__NEED_ARRAY(u, bool, n) : NULL;
    if (n)
        s = qn__passes_run(
            copy, "function(early-cse,simplifycfg,early-cse,correlated-propagation,instcombine<no-"
                  "verify-fixpoint>,"
                  "loop-simplify,lcssa,loop(loop-rotate),loop(indvars),correlated-propagation)");
    for (LLVMUseRef use = LLVMGetFirstUse(probe); use && s == QN_OK; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use), c = LLVMGetOperand(call, 1);
        const uint64_t i = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
        (*doubtful)[i] |= !LLVMIsAConstantInt(c) || LLVMConstIntGetZExtValue(c) == 0;
    }
    LLVMDisposeBuilder(b);
    LLVMDisposeModule(copy);
    return s;
}

static void guard(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef in, unsigned width)
{
    const LLVMTypeRef t = LLVMTypeOf(in);
    const LLVMValueRef next = LLVMGetNextInstruction(in);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(in));
    if (LLVMGetInstructionOpcode(in) == LLVMAShr) {
        LLVMPositionBuilderBefore(b, in);
        LLVMTypeRef args[] = {t, t};
        const LLVMTypeRef type = LLVMFunctionType(t, args, 2, false);
        const char *const name = qn__text(u, "llvm.umin.i%u", width);
        LLVMValueRef umin = LLVMGetNamedFunction(u->module, name);
        if (!umin)
            umin = LLVMAddFunction(u->module, name, type);
        LLVMValueRef counts[] = {LLVMGetOperand(in, 1), LLVMConstInt(t, width - 1, false)};
        LLVMSetOperand(in, 1, LLVMBuildCall2(b, type, umin, counts, 2, ""));
        return;
    }
    LLVMPositionBuilderBefore(b, next);
    const LLVMValueRef fits = in_range(b, in, width);
    const LLVMValueRef v = LLVMBuildSelect(b, fits, in, LLVMConstNull(t), "");
    LLVMReplaceAllUsesWith(in, v);
    if (LLVMIsASelectInst(v))
        LLVMSetOperand(v, 1, in);
}

qn_status qn__shifts_guard(struct qn__unit *u)
{
    bool *doubtful;
    unsigned i = 0;
    reveal_all(u);
    if (!any_doubtful(u->module))
        return QN_OK;
    QN_TRY(ask(u, &doubtful));
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                const unsigned width = doubtful_width(in);
                if (width && doubtful[i++])
                    guard(u, b, in, width);
            }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
