/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers of 128 bits, which OpenCL C does not have. Each becomes two of 64, the lower half first,
 * as they lie in memory:
 *
 *     __int128 x = a * b        ulong2 x = qn_mul_u128(a, b)
 *     (__int128)n               (ulong2)(n, n >> 63)
 *     (long)x                   x.x
 *     x < y                     qn_less_i128(x, y)
 *     and, or, xor, phi, select, load and store      the same of the two
 *
 * A variable, a member or a parameter of 128 bits is a ulong2 (source_types.c). Any other operation
 * of this width is refused here. */
#include "compiler/core/attributes.h"
#include "compiler/core/diagnose.h"
#include "compiler/model/value_names.h"
#include "compiler/passes.h"

#include <string.h>

enum { WIDE = 128, HALF = 64 };

struct wides {
    struct qn__unit *u;
    LLVMBuilderRef b;
    LLVMValueRef function;
    LLVMTypeRef half, pair;
    LLVMValueRef *items; /* instructions that are of 128 bits, or take such */
    uint32_t n, capacity;
    struct qn__map pairs; /* LLVM value -> the two */
};

static bool is_wide(LLVMValueRef v)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == WIDE;
}

static bool takes_wide(LLVMValueRef in)
{
    bool some = false;
    for (int i = 0; i < LLVMGetNumOperands(in); i++)
        some |= is_wide(LLVMGetOperand(in, (unsigned)i));
    return some;
}

static void build_before(struct wides *w, LLVMValueRef in)
{
    LLVMPositionBuilderBefore(w->b, in);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(in));
}

static LLVMValueRef at(struct wides *w, unsigned i)
{
    return LLVMConstInt(LLVMInt32TypeInContext(w->u->context), i, false);
}

static LLVMValueRef two(struct wides *w, LLVMValueRef low, LLVMValueRef high)
{
    const LLVMValueRef v = LLVMBuildInsertElement(w->b, LLVMGetUndef(w->pair), low, at(w, 0), "");
    return LLVMBuildInsertElement(w->b, v, high, at(w, 1), "");
}

/* Half number i of a constant: the builder folds. */
static LLVMValueRef constant_half(struct wides *w, LLVMValueRef c, unsigned i)
{
    const LLVMValueRef by = LLVMConstInt(LLVMTypeOf(c), HALF * i, false);
    return LLVMBuildTrunc(w->b, LLVMBuildLShr(w->b, c, by, ""), w->half, "");
}

/* NULL: not made yet. */
static LLVMValueRef pair_of(struct wides *w, LLVMValueRef v)
{
    if (LLVMIsUndef(v))
        return LLVMGetUndef(w->pair);
    if (LLVMIsAConstantInt(v)) {
        LLVMValueRef halves[] = {constant_half(w, v, 0), constant_half(w, v, 1)};
        return LLVMConstVector(halves, 2);
    }
    if (LLVMIsAArgument(v) && !qn__map_get(&w->pairs, v)) {
        const LLVMBuilderRef b = LLVMCreateBuilderInContext(w->u->context);
        LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function)));
        qn__map_put(w->u, &w->pairs, v, LLVMBuildBitCast(b, v, w->pair, ""));
        LLVMDisposeBuilder(b);
    }
    return qn__map_get(&w->pairs, v);
}

static LLVMValueRef call(struct wides *w, const char *name, LLVMTypeRef result, LLVMValueRef *args,
                         unsigned n)
{
    LLVMTypeRef types[2];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    const LLVMTypeRef t = LLVMFunctionType(result, types, n, false);
    return LLVMBuildCall2(w->b, t, qn__pure_function(w->u, name, t), args, n, "");
}

static LLVMValueRef call_of_pairs(struct wides *w, const char *name, LLVMTypeRef result,
                                  LLVMValueRef in)
{
    LLVMValueRef args[] = {pair_of(w, LLVMGetOperand(in, 0)), pair_of(w, LLVMGetOperand(in, 1))};
    return call(w, name, result, args, 2);
}

/* ---- what gives 128 bits ---- */

static LLVMValueRef widened(struct wides *w, LLVMValueRef in)
{
    const bool is_signed = LLVMGetInstructionOpcode(in) == LLVMSExt;
    const LLVMValueRef low = LLVMBuildIntCast2(w->b, LLVMGetOperand(in, 0), w->half, is_signed, "");
    return two(w, low,
               is_signed ? LLVMBuildAShr(w->b, low, LLVMConstInt(w->half, HALF - 1, false), "")
                         : LLVMConstNull(w->half));
}

static LLVMValueRef shifted(struct wides *w, const char *name, LLVMValueRef in)
{
    const LLVMValueRef count = pair_of(w, LLVMGetOperand(in, 1));
    LLVMValueRef args[] = {pair_of(w, LLVMGetOperand(in, 0)),
                           LLVMBuildExtractElement(w->b, count, at(w, 0), "")};
    return call(w, name, w->pair, args, 2);
}

