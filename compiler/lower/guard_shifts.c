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
 * A vector is shifted by a vector of counts, each of which is held to the same:
 *
 *     v << n, v >> n    not known              ->  v << min(n, 31u) << min(n, 32u) - min(n, 31u)
 *
 * Inlining folds a shift by a constant that is too large into nothing at all, so until then a
 * doubtful shift is a call that LLVM does not know. After it, LLVM is asked: in a copy of the
 * module the comparison of each count with the width is a call's argument, and where LLVM's passes
 * fold it to true the count is in range. Those passes never see the module itself, whose loops they
 * would blur.
 */
#include "compiler/lower/llvm_passes.h"
#include "compiler/passes.h"

#include <assert.h>
#include <string.h>

enum { MOST_ELEMENTS = 16 }; /* of OpenCL C's vectors */

/* An integer type or a vector of one: how wide the integer is. 0: another type. */
static unsigned width_of(LLVMTypeRef t)
{
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
        t = LLVMGetElementType(t);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

static bool is_vector(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

/* The same number in each element. */
static LLVMValueRef number(LLVMTypeRef t, uint64_t n)
{
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind)
        return LLVMConstInt(t, n, false);
    LLVMValueRef parts[MOST_ELEMENTS];
    const unsigned count = LLVMGetVectorSize(t);
    assert(count <= MOST_ELEMENTS);
    for (unsigned i = 0; i < count; i++)
        parts[i] = LLVMConstInt(LLVMGetElementType(t), n, false);
    return LLVMConstVector(parts, count);
}

/* Is there a path from one block to another that does not pass a third? */
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
 * has in block `at`, in the loop or after it. UINT32_MAX when it is not of that form. */
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
            return end - 1; /* to get there, the test must have been true */
        return end - 1 + step > start ? end - 1 + step : start;
    }
    return UINT32_MAX;
}

/* The largest element of a vector that is put together from scalars, or of a constant one. */
static uint64_t most_of_elements(LLVMValueRef v, LLVMBasicBlockRef at, int depth)
{
    uint64_t a = 0;
    if (LLVMIsAInsertElementInst(v)) {
        const LLVMValueRef rest = LLVMGetOperand(v, 0);
        a = most(LLVMGetOperand(v, 1), at, depth - 1);
        const uint64_t b = LLVMIsUndef(rest) ? 0 : most(rest, at, depth - 1);
        return a > b ? a : b;
    }
    if (LLVMIsAShuffleVectorInst(v) && LLVMIsUndef(LLVMGetOperand(v, 1)))
        return most(LLVMGetOperand(v, 0), at, depth - 1);
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(v)); i++) {
        const LLVMValueRef e = LLVMIsAConstant(v) ? LLVMGetAggregateElement(v, i) : NULL;
        if (!e || !LLVMIsAConstantInt(e))
            return UINT64_MAX;
        a = LLVMConstIntGetZExtValue(e) > a ? LLVMConstIntGetZExtValue(e) : a;
    }
    return a;
}

/* The smallest element of a constant. 0: of what is no constant, too. */
static uint64_t least_constant(LLVMValueRef v)
{
    uint64_t a = UINT64_MAX;
    if (LLVMIsAConstantInt(v))
        return LLVMConstIntGetZExtValue(v);
    for (unsigned i = 0; is_vector(v) && i < LLVMGetVectorSize(LLVMTypeOf(v)); i++) {
        const LLVMValueRef e = LLVMIsAConstant(v) ? LLVMGetAggregateElement(v, i) : NULL;
        const uint64_t n = e && LLVMIsAConstantInt(e) ? LLVMConstIntGetZExtValue(e) : 0;
        a = n < a ? n : a;
    }
    return is_vector(v) ? a : 0;
}

/* The largest unsigned value `v`, or any element of it, can have, as far as a few instructions
 * before it show. */
