/* SPDX-License-Identifier: Apache-2.0
 *
 * Workaround for Intel's OpenCL for CPUs (README.md): a value that is made of a negated float
 * before a barrier and used after it. The driver runs the work-items between two barriers as a
 * loop. What can be computed again from one value it computes again after the barrier, and keeps
 * that value instead; but with a negation (LLVM's fneg) in between it keeps nothing. The variable
 * is made volatile, so that it is memory, which is kept.
 *
 *     float v = exp(-x);                     volatile float v = exp(-x);
 *     barrier(CLK_LOCAL_MEM_FENCE);     ->   barrier(CLK_LOCAL_MEM_FENCE);
 *     out[i] = v;                            out[i] = v;
 *
 * Products with -1, differences from 0 and the sign bit's complement are the same: LLVM makes fneg
 * of them. It also moves fneg out of products, quotients and choices. What is stored to private
 * memory goes through such a variable, too, as LLVM hands the value on to a later load by itself;
 * and so does what a function with a barrier takes. */
#include "compiler/core/diagnose.h"
#include "compiler/model/address_space.h"
#include "compiler/model/builtins.h"
#include "compiler/model/function.h"
#include "compiler/passes.h"

static bool is_number(LLVMValueRef v, double number)
{
    LLVMBool loses;
    return LLVMIsAConstantFP(v) && LLVMConstRealGetDouble(v, &loses) == number;
}

/* Does it flip what is a float's sign bit, if it is one's? */
static bool flips_sign(LLVMValueRef v)
{
    const LLVMValueRef mask = LLVMGetOperand(v, 1);
    const LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMIsAConstantInt(mask) &&
           LLVMConstIntGetZExtValue(mask) == UINT64_C(1) << (LLVMGetIntTypeWidth(t) - 1);
}

static bool is_negation(LLVMValueRef v)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMFNeg: return true;
    case LLVMFSub: return is_number(LLVMGetOperand(v, 0), 0);
    case LLVMFMul: /* by -1 */
    case LLVMFDiv:
        return is_number(LLVMGetOperand(v, 0), -1) || is_number(LLVMGetOperand(v, 1), -1);
    case LLVMXor: return flips_sign(v);
    default: return false;
    }
}

/* Is `v` made of a negation that is not in memory yet? What it is made of comes before it. */
static bool is_made_of_one(struct qn__function *f, const bool *made, LLVMValueRef v)
{
    const bool is_phi = LLVMIsAPHINode(v) != NULL;
    const unsigned n = LLVMIsACallInst(v) ? LLVMGetNumArgOperands(v)
                       : is_phi           ? LLVMCountIncoming(v)
                                          : (unsigned)LLVMGetNumOperands(v);
    if (LLVMIsALoadInst(v) || LLVMIsAAllocaInst(v) || LLVMIsAGetElementPtrInst(v))
        return false;
    for (unsigned i = 0; i < n; i++) {
        const struct qn__value *const o =
            qn__value_of(f, is_phi ? LLVMGetIncomingValue(v, i) : LLVMGetOperand(v, i));
        if (o && made[o->index])
            return true;
    }
    return is_negation(v);
}

static bool is_barrier(struct qn__unit *u, LLVMValueRef v)
{
    const char *const callee = LLVMIsACallInst(v) ? qn__callee(v) : "";
    const struct qn__builtin *const b = *callee ? qn__builtin_find(u, callee) : NULL;
    return b && (b->traits == QN__BARRIER || b->traits == QN__WARP || b->traits == QN__WARP_LOCAL);
}

/* Is there a path from the end of block `from` to the start of `to` that does not enter `closed`?
 */
static bool leads(struct qn__function *f, const struct qn__block *from, const struct qn__block *to,
                  const struct qn__block *closed)
{
    bool *const seen = QN__NEED_ARRAY(f->u, bool, f->n_blocks);
    const struct qn__block **const work =
        QN__NEED_ARRAY(f->u, const struct qn__block *, f->n_blocks + 1);
    uint32_t n = 0;
    for (work[n++] = from; n;) {
        const struct qn__block *const at = work[--n];
        for (uint32_t i = 0; i < at->succs.n; i++) {
            const struct qn__block *const next = at->succs.items[i];
            if (next == to && next != closed)
                return true;
            if (next == closed || seen[next->index])
                continue;
            seen[next->index] = true;
            work[n++] = next;
        }
    }
    return false;
}

/* Is `v` computed before `barrier` and used in it, or after it, at `position` of block `at`? */
static bool crosses(struct qn__function *f, const struct qn__value *v,
                    const struct qn__value *barrier, const struct qn__block *at, uint32_t position)
{
    const bool is_before = barrier->block == v->block ? barrier->position > v->position
                                                      : leads(f, v->block, barrier->block, NULL);
    if (!is_before)
        return false;
    if (at == barrier->block && position >= barrier->position)
        return true;
    return leads(f, barrier->block, at, v->block);
}

static bool outlives(struct qn__function *f, const struct qn__value *v,
                     const struct qn__value *barrier)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v->llvm); use; use = LLVMGetNextUse(use)) {
        const struct qn__value *const user = qn__value_of(f, LLVMGetUser(use));
        if (!user)
            continue;
        if (!user->is_phi && crosses(f, v, barrier, user->block, user->position))
            return true;
        for (unsigned i = 0; user->is_phi && i < LLVMCountIncoming(user->llvm); i++)
            if (LLVMGetIncomingValue(user->llvm, i) == v->llvm &&
                crosses(f, v, barrier, qn__block_of(f, LLVMGetIncomingBlock(user->llvm, i)),
                        UINT32_MAX))
                return true;
    }
    return false;
}

static bool outlives_some(struct qn__function *f, const struct qn__value *v)
{
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++)
        if (is_barrier(f->u, f->values[i].llvm) && outlives(f, v, &f->values[i]))
            return true;
    return false;
}

static bool has_barrier(struct qn__function *f)
{
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++)
        if (is_barrier(f->u, f->values[i].llvm))
            return true;
    return false;
}

/* To private memory: an array, a struct, or a struct that is a parameter. */
static bool is_stored(struct qn__function *f, LLVMValueRef v)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != v)
            continue;
        const struct qn__value *const to = qn__value_of(f, LLVMGetOperand(user, 1));
        if (to && to->space == QN__PRIVATE)
            return true;
    }
    return false;
}

void qn__quirk_volatile_negation(struct qn__function *f)
{
    bool *const made = QN__NEED_ARRAY(f->u, bool, f->n_values);
    if (!has_barrier(f))
        return;
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        struct qn__value *const v = &f->values[i];
        made[i] = !LLVMIsATerminatorInst(v->llvm) && is_made_of_one(f, made, v->llvm);
        v->is_lost = made[i] && (is_stored(f, v->llvm) || outlives_some(f, v));
        if (v->is_lost)
            qn__explain(f->u, v->llvm,
                        "a negated float that Intel's driver loses at a barrier: volatile");
    }
}
