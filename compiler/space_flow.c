/* SPDX-License-Identifier: Apache-2.0
 *
 * Where addresses go: every pointer gets its space (space.c) from what flows into it, until nothing
 * changes. They flow
 *
 *     through getelementptr, casts, phi and select
 *     through private and shared memory: what any store or copy put into a variable, any load from
 *     it may find; a struct passed by value holds global addresses from the start
 *     through numbers, where the kernel makes numbers of pointers or pointers of numbers: a number
 *     that was made of an address holds that address's space, and so does what is reckoned from it
 *
 * A pointer in which two spaces meet is refused where they meet. A local or private address goes to
 * global memory neither as a pointer nor in a struct, and as a number only where no pointers are
 * read back: what is found there is a global address. */
#include "compiler/space.h"

#include "compiler/lower.h"

/* What memory holds, by variable. Where a pointer leads to memory and to no variable by name
 * (p->next), it may hold what any of them does. */
struct flow {
    struct qn__function *f;
    struct qn__map of;                            /* variable -> enum qn__space */
    enum qn__space all[QN__SPACE_MIXED + 1];      /* in the whole of private or shared memory */
    enum qn__space anywhere[QN__SPACE_MIXED + 1]; /* stored there through a pointer */
    enum qn__space *carried;                      /* by values that are no pointers */
    bool has_numbers;                             /* that may be addresses */
    bool reads_pointers;                          /* in global memory, or from unknown numbers */
    bool complete;                                /* a place that is still unknown stays so */
};

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

static bool is_aggregate(LLVMTypeRef t)
{
    return LLVMGetTypeKind(t) == LLVMStructTypeKind || LLVMGetTypeKind(t) == LLVMArrayTypeKind;
}

static bool holds_pointers(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMPointerTypeKind: return true;
    case LLVMArrayTypeKind: return holds_pointers(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (holds_pointers(LLVMStructGetTypeAtIndex(t, i)))
                return true;
        return false;
    default: return false;
    }
}

/* The space of a pointer, or of the address that a number or a struct holds. */
static enum qn__space space_in(const struct flow *flow, LLVMValueRef v)
{
    const struct qn__value *const known = qn__value_of(flow->f, v);
    if (is_pointer(v))
        return qn__space_of(flow->f, v);
    return known ? flow->carried[known->index] : qn__space_of_number(v);
}

/* What one variable holds; NULL where `p` leads to none. */
static enum qn__space *held_by(struct flow *flow, LLVMValueRef p)
{
    const LLVMValueRef root = qn__memory_root(p);
    if (!LLVMIsAAllocaInst(root) && !LLVMIsAGlobalVariable(root) && !LLVMIsAArgument(root))
        return NULL;
    enum qn__space *s = qn__map_get(&flow->of, root);
    if (!s) {
        s = QN__NEED(flow->f->u, enum qn__space);
        qn__map_put(flow->f->u, &flow->of, root, s);
    }
    return s;
}

static bool holds_spaces(enum qn__space where)
{
    return where == QN__PRIVATE || where == QN__LOCAL;
}

/* What a load through `p`, which points to `where`, may find in private or shared memory. */
static enum qn__space found_at(struct flow *flow, LLVMValueRef p, enum qn__space where)
{
    const enum qn__space *const h = held_by(flow, p);
    return h ? qn__space_join(*h, flow->anywhere[where]) : flow->all[where];
}

/* An address of that space goes to the memory behind `p`; does that tell anything new? */
static bool hold(struct flow *flow, enum qn__space s, LLVMValueRef p)
{
    const enum qn__space where = qn__space_of(flow->f, p);
    if (!holds_spaces(where))
        return false;
    enum qn__space *const variable = held_by(flow, p);
    enum qn__space *const h = variable ? variable : &flow->anywhere[where];
    const enum qn__space one = qn__space_join(*h, s), all = qn__space_join(flow->all[where], s);
    const bool changed = one != *h || all != flow->all[where];
    *h = one;
    flow->all[where] = all;
    return changed;
}

/* ---- pointers ---- */