static uint64_t most(LLVMValueRef v, LLVMBasicBlockRef at, int depth)
{
    const unsigned width = width_of(LLVMTypeOf(v));
    const uint64_t all = width >= 64 || !width ? UINT64_MAX : ((uint64_t)1 << width) - 1;
    if (LLVMIsAConstantInt(v) && width <= 64)
        return LLVMConstIntGetZExtValue(v);
    if (depth == 0 || !width || width > 64)
        return all;
    if (is_vector(v) &&
        (LLVMIsAConstant(v) || LLVMIsAInsertElementInst(v) || LLVMIsAShuffleVectorInst(v))) {
        const uint64_t a = most_of_elements(v, at, depth);
        return a < all ? a : all;
    }
    if (!LLVMIsAInstruction(v))
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
        const uint64_t a = width_of(LLVMTypeOf(from)) <= 64 ? most(from, at, depth - 1) : all;
        return a < all ? a : all;
    }
    if (op != LLVMAnd && op != LLVMURem && op != LLVMUDiv && op != LLVMLShr && op != LLVMShl &&
        op != LLVMAdd && op != LLVMSub && op != LLVMMul && op != LLVMSDiv)
        return all;
    const uint64_t a = most(LLVMGetOperand(v, 0), at, depth - 1),
                   b = most(LLVMGetOperand(v, 1), at, depth - 1);
    if ((op == LLVMShl || op == LLVMAdd || op == LLVMMul) && (a > UINT32_MAX || b > UINT32_MAX))
        return all;
    uint64_t m; /* of 32-bit numbers: no sum or product leaves 64 bits */
    switch (op) {
    case LLVMAnd: return a < b ? a : b;
    case LLVMURem: return b && b - 1 < a ? b - 1 : a;
    case LLVMSDiv: /* of numbers that are not negative */
        return LLVMIsAConstantInt(LLVMGetOperand(v, 1)) && b && (a | b) <= all / 2 ? a / b : all;
    case LLVMUDiv: return LLVMIsAConstantInt(LLVMGetOperand(v, 1)) && b ? a / b : a;
    case LLVMLShr: return LLVMIsAConstantInt(LLVMGetOperand(v, 1)) && b < 64 ? a >> b : a;
    case LLVMShl: m = b < width && b < 32 ? a << b : all; break;
    case LLVMAdd: m = a + b; break;
    case LLVMSub: return least_constant(LLVMGetOperand(v, 0)) >= b ? a : all;
    default: m = a * b; break;
    }
    return m < all ? m : all;
}

/* The type's width when the count may be too large, else 0. */
static unsigned doubtful_width(LLVMValueRef in)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    if (op != LLVMShl && op != LLVMLShr && op != LLVMAShr)
        return 0;
    const unsigned width = width_of(LLVMTypeOf(in));
    enum { STEPS = 10 };
    if ((width > 64 && width != 128) ||
        (is_vector(in) && LLVMGetVectorSize(LLVMTypeOf(in)) > MOST_ELEMENTS))
        return 0; /* no type of OpenCL C: refused later */
    return most(LLVMGetOperand(in, 1), LLVMGetInstructionParent(in), STEPS) < width ? 0 : width;
}

static LLVMValueRef in_range(LLVMBuilderRef b, LLVMValueRef shift, unsigned width)
{
    const LLVMValueRef count = LLVMGetOperand(shift, 1);
    return LLVMBuildICmp(b, LLVMIntULT, count, number(LLVMTypeOf(count), width), "");
}

/* ---- out of LLVM's sight until inlining is done ---- */

#define HIDDEN "__qn_shift"
#define PROBE  "__qn_count_in_range"
static const struct {
    LLVMOpcode op;
    const char *name;
} kinds[] = {{LLVMShl, ".shl."}, {LLVMLShr, ".lshr."}, {LLVMAShr, ".ashr."}};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* "i32", "v4i32", as LLVM's intrinsics have it. */
static const char *type_suffix(struct qn__unit *u, LLVMTypeRef t)
{
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
        return qn__text(u, "v%ui%u", LLVMGetVectorSize(t), width_of(t));
    return qn__text(u, "i%u", width_of(t));
}

/* x << n  ->  __qn_shift.shl.i32(x, n) */
static void hide(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef in)
{
    const LLVMTypeRef t = LLVMTypeOf(in);
    LLVMTypeRef parts[] = {t, t};
    const LLVMTypeRef type = LLVMFunctionType(t, parts, 2, false);
    unsigned k = 0;
    while (kinds[k].op != LLVMGetInstructionOpcode(in))
        k++;
    const char *const name = qn__text(u, HIDDEN "%s%s", kinds[k].name, type_suffix(u, t));
    LLVMValueRef f = LLVMGetNamedFunction(u->module, name);
    if (!f)
        f = LLVMAddFunction(u->module, name, type);
    LLVMValueRef args[] = {LLVMGetOperand(in, 0), LLVMGetOperand(in, 1)};
    LLVMPositionBuilderBefore(b, in);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(in));
    LLVMReplaceAllUsesWith(in, LLVMBuildCall2(b, type, f, args, 2, ""));
    LLVMInstructionEraseFromParent(in);
}