static LLVMValueRef loaded(struct wides *w, LLVMValueRef in)
{
    const LLVMValueRef v = LLVMBuildLoad2(w->b, w->pair, LLVMGetOperand(in, 0), "");
    LLVMSetAlignment(v, LLVMGetAlignment(in));
    LLVMSetVolatile(v, LLVMGetVolatile(in));
    return LLVMGetOrdering(in) == LLVMAtomicOrderingNotAtomic ? v : NULL;
}

static const struct {
    const char *name, *function;
} calls[] = {
    {"__qn_shift.shl.i128", "__qn_ir_shl_u128"},
    {"__qn_shift.lshr.i128", "__qn_ir_shr_u128"},
    {"__qn_shift.ashr.i128", "__qn_ir_shr_i128"},
};

static LLVMValueRef called(struct wides *w, LLVMValueRef in)
{
    size_t n;
    const LLVMValueRef f = LLVMGetCalledValue(in);
    const char *const name = f && LLVMIsAFunction(f) ? LLVMGetValueName2(f, &n) : "";
    LLVMValueRef x = LLVMGetOperand(in, 0);
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
        if (qn__equal(name, calls[i].name))
            return shifted(w, calls[i].function, in);
    if (qn__starts_with(name, "__qn_ir_f") && qn__ends_with(name, ".i128")) /* float_to_int.c */
        return call(w, qn__text(w->u, "%.*s", (int)strcspn(name, "."), name), w->pair, &x, 1);
    return NULL;
}

static LLVMValueRef computed(struct wides *w, LLVMValueRef in)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    const LLVMValueRef first = LLVMGetOperand(in, 0);
    switch (op) {
    case LLVMZExt:
    case LLVMSExt: return widened(w, in);
    case LLVMBitCast: return LLVMBuildBitCast(w->b, first, w->pair, "");
    case LLVMSelect:
        return LLVMBuildSelect(w->b, first, pair_of(w, LLVMGetOperand(in, 1)),
                               pair_of(w, LLVMGetOperand(in, 2)), "");
    case LLVMFreeze: return LLVMBuildFreeze(w->b, pair_of(w, first), "");
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return LLVMBuildBinOp(w->b, op, pair_of(w, first), pair_of(w, LLVMGetOperand(in, 1)), "");
    case LLVMAdd: return call_of_pairs(w, "__qn_ir_add_u128", w->pair, in);
    case LLVMSub: return call_of_pairs(w, "__qn_ir_sub_u128", w->pair, in);
    case LLVMMul: return call_of_pairs(w, "__qn_ir_mul_u128", w->pair, in);
    case LLVMUDiv: return call_of_pairs(w, "__qn_ir_div_u128", w->pair, in);
    case LLVMURem: return call_of_pairs(w, "__qn_ir_rem_u128", w->pair, in);
    case LLVMSDiv: return call_of_pairs(w, "__qn_ir_div_i128", w->pair, in);
    case LLVMSRem: return call_of_pairs(w, "__qn_ir_rem_i128", w->pair, in);
    case LLVMShl: return shifted(w, "__qn_ir_shl_u128", in);
    case LLVMLShr: return shifted(w, "__qn_ir_shr_u128", in);
    case LLVMAShr: return shifted(w, "__qn_ir_shr_i128", in);
    case LLVMLoad: return loaded(w, in);
    case LLVMCall: return called(w, in);
    default: return NULL;
    }
}

/* ---- what takes 128 bits ---- */

static LLVMValueRef compared(struct wides *w, LLVMValueRef in)
{
    LLVMValueRef a = pair_of(w, LLVMGetOperand(in, 0)), b = pair_of(w, LLVMGetOperand(in, 1));
    const LLVMIntPredicate by = LLVMGetICmpPredicate(in);
    if (by == LLVMIntEQ || by == LLVMIntNE) {
        const LLVMValueRef x = LLVMBuildXor(w->b, a, b, "");
        return LLVMBuildICmp(w->b, by,
                             LLVMBuildOr(w->b, LLVMBuildExtractElement(w->b, x, at(w, 0), ""),
                                         LLVMBuildExtractElement(w->b, x, at(w, 1), ""), ""),
                             LLVMConstNull(w->half), "");
    }
    const bool is_signed =
        by == LLVMIntSLT || by == LLVMIntSLE || by == LLVMIntSGT || by == LLVMIntSGE;
    const bool swaps = by == LLVMIntSGT || by == LLVMIntSLE || by == LLVMIntUGT || by == LLVMIntULE;
    const bool negates =
        by == LLVMIntSGE || by == LLVMIntSLE || by == LLVMIntUGE || by == LLVMIntULE;
    LLVMValueRef args[] = {swaps ? b : a, swaps ? a : b};
    const LLVMValueRef less = call(w, is_signed ? "__qn_ir_less_i128" : "__qn_ir_less_u128",
                                   LLVMInt32TypeInContext(w->u->context), args, 2);
    return LLVMBuildICmp(w->b, negates ? LLVMIntEQ : LLVMIntNE, less,
                         LLVMConstNull(LLVMTypeOf(less)), "");
}

