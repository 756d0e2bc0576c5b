/* SPDX-License-Identifier: Apache-2.0
 *
 * Address spaces: OpenCL C wants one on every pointer, CUDA has none. After inlining, each pointer
 * comes from something whose space is known:
 *
 *     kernel argument, module variable      global        (a by-value struct: private)
 *     __shared__ variable                   local
 *     alloca                                private
 *     a table nobody writes                 constant
 *     a pointer found in global memory      global: nothing else is ever stored there (checked)
 *     a pointer found in an alloca or in shared memory    what was stored there
 *
 * The spaces flow through getelementptr, casts, phi and select until nothing changes. A pointer
 * that could be in two spaces is refused: there is no generic address space in OpenCL 1.2.
 */
#include "compiler/space.h"

#include "compiler/builtins.h"

static enum qn__space join(enum qn__space a, enum qn__space b)
{
    if (a == b || b == QN__SPACE_UNKNOWN)
        return a;
    return a == QN__SPACE_UNKNOWN ? b : QN__SPACE_MIXED;
}

bool qn__is_module_variable(LLVMValueRef global)
{
    return LLVMIsAGlobalVariable(global) && !LLVMIsDeclaration(global) &&
           (LLVMIsExternallyInitialized(global) || !LLVMIsGlobalConstant(global));
}

static enum qn__space space_of_global(LLVMValueRef g)
{
    enum { SHARED = 3 };
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED)
        return QN__LOCAL;
    return LLVMIsDeclaration(g) || qn__is_module_variable(g) ? QN__GLOBAL : QN__CONSTANT;
}

/* The int an inttoptr was given may come from a pointer: follow the arithmetic a few steps. */
static enum qn__space space_of_integer(struct qn__function *f, LLVMValueRef v, int depth)
{
    if (depth == 0 || (!LLVMIsAInstruction(v) && !LLVMIsAConstantExpr(v)))
        return QN__SPACE_UNKNOWN;
    const LLVMOpcode op =
        LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMGetConstOpcode(v);
    switch (op) {
    case LLVMPtrToInt: return qn__space_of(f, LLVMGetOperand(v, 0));
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMZExt:
    case LLVMTrunc: {
        enum qn__space s = QN__SPACE_UNKNOWN;
        for (int i = 0; i < LLVMGetNumOperands(v); i++)
            s = join(s, space_of_integer(f, LLVMGetOperand(v, (unsigned)i), depth - 1));
        return s;
    }
    default: return QN__SPACE_UNKNOWN;
    }
}

enum qn__space qn__space_of(struct qn__function *f, LLVMValueRef v)
{
    for (;;) {
        if (LLVMIsAConstantExpr(v)) {
            if (LLVMGetConstOpcode(v) == LLVMIntToPtr) {
                const enum qn__space s = space_of_integer(f, LLVMGetOperand(v, 0), 8);
                return s == QN__SPACE_UNKNOWN ? QN__GLOBAL : s;
            }
            v = LLVMGetOperand(v, 0);
            continue;
        }
        if (LLVMIsAGlobalVariable(v))
            return space_of_global(v);
        const struct qn__value *const known = qn__value_of(f, v);
        return known ? known->space : QN__SPACE_UNKNOWN;
    }
}

LLVMValueRef qn__memory_root(LLVMValueRef p)
{
    for (;;) {
        const bool expr = LLVMIsAConstantExpr(p) != NULL;
        if (!expr && !LLVMIsAInstruction(p))
            return p;
        const LLVMOpcode op = expr ? LLVMGetConstOpcode(p) : LLVMGetInstructionOpcode(p);
        if (op != LLVMGetElementPtr && op != LLVMAddrSpaceCast && op != LLVMBitCast &&
            op != LLVMFreeze)
            return p;
        p = LLVMGetOperand(p, 0);
    }
}

/* Pointers kept in private and shared memory, by the variable that holds them. Where a pointer
 * leads to such memory and to no variable by name (p->next), it may hold what any of them does. */
struct held {
    struct qn__map of;                            /* variable -> enum qn__space */
    enum qn__space all[QN__SPACE_MIXED + 1];      /* in the whole of private or shared memory */
    enum qn__space anywhere[QN__SPACE_MIXED + 1]; /* stored there through a pointer */
    bool complete;                                /* a place that is still unknown stays so */
};

