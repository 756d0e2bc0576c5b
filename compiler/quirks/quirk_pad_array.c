/* SPDX-License-Identifier: Apache-2.0
 *
 * Workaround for PoCL 3.1 (README.md): small private arrays that its vectoriser miscompiles. PoCL
 * runs the work-items between two barriers as a loop, keeps the private array of each in an array
 * of one element per work-item, and tells LLVM that the iterations of the loop do not depend on
 * each other. LLVM (14 at least) joins loads that step by 2 to 8 elements from one iteration to the
 * next into one wide load where the first of them was, and takes independent iterations for
 * independent accesses: what is stored in between, at an index that is not known, is read too late.
 *
 *     int a[4]; ... x = a[1]; a[i] = y; z = a[0];      z is what a[0] was
 *
 * Steps of more than 8 elements are left alone, and each work-item's memory is padded to its
 * alignment:
 *
 *     int a[4]    ->   int a[4] __attribute__((aligned(64)))
 *
 * A union of an int and its four bytes is such an array: an element is what the narrowest load or
 * store takes.
 *
 * What does the same in global and shared memory is in quirk_volatile_store.c. */
#include "compiler/passes.h"
#include "compiler/stmt/stmt.h"

enum { STEP_MAX = 8 };

/* Bytes of the largest number in it. */
static uint64_t widest(const struct qn__type *t)
{
    uint64_t n = 1;
    while (t->kind == QN__ARRAY || t->kind == QN__VECTOR)
        t = t->of;
    if (t->kind != QN__STRUCT)
        return qn__type_size(t);
    for (uint32_t i = 0; i < t->record->n_fields; i++) {
        const uint64_t one = widest(t->record->fields[i].type);
        n = one > n ? one : n;
    }
    return n;
}

/* Bytes of the narrowest load or store through `p`, `least` where none has fewer. */
static uint64_t narrowest(LLVMTargetDataRef layout, LLVMValueRef p, uint64_t least)
{
    for (LLVMUseRef use = LLVMGetFirstUse(p); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        uint64_t one = least;
        if (LLVMIsALoadInst(user))
            one = LLVMStoreSizeOfType(layout, LLVMTypeOf(user));
        else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == p)
            one = LLVMStoreSizeOfType(layout, LLVMTypeOf(LLVMGetOperand(user, 0)));
        else if (LLVMIsAGetElementPtrInst(user))
            one = narrowest(layout, user, least);
        least = one < least ? one : least;
    }
    return least;
}

/* Is anything that `p` points to reached by an index that is no constant, or may it be? */
static bool is_indexed(LLVMValueRef p)
{
    for (LLVMUseRef use = LLVMGetFirstUse(p); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == p) ||
            (LLVMIsACallInst(user) && qn__starts_with(qn__callee(user), "llvm.")))
            continue;
        if (!LLVMIsAGetElementPtrInst(user))
            return true;
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(user); i++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(user, i)))
                return true;
        if (is_indexed(user))
            return true;
    }
    return false;
}

void qn__quirk_pad_array(struct qn__function *f)
{
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        const LLVMValueRef alloca_ = f->values[i].llvm;
        struct qn__var *const v =
            LLVMIsAAllocaInst(alloca_) ? qn__map_get(&f->memory_of, alloca_) : NULL;
        const uint64_t one = v ? widest(v->type) : 0, all = v ? qn__type_size(v->type) : 0;
        if (!v || all > STEP_MAX * one || all == narrowest(f->u->layout, alloca_, one) ||
            !is_indexed(alloca_))
            continue;
        const uint32_t apart = (uint32_t)(2 * STEP_MAX * one);
        v->aligned = v->aligned > apart ? v->aligned : apart;
    }
}
