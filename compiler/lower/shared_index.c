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

enum { SHARED = 3, MOST_POINTERS = 16 };

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

/* A constant index of 64 bits that is none of 32 with a sign: what it wraps to, of the same type;
 * else NULL. */
static LLVMValueRef wrapped(LLVMValueRef index)
{
    if (!LLVMIsAConstantInt(index) || LLVMGetIntTypeWidth(LLVMTypeOf(index)) != 64)
        return NULL;
    const int64_t value = LLVMConstIntGetSExtValue(index);
    const int32_t narrow = (int32_t)(uint32_t)value;
    return narrow == value ? NULL
                           : LLVMConstInt(LLVMTypeOf(index), (uint64_t)(int64_t)narrow, true);
}

/* A constant address of shared memory with every index wrapped; anything else as it is. */
static LLVMValueRef settle_constant(LLVMValueRef v)
{
    enum { MOST_INDICES = 8 };
    LLVMValueRef indices[MOST_INDICES];
    if (!LLVMIsAConstantExpr(v))
        return v;
    const LLVMOpcode opcode = LLVMGetConstOpcode(v);
    if (opcode != LLVMGetElementPtr && opcode != LLVMAddrSpaceCast)
        return v;
    const LLVMValueRef old = LLVMGetOperand(v, 0), base = settle_constant(old);
    const unsigned n = (unsigned)LLVMGetNumOperands(v) - 1;
    if (opcode == LLVMAddrSpaceCast)
        return base == old ? v : LLVMConstAddrSpaceCast(base, LLVMTypeOf(v));
    bool differs = base != old;
    for (unsigned i = 0; i < n && i < MOST_INDICES; i++) {
        const LLVMValueRef index = LLVMGetOperand(v, i + 1), narrow = wrapped(index);
        indices[i] = narrow ? narrow : index;
        differs |= narrow != NULL;
    }
    if (!differs || n > MOST_INDICES || !is_shared(v))
        return v;
    return LLVMConstGEP2(LLVMGetGEPSourceElementType(v), base, indices, n);
}

static void settle_constants(LLVMValueRef in)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(in); i++) {
        const LLVMValueRef v = LLVMGetOperand(in, i), settled = settle_constant(v);
        if (settled != v)
            LLVMSetOperand(in, i, settled);
    }
}

static void settle(struct qn__unit *u, LLVMBuilderRef b, struct qn__map *known, LLVMValueRef gep)
{
    const LLVMBasicBlockRef at = LLVMGetInstructionParent(gep);
    const LLVMTypeRef wide = LLVMInt64TypeInContext(u->context);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i), narrow = wrapped(index);
        if (narrow && is_shared(LLVMGetOperand(gep, 0)))
            LLVMSetOperand(gep, i, narrow);
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

qn_status qn__shared_index(struct qn__unit *u)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    struct qn__map known = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in;
                 in = LLVMGetNextInstruction(in)) {
                settle_constants(in);
                if (LLVMIsAGetElementPtrInst(in))
                    settle(u, b, &known, in);
            }
    LLVMDisposeBuilder(b);
    return QN_OK;
}