/* What one variable holds; NULL where `p` leads to none. */
static enum qn__space *held_by(struct qn__function *f, struct held *held, LLVMValueRef p)
{
    const LLVMValueRef root = qn__memory_root(p);
    if (!LLVMIsAAllocaInst(root) && !LLVMIsAGlobalVariable(root) && !LLVMIsAArgument(root))
        return NULL;
    enum qn__space *s = qn__map_get(&held->of, root);
    if (!s) {
        s = QN__NEED(f->u, enum qn__space);
        qn__map_put(f->u, &held->of, root, s);
    }
    return s;
}

static bool holds_spaces(enum qn__space where)
{
    return where == QN__PRIVATE || where == QN__LOCAL;
}

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

static enum qn__space derive(struct qn__function *f, struct held *held, struct qn__value *v)
{
    enum qn__space s = QN__SPACE_UNKNOWN;
    const LLVMValueRef in = v->llvm;
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMAlloca: return QN__PRIVATE;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze: return qn__space_of(f, LLVMGetOperand(in, 0));
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(in); i++)
            s = join(s, qn__space_of(f, LLVMGetIncomingValue(in, i)));
        return s;
    case LLVMSelect:
        return join(qn__space_of(f, LLVMGetOperand(in, 1)), qn__space_of(f, LLVMGetOperand(in, 2)));
    case LLVMLoad: {
        const enum qn__space where = qn__space_of(f, LLVMGetOperand(in, 0));
        if (where == QN__SPACE_UNKNOWN && !held->complete)
            return QN__SPACE_UNKNOWN;
        if (holds_spaces(where)) {
            const enum qn__space *const h = held_by(f, held, LLVMGetOperand(in, 0));
            return h ? join(*h, held->anywhere[where]) : held->all[where];
        }
        f->has_indirect_pointers = true;
        return QN__GLOBAL;
    }
    case LLVMExtractValue: f->has_indirect_pointers = true; return QN__GLOBAL;
    case LLVMIntToPtr:
        s = space_of_integer(f, LLVMGetOperand(in, 0), 8);
        f->has_indirect_pointers |= s == QN__SPACE_UNKNOWN;
        return s == QN__SPACE_UNKNOWN ? QN__GLOBAL : s;
    case LLVMCall: return QN__GLOBAL;
    default: return QN__SPACE_UNKNOWN;
    }
}

/* A pointer is stored; does that tell anything new? */
static bool hold(struct qn__function *f, struct held *held, LLVMValueRef stored, LLVMValueRef p)
{
    const enum qn__space s = qn__space_of(f, stored), where = qn__space_of(f, p);
    if (!holds_spaces(where))
        return false;
    enum qn__space *const variable = held_by(f, held, p);
    enum qn__space *const h = variable ? variable : &held->anywhere[where];
    const enum qn__space one = join(*h, s), all = join(held->all[where], s);
    const bool changed = one != *h || all != held->all[where];
    *h = one;
    held->all[where] = all;
    return changed;
}

static bool step(struct qn__function *f, struct held *held, struct qn__value *v)
{
    if (LLVMIsAStoreInst(v->llvm)) {
        const LLVMValueRef stored = LLVMGetOperand(v->llvm, 0);
        return is_pointer(stored) && hold(f, held, stored, LLVMGetOperand(v->llvm, 1));
    }
    if (!is_pointer(v->llvm))
        return false;
    const enum qn__space s = derive(f, held, v);
    const bool changed = s != v->space;
    v->space = s;
    return changed;
}

/* Do the spaces meet at this instruction, or did they meet before? */
static bool mixes_here(struct qn__function *f, LLVMValueRef in)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(in);
    if (op == LLVMLoad)
        return true;
    if (op != LLVMPHI && op != LLVMSelect)
        return false;
    for (int i = op == LLVMSelect; i < LLVMGetNumOperands(in); i++)
        if (qn__space_of(f, LLVMGetOperand(in, (unsigned)i)) == QN__SPACE_MIXED)
            return false;
    return true;
}

