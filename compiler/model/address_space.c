/* SPDX-License-Identifier: Apache-2.0
 *
 * Address spaces: OpenCL C wants one on every pointer, CUDA has none. After inlining, each pointer
 * comes from something whose space is known (infer_spaces.c follows the path):
 *
 *     kernel argument, module variable      global        (a by-value struct: private)
 *     __shared__ variable                   local
 *     alloca                                private
 *     a table that is never written         constant
 *     a pointer found in global memory      global: nothing else is ever stored there (checked)
 *     a pointer found in an alloca or in shared memory    what was stored there
 *
 * OpenCL 1.2 has no generic address space: a pointer that could be in two spaces has been split
 * (lower/mixed_pointers.c), and is refused where that was not possible. */
#include "compiler/model/address_space.h"

#include "compiler/model/builtins.h"

enum qn__space qn__space_join(enum qn__space a, enum qn__space b)
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

/* The space of the address that a constant holds, as a number or in a struct; unknown: it holds
 * none. */
enum qn__space qn__space_of_number(LLVMValueRef v)
{
    enum qn__space s = QN__SPACE_UNKNOWN;
    if (LLVMIsAGlobalVariable(v))
        return space_of_global(v);
    for (int i = 0; LLVMIsAConstant(v) && !LLVMIsAFunction(v) && i < LLVMGetNumOperands(v); i++)
        s = qn__space_join(s, qn__space_of_number(LLVMGetOperand(v, (unsigned)i)));
    return s;
}

enum qn__space qn__space_of(struct qn__function *f, LLVMValueRef v)
{
    for (;;) {
        if (LLVMIsAConstantExpr(v)) {
            if (LLVMGetConstOpcode(v) == LLVMIntToPtr) {
                const enum qn__space s = qn__space_of_number(LLVMGetOperand(v, 0));
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

LLVMTypeRef qn__gep_type(LLVMValueRef gep)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
    for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);
        t = LLVMGetTypeKind(t) == LLVMStructTypeKind
                ? LLVMStructGetTypeAtIndex(t, (unsigned)LLVMConstIntGetZExtValue(index))
                : LLVMGetElementType(t);
    }
    return t;
}

bool qn__gep_counts(struct qn__unit *u, LLVMValueRef gep, unsigned i, LLVMTypeRef *t,
                    uint64_t *bytes)
{
    if (i > 1 && LLVMGetTypeKind(*t) == LLVMStructTypeKind) {
        const unsigned field = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(gep, i));
        *bytes = LLVMOffsetOfElement(u->layout, *t, field);
        *t = LLVMStructGetTypeAtIndex(*t, field);
        return false;
    }
    *t = i == 1 ? LLVMGetGEPSourceElementType(gep) : LLVMGetElementType(*t);
    *bytes = LLVMABISizeOfType(u->layout, *t);
    return true;
}

LLVMTypeRef qn__stated_type(struct qn__function *f, LLVMValueRef p)
{
    const LLVMValueRef root = qn__memory_root(p);
    if (p == root) {
        const struct qn__value *const v = qn__value_of(f, p);
        return LLVMIsAAllocaInst(p)       ? LLVMGetAllocatedType(p)
               : LLVMIsAGlobalVariable(p) ? LLVMGlobalGetValueType(p)
               : v && !v->block           ? qn__byval_type(f->u, f->llvm, v->index)
                                          : NULL;
    }
    return LLVMIsAGetElementPtrInst(p) ? qn__gep_type(p) : NULL;
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
            LLVMTypeRef t = NULL;
            uint64_t bytes;
            for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++) {
                const LLVMValueRef index = LLVMGetOperand(p, i);
                if (!LLVMIsAConstantInt(index))
                    return NULL;
                *offset += qn__gep_counts(u, p, i, &t, &bytes)
                               ? bytes * LLVMConstIntGetZExtValue(index)
                               : bytes;
            }
        } else if (op != LLVMAddrSpaceCast && op != LLVMBitCast) {
            return NULL;
        }
        p = LLVMGetOperand(p, 0);
    }
}

enum qn__work_item qn__work_item(struct qn__unit *u, LLVMValueRef load, unsigned *axis)
{
    static const struct {
        const char *variable;
        enum qn__work_item what;
    } all[] = {
        {"threadIdx", QN__LOCAL_ID},
        {"blockIdx", QN__GROUP_ID},
        {"blockDim", QN__LOCAL_SIZE},
        {"gridDim", QN__NUM_GROUPS},
    };
    uint64_t offset;
    size_t n;
    const LLVMValueRef g = constant_address(u, LLVMGetOperand(load, 0), &offset);
    if (!g || !LLVMIsDeclaration(g) || offset % 4 || offset > 8)
        return QN__NO_WORK_ITEM;
    const char *const name = LLVMGetValueName2(g, &n);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__equal(name, all[i].variable)) {
            *axis = (unsigned)(offset / 4);
            return all[i].what;
        }
    return QN__NO_WORK_ITEM;
}

LLVMTypeRef qn__buffered_type(struct qn__unit *u, LLVMValueRef parameter)
{
    return qn__map_get(&u->in_buffers, parameter);
}

bool qn__holds_pointers(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMPointerTypeKind: return true;
    case LLVMVectorTypeKind:
    case LLVMArrayTypeKind: return qn__holds_pointers(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (qn__holds_pointers(LLVMStructGetTypeAtIndex(t, i)))
                return true;
        return false;
    default: return false;
    }
}
