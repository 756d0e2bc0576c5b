/* SPDX-License-Identifier: Apache-2.0
 *
 * Where addresses go: every pointer gets its space (address_space.c) from what flows into it, until
 * nothing changes. Addresses flow
 *
 *     - through getelementptr, casts, phi and select;
 *     - through private and shared memory: a load may find whatever a store or copy put there
 *       (points_to.c); a struct passed by value holds global addresses from the start;
 *     - through numbers, where the kernel makes numbers from pointers or pointers from numbers: a
 *       number made from an address carries its space, and so does what is computed from it.
 *
 * A pointer in which two spaces meet has been split into one for each (lower/mixed_pointers.c), and
 * is refused where that could not be done. A local or private address must
 * not be stored to global memory as a pointer or in a struct, and as a number only if the kernel
 * reads no pointers from there: a pointer that is found in global memory is global. */
#include "compiler/model/infer_spaces.h"

#include "compiler/core/diagnose.h"
#include "compiler/model/points_to.h"
#include "compiler/passes.h"

struct flow {
    struct qn__function *f;
    struct qn__points_to *points_to;
    enum qn__space *carried; /* by values that are not pointers */
    bool has_numbers;        /* that may be addresses */
    bool reads_pointers;     /* in global memory, or from unknown numbers */
    bool complete;           /* what is still unknown stays so */
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

/* What is found there may be in other spaces. Of a mixed pointer: where it is not global. */
static bool holds_spaces(enum qn__space where)
{
    return where == QN__PRIVATE || where == QN__LOCAL || where == QN__SPACE_MIXED;
}

/* The space of what a load or call finds where `p` points. */
static enum qn__space found(const struct flow *flow, LLVMValueRef p, LLVMTypeRef t)
{
    const uint64_t bytes = t ? LLVMStoreSizeOfType(flow->f->u->layout, t) : QN__POINTS_TO_REST;
    const enum qn__space s =
        qn__points_to_load(flow->points_to, (struct qn__points_to_bytes){p, 0, bytes});
    const bool may_be_global =
        qn__space_of(flow->f, p) == QN__SPACE_MIXED && t && holds_pointers(t);
    return may_be_global ? qn__space_join(s, QN__GLOBAL) : s;
}

static bool hold(struct flow *flow, LLVMValueRef v, LLVMValueRef p)
{
    const uint64_t bytes = LLVMStoreSizeOfType(flow->f->u->layout, LLVMTypeOf(v));
    return qn__points_to_store(flow->points_to, (struct qn__points_to_bytes){p, 0, bytes},
                               space_in(flow, v), is_pointer(v) ? v : NULL);
}

/* The pointers in an object of type `t`, which lies `offset` bytes after `p`, are global. */
static bool hold_global(struct flow *flow, LLVMValueRef p, uint64_t offset, LLVMTypeRef t)
{
    const LLVMTargetDataRef layout = flow->f->u->layout;
    const uint64_t bytes = LLVMABISizeOfType(layout, t);
    bool changed = false;
    switch (LLVMGetTypeKind(t)) {
    case LLVMPointerTypeKind:
        return qn__points_to_store(flow->points_to, (struct qn__points_to_bytes){p, offset, bytes},
                                   QN__GLOBAL, NULL);
    case LLVMArrayTypeKind:
        if (!holds_pointers(t))
            return false;
        for (uint64_t i = 0; i < LLVMGetArrayLength2(t); i++)
            changed |=
                hold_global(flow, p, offset + i * LLVMABISizeOfType(layout, LLVMGetElementType(t)),
                            LLVMGetElementType(t));
        return changed;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            changed |= hold_global(flow, p, offset + LLVMOffsetOfElement(layout, t, i),
                                   LLVMStructGetTypeAtIndex(t, i));
        return changed;
    default: return false;
    }
}

/* ---- pointers ---- */

/* Where this pointer comes from is unknown: it is global, once everything else is known. */
static enum qn__space global_in_the_end(struct flow *flow)
{
    if (!flow->complete)
        return QN__SPACE_UNKNOWN;
    flow->f->has_indirect_pointers = flow->reads_pointers = true;
    return QN__GLOBAL;
}

static enum qn__space loaded_pointer(struct flow *flow, LLVMValueRef load)
{
    const LLVMValueRef p = LLVMGetOperand(load, 0);
    const enum qn__space where = qn__space_of(flow->f, p);
    if (where == QN__SPACE_UNKNOWN && !flow->complete)
        return QN__SPACE_UNKNOWN;
    if (holds_spaces(where))
        return found(flow, p, LLVMTypeOf(load));
    if (where == QN__CONSTANT)
        return QN__GLOBAL; /* the number of a function */
    flow->f->has_indirect_pointers = flow->reads_pointers = true;
    return QN__GLOBAL;
}

/* mixed_pointers.c writes the space into the type, by NVPTX's and AMDGPU's numbers. */
static enum qn__space stated_space(LLVMTypeRef t)
{
    static const enum qn__space spaces[] = {
        [1] = QN__GLOBAL, [3] = QN__LOCAL, [4] = QN__CONSTANT, [5] = QN__PRIVATE};
    const unsigned number = LLVMGetPointerAddressSpace(t);
    return number < sizeof spaces / sizeof *spaces ? spaces[number] : QN__SPACE_UNKNOWN;
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
    case LLVMLoad: return loaded_pointer(flow, in);
    case LLVMIntToPtr:
        s = stated_space(LLVMTypeOf(in));
        if (s != QN__SPACE_UNKNOWN)
            return s;
        /* fall through */
    case LLVMExtractValue:
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
        return found(flow, p, LLVMTypeOf(load));
    return where == QN__GLOBAL && is_aggregate(LLVMTypeOf(load)) && holds_pointers(LLVMTypeOf(load))
               ? QN__GLOBAL
               : QN__SPACE_UNKNOWN;
}

/* The low bits of an address, as a test of alignment takes them, are not an address. */
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
    case LLVMSub: /* of two addresses: not an address */
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
                                  : holds_spaces(where) ? found(flow, o, NULL)
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

static uint64_t length_of(LLVMValueRef copy)
{
    const LLVMValueRef n = LLVMGetOperand(copy, 2);
    return LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : QN__POINTS_TO_REST;
}

/* The type that one of the two sides of a copy has, if it holds pointers. */
static LLVMTypeRef copied_type(const struct flow *flow, LLVMValueRef copy)
{
    for (unsigned i = 0; i < 2; i++) {
        const LLVMTypeRef t = qn__stated_type(flow->f, LLVMGetOperand(copy, i));
        if (t && holds_pointers(t))
            return t;
    }
    return NULL;
}

/* The space of the addresses that a copy from memory of the kernel's own takes along. */
static enum qn__space copied(const struct flow *flow, LLVMValueRef copy)
{
    const LLVMValueRef from = LLVMGetOperand(copy, 1);
    const bool is_typed =
        qn__stated_type(flow->f, LLVMGetOperand(copy, 0)) && qn__stated_type(flow->f, from);
    if (is_typed && !copied_type(flow, copy) && !flow->has_numbers)
        return QN__SPACE_UNKNOWN;
    return qn__points_to_load(flow->points_to,
                              (struct qn__points_to_bytes){from, 0, length_of(copy)});
}

enum { LARGE_COPY = 1 << 16 }; /* bytes; not looked at field by field */

static bool copy(struct flow *flow, LLVMValueRef in)
{
    const LLVMValueRef to = LLVMGetOperand(in, 0), from = LLVMGetOperand(in, 1);
    const LLVMTypeRef t = copied_type(flow, in);
    const uint64_t bytes = length_of(in);
    const enum qn__space where = qn__space_of(flow->f, from);
    bool changed = where != QN__GLOBAL && qn__points_to_copy(flow->points_to, to, from, bytes);
    if (where != QN__GLOBAL && where != QN__SPACE_MIXED)
        return changed;
    if (t && bytes > LARGE_COPY)
        return qn__points_to_store(flow->points_to,
                                   (struct qn__points_to_bytes){to, 0, QN__POINTS_TO_REST},
                                   QN__GLOBAL, NULL) ||
               changed;
    for (uint64_t at = 0; t && at < bytes; at += LLVMABISizeOfType(flow->f->u->layout, t))
        changed |= hold_global(flow, to, at, t);
    return changed;
}

/* A number that is read where addresses lie may be one. */
static bool finds_number(const struct flow *flow, LLVMValueRef in)
{
    return LLVMIsALoadInst(in) && !is_aggregate(LLVMTypeOf(in)) &&
           found(flow, LLVMGetOperand(in, 0), LLVMTypeOf(in)) != QN__SPACE_UNKNOWN;
}

static bool step(struct flow *flow, struct qn__value *v)
{
    const LLVMValueRef in = v->llvm;
    const LLVMTypeRef t = LLVMTypeOf(in);
    if (LLVMIsAStoreInst(in))
        return hold(flow, LLVMGetOperand(in, 0), LLVMGetOperand(in, 1));
    if (is_copy(in))
        return copy(flow, in);
    bool changed = false;
    if (flow->has_numbers && (LLVMIsAAtomicRMWInst(in) || LLVMIsAAtomicCmpXchgInst(in)))
        for (int i = 1; i < LLVMGetNumOperands(in); i++)
            changed |= hold(flow, LLVMGetOperand(in, (unsigned)i), LLVMGetOperand(in, 0));
    if (is_pointer(in)) {
        const enum qn__space s = derive(flow, in);
        changed |= qn__points_to_follow(flow->points_to, v) || s != v->space;
        v->space = s;
        return changed;
    }
    if (!flow->has_numbers && finds_number(flow, in))
        flow->has_numbers = changed = true;
    if (is_aggregate(t) || (flow->has_numbers && LLVMGetTypeKind(t) != LLVMVoidTypeKind)) {
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
                   "would be lost: store an index in its place",
                   qn__space_word(s));
    else if (!is_number && s == QN__SPACE_MIXED)
        qn__refuse(u, in,
                   "this copies pointers to different address spaces (global, local or private "
                   "memory) to global memory, where the address space would be lost: copy what "
                   "they point to, or indices");
    else if (is_number && flow->reads_pointers)
        qn__refuse(u, in,
                   "an address in local or private memory is stored in global memory as a number, "
                   "and the kernel reads pointers there: its address space would be lost; store an "
                   "index in its place");
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
            hold_global(flow, f->values[i].llvm, 0, by_value);
        }
    }
}

static struct flow follow_addresses(struct qn__function *f)
{
    struct flow flow = {.f = f, .points_to = qn__points_to_new(f), .has_numbers = has_numbers(f)};
    flow.carried = QN__NEED_ARRAY(f->u, enum qn__space, f->n_values);
    begin_with_arguments(&flow);
    for (bool changed = true; changed || !flow.complete;) {
        flow.complete |= !changed;
        changed = false;
        for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++)
            changed |= step(&flow, &f->values[i]);
    }
    return flow;
}

void qn__address_spaces_find(struct qn__function *f)
{
    follow_addresses(f);
}

void qn__address_spaces_infer(struct qn__function *f)
{
    struct flow flow = follow_addresses(f);
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        check_pointer(f, &f->values[i]);
        check_stored(&flow, f->values[i].llvm);
        if (is_pointer(f->values[i].llvm) && f->values[i].space == QN__SPACE_UNKNOWN)
            f->values[i].space = QN__GLOBAL; /* nothing but null flows here */
    }
}
