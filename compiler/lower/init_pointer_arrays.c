/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays and structs of addresses with an initialiser: clang copies them from a constant, and
 * OpenCL C has no constants that hold addresses.
 *
 *     float *p[2] = {a, b};  ->  float *p[2]; p[0] = a; p[1] = b;
 *
 * What is larger than a few elements stays a copy, and is refused where it is printed. */
#include "compiler/passes.h"

enum { MOST_ELEMENTS = 64 };

/* Zero for what is not an aggregate. */
static unsigned count_parts(LLVMValueRef c)
{
    const LLVMTypeRef t = LLVMTypeOf(c);
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind: return (unsigned)LLVMGetArrayLength2(t);
    case LLVMStructTypeKind: return LLVMCountStructElementTypes(t);
    default: return 0;
    }
}

static bool holds_address(LLVMValueRef c)
{
    if (LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMPointerTypeKind)
        return !LLVMIsNull(c) && !LLVMIsUndef(c);
    for (unsigned i = 0; i < count_parts(c); i++)
        if (holds_address(LLVMGetAggregateElement(c, i)))
            return true;
    return false;
}

static unsigned count_leaves(LLVMValueRef c)
{
    const unsigned parts = count_parts(c);
    unsigned n = parts == 0;
    for (unsigned i = 0; i < parts && n <= MOST_ELEMENTS; i++)
        n += count_leaves(LLVMGetAggregateElement(c, i));
    return n;
}

static void store_parts(LLVMBuilderRef b, LLVMValueRef c, LLVMValueRef to)
{
    const unsigned parts = count_parts(c);
    if (parts == 0 && !LLVMIsUndef(c))
        LLVMBuildStore(b, c, to);
    for (unsigned i = 0; i < parts; i++) {
        const LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(c)));
        LLVMValueRef index[] = {LLVMConstNull(word), LLVMConstInt(word, i, false)};
        store_parts(b, LLVMGetAggregateElement(c, i),
                    LLVMBuildInBoundsGEP2(b, LLVMTypeOf(c), to, index, 2, ""));
    }
}

static void expand(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef copy)
{
    const LLVMValueRef from = LLVMGetOperand(copy, 1), n = LLVMGetOperand(copy, 2);
    const LLVMValueRef c =
        LLVMIsAGlobalVariable(from) && LLVMIsGlobalConstant(from) ? LLVMGetInitializer(from) : NULL;
    if (!c || !LLVMIsAConstantInt(n) || count_leaves(c) > MOST_ELEMENTS || !holds_address(c) ||
        LLVMConstIntGetZExtValue(n) != LLVMABISizeOfType(u->layout, LLVMTypeOf(c)))
        return;
    LLVMPositionBuilderBefore(b, copy);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(copy));
    store_parts(b, c, LLVMGetOperand(copy, 0));
    LLVMInstructionEraseFromParent(copy);
}

qn_status qn__init_pointer_arrays(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        size_t n;
        if (!qn__starts_with(LLVMGetValueName2(f, &n), "llvm.memcpy."))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f), next; use; use = next) {
            next = LLVMGetNextUse(use);
            expand(u, b, LLVMGetUser(use));
        }
    }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
