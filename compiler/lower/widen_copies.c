/* SPDX-License-Identifier: Apache-2.0
 *
 * memcpy of 2 to 16 bytes becomes one load and one store, so that what was one wide access in the
 * source (a float4 that is assigned) stays one and SROA sees it:
 *
 *     memcpy(dst, src, 16), both 16-byte aligned    ->  *(float4 *)dst = *(float4 *)src
 *                           as their elements are   ->  vstore4(vload4(0, src), 0, dst) */
#include "compiler/model/address_space.h"
#include "compiler/passes.h"

#include <string.h>

/* The one scalar type a type consists of, and how many of it; NULL when mixed. */
static LLVMTypeRef only_scalar(LLVMTypeRef t, uint64_t *count)
{
    uint64_t inner = 0;
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: *count = 1; return t;
    case LLVMArrayTypeKind: {
        const LLVMTypeRef e = only_scalar(LLVMGetElementType(t), &inner);
        *count = inner * LLVMGetArrayLength2(t);
        return e == LLVMInt8TypeInContext(LLVMGetTypeContext(t)) && *count % 2 == 1
                   ? NULL /* a bit-field */
                   : e;
    }
    case LLVMStructTypeKind: {
        LLVMTypeRef all = NULL;
        *count = 0;
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++) {
            const LLVMTypeRef e = only_scalar(LLVMStructGetTypeAtIndex(t, i), &inner);
            if (!e || (all && e != all))
                return NULL;
            all = e;
            *count += inner;
        }
        return all;
    }
    default: return NULL;
    }
}

/* What a pointer points to by the instruction that made it, or NULL. */
static LLVMTypeRef stated_type(LLVMValueRef p)
{
    if (LLVMIsAAllocaInst(p))
        return LLVMGetAllocatedType(p);
    return LLVMIsAGetElementPtrInst(p) ? qn__gep_type(p) : NULL;
}

static LLVMTypeRef copy_type(struct qn__unit *u, LLVMValueRef p, uint64_t bytes)
{
    uint64_t count;
    const LLVMTypeRef stated = stated_type(p);
    const LLVMTypeRef scalar = stated ? only_scalar(stated, &count) : NULL;
    if (!scalar)
        return NULL;
    const uint64_t size = LLVMABISizeOfType(u->layout, scalar);
    const uint64_t n = bytes / size;
    if (n * size != bytes || n > 16 || (n & (n - 1)) != 0)
        return NULL;
    return n == 1 ? scalar : LLVMVectorType(scalar, (unsigned)n);
}

static unsigned pointer_alignment(LLVMValueRef call, unsigned argument)
{
    const LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(
        call, argument + 1, LLVMGetEnumAttributeKindForName("align", 5));
    return a ? (unsigned)LLVMGetEnumAttributeValue(a) : 1;
}

/* The alignment a vector access of `t` may have there: the copy's, if that is enough for its
 * elements; else 0. Local arrays are left out: vload does not suit them. */
static unsigned access_alignment(struct qn__unit *u, LLVMValueRef call, unsigned argument,
                                 LLVMTypeRef t, uint64_t bytes)
{
    const unsigned given = pointer_alignment(call, argument);
    const bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    if (given >= bytes)
        return (unsigned)bytes;
    if (!vector || LLVMIsAAllocaInst(qn__memory_root(LLVMGetOperand(call, argument))) ||
        given < LLVMABISizeOfType(u->layout, LLVMGetElementType(t)))
        return 0;
    return given;
}

static void widen_copy(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef call)
{
    const LLVMValueRef dst = LLVMGetOperand(call, 0), src = LLVMGetOperand(call, 1);
    const LLVMValueRef length = LLVMGetOperand(call, 2);
    const uint64_t bytes = LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : 0;
    const bool is_volatile = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)) != 0;
    if ((bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16) || is_volatile)
        return; /* OpenCL C has no volatile vload */
    LLVMTypeRef t = copy_type(u, dst, bytes);
    if (!t)
        t = copy_type(u, src, bytes);
    if (!t)
        return;
    const unsigned from = access_alignment(u, call, 1, t, bytes),
                   to = access_alignment(u, call, 0, t, bytes);
    if (!from || !to)
        return;
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    const LLVMValueRef v = LLVMBuildLoad2(b, t, src, "");
    const LLVMValueRef st = LLVMBuildStore(b, v, dst);
    LLVMSetAlignment(v, from);
    LLVMSetAlignment(st, to);
    LLVMInstructionEraseFromParent(call);
}

qn_status qn__widen_copies(struct qn__unit *u)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                if (!LLVMIsACallInst(in))
                    continue;
                size_t n = 0;
                const LLVMValueRef callee = LLVMGetCalledValue(in);
                const char *const name =
                    LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
                if (qn__starts_with(name, "llvm.memcpy"))
                    widen_copy(u, b, in);
            }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