static LLVMValueRef as_float(struct wides *w, LLVMValueRef in)
{
    const bool is_signed = LLVMGetInstructionOpcode(in) == LLVMSIToFP;
    const LLVMTypeRef t = LLVMTypeOf(in);
    const LLVMTypeKind kind = LLVMGetTypeKind(t);
    LLVMValueRef x = pair_of(w, LLVMGetOperand(in, 0));
    if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
        return NULL;
    return call(w,
                qn__text(w->u, "__qn_ir_%c128_to_%s", is_signed ? 'i' : 'u',
                         kind == LLVMFloatTypeKind ? "f32" : "f64"),
                t, &x, 1);
}

static LLVMValueRef stored(struct wides *w, LLVMValueRef in)
{
    if (LLVMGetOrdering(in) != LLVMAtomicOrderingNotAtomic)
        return NULL;
    const LLVMValueRef v =
        LLVMBuildStore(w->b, pair_of(w, LLVMGetOperand(in, 0)), LLVMGetOperand(in, 1));
    LLVMSetAlignment(v, LLVMGetAlignment(in));
    LLVMSetVolatile(v, LLVMGetVolatile(in));
    return v;
}

static LLVMValueRef used(struct wides *w, LLVMValueRef in)
{
    const LLVMValueRef first = LLVMGetOperand(in, 0);
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMTrunc:
        return LLVMBuildIntCast2(w->b,
                                 LLVMBuildExtractElement(w->b, pair_of(w, first), at(w, 0), ""),
                                 LLVMTypeOf(in), false, "");
    case LLVMBitCast: return LLVMBuildBitCast(w->b, pair_of(w, first), LLVMTypeOf(in), "");
    case LLVMICmp: return compared(w, in);
    case LLVMSIToFP:
    case LLVMUIToFP: return as_float(w, in);
    case LLVMStore: return stored(w, in);
    default: return NULL;
    }
}

/* ---- a function ---- */

static void find(struct wides *w)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(w->function); bb;
         bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
            if (is_wide(in) || takes_wide(in))
                QN__PUSH(w->u, w->items, w->n, w->capacity, in);
}

static bool has_operands(struct wides *w, LLVMValueRef in)
{
    for (int i = 0; i < LLVMGetNumOperands(in); i++)
        if (is_wide(LLVMGetOperand(in, (unsigned)i)) &&
            !pair_of(w, LLVMGetOperand(in, (unsigned)i)))
            return false;
    return true;
}

static bool make(struct wides *w, LLVMValueRef in)
{
    build_before(w, in);
    if (LLVMIsAPHINode(in)) {
        const LLVMValueRef phi = LLVMBuildPhi(w->b, w->pair, "");
        qn__name_like(w->u, phi, in);
        qn__map_put(w->u, &w->pairs, in, phi);
        return true;
    }
    if (!has_operands(w, in))
        return false;
    const LLVMValueRef made = is_wide(in) ? computed(w, in) : used(w, in);
    if (!made)
        return false;
    if (LLVMIsAInstruction(made) && !LLVMIsAStoreInst(made) && made != LLVMGetOperand(in, 0))
        qn__name_like(w->u, made, in);
    if (!is_wide(in) && !LLVMIsAStoreInst(in))
        LLVMReplaceAllUsesWith(in, made);
    qn__map_put(w->u, &w->pairs, in, made);
    return true;
}

/* A phi is made before its incoming values, everything else after its operands. */
static void make_all(struct wides *w)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < w->n; i++)
            if (!qn__map_get(&w->pairs, w->items[i]))
                changed |= make(w, w->items[i]);
    }
    for (uint32_t i = 0; i < w->n; i++)
        for (unsigned k = 0; LLVMIsAPHINode(w->items[i]) && k < LLVMCountIncoming(w->items[i]);
             k++) {
            LLVMValueRef v = pair_of(w, LLVMGetIncomingValue(w->items[i], k));
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(w->items[i], k);
            if (v)
                LLVMAddIncoming(qn__map_get(&w->pairs, w->items[i]), &v, &from, 1);
        }
}

static void settle(struct wides *w)
{
    find(w);
    make_all(w);
    for (uint32_t i = 0; i < w->n; i++)
        if (!qn__map_get(&w->pairs, w->items[i])) {
            qn__refuse(w->u, w->items[i],
                       "128-bit integers can be computed with, compared, converted, stored and "
                       "passed, but not this: use two of 64 bits");
            return;
        }
    for (uint32_t i = 0; i < w->n; i++) {
        if (is_wide(w->items[i]))
            LLVMReplaceAllUsesWith(w->items[i], LLVMGetUndef(LLVMTypeOf(w->items[i])));
        LLVMInstructionEraseFromParent(w->items[i]);
    }
}

qn_status qn__wide_integers_split(struct qn__unit *u)
{
    const LLVMTypeRef half = LLVMIntTypeInContext(u->context, HALF);
    struct wides w = {.u = u,
                      .b = LLVMCreateBuilderInContext(u->context),
                      .half = half,
                      .pair = LLVMVectorType(half, 2)};
    for (w.function = LLVMGetFirstFunction(u->module); w.function;
         w.function = LLVMGetNextFunction(w.function)) {
        w.n = 0;
        w.pairs = (struct qn__map){0};
        settle(&w);
    }
    LLVMDisposeBuilder(w.b);
    return QN_OK;
}
