/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of more than 16 bytes in memory that is less aligned, as memcpy leaves them. vload and
 * vstore move their elements where those are aligned, and the memory has elements of that type.
 * Elsewhere bytes are moved (expr_memory.c), and OpenCL C has no vector of more than 16 of those.
 *
 *     float8 v; memcpy(&v, bytes, 32)    ->   a = as_float4(vload16(0, bytes)), b = ...,
 *                                             v = (float8)(a.x, ..., b.w) */
#include "compiler/core/debug_info.h"
#include "compiler/model/address_space.h"
#include "compiler/model/alignment.h"
#include "compiler/model/type_lookup.h"
#include "compiler/passes.h"

enum { PART_BYTES = 16 };

static LLVMValueRef address_of(LLVMValueRef access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static LLVMTypeRef accessed_type(LLVMValueRef access)
{
    return LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
}

static bool is_scalar_of(LLVMTypeRef t, const struct qn__type *c)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind: return c->kind == QN__INT && LLVMGetIntTypeWidth(t) == c->bits;
    case LLVMHalfTypeKind: return c->kind == QN__FLOAT && c->bits == 16;
    case LLVMFloatTypeKind: return c->kind == QN__FLOAT && c->bits == 32;
    case LLVMDoubleTypeKind: return c->kind == QN__FLOAT && c->bits == 64;
    default: return false;
    }
}

/* Does the memory consist of other scalars than these, as far as its type shows? Bytes hold
 * anything. */
static bool holds_others(struct qn__unit *u, LLVMValueRef p, LLVMTypeRef element)
{
    const LLVMTypeRef byte = LLVMInt8TypeInContext(u->context);
    while (LLVMIsAGetElementPtrInst(p) && qn__gep_type(p) == byte)
        p = LLVMGetOperand(p, 0);
    if (LLVMIsAArgument(p)) {
        bool is_pointer = false;
        const LLVMValueRef f = LLVMGetParamParent(p);
        unsigned i = 0;
        while (LLVMGetParam(f, i) != p)
            i++;
        const LLVMMetadataRef di = qn__di_parameter(u, f, i),
                              to = di ? qn__di_pointee(u, di, &is_pointer) : NULL;
        const char *const name = to ? qn__di_scalar_name(u, to) : NULL;
        const struct qn__type *const c = name ? qn__type_named_cpp(u, name) : NULL;
        return c && qn__type_size(c) > 1 && !is_scalar_of(element, c);
    }
    LLVMTypeRef t = LLVMIsAGetElementPtrInst(p) ? qn__gep_type(p)
                    : LLVMIsAAllocaInst(p)      ? LLVMGetAllocatedType(p)
                    : LLVMIsAGlobalVariable(p)  ? LLVMGlobalGetValueType(p)
                                                : NULL;
    while (t &&
           (LLVMGetTypeKind(t) == LLVMArrayTypeKind || LLVMGetTypeKind(t) == LLVMVectorTypeKind ||
            (LLVMGetTypeKind(t) == LLVMStructTypeKind && LLVMCountStructElementTypes(t))))
        t = LLVMGetTypeKind(t) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(t, 0)
                                                     : LLVMGetElementType(t);
    return t && t != byte && t != element;
}

/* vload and vstore access the elements: those must be aligned, and of the memory's own type. */
static bool needs_parts(struct qn__unit *u, LLVMValueRef access)
{
    const LLVMTypeRef t = accessed_type(access);
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind)
        return false;
    const LLVMTypeRef element = LLVMGetElementType(t);
    const uint64_t bytes = LLVMABISizeOfType(u->layout, t);
    return bytes > PART_BYTES && !qn__is_aligned(u, access, bytes) &&
           (!qn__is_aligned(u, access, LLVMABISizeOfType(u->layout, element)) ||
            holds_others(u, address_of(access), element));
}

/* How many of the `rest` remaining elements of a vector go into one part. */
static unsigned part_of(unsigned rest, uint64_t element_bytes)
{
    unsigned n = 1;
    while (2 * n <= rest && 2 * n * element_bytes <= PART_BYTES)
        n *= 2;
    return n;
}

static LLVMValueRef index_of(struct qn__unit *u, unsigned i)
{
    return LLVMConstInt(LLVMInt32TypeInContext(u->context), i, false);
}

/* Elements `first` and on of a vector, as a smaller one or as the only element. */
static LLVMValueRef take(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef vector, unsigned first,
                         unsigned n)
{
    const LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(vector));
    LLVMValueRef part = n > 1 ? LLVMGetUndef(LLVMVectorType(element, n)) : NULL;
    for (unsigned i = 0; i < n; i++) {
        const LLVMValueRef e = LLVMBuildExtractElement(b, vector, index_of(u, first + i), "");
        part = n > 1 ? LLVMBuildInsertElement(b, part, e, index_of(u, i), "") : e;
    }
    return part;
}

static LLVMValueRef give(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef vector, unsigned first,
                         unsigned n, LLVMValueRef part)
{
    for (unsigned i = 0; i < n; i++) {
        const LLVMValueRef e = n > 1 ? LLVMBuildExtractElement(b, part, index_of(u, i), "") : part;
        vector = LLVMBuildInsertElement(b, vector, e, index_of(u, first + i), "");
    }
    return vector;
}

static void split(struct qn__unit *u, LLVMBuilderRef b, LLVMValueRef access)
{
    const bool is_load = LLVMIsALoadInst(access) != NULL;
    const LLVMTypeRef t = accessed_type(access), element = LLVMGetElementType(t);
    const uint64_t bytes = LLVMABISizeOfType(u->layout, element);
    const unsigned count = LLVMGetVectorSize(t), aligned = (unsigned)qn__alignment_of(u, access);
    LLVMValueRef whole = is_load ? LLVMGetUndef(t) : LLVMGetOperand(access, 0);
    LLVMPositionBuilderBefore(b, access);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(access));
    for (unsigned at = 0, n; at < count; at += n) {
        n = part_of(count - at, bytes);
        LLVMValueRef offset = index_of(u, (unsigned)(at * bytes));
        const LLVMValueRef p = at ? LLVMBuildInBoundsGEP2(b, LLVMInt8TypeInContext(u->context),
                                                          address_of(access), &offset, 1, "")
                                  : address_of(access);
        const LLVMTypeRef type = n > 1 ? LLVMVectorType(element, n) : element;
        const LLVMValueRef part = is_load ? LLVMBuildLoad2(b, type, p, "")
                                          : LLVMBuildStore(b, take(u, b, whole, at, n), p);
        LLVMSetAlignment(part, aligned < PART_BYTES ? aligned : PART_BYTES);
        LLVMSetVolatile(part, LLVMGetVolatile(access));
        if (is_load)
            whole = give(u, b, whole, at, n, part);
    }
    if (is_load)
        LLVMReplaceAllUsesWith(access, whole);
    LLVMInstructionEraseFromParent(access);
}

qn_status qn__split_vectors(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb), next; in; in = next) {
                next = LLVMGetNextInstruction(in);
                if ((LLVMIsALoadInst(in) || LLVMIsAStoreInst(in)) && needs_parts(u, in))
                    split(u, b, in);
            }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
