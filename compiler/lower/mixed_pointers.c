/* SPDX-License-Identifier: Apache-2.0
 *
 * A pointer that may point to global, private, shared or constant memory, as the program runs: it
 * becomes a pointer for each, and a tag that says which one counts.
 *
 *     const float *p = ok ? x + i : zero;   ->   x + i, zero, and the tag is ok
 *     p[k]                                  ->   ok ? x[i + k] : zero[k]
 *
 * In memory there is one word for all that. There, and where the kernel makes a number of it, the
 * two highest bits of an address are its space, which no device uses: 0 is global, so that
 * addresses that come from elsewhere are right as they are. Only kernels in which a mixed pointer
 * was in memory or a number do that, and they do it with all their addresses.
 *
 * What is stored to global memory is refused as before (infer_spaces.c), and so is what is left. */
#include "compiler/lower/mixed_accesses.h"

#include "compiler/core/diagnose.h"
#include "compiler/lower/llvm_passes.h"
#include "compiler/passes.h"

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

/* ---- is there anything to do? ---- */

static bool is_own_memory(LLVMValueRef v)
{
    while (LLVMIsAConstantExpr(v) && LLVMGetNumOperands(v))
        v = LLVMGetOperand(v, 0);
    return LLVMIsAGlobalVariable(v) && !LLVMIsDeclaration(v);
}

/* Quickly: may pointers of two spaces meet here? */
static bool may_mix(LLVMValueRef function)
{
    bool own = false, joins = false;
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb && !(own && joins);
         bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
            const LLVMOpcode op = LLVMGetInstructionOpcode(in);
            own |= op == LLVMAlloca;
            joins |= is_pointer(in) &&
                     (op == LLVMPHI || op == LLVMSelect || op == LLVMLoad || op == LLVMIntToPtr);
            for (int i = 0; !own && i < LLVMGetNumOperands(in); i++)
                own = is_own_memory(LLVMGetOperand(in, (unsigned)i));
        }
    return own && joins;
}

/* ---- which spaces ---- */

static unsigned spaces_from(const struct qn__split *s, LLVMValueRef in)
{
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze: return qn__split_spaces(s, LLVMGetOperand(in, 0));
    case LLVMSelect:
        return qn__split_spaces(s, LLVMGetOperand(in, 1)) |
               qn__split_spaces(s, LLVMGetOperand(in, 2));
    case LLVMPHI: {
        unsigned all = 0;
        for (unsigned i = 0; i < LLVMCountIncoming(in); i++)
            all |= qn__split_spaces(s, LLVMGetIncomingValue(in, i));
        return all;
    }
    default: return s->in_memory;
    }
}

/* What this instruction puts into memory or into a number. */
static unsigned spaces_kept(const struct qn__split *s, LLVMValueRef in)
{
    unsigned all = 0;
    if ((LLVMIsAStoreInst(in) || LLVMIsAPtrToIntInst(in)) && is_pointer(LLVMGetOperand(in, 0)))
        return qn__split_spaces(s, LLVMGetOperand(in, 0));
    for (int i = 0; i < LLVMGetNumOperands(in); i++) {
        const LLVMValueRef o = LLVMGetOperand(in, (unsigned)i);
        if (LLVMIsAConstantExpr(o) && !is_pointer(o) && qn__space_of_number(o) != QN__SPACE_UNKNOWN)
            all |= 1u << qn__space_of_number(o);
    }
    return all;
}

static void find_spaces(struct qn__split *s)
{
    struct qn__function *const f = s->f;
    s->in_memory = 1u << QN__GLOBAL;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
            const LLVMValueRef in = f->values[i].llvm;
            const unsigned kept = spaces_kept(s, in) & ~s->in_memory;
            s->in_memory |= kept;
            changed |= kept != 0;
            if (!qn__split_is_mixed(s, in))
                continue;
            const unsigned more = spaces_from(s, in) & ~(unsigned)s->spaces[i];
            s->spaces[i] |= (unsigned char)more;
            s->all |= more;
            changed |= more != 0;
        }
    }
}