/* clang folds a shift of a constant by too much into poison before any pass sees it: 0, as on the
 * hardware where the constant is not negative. */
static void replace_poison(LLVMValueRef in)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(in); i++) {
        const LLVMValueRef v = LLVMGetOperand(in, i);
        if (LLVMIsPoison(v) && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind)
            LLVMSetOperand(in, i, LLVMConstNull(LLVMTypeOf(v)));
    }
}

qn_status qn__hide_shifts(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                replace_poison(in);
                if (doubtful_width(in))
                    hide(u, b, in);
            }
    LLVMDisposeBuilder(b);
    return QN_OK;
}

/* A constant count that is too large, in any element? */
static bool is_over(LLVMValueRef n, unsigned width)
{
    return LLVMIsAConstant(n) && most(n, NULL, 1) >= width;
}

/* min(n, limit) */
static LLVMValueRef at_most(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef n, uint64_t limit)
{
    const LLVMTypeRef t = LLVMTypeOf(n);
    const LLVMValueRef last = number(t, limit);
    if (LLVMIsAConstant(n))
        return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, n, last, ""), n, last, "");
    LLVMTypeRef types[] = {t, t};
    LLVMValueRef counts[] = {n, last};
    const LLVMTypeRef type = LLVMFunctionType(t, types, 2, false);
    const char *const name = qn__text(u, "llvm.umin.%s", type_suffix(u, t));
    LLVMValueRef umin = LLVMGetNamedFunction(u->module, name);
    if (!umin)
        umin = LLVMAddFunction(u->module, name, type);
    return LLVMBuildCall2(b, type, umin, counts, 2, "");
}

/* v << n  ->  v << min(n, 31) << min(n, 32) - min(n, 31), which takes no condition per element */
static LLVMValueRef shift_twice(struct qn__unit *u, LLVMBuilderRef b, LLVMOpcode op, LLVMValueRef v,
                                LLVMValueRef n)
{
    const unsigned width = width_of(LLVMTypeOf(v));
    const LLVMValueRef first = at_most(u, b, n, width - 1);
    const LLVMValueRef second = LLVMBuildSub(b, at_most(u, b, n, width), first, "");
    return LLVMBuildBinOp(b, op, LLVMBuildBinOp(b, op, v, first, ""), second, "");
}

/* The shift again; a constant count gives its result at once. */
static void reveal(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef call, LLVMOpcode op)
{
    const LLVMValueRef x = LLVMGetOperand(call, 0), n = LLVMGetOperand(call, 1);
    const LLVMTypeRef t = LLVMTypeOf(call);
    const unsigned width = width_of(t);
    LLVMValueRef v;
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    if (!is_over(n, width))
        v = LLVMBuildBinOp(b, op, x, n, "");
    else if (op == LLVMAShr)
        v = LLVMBuildBinOp(b, op, x, at_most(u, b, n, width - 1), "");
    else
        v = is_vector(x) ? shift_twice(u, b, op, x, n) : LLVMConstNull(t);
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
            reveal(u, b, LLVMGetUser(use), kinds[k].op);
        LLVMDeleteFunction(f);
    }
    LLVMDisposeBuilder(b);
}

/* ---- what is known ---- */

struct shifts {
    LLVMValueRef *items;
    uint32_t n, capacity;
};

static void find_doubtful(struct qn__unit *u, struct shifts *s)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
                if (doubtful_width(in))
                    QN__PUSH(u, s->items, s->n, s->capacity, in);
}

/* Before each shift a call of the probe with the shift's number and the comparison; a vector's
 * counts are left out. The shift's result is frozen: what a count that is too large gives is no
 * proof that the shift, or what its result leads to, is never reached. */
