/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers of widths that C does not have: a bit-field of 40 bits is one, and SROA makes others
 * from parts of structs. Each becomes an integer of the next width that C has, of which only the
 * lower bits mean anything:
 *
 *     phi, select, and, or, xor, add, sub, mul    the same of the whole
 *     trunc i64 x to i40      x
 *     zext i40 x to i64       and x, 0xffffffffff      as do lshr, udiv, urem and comparisons
 *     sext i40 x to i64       ashr (shl x, 24), 24     as do ashr, sdiv, srem and signed ones
 *     load and store i40      of 32 bits and of 8
 *
 * Any other operation of such a width is refused where it is printed (types.c, expr_convert.c). */
#include "compiler/model/types.h"
#include "compiler/model/value_names.h"
#include "compiler/passes.h"

enum { WIDEST = 64 };

/* One function's values of odd widths that can be held in whole ones. */
struct odds {
    struct qn__unit *u;
    LLVMBuilderRef b;
    LLVMValueRef *items;
    uint32_t n, capacity;
    struct qn__map wholes; /* LLVM value -> the whole one */
};

static unsigned width(LLVMValueRef v)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

static bool is_odd(LLVMValueRef v)
{
    const unsigned bits = width(v);
    return bits > 1 && bits < WIDEST && !qn__width_is_c(bits);
}

static LLVMTypeRef whole_type(struct qn__unit *u, LLVMValueRef v)
{
    unsigned bits = 8;
    while (bits < width(v))
        bits *= 2;
    return LLVMIntTypeInContext(u->context, bits);
}

static bool can_be_whole(LLVMValueRef in)
{
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt: return width(LLVMGetOperand(in, 0)) <= WIDEST;
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem: return true;
    case LLVMLoad: return width(in) % 8 == 0;
    default: return false;
    }
}

/* A value can be whole only if its operands can: remove those of which one cannot until none is
 * left. */
static void find(struct odds *o, LLVMValueRef f)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
            if (is_odd(in) && can_be_whole(in)) {
                qn__map_put(o->u, &o->wholes, in, in);
                QN__PUSH(o->u, o->items, o->n, o->capacity, in);
            }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < o->n; i++) {
            bool can = true;
            for (int k = 0; k < LLVMGetNumOperands(o->items[i]); k++) {
                const LLVMValueRef v = LLVMGetOperand(o->items[i], (unsigned)k);
                can = can && (!is_odd(v) || LLVMIsAConstantInt(v) || LLVMIsUndef(v) ||
                              qn__map_get(&o->wholes, v));
            }
            if (can)
                continue;
            qn__map_put(o->u, &o->wholes, o->items[i], NULL);
            o->items[i--] = o->items[--o->n];
            changed = true;
        }
    }
}

static LLVMValueRef whole(struct odds *o, LLVMValueRef v)
{
    if (LLVMIsUndef(v))
        return LLVMGetUndef(whole_type(o->u, v));
    if (LLVMIsAConstantInt(v))
        return LLVMConstInt(whole_type(o->u, v), LLVMConstIntGetZExtValue(v), false);
    const LLVMValueRef known = qn__map_get(&o->wholes, v);
    return known && known != v ? known : NULL; /* not yet */
}

static LLVMValueRef whole_with_zeros(struct odds *o, LLVMValueRef v)
{
    if (LLVMIsALoadInst(v) || LLVMIsAZExtInst(v))
        return whole(o, v);
    const uint64_t mask = ((uint64_t)1 << width(v)) - 1;
    return LLVMBuildAnd(o->b, whole(o, v), LLVMConstInt(whole_type(o->u, v), mask, false), "");
}

static LLVMValueRef whole_with_sign(struct odds *o, LLVMValueRef v)
{
    const LLVMTypeRef t = whole_type(o->u, v);
    const LLVMValueRef by = LLVMConstInt(t, LLVMGetIntTypeWidth(t) - width(v), false);
    return LLVMBuildAShr(o->b, LLVMBuildShl(o->b, whole(o, v), by, ""), by, "");
}

/* ---- memory ---- */

/* The part of an odd width at a byte: 4, 2 or 1 of what is left. */
static unsigned part_bytes(unsigned left)
{
    return left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

static LLVMValueRef part_address(struct odds *o, LLVMValueRef p, unsigned at)
{
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(o->u->context), at, false);
    return at ? LLVMBuildGEP2(o->b, LLVMInt8TypeInContext(o->u->context), p, &index, 1, "") : p;
}