/* ---- can it be done? ---- */

static bool can_split(LLVMValueRef mixed)
{
    switch (LLVMGetInstructionOpcode(mixed)) {
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMLoad:
    case LLVMIntToPtr: return true;
    default: return false;
    }
}

static bool uses_parts(const struct qn__split *s, LLVMValueRef in)
{
    return qn__split_is_mixed(s, in) || LLVMIsALoadInst(in) || LLVMIsAStoreInst(in) ||
           LLVMIsACallInst(in) || LLVMIsAAtomicRMWInst(in) || LLVMIsAAtomicCmpXchgInst(in) ||
           LLVMIsAICmpInst(in) || LLVMIsAPtrToIntInst(in);
}

/* A constant that is not a pointer: is there an address in it that needs a tag? */
static bool holds_own_address(LLVMValueRef v)
{
    if (!LLVMIsAConstant(v) || LLVMIsAFunction(v) || is_pointer(v))
        return false;
    const enum qn__space where = qn__space_of_number(v);
    return where != QN__SPACE_UNKNOWN && where != QN__GLOBAL;
}

static bool is_number_of_address(LLVMValueRef v)
{
    return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMPtrToInt;
}

/* Does it keep an address where no tag can be put? */
static bool defies_tags(const struct qn__split *s, LLVMValueRef in)
{
    const LLVMTypeRef t = LLVMTypeOf(in);
    if (LLVMGetTypeKind(t) != LLVMPointerTypeKind && qn__holds_pointers(t))
        return true;
    if (LLVMIsAAtomicRMWInst(in) || LLVMIsAAtomicCmpXchgInst(in))
        return qn__holds_pointers(LLVMTypeOf(LLVMGetOperand(in, 1)));
    for (int i = 0; i < LLVMGetNumOperands(in); i++) {
        const LLVMValueRef o = LLVMGetOperand(in, (unsigned)i);
        if (holds_own_address(o) && !is_number_of_address(o))
            return true;
    }
    return LLVMIsAStoreInst(in) && qn__split_is_mixed(s, LLVMGetOperand(in, 0)) &&
           qn__space_of(s->f, LLVMGetOperand(in, 1)) == QN__GLOBAL;
}

static bool is_possible(struct qn__split *s)
{
    struct qn__function *const f = s->f;
    const uint32_t first = LLVMCountParams(f->llvm);
    for (uint32_t i = first; i < f->n_values; i++) {
        const LLVMValueRef in = f->values[i].llvm;
        if (qn__split_is_mixed(s, in)) {
            if (!can_split(in))
                return false;
            s->has_tags |= LLVMIsALoadInst(in) || LLVMIsAIntToPtrInst(in);
            for (LLVMUseRef use = LLVMGetFirstUse(in); use; use = LLVMGetNextUse(use))
                if (!uses_parts(s, LLVMGetUser(use)))
                    return false;
        }
        if ((LLVMIsAStoreInst(in) || LLVMIsAPtrToIntInst(in)) &&
            qn__split_is_mixed(s, LLVMGetOperand(in, 0)))
            s->has_tags = true;
    }
    for (uint32_t i = first; s->has_tags && i < f->n_values; i++)
        if (defies_tags(s, f->values[i].llvm))
            return false;
    return true;
}

/* ---- what uses them ---- */

static void replace(struct qn__split *s, LLVMValueRef old, LLVMValueRef now)
{
    QN__PUSH(s->u, s->replaced, s->n_replaced, s->replaced_capacity,
             ((struct qn__replaced){old, now}));
    qn__map_put(s->u, &s->dead, old, now);
}

static bool needs_tag(const struct qn__split *s, LLVMValueRef pointer)
{
    return is_pointer(pointer) && (qn__split_spaces(s, pointer) & ~(1u << QN__GLOBAL)) != 0;
}