static LLVMValueRef add_probes(struct qn__unit *u, LLVMBuilderRef b, const struct shifts *s)
{
    LLVMTypeRef parts[] = {LLVMInt32TypeInContext(u->context), LLVMInt1TypeInContext(u->context)};
    const LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(u->context), parts, 2, false);
    const LLVMValueRef probe = LLVMAddFunction(u->module, PROBE, type);
    for (uint32_t i = 0; i < s->n; i++) {
        const LLVMValueRef in = s->items[i];
        LLVMPositionBuilderBefore(b, in);
        LLVMValueRef args[] = {LLVMConstInt(parts[0], i, false),
                               is_vector(in) ? LLVMConstInt(parts[1], 0, false)
                                             : in_range(b, in, width_of(LLVMTypeOf(in)))};
        LLVMBuildCall2(b, type, probe, args, 2, "");
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(in));
        const LLVMValueRef frozen = LLVMBuildFreeze(b, in, "");
        LLVMReplaceAllUsesWith(in, frozen);
        LLVMSetOperand(frozen, 0, in);
    }
    return probe;
}

static void remove_probes(LLVMValueRef probe, const struct shifts *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const LLVMValueRef frozen = LLVMGetNextInstruction(s->items[i]);
        LLVMReplaceAllUsesWith(frozen, s->items[i]);
        LLVMInstructionEraseFromParent(frozen);
    }
    for (LLVMUseRef use; (use = LLVMGetFirstUse(probe)) != NULL;) {
        const LLVMValueRef call = LLVMGetUser(use), fits = LLVMGetOperand(call, 1);
        LLVMInstructionEraseFromParent(call);
        if (LLVMIsAInstruction(fits))
            LLVMInstructionEraseFromParent(fits);
    }
    LLVMDeleteFunction(probe);
}

/* is_in_range[i]: LLVM can tell that the count of shift number i is, wherever its probe is still. A
 * probe that is gone tells nothing: where another shift is too large, LLVM drops what follows. */
static qn_status ask(struct qn__unit *u, LLVMBuilderRef b, const struct shifts *shifts,
                     bool *is_in_range)
{
    bool *const doubtful = QN__NEED_ARRAY(u, bool, shifts->n);
    const LLVMValueRef probe = add_probes(u, b, shifts);
    const LLVMModuleRef copy = LLVMCloneModule(u->module);
    remove_probes(probe, shifts);
    const qn_status s = qn__llvm_passes_run(
        copy, "function(early-cse,simplifycfg,early-cse,correlated-propagation,instcombine<no-"
              "verify-fixpoint>,"
              "loop-simplify,lcssa,loop(loop-rotate),loop(indvars),correlated-propagation)");
    LLVMUseRef use = LLVMGetFirstUse(LLVMGetNamedFunction(copy, PROBE));
    for (; use && s == QN_OK; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use), c = LLVMGetOperand(call, 1);
        const uint64_t i = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
        doubtful[i] |= !LLVMIsAConstantInt(c) || LLVMConstIntGetZExtValue(c) == 0;
        is_in_range[i] = !doubtful[i];
    }
    LLVMDisposeModule(copy);
    return s;
}

static void guard(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef in)
{
    const LLVMValueRef n = LLVMGetOperand(in, 1);
    const unsigned width = width_of(LLVMTypeOf(in));
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(in));
    LLVMPositionBuilderBefore(b, in);
    if (op == LLVMAShr) {
        LLVMSetOperand(in, 1, at_most(u, b, n, width - 1));
    } else if (is_vector(in)) {
        LLVMReplaceAllUsesWith(in, shift_twice(u, b, op, LLVMGetOperand(in, 0), n));
        LLVMInstructionEraseFromParent(in);
    } else {
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(in));
        const LLVMValueRef fits = in_range(b, in, width);
        const LLVMValueRef v = LLVMBuildSelect(b, fits, in, LLVMConstNull(LLVMTypeOf(in)), "");
        LLVMReplaceAllUsesWith(in, v);
        if (LLVMIsASelectInst(v))
            LLVMSetOperand(v, 1, in);
    }
}

qn_status qn__guard_shifts(struct qn__unit *u)
{
    struct shifts shifts = {0};
    reveal_all(u);
    find_doubtful(u, &shifts);
    if (!shifts.n)
        return QN_OK;
    bool *const is_in_range = QN__NEED_ARRAY(u, bool, shifts.n);
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    const qn_status s = ask(u, b, &shifts, is_in_range);
    for (uint32_t i = 0; i < shifts.n && s == QN_OK; i++)
        if (!is_in_range[i])
            guard(u, b, shifts.items[i]);
    LLVMDisposeBuilder(b);
    return s;
}