/* Nothing says where this pointer comes from: it is global, once all is known that can be. */
static enum qn__space global_in_the_end(struct flow *flow)
{
    if (!flow->complete)
        return QN__SPACE_UNKNOWN;
    flow->f->has_indirect_pointers = flow->reads_pointers = true;
    return QN__GLOBAL;
}

static enum qn__space loaded_pointer(struct flow *flow, LLVMValueRef p)
{
    const enum qn__space where = qn__space_of(flow->f, p);
    if (where == QN__SPACE_UNKNOWN && !flow->complete)
        return QN__SPACE_UNKNOWN;
    if (holds_spaces(where))
        return found_at(flow, p, where);
    flow->f->has_indirect_pointers = flow->reads_pointers = true;
    return QN__GLOBAL;
}

static enum qn__space derive(struct flow *flow, LLVMValueRef in)
{
    struct qn__function *const f = flow->f;
    enum qn__space s = QN__SPACE_UNKNOWN;
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMAlloca: return QN__PRIVATE;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze: return qn__space_of(f, LLVMGetOperand(in, 0));
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(in); i++)
            s = qn__space_join(s, qn__space_of(f, LLVMGetIncomingValue(in, i)));
        return s;
    case LLVMSelect:
        return qn__space_join(qn__space_of(f, LLVMGetOperand(in, 1)),
                              qn__space_of(f, LLVMGetOperand(in, 2)));
    case LLVMLoad: return loaded_pointer(flow, LLVMGetOperand(in, 0));
    case LLVMExtractValue:
    case LLVMIntToPtr:
        s = space_in(flow, LLVMGetOperand(in, 0));
        return s == QN__SPACE_UNKNOWN ? global_in_the_end(flow) : s;
    case LLVMCall: return QN__GLOBAL;
    default: return QN__SPACE_UNKNOWN;
    }
}

/* ---- numbers and structs that hold addresses ---- */

static enum qn__space carried_by_load(struct flow *flow, LLVMValueRef load)
{
    const LLVMValueRef p = LLVMGetOperand(load, 0);
    const enum qn__space where = qn__space_of(flow->f, p);
    if (holds_spaces(where))
        return found_at(flow, p, where);
    return where == QN__GLOBAL && is_aggregate(LLVMTypeOf(load)) && holds_pointers(LLVMTypeOf(load))
               ? QN__GLOBAL
               : QN__SPACE_UNKNOWN;
}

/* The low bits of an address, as alignment asks for them, are no address. */
static bool takes_low_bits(LLVMValueRef in)
{
    enum { LOW_BITS_MAX = 4095 };
    const LLVMValueRef mask = LLVMGetOperand(in, 1);
    return LLVMGetInstructionOpcode(in) == LLVMAnd && LLVMIsAConstantInt(mask) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(mask)) <= 64 &&
           LLVMConstIntGetZExtValue(mask) <= LOW_BITS_MAX;
}

static enum qn__space derive_carried(struct flow *flow, LLVMValueRef in)
{
    enum qn__space s = QN__SPACE_UNKNOWN;
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMICmp:
    case LLVMFCmp: return QN__SPACE_UNKNOWN;
    case LLVMLoad: return carried_by_load(flow, in);
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(in); i++)
            s = qn__space_join(s, space_in(flow, LLVMGetIncomingValue(in, i)));
        return s;
    case LLVMSub: /* of two addresses: no address */
        if (space_in(flow, LLVMGetOperand(in, 1)) != QN__SPACE_UNKNOWN)
            return QN__SPACE_UNKNOWN;
        return space_in(flow, LLVMGetOperand(in, 0));
    case LLVMAnd:
        if (takes_low_bits(in))
            return QN__SPACE_UNKNOWN;
        break;
    case LLVMCall:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        for (int i = 0; i < LLVMGetNumOperands(in); i++) {
            const LLVMValueRef o = LLVMGetOperand(in, (unsigned)i);
            const enum qn__space where = is_pointer(o) ? qn__space_of(flow->f, o) : QN__GLOBAL;
            s = qn__space_join(s, !is_pointer(o)        ? space_in(flow, o)
                                  : holds_spaces(where) ? found_at(flow, o, where)
                                                        : QN__SPACE_UNKNOWN);
        }
        return s;
    default: break;
    }
    for (int i = LLVMIsASelectInst(in) != NULL; i < LLVMGetNumOperands(in); i++)
        s = qn__space_join(s, space_in(flow, LLVMGetOperand(in, (unsigned)i)));
    return s;
}