/* Both are in the same space. */
static LLVMValueRef compared_parts(struct qn__split *s, LLVMIntPredicate how,
                                   const struct qn__parts *a, const struct qn__parts *b)
{
    LLVMValueRef all = NULL;
    for (enum qn__space w = QN__CONSTANT; w >= QN__PRIVATE; w--) {
        if (!a->pointer[w] || !b->pointer[w])
            continue;
        const LLVMValueRef here = LLVMBuildICmp(s->b, how, a->pointer[w], b->pointer[w], "");
        all = all ? LLVMBuildSelect(s->b, qn__split_is(s, a->tag, w), here, all, "") : here;
    }
    return all;
}

static LLVMValueRef compared(struct qn__split *s, LLVMValueRef in)
{
    const LLVMValueRef a = LLVMGetOperand(in, 0), b = LLVMGetOperand(in, 1);
    const LLVMIntPredicate how = LLVMGetICmpPredicate(in);
    const bool equal = how == LLVMIntEQ, differ = how == LLVMIntNE;
    const LLVMValueRef mixed = qn__split_is_mixed(s, a) ? a : b, other = mixed == a ? b : a;
    const struct qn__parts *const pa = qn__map_get(&s->parts, a), *const pb =
                                                                      qn__map_get(&s->parts, b);
    if (pa && pb && pa->tag == pb->tag)
        return compared_parts(s, how, pa, pb);
    if (!LLVMIsNull(other) || (!equal && !differ))
        return LLVMBuildICmp(s->b, how, qn__split_number(s, a), qn__split_number(s, b), "");
    if (!(qn__split_spaces(s, mixed) & 1u << QN__GLOBAL)) /* only a global pointer is null */
        return LLVMConstInt(LLVMTypeOf(in), differ, false);
    const LLVMValueRef is_global = qn__split_is(s, qn__split_tag(s, mixed), QN__GLOBAL);
    const LLVMValueRef p = qn__split_part(s, mixed, QN__GLOBAL),
                       null = LLVMConstNull(LLVMTypeOf(p));
    return equal ? LLVMBuildAnd(s->b, is_global, LLVMBuildICmp(s->b, LLVMIntEQ, p, null, ""), "")
                 : LLVMBuildOr(s->b, LLVMBuildNot(s->b, is_global, ""),
                               LLVMBuildICmp(s->b, LLVMIntNE, p, null, ""), "");
}

/* Numbers that are constants of the program. */
static void tag_constants(struct qn__split *s, LLVMValueRef in)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(in); i++) {
        const LLVMValueRef o = LLVMGetOperand(in, i);
        if (LLVMIsABasicBlock(o) || !holds_own_address(o))
            continue;
        LLVMPositionBuilderBefore(
            s->b,
            LLVMIsAPHINode(in) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(in, i)) : in);
        LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(in));
        const LLVMValueRef number = qn__split_number(s, LLVMGetOperand(o, 0));
        LLVMSetOperand(in, i, LLVMBuildIntCast2(s->b, number, LLVMTypeOf(o), false, ""));
    }
}

/* All but accesses through a mixed pointer. */
static void lower(struct qn__split *s, LLVMValueRef in)
{
    const LLVMValueRef first = LLVMGetNumOperands(in) ? LLVMGetOperand(in, 0) : NULL;
    LLVMPositionBuilderBefore(s->b, in);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(in));
    if (LLVMIsAICmpInst(in) && is_pointer(first) &&
        (qn__split_is_mixed(s, first) || qn__split_is_mixed(s, LLVMGetOperand(in, 1)))) {
        replace(s, in, compared(s, in));
    } else if (!s->has_tags || qn__split_is_mixed(s, in)) {
        return;
    } else if (LLVMIsAStoreInst(in) && needs_tag(s, first) &&
               qn__space_of(s->f, LLVMGetOperand(in, 1)) != QN__GLOBAL) {
        const LLVMValueRef now =
            LLVMBuildStore(s->b, qn__split_number(s, first), LLVMGetOperand(in, 1));
        LLVMSetAlignment(now, LLVMGetAlignment(in));
        LLVMSetVolatile(now, LLVMGetVolatile(in));
        replace(s, in, now);
    } else if (LLVMIsAPtrToIntInst(in) && needs_tag(s, first)) {
        const LLVMValueRef number = qn__split_number(s, first);
        replace(s, in, LLVMBuildIntCast2(s->b, number, LLVMTypeOf(in), false, ""));
    } else if (LLVMIsAIntToPtrInst(in) && needs_tag(s, in)) {
        replace(s, in, qn__split_untagged(s, first, qn__space_of(s->f, in)));
    } else if (LLVMIsALoadInst(in) && is_pointer(in) && qn__space_of(s->f, first) != QN__GLOBAL &&
               qn__space_of(s->f, first) != QN__CONSTANT &&
               qn__space_of(s->f, in) != QN__SPACE_UNKNOWN) {
        const LLVMValueRef number =
            LLVMBuildLoad2(s->b, LLVMInt64TypeInContext(s->u->context), first, "");
        LLVMSetAlignment(number, LLVMGetAlignment(in));
        LLVMSetVolatile(number, LLVMGetVolatile(in));
        replace(s, in, qn__split_untagged(s, number, qn__space_of(s->f, in)));
    }
}

