/* SPDX-License-Identifier: Apache-2.0
 *
 * The initial value of a __device__ or __constant__ variable as bytes, for the reflection: the host
 * fills the variable's buffer with them before the first launch. */
#include "compiler/model/initial_value.h"

#include "compiler/core/diagnose.h"
#include "compiler/model/address_space.h"

#include <string.h>

struct value {
    struct qn__unit *u;
    unsigned char *bytes;
    struct qn__initial_addresses *addresses;
};

/* The variable that a constant address is in, and how far; NULL: it is none. */
static LLVMValueRef variable_at(struct qn__unit *u, LLVMValueRef p, uint64_t *offset)
{
    *offset = 0;
    for (; LLVMIsAConstantExpr(p); p = LLVMGetOperand(p, 0)) {
        const LLVMOpcode op = LLVMGetConstOpcode(p);
        LLVMTypeRef t = NULL;
        uint64_t bytes;
        if (op != LLVMGetElementPtr && op != LLVMAddrSpaceCast && op != LLVMBitCast &&
            op != LLVMPtrToInt && op != LLVMIntToPtr)
            return NULL;
        for (unsigned i = 1; op == LLVMGetElementPtr && i < (unsigned)LLVMGetNumOperands(p); i++) {
            const LLVMValueRef index = LLVMGetOperand(p, i);
            if (!LLVMIsAConstantInt(index))
                return NULL;
            *offset += qn__gep_counts(u, p, i, &t, &bytes)
                           ? bytes * (uint64_t)LLVMConstIntGetSExtValue(index)
                           : bytes;
        }
    }
    return LLVMIsAGlobalVariable(p) && qn__is_module_variable(p) ? p : NULL;
}

static bool keep_address(struct value *x, LLVMValueRef v, unsigned char *out)
{
    enum { BYTES = 8 };
    struct qn__initial_address a = {.offset = (uint64_t)(out - x->bytes)};
    a.variable = variable_at(x->u, v, &a.addend);
    if (!a.variable || LLVMABISizeOfType(x->u->layout, LLVMTypeOf(v)) != BYTES)
        return false;
    memset(out, 0, BYTES);
    QN__PUSH(x->u, x->addresses->items, x->addresses->n, x->addresses->capacity, a);
    return true;
}

/* An initialiser's bytes; false when it holds what has no bytes. */
static bool bytes_of(struct value *x, LLVMValueRef v, unsigned char *out)
{
    struct qn__unit *const u = x->u;
    const LLVMTypeRef t = LLVMTypeOf(v);
    const uint64_t size = LLVMABISizeOfType(u->layout, t);
    if (LLVMIsUndef(v) || LLVMIsPoison(v) || LLVMIsNull(v)) {
        memset(out, 0, size);
        return true;
    }
    if (keep_address(x, v, out))
        return true;
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
        return LLVMIsAConstantInt(bits) && bytes_of(x, bits, out);
    }
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: {
        const bool array = LLVMGetTypeKind(t) == LLVMArrayTypeKind;
        const uint64_t n = array ? LLVMGetArrayLength2(t) : LLVMGetVectorSize(t);
        const uint64_t step = LLVMABISizeOfType(u->layout, LLVMGetElementType(t));
        for (uint64_t i = 0; i < n; i++)
            if (!bytes_of(x, LLVMGetAggregateElement(v, (unsigned)i), out + i * step))
                return false;
        return true;
    }
    case LLVMStructTypeKind:
        memset(out, 0, size);
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (!bytes_of(x, LLVMGetAggregateElement(v, i),
                          out + LLVMOffsetOfElement(u->layout, t, i)))
                return false;
        return true;
    default: return false;
    }
}

const unsigned char *qn__initial_value(struct qn__unit *u, LLVMValueRef variable, const char *name,
                                       struct qn__initial_addresses *addresses)
{
    const LLVMValueRef init = LLVMGetInitializer(variable);
    if (!init || LLVMIsNull(init) || LLVMIsUndef(init))
        return NULL;
    const uint64_t size = LLVMABISizeOfType(u->layout, LLVMGlobalGetValueType(variable));
    unsigned char *const bytes = QN__NEED_ARRAY(u, unsigned char, size);
    struct value x = {u, bytes, addresses};
    const bool known = bytes_of(&x, init, bytes);
    if (!known)
        qn__refuse(u, NULL,
                   "the initial value of %s holds what is not known before the launch (a number "
                   "made of an address, or an address that is not of a variable in global or "
                   "constant memory): set it in a kernel or from the host",
                   name);
    return bytes;
}
