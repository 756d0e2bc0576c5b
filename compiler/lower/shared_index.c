/* SPDX-License-Identifier: Apache-2.0
 *
 * Unsigned indices of shared memory that wrap: NVIDIA's shared addresses are 32 bits wide, so that
 * a pointer plus an index of 2^32 - 1 is one element before the pointer. OpenCL's are 64 bits wide.
 *
 *     p[~a], p[a - b]      p = s + 40, and the index may have its highest bit    p[(int)~a]
 *     t[y][x - 1]          x may be 0                                            t[y][(int)(x - 1)]
 *     s[a - b]             from the array's start: what wraps has no place       the same
 *     p[x & 63]            it has not                                            the same
 *     p[~0u]               a constant                                            p[-1]
 */
#include "compiler/lower/int_range.h"
#include "compiler/model/address_space.h"
#include "compiler/passes.h"

enum { SHARED = 3, MOST_POINTERS = 16, MOST_STEPS = 8 };

/* Does the pointer lead to shared memory, whichever way it came? */
static bool is_shared(LLVMValueRef pointer)
{
    LLVMValueRef all[MOST_POINTERS] = {qn__memory_root(pointer)};
    unsigned n = 1;
    for (unsigned i = 0; i < n; i++) {
        const LLVMValueRef p = all[i];
        const bool phi = LLVMIsAPHINode(p) != NULL, choice = LLVMIsASelectInst(p) != NULL;
        if (LLVMIsAGlobalVariable(p) && LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == SHARED)
            return true;
        const unsigned ways = phi ? LLVMCountIncoming(p) : choice ? 2 : 0;
        for (unsigned k = 0; k < ways; k++) {
            const LLVMValueRef from =
                qn__memory_root(phi ? LLVMGetIncomingValue(p, k) : LLVMGetOperand(p, k + 1));
            unsigned known = 0;
            while (known < n && all[known] != from)
                known++;
            if (known == n && n < MOST_POINTERS)
                all[n++] = from;
        }
    }
    return false;
}

static bool is_zero(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMIsNull(v);
}

static bool is_gep(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) ||
           (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* May the address be in the array all the same when this index wraps? Where a pointer has an offset
 * it may, and in t[y][x - 1], where arithmetic wrapped; an index that was read is taken to be one.
 */
static bool may_wrap(LLVMValueRef gep, unsigned index, LLVMValueRef x)
{
    bool has_others = false;
    for (LLVMValueRef p = gep;; p = LLVMGetOperand(p, 0)) {
        while (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMAddrSpaceCast)
            p = LLVMGetOperand(p, 0);
        if (LLVMIsAGlobalVariable(p))
            return has_others && LLVMIsABinaryOperator(x);
        if (!is_gep(p) || (p != gep && !is_zero(LLVMGetOperand(p, 1))))
            return true; /* a pointer that was moved */
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++)
            has_others |= (p != gep || i != index) && !is_zero(LLVMGetOperand(p, i));
    }
}

static void settle(struct qn__unit *u, LLVMBuilderRef b, struct qn__map *known, LLVMValueRef gep)
{
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(gep);
    const LLVMTypeRef wide = LLVMInt64TypeInContext(u->context);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);
        if (!LLVMIsAZExtInst(index) || LLVMTypeOf(index) != wide)
            continue;
        const LLVMValueRef x = LLVMGetOperand(index, 0);
        if (LLVMGetIntTypeWidth(LLVMTypeOf(x)) != 32 || !may_wrap(gep, i, x) ||
            !is_shared(LLVMGetOperand(gep, 0)))
            continue;
        struct qn__int_facts *const f = qn__int_facts_of(u, known, LLVMGetBasicBlockParent(at));
        if (qn__int_range(f, x, true, at).high <= INT32_MAX ||
            qn__int_range(f, x, false, at).low >= 0)
            continue;
        LLVMPositionBuilderBefore(b, gep);
        LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(gep));
        LLVMSetOperand(gep, i, LLVMBuildSExt(b, x, wide, ""));
    }
}

/* ---- constants ---- */

/* Step i of a pointer into shared memory, or the one that leads to the same place modulo 2^32. */
static LLVMValueRef near_step(struct qn__unit *u, LLVMValueRef gep, unsigned i, LLVMTypeRef *t)
{
    const LLVMValueRef index = LLVMGetOperand(gep, i);
    uint64_t bytes;
    if (!qn__gep_counts(u, gep, i, t, &bytes) || bytes == 0 || !LLVMIsAConstantInt(index) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64)
        return index;
    const int64_t far = (int64_t)(LLVMConstIntGetZExtValue(index) * bytes);
    const int64_t near = (int32_t)(uint32_t)far;
    if (near == far || near % (int64_t)bytes)
        return index;
    return LLVMConstInt(LLVMTypeOf(index), (uint64_t)(near / (int64_t)bytes), true);
}

/* A constant pointer into shared memory, or the one that is the same modulo 2^32. */
static LLVMValueRef near_pointer(struct qn__unit *u, LLVMValueRef p)
{
    LLVMValueRef steps[MOST_STEPS];
    LLVMTypeRef t = NULL;
    if (!LLVMIsAConstantExpr(p))
        return p;
    const LLVMValueRef base = near_pointer(u, LLVMGetOperand(p, 0));
    bool same = base == LLVMGetOperand(p, 0);
    if (LLVMGetConstOpcode(p) == LLVMAddrSpaceCast)
        return same ? p : LLVMConstAddrSpaceCast(base, LLVMTypeOf(p));
    const unsigned n = (unsigned)LLVMGetNumOperands(p) - 1;
    if (LLVMGetConstOpcode(p) != LLVMGetElementPtr || n > MOST_STEPS)
        return p;
    for (unsigned i = 0; i < n; i++) {
        steps[i] = near_step(u, p, i + 1, &t);
        same &= steps[i] == LLVMGetOperand(p, i + 1);
    }
    return same ? p : LLVMConstGEP2(LLVMGetGEPSourceElementType(p), base, steps, n);
}

/* Is any step a large constant? */
static bool is_far(LLVMValueRef gep)
{
    enum { FAR = 1 << 20 }; /* shared memory has fewer bytes */
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);
        if (LLVMIsAConstantInt(index) &&
            (LLVMConstIntGetSExtValue(index) >= FAR || LLVMConstIntGetSExtValue(index) <= -FAR))
            return true;
    }
    return false;
}

static void settle_constants(struct qn__unit *u, LLVMValueRef in)
{
    LLVMTypeRef t = NULL;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(in); i++) {
        const LLVMValueRef p = LLVMGetOperand(in, i);
        if (LLVMIsAConstantExpr(p) && LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind &&
            is_shared(p))
            LLVMSetOperand(in, i, near_pointer(u, p));
    }
    if (LLVMIsAGetElementPtrInst(in) && is_far(in) && is_shared(in))
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(in); i++)
            LLVMSetOperand(in, i, near_step(u, in, i, &t));
}

qn_status qn__shared_index(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    struct qn__map known = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in;
                 in = LLVMGetNextInstruction(in)) {
                if (LLVMIsAGetElementPtrInst(in))
                    settle(u, b, &known, in);
                settle_constants(u, in);
            }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