static void finish(struct qn__split *s)
{
    for (uint32_t i = 0; i < s->n_replaced; i++) {
        const struct qn__replaced r = s->replaced[i];
        if (LLVMGetTypeKind(LLVMTypeOf(r.old)) != LLVMVoidTypeKind)
            LLVMReplaceAllUsesWith(r.old, r.now);
        LLVMInstructionEraseFromParent(r.old);
    }
}

/* Through which mixed pointers does the kernel access memory? Each of these instructions once. */
static void lower_accesses(struct qn__split *s, LLVMValueRef pointer)
{
    for (;;) {
        LLVMValueRef access = NULL;
        for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && !access; use = LLVMGetNextUse(use)) {
            const LLVMValueRef in = LLVMGetUser(use);
            if (!qn__split_is_mixed(s, in) && !qn__map_get(&s->dead, in))
                access = in;
        }
        if (!access)
            return;
        qn__split_access(s, access);
    }
}

static bool split(struct qn__unit *u, struct qn__kernel_source *k)
{
    struct qn__split s = {.u = u, .f = qn__function_new(u, k)};
    struct qn__function *const f = s.f;
    const uint32_t first = LLVMCountParams(f->llvm);
    qn__address_spaces_find(f);
    s.spaces = QN__NEED_ARRAY(u, unsigned char, f->n_values);
    find_spaces(&s);
    if (s.all == 0 || !is_possible(&s))
        return false;
    if (s.has_tags)
        s.all |= s.in_memory;
    s.first = s.all & 1u << QN__GLOBAL ? QN__GLOBAL : QN__PRIVATE;
    s.b = LLVMCreateBuilderInContext(u->context);
    for (uint32_t i = first; s.has_tags && i < f->n_values; i++)
        tag_constants(&s, f->values[i].llvm);
    qn__split_make_parts(&s);
    for (uint32_t i = first; i < f->n_values; i++)
        lower(&s, f->values[i].llvm);
    for (uint32_t i = first; i < f->n_values; i++)
        if (qn__map_get(&s.parts, f->values[i].llvm))
            lower_accesses(&s, f->values[i].llvm);
    finish(&s);
    for (uint32_t i = first; i < f->n_values; i++)
        if (qn__map_get(&s.parts, f->values[i].llvm))
            LLVMReplaceAllUsesWith(f->values[i].llvm, LLVMGetPoison(LLVMTypeOf(f->values[i].llvm)));
    for (uint32_t i = first; i < f->n_values; i++)
        if (qn__map_get(&s.parts, f->values[i].llvm))
            LLVMInstructionEraseFromParent(f->values[i].llvm);
    LLVMDisposeBuilder(s.b);
    return true;
}

qn_status qn__mixed_pointers_split(struct qn__unit *u)
{
    bool done = false;
    for (uint32_t i = 0; i < u->n_kernels; i++)
        if (may_mix(u->kernels[i].function))
            done |= split(u, &u->kernels[i]);
    return done ? qn__llvm_passes_run(u->module, "always-inline,globaldce") : QN_OK;
}