/* ---- memory ---- */

static bool is_copy(LLVMValueRef in)
{
    return LLVMIsACallInst(in) && (qn__starts_with(qn__callee(in), "llvm.memcpy") ||
                                   qn__starts_with(qn__callee(in), "llvm.memmove"));
}

/* The space of the addresses that a copy takes along. */
static enum qn__space copied(struct flow *flow, LLVMValueRef copy)
{
    const LLVMValueRef to = LLVMGetOperand(copy, 0), from = LLVMGetOperand(copy, 1);
    const enum qn__space where = qn__space_of(flow->f, from);
    const LLVMTypeRef to_type = qn__stated_type(flow->f, to),
                      from_type = qn__stated_type(flow->f, from);
    const bool of_pointers =
        (!to_type || holds_pointers(to_type)) && (!from_type || holds_pointers(from_type));
    if (holds_spaces(where))
        return of_pointers || flow->has_numbers ? found_at(flow, from, where) : QN__SPACE_UNKNOWN;
    return of_pointers && (to_type || from_type) && where == QN__GLOBAL ? QN__GLOBAL
                                                                        : QN__SPACE_UNKNOWN;
}

static bool step(struct flow *flow, struct qn__value *v)
{
    const LLVMValueRef in = v->llvm;
    const LLVMTypeRef t = LLVMTypeOf(in);
    if (LLVMIsAStoreInst(in))
        return hold(flow, space_in(flow, LLVMGetOperand(in, 0)), LLVMGetOperand(in, 1));
    if (is_copy(in))
        return hold(flow, copied(flow, in), LLVMGetOperand(in, 0));
    bool changed = false;
    if (flow->has_numbers && (LLVMIsAAtomicRMWInst(in) || LLVMIsAAtomicCmpXchgInst(in)))
        for (int i = 1; i < LLVMGetNumOperands(in); i++)
            changed |=
                hold(flow, space_in(flow, LLVMGetOperand(in, (unsigned)i)), LLVMGetOperand(in, 0));
    if (is_pointer(in)) {
        const enum qn__space s = derive(flow, in);
        changed |= s != v->space;
        v->space = s;
    } else if (is_aggregate(t) || (flow->has_numbers && LLVMGetTypeKind(t) != LLVMVoidTypeKind)) {
        const enum qn__space s = derive_carried(flow, in);
        changed |= s != flow->carried[v->index];
        flow->carried[v->index] = s;
    }
    return changed;
}

/* ---- refusals ---- */

/* Do the spaces meet at this instruction, or did they meet before? */
static bool mixes_here(struct qn__function *f, LLVMValueRef in)
{
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMLoad:
    case LLVMIntToPtr:
    case LLVMExtractValue: return true;
    case LLVMPHI:
    case LLVMSelect:
        for (int i = LLVMIsASelectInst(in) != NULL; i < LLVMGetNumOperands(in); i++)
            if (qn__space_of(f, LLVMGetOperand(in, (unsigned)i)) == QN__SPACE_MIXED)
                return false;
        return true;
    default: return false;
    }
}

static bool would_be_lost(enum qn__space s)
{
    return s == QN__LOCAL || s == QN__PRIVATE || s == QN__CONSTANT;
}

static void check_pointer(struct qn__function *f, const struct qn__value *v)
{
    if (v->space == QN__SPACE_MIXED && mixes_here(f, v->llvm))
        qn__refuse(f->u, v->llvm,
                   "this pointer%s%s may point to different address spaces (global, local or "
                   "private memory), which OpenCL 1.2 cannot express: use one pointer for each",
                   v->name.name[0] ? " " : "", v->name.name);
}