static void check(struct qn__function *f, struct qn__value *v)
{
    if (LLVMIsAStoreInst(v->llvm) && is_pointer(LLVMGetOperand(v->llvm, 0))) {
        const enum qn__space s = qn__space_of(f, LLVMGetOperand(v->llvm, 0));
        const enum qn__space to = qn__space_of(f, LLVMGetOperand(v->llvm, 1));
        if (to == QN__GLOBAL && (s == QN__LOCAL || s == QN__PRIVATE || s == QN__CONSTANT))
            qn__refuse(f->u, v->llvm,
                       "a pointer to %s memory is stored in global memory, where its address space "
                       "would be lost",
                       qn__space_word(s));
    }
    if (v->space != QN__SPACE_MIXED)
        return;
    if (mixes_here(f, v->llvm))
        qn__refuse(f->u, v->llvm,
                   "this pointer%s%s may point to different address spaces (global, local or "
                   "private memory), which OpenCL 1.2 cannot express: use one pointer for each",
                   v->name.name[0] ? " " : "", v->name.name);
}

void qn__spaces_find(struct qn__function *f)
{
    struct held held = {0};
    for (unsigned i = 0; i < LLVMCountParams(f->llvm); i++)
        if (is_pointer(f->values[i].llvm))
            f->values[i].space = qn__byval_type(f->u, f->llvm, i) ? QN__PRIVATE : QN__GLOBAL;
    for (bool changed = true; changed || !held.complete;) {
        held.complete |= !changed;
        changed = false;
        for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++)
            changed |= step(f, &held, &f->values[i]);
    }
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        check(f, &f->values[i]);
        if (is_pointer(f->values[i].llvm) && f->values[i].space == QN__SPACE_UNKNOWN)
            f->values[i].space = QN__GLOBAL; /* nothing but null flows here */
    }
}

LLVMTypeRef qn__byval_type(struct qn__unit *u, LLVMValueRef function, unsigned parameter)
{
    (void)u;
    const LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(
        function, parameter + 1, LLVMGetEnumAttributeKindForName("byval", 5));
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* The byte offset of a constant address from its variable; the variable, or NULL. */
static LLVMValueRef constant_address(struct qn__unit *u, LLVMValueRef p, uint64_t *offset)
{
    *offset = 0;
    for (;;) {
        const bool expr = LLVMIsAConstantExpr(p) != NULL;
        if (!expr && !LLVMIsAInstruction(p))
            return LLVMIsAGlobalVariable(p);
        const LLVMOpcode op = expr ? LLVMGetConstOpcode(p) : LLVMGetInstructionOpcode(p);
        if (op == LLVMGetElementPtr) {
            LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
            for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++) {
                const LLVMValueRef index = LLVMGetOperand(p, i);
                if (!LLVMIsAConstantInt(index))
                    return NULL;
                const uint64_t k = LLVMConstIntGetZExtValue(index);
                if (i == 1) {
                    *offset += k * LLVMABISizeOfType(u->layout, t);
                } else if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
                    *offset += LLVMOffsetOfElement(u->layout, t, (unsigned)k);
                    t = LLVMStructGetTypeAtIndex(t, (unsigned)k);
                } else {
                    return NULL;
                }
            }
        } else if (op != LLVMAddrSpaceCast && op != LLVMBitCast) {
            return NULL;
        }
        p = LLVMGetOperand(p, 0);
    }
}

const char *qn__index_function(struct qn__unit *u, LLVMValueRef load, unsigned *axis)
{
    static const struct {
        const char *variable, *function;
    } all[] = {
        {"threadIdx", "get_local_id"},
        {"blockIdx", "get_group_id"},
        {"blockDim", "get_local_size"},
        {"gridDim", "get_num_groups"},
    };
    uint64_t offset;
    size_t n;
    const LLVMValueRef g = constant_address(u, LLVMGetOperand(load, 0), &offset);
    if (!g || !LLVMIsDeclaration(g) || offset % 4 || offset > 8)
        return NULL;
    const char *const name = LLVMGetValueName2(g, &n);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__equal(name, all[i].variable)) {
            *axis = (unsigned)(offset / 4);
            return all[i].function;
        }
    return NULL;
}