static unsigned part_alignment(LLVMValueRef access, unsigned at)
{
    const unsigned all = LLVMGetAlignment(access), own = at & (0u - at);
    return at && own < all ? own : all;
}

static LLVMValueRef load_parts(struct odds *o, LLVMValueRef load)
{
    const LLVMTypeRef t = whole_type(o->u, load);
    LLVMValueRef all = NULL;
    for (unsigned at = 0, n, size = width(load) / 8; at < size; at += n) {
        n = part_bytes(size - at);
        const LLVMValueRef part = LLVMBuildLoad2(o->b, LLVMIntTypeInContext(o->u->context, 8 * n),
                                                 part_address(o, LLVMGetOperand(load, 0), at), "");
        LLVMSetAlignment(part, part_alignment(load, at));
        LLVMSetVolatile(part, LLVMGetVolatile(load));
        const LLVMValueRef moved = LLVMBuildShl(o->b, LLVMBuildZExt(o->b, part, t, ""),
                                                LLVMConstInt(t, 8 * at, false), "");
        all = all ? LLVMBuildOr(o->b, all, moved, "") : moved;
    }
    return all;
}

static void store_parts(struct odds *o, LLVMValueRef store)
{
    const LLVMValueRef v = LLVMGetOperand(store, 0), all = whole(o, v);
    for (unsigned at = 0, n, size = width(v) / 8; at < size; at += n) {
        n = part_bytes(size - at);
        const LLVMValueRef moved =
            LLVMBuildLShr(o->b, all, LLVMConstInt(LLVMTypeOf(all), 8 * at, false), "");
        const LLVMValueRef part =
            LLVMBuildTrunc(o->b, moved, LLVMIntTypeInContext(o->u->context, 8 * n), "");
        const LLVMValueRef st =
            LLVMBuildStore(o->b, part, part_address(o, LLVMGetOperand(store, 1), at));
        LLVMSetAlignment(st, part_alignment(store, at));
        LLVMSetVolatile(st, LLVMGetVolatile(store));
    }
}

/* ---- values ---- */

static bool operands_are_whole(struct odds *o, LLVMValueRef in)
{
    for (int i = 0; i < LLVMGetNumOperands(in); i++)
        if (is_odd(LLVMGetOperand(in, (unsigned)i)) && !whole(o, LLVMGetOperand(in, (unsigned)i)))
            return false;
    return true;
}

/* What the bits above an operation's own must be. */
static LLVMValueRef operand(struct odds *o, LLVMOpcode op, LLVMValueRef in, unsigned i)
{
    const LLVMValueRef v = LLVMGetOperand(in, i);
    const bool is_count = i == 1 && (op == LLVMShl || op == LLVMLShr || op == LLVMAShr);
    if (op == LLVMLShr || op == LLVMUDiv || op == LLVMURem || is_count)
        return whole_with_zeros(o, v);
    if (op == LLVMAShr || op == LLVMSDiv || op == LLVMSRem)
        return whole_with_sign(o, v);
    return whole(o, v);
}

static LLVMValueRef build_whole(struct odds *o, LLVMValueRef in)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    const LLVMValueRef first = LLVMGetOperand(in, 0);
    const LLVMTypeRef t = whole_type(o->u, in);
    switch (op) {
    case LLVMTrunc:
        return LLVMBuildIntCast2(o->b, is_odd(first) ? whole(o, first) : first, t, false, "");
    case LLVMZExt:
    case LLVMSExt: {
        const bool is_signed = op == LLVMSExt;
        const LLVMValueRef from = !is_odd(first) ? first
                                  : is_signed    ? whole_with_sign(o, first)
                                                 : whole_with_zeros(o, first);
        return LLVMBuildIntCast2(o->b, from, t, is_signed, "");
    }
    case LLVMPHI: return LLVMBuildPhi(o->b, t, "");
    case LLVMSelect:
        return LLVMBuildSelect(o->b, first, whole(o, LLVMGetOperand(in, 1)),
                               whole(o, LLVMGetOperand(in, 2)), "");
    case LLVMFreeze: return LLVMBuildFreeze(o->b, whole(o, first), "");
    case LLVMLoad: return load_parts(o, in);
    default: return LLVMBuildBinOp(o->b, op, operand(o, op, in, 0), operand(o, op, in, 1), "");
    }
}

