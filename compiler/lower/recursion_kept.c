/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call keeps, in recursion with a stack (recursion_stack.c): what is read after it, found by
 * liveness, in arrays with an element for each call that is not over. A local array, or what else
 * has an address, is an array of them. */
#include "compiler/lower/recursion_kept.h"

#include "compiler/lower/recursion_bodies.h"
#include "compiler/model/value_names.h"

#include <string.h>

/* Only loaded and stored as a whole? */
static bool is_plain(LLVMValueRef alloca)
{
    for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef in = LLVMGetUser(use);
        const bool loads = LLVMIsALoadInst(in) && LLVMTypeOf(in) == LLVMGetAllocatedType(alloca);
        const bool stores = LLVMIsAStoreInst(in) && LLVMGetOperand(in, 1) == alloca &&
                            LLVMGetOperand(in, 0) != alloca &&
                            LLVMTypeOf(LLVMGetOperand(in, 0)) == LLVMGetAllocatedType(alloca);
        if (!loads && !stores)
            return false;
    }
    return true;
}

static bool is_marker(LLVMValueRef in)
{
    size_t n;
    const LLVMValueRef f = LLVMIsACallInst(in) ? LLVMGetCalledValue(in) : NULL;
    return f && qn__starts_with(LLVMGetValueName2(f, &n), "llvm.lifetime.");
}

static void drop_markers(LLVMValueRef alloca)
{
    for (LLVMUseRef use = LLVMGetFirstUse(alloca), next; use; use = next) {
        next = LLVMGetNextUse(use);
        if (is_marker(LLVMGetUser(use)))
            LLVMInstructionEraseFromParent(LLVMGetUser(use));
    }
}

/* Read or written by the functions, not by the kernel itself. */
static bool is_of_functions(struct machine *m, LLVMValueRef alloca)
{
    for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use))
        if (!qn__map_get(&m->own, LLVMGetInstructionParent(LLVMGetUser(use))))
            return true;
    return false;
}

LLVMValueRef qn__recursion_element(struct machine *m, LLVMTypeRef array, LLVMValueRef stack)
{
    LLVMValueRef index[] = {qn__recursion_number(m, 0),
                            LLVMBuildLoad2(m->b, m->word, m->depth, "")};
    return LLVMBuildInBoundsGEP2(m->b, array, stack, index, 2, "");
}

/* "n_stack" for a variable n. */
static LLVMValueRef stack_variable(struct machine *m, LLVMTypeRef array, LLVMValueRef like)
{
    size_t n;
    const char *const own = qn__name_of(m->u, like).name;
    const char *const name = *own ? own : LLVMGetValueName2(like, &n);
    const LLVMValueRef v = qn__recursion_variable(m, array, "");
    n = strcspn(name, ".0123456789"); /* LLVM numbers values of one name */
    qn__name_variable(m->u, v, qn__text(m->u, "%.*s_stack", (int)n, name));
    return v;
}

/* What has an address becomes an array of them. */
static void stack_object(struct machine *m, LLVMValueRef alloca)
{
    const LLVMTypeRef array = LLVMArrayType2(LLVMGetAllocatedType(alloca), m->depth_max);
    LLVMSetCurrentDebugLocation2(m->b, NULL);
    const LLVMValueRef stack = stack_variable(m, array, alloca);
    LLVMSetAlignment(stack, LLVMGetAlignment(alloca));
    for (LLVMUseRef use; (use = LLVMGetFirstUse(alloca)) != NULL;) {
        const LLVMValueRef in = LLVMGetUser(use);
        LLVMPositionBuilderBefore(m->b, in);
        const LLVMValueRef at = qn__recursion_element(m, array, stack);
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(in); k++)
            if (LLVMGetOperand(in, k) == alloca)
                LLVMSetOperand(in, k, at);
    }
    LLVMInstructionEraseFromParent(alloca);
}

static void find_variables(struct machine *m)
{
    for (LLVMValueRef in = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(m->kernel)), next; in;
         in = next) {
        next = LLVMGetNextInstruction(in);
        if (!LLVMIsAAllocaInst(in) || qn__map_get(&m->own, in))
            continue;
        drop_markers(in);
        if (!is_of_functions(m, in))
            continue;
        if (is_plain(in))
            QN__PUSH(m->u, m->vars, m->n_vars, m->vars_capacity, in);
        else
            stack_object(m, in);
    }
}

/* Is a variable's value read from this block on, before it is written? live: at the ends of blocks
 * by their numbers. */
static bool is_read_in(LLVMBasicBlockRef bb, LLVMValueRef var, bool live_at_end)
{
    for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
        if (LLVMIsALoadInst(in) && LLVMGetOperand(in, 0) == var)
            return true;
        if (LLVMIsAStoreInst(in) && LLVMGetOperand(in, 1) == var)
            return false;
    }
    return live_at_end;
}

/* The blocks from whose beginning on a variable is read. */
static struct qn__map live_blocks(struct machine *m, LLVMValueRef var)
{
    struct qn__map live = {0};
    for (bool changed = true; changed;) {
        changed = false;
        for (LLVMBasicBlockRef bb = LLVMGetLastBasicBlock(m->kernel); bb;
             bb = LLVMGetPreviousBasicBlock(bb)) {
            const LLVMValueRef end = LLVMGetBasicBlockTerminator(bb);
            bool at_end = false;
            for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
                at_end |= qn__map_get(&live, LLVMGetSuccessor(end, i)) != NULL;
            if (!qn__map_get(&live, bb) && is_read_in(bb, var, at_end)) {
                qn__map_put(m->u, &live, bb, bb);
                changed = true;
            }
        }
    }
    return live;
}

static LLVMTypeRef kept_type(struct machine *m, LLVMTypeRef t)
{
    const bool is_bit = LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 1;
    return is_bit ? LLVMInt8TypeInContext(m->u->context) : t;
}

static void keep(struct machine *m, const struct site *s, LLVMValueRef var, LLVMTypeRef array,
                 LLVMValueRef stack)
{
    const LLVMTypeRef t = LLVMGetAllocatedType(var), kept = kept_type(m, t);
    LLVMPositionBuilderBefore(m->b, s->call);
    LLVMValueRef v = LLVMBuildLoad2(m->b, t, var, "");
    v = kept == t ? v : LLVMBuildZExt(m->b, v, kept, "");
    LLVMBuildStore(m->b, v, qn__recursion_element(m, array, stack));
    LLVMPositionBuilderBefore(m->b, LLVMGetFirstInstruction(s->after));
    v = LLVMBuildLoad2(m->b, kept, qn__recursion_element(m, array, stack), "");
    LLVMBuildStore(m->b, kept == t ? v : LLVMBuildTrunc(m->b, v, t, ""), var);
}

void qn__recursion_keep(struct machine *m)
{
    find_variables(m);
    for (uint32_t i = 0; i < m->n_vars; i++) {
        const LLVMValueRef var = m->vars[i];
        struct qn__map live = live_blocks(m, var);
        LLVMValueRef stack = NULL;
        const LLVMTypeRef array =
            LLVMArrayType2(kept_type(m, LLVMGetAllocatedType(var)), m->depth_max);
        for (uint32_t k = 0; k < m->n_sites; k++) {
            if (m->sites[k].is_outer || !qn__map_get(&live, m->sites[k].after))
                continue;
            if (!stack)
                stack = stack_variable(m, array, var);
            keep(m, &m->sites[k], var, array, stack);
        }
    }
}
