/* SPDX-License-Identifier: Apache-2.0
 *
 * Workaround for PoCL 3.1 (README.md): stores that its vectoriser overlooks (quirk_pad_array.c says
 * why): loads of global or local memory that step by 2 to 8 elements from one work-item to the
 * next, and a store to the same memory at an index that is no such step. The store is made
 * volatile, which LLVM does not vectorise.
 *
 *     x = b[4 * g + 1];
 *     b[4 * g + (x & 3)] = 7;      ->   *(__global volatile int *)&b[4 * g + (x & 3)] = 7;
 *     y = b[4 * g];
 *
 * PoCL's loop is over get_local_id(0). How far an address moves with it is computed from sums and
 * from products with constants; anything else that depends on it, or on memory, is no step. */
#include "compiler/core/diagnose.h"
#include "compiler/model/address_space.h"
#include "compiler/passes.h"
#include "compiler/stmt/stmt.h"

enum { STEP_MIN = 2, STEP_MAX = 8, DEPTH_MAX = 8 };

/* By how much something grows from one work-item to the next. */
struct step {
    bool known;
    int64_t by;
};

static const struct step stands = {true, 0}, unknown = {false, 0};

static struct step times(struct step s, int64_t n)
{
    return s.known ? (struct step){true, s.by * n} : unknown;
}

static struct step plus(struct step a, struct step b)
{
    return a.known && b.known ? (struct step){true, a.by + b.by} : unknown;
}

static struct step step_of(struct qn__unit *u, LLVMValueRef v, int depth);

static struct step step_of_product(struct qn__unit *u, LLVMValueRef v, int depth)
{
    const LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    const struct step of_a = step_of(u, a, depth), of_b = step_of(u, b, depth);
    if (of_a.known && of_b.known && of_a.by == 0 && of_b.by == 0)
        return stands;
    const bool shifts = LLVMGetInstructionOpcode(v) == LLVMShl;
    if (LLVMIsAConstantInt(b)) {
        const int64_t n = LLVMConstIntGetSExtValue(b);
        return !shifts             ? times(of_a, n)
               : n >= 0 && n <= 32 ? times(of_a, (int64_t)1 << n)
                                   : unknown;
    }
    return !shifts && LLVMIsAConstantInt(a) ? times(of_b, LLVMConstIntGetSExtValue(a)) : unknown;
}

/* Of what depends on nothing that steps. */
static struct step if_all_stand(struct qn__unit *u, LLVMValueRef v, int depth)
{
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        const LLVMValueRef o = LLVMGetOperand(v, (unsigned)i);
        const struct step s = LLVMIsAFunction(o) ? stands : step_of(u, o, depth);
        if (!s.known || s.by)
            return unknown;
    }
    return stands;
}

/* How far each getelementptr on the way from the memory's beginning goes. */
static struct step step_of_address(struct qn__unit *u, LLVMValueRef p, int depth)
{
    struct step all = stands;
    for (; p != qn__memory_root(p); p = LLVMGetOperand(p, 0)) {
        if (!LLVMIsAGetElementPtrInst(p))
            continue;
        LLVMTypeRef t = NULL;
        uint64_t bytes;
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++)
            if (qn__gep_counts(u, p, i, &t, &bytes))
                all = plus(all, times(step_of(u, LLVMGetOperand(p, i), depth), (int64_t)bytes));
    }
    return LLVMIsAArgument(p) || LLVMIsAGlobalVariable(p) ? all : unknown;
}

static struct step step_of_load(struct qn__unit *u, LLVMValueRef load, int depth)
{
    unsigned axis;
    const enum qn__work_item what = qn__work_item(u, load, &axis);
    if (what != QN__NO_WORK_ITEM)
        return (struct step){true, axis == 0 && what == QN__LOCAL_ID};
    const struct step s = step_of_address(u, LLVMGetOperand(load, 0), depth);
    return s.known && s.by == 0 ? stands : unknown;
}

static struct step step_of(struct qn__unit *u, LLVMValueRef v, int depth)
{
    if (!LLVMIsAInstruction(v))
        return stands; /* a constant or an argument */
    if (depth == 0)
        return unknown;
    const LLVMValueRef first = LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc: return step_of(u, first, depth - 1);
    case LLVMAdd:
        return plus(step_of(u, first, depth - 1), step_of(u, LLVMGetOperand(v, 1), depth - 1));
    case LLVMSub:
        return plus(step_of(u, first, depth - 1),
                    times(step_of(u, LLVMGetOperand(v, 1), depth - 1), -1));
    case LLVMMul:
    case LLVMShl: return step_of_product(u, v, depth - 1);
    case LLVMLoad: return step_of_load(u, v, depth - 1);
    case LLVMPHI: return stands; /* the counter of a loop, which is not vectorised */
    default: return if_all_stand(u, v, depth - 1);
    }
}

static bool is_joined(struct qn__unit *u, LLVMValueRef load)
{
    const int64_t size = (int64_t)LLVMABISizeOfType(u->layout, LLVMTypeOf(load));
    const struct step s = step_of_address(u, LLVMGetOperand(load, 0), DEPTH_MAX);
    const int64_t by = s.by < 0 ? -s.by : s.by;
    return s.known && by >= STEP_MIN * size && by <= STEP_MAX * size;
}

/* Where a value is: its loop. One of the source's own is not vectorised over work-items, so only
 * what is in the same one is joined. */
static void *loop_of(struct qn__function *f, const struct qn__value *v)
{
    return v->block->loop ? (void *)v->block->loop : f;
}

/* Memory with loads that are joined -> the loop they are in, or `several` of them. */
static void note_joined(struct qn__function *f, struct qn__map *joined,
                        const struct qn__value *load, void *several)
{
    const LLVMValueRef root = qn__memory_root(LLVMGetOperand(load->llvm, 0));
    void *const known = qn__map_get(joined, root), *const here = loop_of(f, load);
    qn__map_put(f->u, joined, root, !known || known == here ? here : several);
}

void qn__quirk_volatile_store(struct qn__function *f)
{
    struct qn__map joined = {0};
    unsigned axis;
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        const LLVMValueRef in = f->values[i].llvm;
        if (LLVMIsALoadInst(in) && !qn__work_item(f->u, in, &axis) && is_joined(f->u, in))
            note_joined(f, &joined, &f->values[i], &joined);
    }
    for (uint32_t i = LLVMCountParams(f->llvm); joined.n && i < f->n_values; i++) {
        struct qn__value *const v = &f->values[i];
        if (!LLVMIsAStoreInst(v->llvm))
            continue;
        const LLVMValueRef p = LLVMGetOperand(v->llvm, 1);
        const void *const loop = qn__map_get(&joined, qn__memory_root(p));
        v->is_overlooked = (loop == loop_of(f, v) || loop == &joined) &&
                           !step_of_address(f->u, p, DEPTH_MAX).known;
        if (v->is_overlooked)
            qn__explain(f->u, v->llvm, "a store that PoCL's vectoriser overlooks: volatile");
    }
}
