/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses of shared memory as numbers of 32 bits, as PTX takes them:
 *
 *     unsigned n = (unsigned)__cvta_generic_to_shared(p)    n = (uint)((ulong)p - (ulong)window)
 *     ld.shared.u32 d, [n];                                 d = *(ulong)window + (long)(int)n
 *
 * OpenCL's addresses may have 64 bits, so the number is the distance from a variable in local
 * memory, the window. All local memory of a work-group lies within 2^31 bytes of it: drivers
 * allocate it at once. The window is aligned to 128 bytes, so that the low bits of a number are
 * those of the address, and a swizzle (n ^ 64) stays in its line. */
#include "compiler/lower/ptx/ptx_window.h"

enum { SHARED = 3, WINDOW_BYTES = 16, WINDOW_ALIGNMENT = 128, VARIABLE_ALIGNMENT = 16 };

/* Instructions that take numbers copy up to 16 bytes; NVIDIA puts the first variable at 0, whatever
 * its type asks for. */
static void align_others(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED &&
            LLVMGetAlignment(g) < VARIABLE_ALIGNMENT)
            LLVMSetAlignment(g, VARIABLE_ALIGNMENT);
}

/* (ulong)window */
static LLVMValueRef window(struct qn__ptx *x)
{
    static const char name[] = "shared_window";
    const LLVMTypeRef wide = LLVMInt64TypeInContext(x->u->context);
    LLVMValueRef g = LLVMGetNamedGlobal(x->module, name);
    if (!g) {
        const LLVMTypeRef t = LLVMArrayType2(LLVMInt8TypeInContext(x->u->context), WINDOW_BYTES);
        g = LLVMAddGlobalInAddressSpace(x->module, t, name, SHARED);
        LLVMSetInitializer(g, LLVMGetUndef(t));
        LLVMSetLinkage(g, LLVMInternalLinkage);
        LLVMSetAlignment(g, WINDOW_ALIGNMENT);
        align_others(x->module);
    }
    return LLVMBuildPtrToInt(
        x->b, LLVMConstAddrSpaceCast(g, LLVMPointerTypeInContext(x->u->context, 0)), wide, "");
}

LLVMValueRef qn__ptx_shared_number(struct qn__ptx *x, LLVMValueRef pointer)
{
    const LLVMTypeRef wide = LLVMInt64TypeInContext(x->u->context);
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind)
        pointer = LLVMBuildPtrToInt(x->b, pointer, wide, "");
    return LLVMBuildTrunc(x->b, LLVMBuildSub(x->b, pointer, window(x), ""),
                          LLVMInt32TypeInContext(x->u->context), "");
}

LLVMValueRef qn__ptx_shared_pointer(struct qn__ptx *x, LLVMValueRef number)
{
    const LLVMTypeRef wide = LLVMInt64TypeInContext(x->u->context);
    number = LLVMBuildIntCast2(x->b, number, LLVMInt32TypeInContext(x->u->context), false, "");
    number = LLVMBuildSExt(x->b, number, wide, "");
    return LLVMBuildIntToPtr(x->b, LLVMBuildAdd(x->b, window(x), number, ""),
                             LLVMPointerTypeInContext(x->u->context, 0), "");
}
