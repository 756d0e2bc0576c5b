/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops that wait for another thread. OpenCL promises no progress of one work-group, or of one
 * work-item between barriers, while another spins: such a kernel may run forever on a device that
 * takes its groups one after the other, as a CPU does. That cannot be proved either way here, so it
 * is a warning:
 *
 *     while (!flag) {}                      a volatile load
 *     while (atomicCAS(&lock, 0, 1)) {}     an atomic operation
 *     while (held) {                        one lane for its warp
 *         if (lane == 0)
 *             held = atomicCAS(&lock, 0, 1);
 *         held = __shfl_sync(~0u, held, 0);
 *     }
 *
 * A loop is such a wait when it writes nothing else, and an exit depends on what it reads at an
 * address, and with operands, that stay the same. A compare-and-swap loop that goes on with the
 * value it found is not a spin loop: its operands change. */
#include "compiler/core/diagnose.h"
#include "compiler/model/address_space.h"
#include "compiler/model/builtins.h"
#include "compiler/passes.h"

/* Is the value the same in every iteration? */
static bool is_invariant(struct qn__function *f, const struct qn__loop *loop, LLVMValueRef v)
{
    const struct qn__value *const known = qn__value_of(f, v);
    if (!known || !known->block || !qn__in_loop(loop, known->block))
        return true;
    if (LLVMIsAGetElementPtrInst(v) || LLVMIsACastInst(v)) { /* recomputed each time */
        for (int i = 0; i < LLVMGetNumOperands(v); i++) {
            const LLVMValueRef o = LLVMGetOperand(v, (unsigned)i);
            const struct qn__value *const k = qn__value_of(f, o);
            if (k && k->block && qn__in_loop(loop, k->block))
                return false;
        }
        return true;
    }
    return false;
}

/* Does it read what another thread may write, the same way in every iteration? */
static bool is_watch(struct qn__function *f, const struct qn__loop *loop, LLVMValueRef in)
{
    const bool is_load = LLVMIsALoadInst(in) && LLVMGetVolatile(in) &&
                         qn__space_of(f, LLVMGetOperand(in, 0)) != QN__PRIVATE;
    const bool is_atomic = LLVMIsAAtomicRMWInst(in) || LLVMIsAAtomicCmpXchgInst(in) ||
                           (LLVMIsACallInst(in) && qn__starts_with(qn__callee(in), "__qn_atomic"));
    if (!is_load && !is_atomic)
        return false;
    const int n = LLVMIsACallInst(in) ? (int)LLVMGetNumArgOperands(in) : LLVMGetNumOperands(in);
    for (int i = 0; i < n; i++)
        if (!is_invariant(f, loop, LLVMGetOperand(in, (unsigned)i)))
            return false;
    return true;
}

/* Does the condition come from the value, in this iteration or the one before, through conversions
 * and a few comparisons, or from the lane that reads for its warp? Instructions with many operands
 * are left out: the number of paths through several of them multiplies. */
static bool depends_on(LLVMValueRef condition, LLVMValueRef value, int depth)
{
    enum { WIDE = 5 };
    if (condition == value)
        return true;
    if (depth == 0 || !LLVMIsAInstruction(condition) || LLVMIsALoadInst(condition))
        return false;
    const int n = LLVMGetNumOperands(condition);
    for (int i = 0; i < n && n <= WIDE; i++)
        if (depends_on(LLVMGetOperand(condition, (unsigned)i), value, depth - (n > 1)))
            return true;
    return false;
}

static bool is_exit_condition(struct qn__function *f, const struct qn__loop *loop, LLVMValueRef v)
{
    enum { STEPS = 7 };
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        const struct qn__block *const b = &f->blocks[i];
        const LLVMValueRef t = LLVMGetBasicBlockTerminator(b->llvm);
        if (!qn__in_loop(loop, b) || LLVMGetInstructionOpcode(t) != LLVMBr || !LLVMIsConditional(t))
            continue;
        bool leaves = false;
        for (uint32_t k = 0; k < b->succs.n; k++)
            leaves |= !qn__in_loop(loop, b->succs.items[k]);
        if (leaves && depends_on(LLVMGetCondition(t), v, STEPS))
            return true;
    }
    return false;
}

/* Does it write memory? Fences and barriers are part of waiting. */
static bool writes(struct qn__unit *u, LLVMValueRef in)
{
    if (LLVMIsAStoreInst(in) || LLVMIsAAtomicRMWInst(in) || LLVMIsAAtomicCmpXchgInst(in))
        return true;
    if (!LLVMIsACallInst(in) || qn__is_noop_call(qn__callee(in)))
        return false;
    const struct qn__builtin *const b = qn__builtin_find(u, qn__callee(in));
    return !b || b->traits == QN__WRITE;
}

/* What is known of one loop. */
struct wait {
    LLVMValueRef watch; /* the first instruction it may wait on */
    bool works;         /* writes something else, so it is no wait */
};

static void note(struct qn__function *f, const struct qn__loop *loop, struct wait *w,
                 LLVMValueRef in)
{
    if (w->works)
        return;
    if (is_watch(f, loop, in) && is_exit_condition(f, loop, in))
        w->watch = w->watch ? w->watch : in;
    else
        w->works = writes(f->u, in);
}

void qn__spin_warning(struct qn__function *f)
{
    struct wait *const waits = QN__NEED_ARRAY(f->u, struct wait, f->n_blocks); /* by header */
    for (uint32_t i = 0; i < f->n_values; i++) {
        const struct qn__value *const v = &f->values[i];
        for (const struct qn__loop *l = v->block ? v->block->loop : NULL; l; l = l->parent)
            note(f, l, &waits[l->header->index], v->llvm);
    }
    for (uint32_t i = 0; i < f->n_blocks; i++)
        if (waits[i].watch && !waits[i].works)
            qn__warn(f->u, waits[i].watch,
                     "this loop waits for another thread; OpenCL does not promise that the other "
                     "one runs meanwhile, so the kernel may never end on a device that runs its "
                     "work-groups one after the other");
}
