/* SPDX-License-Identifier: Apache-2.0
 *
 * Workaround for Intel's OpenCL for CPUs (README.md): a private array at an index that is the same
 * for all work-items and comes from memory or a division by no constant. The driver's vectoriser
 * computes such an index for those work-items alone that come there, and then goes to the array for
 * none of them as well: the index is anything. The access is made volatile, which is not
 * vectorised.
 *
 *     if (id == 1)
 *         a[in[3]] += 1;      ->      *(volatile int *)&a[in[3]] += 1;
 *
 * An index that differs between work-items is one of a gather or scatter, which is masked; but
 * where one work-item is alone, LLVM knows its number, and a[in[id]] is the same. What is accessed
 * before the first branch is accessed by all. */
#include "compiler/core/diagnose.h"
#include "compiler/model/address_space.h"
#include "compiler/passes.h"

enum { DEPTH_MAX = 12, VALUES_MAX = 100 };

/* What an index is made of. */
struct origin {
    bool computed; /* memory or a division */
    bool differs;  /* something that is a work-item's own */
    unsigned n;    /* values looked at */
};

/* A division with a guard (lower/guard_divisions.c). */
static bool is_guarded_division(LLVMValueRef call)
{
    size_t n;
    const LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *const name = callee ? LLVMGetValueName2(callee, &n) : "";
    return qn__starts_with(name, "__qn_ir_div_") || qn__starts_with(name, "__qn_ir_rem_");
}

static void find_origin(struct origin *out, struct qn__unit *u, LLVMValueRef v, int depth)
{
    unsigned axis;
    if (!LLVMIsAInstruction(v) || depth == 0 || out->n++ > VALUES_MAX)
        return;
    const enum qn__work_item what = qn__work_item(u, v, &axis);
    if (what != QN__NO_WORK_ITEM) {
        out->differs |= what == QN__LOCAL_ID || what == QN__LINEAR_ID || what == QN__SUBGROUP_LANE;
        return;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad: out->computed = true; break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: out->computed |= !LLVMIsAConstantInt(LLVMGetOperand(v, 1)); break;
    case LLVMCall: out->computed |= is_guarded_division(v); break;
    case LLVMAlloca: return;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: out->differs = true; return;
    default: break;
    }
    const bool is_call = LLVMIsACallInst(v) != NULL, is_phi = LLVMIsAPHINode(v) != NULL;
    const unsigned n = is_call  ? LLVMGetNumArgOperands(v)
                       : is_phi ? LLVMCountIncoming(v)
                                : (unsigned)LLVMGetNumOperands(v);
    for (unsigned i = 0; i < n; i++)
        find_origin(out, u, is_phi ? LLVMGetIncomingValue(v, i) : LLVMGetOperand(v, i),
                    is_phi ? depth / 2 : depth - 1);
}

/* May one work-item alone come there, so that LLVM knows its number? */
static bool knows_work_item(struct qn__unit *u, const struct qn__block *b)
{
    while (b != b->idom) {
        b = b->idom;
        const LLVMValueRef branch = LLVMGetBasicBlockTerminator(b->llvm),
                           test = LLVMIsABranchInst(branch) && LLVMIsConditional(branch)
                                      ? LLVMGetCondition(branch)
                                      : NULL;
        struct origin of = {0};
        if (!test || !LLVMIsAICmpInst(test) ||
            (LLVMGetICmpPredicate(test) != LLVMIntEQ && LLVMGetICmpPredicate(test) != LLVMIntNE))
            continue;
        find_origin(&of, u, test, DEPTH_MAX);
        if (of.differs && !of.computed)
            return true;
    }
    return false;
}

/* An access to private memory at such an index. */
static bool is_guessed(struct qn__unit *u, const struct qn__value *access, LLVMValueRef p)
{
    struct origin all = {0};
    if (!LLVMIsAAllocaInst(qn__memory_root(p)))
        return false;
    for (; LLVMIsAGetElementPtrInst(p); p = LLVMGetOperand(p, 0))
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++)
            find_origin(&all, u, LLVMGetOperand(p, i), DEPTH_MAX);
    return all.computed && (!all.differs || knows_work_item(u, access->block));
}

void qn__quirk_volatile_element(struct qn__function *f)
{
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        struct qn__value *const v = &f->values[i];
        const bool is_store = LLVMIsAStoreInst(v->llvm) != NULL;
        if ((!is_store && !LLVMIsALoadInst(v->llvm)) || v->block == &f->blocks[0] ||
            !is_guessed(f->u, v, LLVMGetOperand(v->llvm, is_store)))
            continue;
        v->is_overlooked = true;
        qn__explain(f->u, v->llvm,
                    "a private array at an index that Intel's vectoriser guesses: volatile");
    }
}