/* A local or private address on its way to global memory. */
static void check_stored(struct flow *flow, LLVMValueRef in)
{
    struct qn__unit *const u = flow->f->u;
    const bool swaps = LLVMIsAAtomicRMWInst(in) || LLVMIsAAtomicCmpXchgInst(in);
    if (!LLVMIsAStoreInst(in) && !is_copy(in) && !swaps)
        return;
    const LLVMValueRef to = LLVMGetOperand(in, LLVMIsAStoreInst(in) ? 1 : 0);
    if (qn__space_of(flow->f, to) != QN__GLOBAL)
        return;
    enum qn__space s = QN__SPACE_UNKNOWN;
    for (int i = 1; swaps && i < LLVMGetNumOperands(in); i++)
        s = qn__space_join(s, space_in(flow, LLVMGetOperand(in, (unsigned)i)));
    if (!swaps)
        s = is_copy(in) ? copied(flow, in) : space_in(flow, LLVMGetOperand(in, 0));
    const LLVMTypeRef stored = LLVMIsAStoreInst(in) ? LLVMTypeOf(LLVMGetOperand(in, 0)) : NULL;
    const bool is_number = swaps || (stored && !holds_pointers(stored));
    if (!would_be_lost(s) && (is_number ? s != QN__SPACE_MIXED : !is_copy(in)))
        return;
    if (!is_number && would_be_lost(s))
        qn__refuse(u, in,
                   "a pointer to %s memory is stored in global memory, where its address space "
                   "would be lost",
                   qn__space_word(s));
    else if (!is_number && s == QN__SPACE_MIXED)
        qn__refuse(u, in,
                   "this copies pointers to different address spaces (global, local or private "
                   "memory) to global memory, where the address space would be lost");
    else if (is_number && flow->reads_pointers)
        qn__refuse(u, in,
                   "an address in local or private memory is stored in global memory as a number, "
                   "and the kernel reads pointers there: its address space would be lost");
}

/* ---- all of it ---- */

/* Are there numbers that were or become pointers? Constants of numbers are made of addresses. */
static bool has_numbers(struct qn__function *f)
{
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        const LLVMValueRef in = f->values[i].llvm;
        const LLVMOpcode op = LLVMGetInstructionOpcode(in);
        if (op == LLVMPtrToInt || op == LLVMIntToPtr)
            return true;
        for (int k = 0; k < LLVMGetNumOperands(in); k++)
            if (LLVMIsAConstantExpr(LLVMGetOperand(in, (unsigned)k)) &&
                !is_pointer(LLVMGetOperand(in, (unsigned)k)))
                return true;
    }
    return false;
}

static void begin_with_arguments(struct flow *flow)
{
    struct qn__function *const f = flow->f;
    for (unsigned i = 0; i < LLVMCountParams(f->llvm); i++) {
        const LLVMTypeRef by_value = qn__byval_type(f->u, f->llvm, i);
        if (is_pointer(f->values[i].llvm))
            f->values[i].space = by_value ? QN__PRIVATE : QN__GLOBAL;
        if (by_value && holds_pointers(by_value)) {
            f->has_indirect_pointers = true;
            hold(flow, QN__GLOBAL, f->values[i].llvm);
        }
    }
}

void qn__spaces_find(struct qn__function *f)
{
    const unsigned first = LLVMCountParams(f->llvm);
    struct flow flow = {.f = f, .has_numbers = has_numbers(f)};
    flow.carried = QN__NEED_ARRAY(f->u, enum qn__space, f->n_values);
    begin_with_arguments(&flow);
    for (bool changed = true; changed || !flow.complete;) {
        flow.complete |= !changed;
        changed = false;
        for (uint32_t i = first; i < f->n_values; i++)
            changed |= step(&flow, &f->values[i]);
    }
    for (uint32_t i = first; i < f->n_values; i++) {
        check_pointer(f, &f->values[i]);
        check_stored(&flow, f->values[i].llvm);
        if (is_pointer(f->values[i].llvm) && f->values[i].space == QN__SPACE_UNKNOWN)
            f->values[i].space = QN__GLOBAL; /* nothing but null flows here */
    }
}