static void build_before(struct odds *o, LLVMValueRef in)
{
    LLVMPositionBuilderBefore(o->b, in);
    LLVMSetCurrentDebugLocation2(o->b, LLVMInstructionGetDebugLoc(in));
}

/* A phi can be made before its incoming values, everything else after its operands. */
static void make_wholes(struct odds *o)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < o->n; i++) {
            const LLVMValueRef in = o->items[i];
            if (whole(o, in) || (!LLVMIsAPHINode(in) && !operands_are_whole(o, in)))
                continue;
            build_before(o, in);
            const LLVMValueRef made = build_whole(o, in);
            if (LLVMIsAInstruction(made) && made != LLVMGetOperand(in, 0))
                qn__name_like(o->u, made, in);
            qn__map_put(o->u, &o->wholes, in, made);
            changed = true;
        }
    }
    for (uint32_t i = 0; i < o->n; i++)
        for (unsigned k = 0; LLVMIsAPHINode(o->items[i]) && k < LLVMCountIncoming(o->items[i]);
             k++) {
            LLVMValueRef v = whole(o, LLVMGetIncomingValue(o->items[i], k));
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(o->items[i], k);
            LLVMAddIncoming(whole(o, o->items[i]), &v, &from, 1);
        }
}

/* ---- what uses them ---- */

/* The same instruction on a whole value; NULL where there is none. */
static LLVMValueRef build_use(struct odds *o, LLVMValueRef in)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    const LLVMValueRef first = LLVMGetOperand(in, 0);
    const LLVMTypeRef t = LLVMTypeOf(in);
    if (op == LLVMTrunc)
        return LLVMBuildIntCast2(o->b, whole(o, first), t, false, "");
    if (op == LLVMZExt)
        return LLVMBuildIntCast2(o->b, whole_with_zeros(o, first), t, false, "");
    if (op == LLVMSExt)
        return LLVMBuildIntCast2(o->b, whole_with_sign(o, first), t, true, "");
    if (op != LLVMICmp)
        return NULL;
    const LLVMIntPredicate by = LLVMGetICmpPredicate(in);
    const bool is_signed =
        by == LLVMIntSLT || by == LLVMIntSLE || by == LLVMIntSGT || by == LLVMIntSGE;
    LLVMValueRef (*const of)(struct odds *, LLVMValueRef) =
        is_signed ? whole_with_sign : whole_with_zeros;
    return LLVMBuildICmp(o->b, by, of(o, first), of(o, LLVMGetOperand(in, 1)), "");
}

static void settle_use(struct odds *o, LLVMValueRef in)
{
    build_before(o, in);
    if (LLVMIsAStoreInst(in)) {
        if (width(LLVMGetOperand(in, 0)) % 8)
            return;
        store_parts(o, in);
    } else {
        const LLVMValueRef made = build_use(o, in);
        if (!made)
            return;
        LLVMReplaceAllUsesWith(in, made);
    }
    LLVMInstructionEraseFromParent(in);
}

static bool uses_odds(struct odds *o, LLVMValueRef in)
{
    bool some = false;
    for (int i = 0; i < LLVMGetNumOperands(in); i++)
        some |= is_odd(LLVMGetOperand(in, (unsigned)i));
    return some && !is_odd(in) && operands_are_whole(o, in);
}

/* A value that something still takes at its odd width (a call) stays, and is refused with it. */
static void remove_unused(struct odds *o)
{
    for (uint32_t i = 0; i < o->n; i++) {
        bool needed = false;
        for (LLVMUseRef use = LLVMGetFirstUse(o->items[i]); use; use = LLVMGetNextUse(use))
            needed |= !qn__map_get(&o->wholes, LLVMGetUser(use));
        if (needed)
            return;
    }
    for (uint32_t i = 0; i < o->n; i++) {
        LLVMReplaceAllUsesWith(o->items[i], LLVMGetUndef(LLVMTypeOf(o->items[i])));
        LLVMInstructionEraseFromParent(o->items[i]);
    }
}

static void settle(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef f)
{
    struct odds o = {.u = u, .b = b};
    find(&o, f);
    make_wholes(&o);
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
            next = LLVMGetNextInstruction(in);
            if (uses_odds(&o, in))
                settle_use(&o, in);
        }
    remove_unused(&o);
}

qn_status qn__odd_integers_widen(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        settle(u, b, f);
    LLVMDisposeBuilder(b);
    return QN_OK;
}
