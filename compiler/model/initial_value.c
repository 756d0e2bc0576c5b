/* SPDX-License-Identifier: Apache-2.0
 *
 * The initial value of a __device__ or __constant__ variable as bytes, for the reflection: the host
 * fills the variable's buffer with them before the first launch. */
#include "compiler/model/initial_value.h"

#include "compiler/core/diagnose.h"

#include <string.h>

/* An initialiser's bytes; false when it holds what has no bytes yet (an address). */
static bool bytes_of(struct qn__unit *u, LLVMValueRef v, unsigned char *out)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    const uint64_t size = LLVMABISizeOfType(u->layout, t);
    if (LLVMIsUndef(v) || LLVMIsPoison(v) || LLVMIsNull(v)) {
        memset(out, 0, size);
        return true;
    }
    if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMIntToPtr)
        v = LLVMGetOperand(v, 0); /* a function's number */
    switch (LLVMGetTypeKind(LLVMTypeOf(v))) {
    case LLVMIntegerTypeKind: {
        if (!LLVMIsAConstantInt(v))
            return false;
        const uint64_t bits = LLVMConstIntGetZExtValue(v);
        for (uint64_t i = 0; i < size && i < 8; i++)
            out[i] = (unsigned char)(bits >> 8 * i);
        return size <= 8;
    }
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: {
        const LLVMTypeRef as = LLVMIntTypeInContext(u->context, (unsigned)size * 8);
        const LLVMValueRef bits = LLVMConstBitCast(v, as);
        return LLVMIsAConstantInt(bits) && bytes_of(u, bits, out);
    }
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: {
        const bool array = LLVMGetTypeKind(t) == LLVMArrayTypeKind;
        const uint64_t n = array ? LLVMGetArrayLength2(t) : LLVMGetVectorSize(t);
        const uint64_t step = LLVMABISizeOfType(u->layout, LLVMGetElementType(t));
        for (uint64_t i = 0; i < n; i++)
            if (!bytes_of(u, LLVMGetAggregateElement(v, (unsigned)i), out + i * step))
                return false;
        return true;
    }
    case LLVMStructTypeKind:
        memset(out, 0, size);
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (!bytes_of(u, LLVMGetAggregateElement(v, i),
                          out + LLVMOffsetOfElement(u->layout, t, i)))
                return false;
        return true;
    default: return false;
    }
}

const unsigned char *qn__initial_value(struct qn__unit *u, LLVMValueRef variable, const char *name)
{
    const LLVMValueRef init = LLVMGetInitializer(variable);
    if (!init || LLVMIsNull(init) || LLVMIsUndef(init))
        return NULL;
    const uint64_t size = LLVMABISizeOfType(u->layout, LLVMGlobalGetValueType(variable));
    unsigned char *const bytes = QN__NEED_ARRAY(u, unsigned char, size);
    if (!bytes_of(u, init, bytes))
        qn__refuse(
            u, NULL,
            "the initial value of %s holds an address, which is not known before the launch: "
            "set it in a kernel or from the host",
            name);
    return bytes;
}
