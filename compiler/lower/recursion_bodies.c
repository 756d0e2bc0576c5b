/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions a kernel calls that call themselves, and their bodies, each once in the kernel
 * (recursion_stack.c). Calls become calls of stand-ins, which have no body, and all else is inlined
 * as ever. */
#include "compiler/lower/recursion_bodies.h"

#include "compiler/core/debug_info.h"
#include "compiler/model/value_names.h"

#include <string.h>

LLVMValueRef qn__recursion_callee(LLVMValueRef in)
{
    const LLVMValueRef f = LLVMIsACallInst(in) ? LLVMGetCalledValue(in) : NULL;
    return f && LLVMIsAFunction(f) && !LLVMIsDeclaration(f) ? f : NULL;
}

/* ---- which functions ---- */

struct deep *qn__recursion_deep(struct machine *m, LLVMValueRef f, bool by_stand_in)
{
    for (uint32_t i = 0; f && i < m->n_deep; i++)
        if ((by_stand_in ? m->deep[i].again : m->deep[i].function) == f)
            return &m->deep[i];
    return NULL;
}

static void find_called_in(struct machine *m, LLVMValueRef f)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
            const LLVMValueRef callee = qn__recursion_callee(in);
            if (callee && !qn__recursion_deep(m, callee, false))
                QN__PUSH(m->u, m->deep, m->n_deep, m->deep_capacity,
                         ((struct deep){.function = callee}));
        }
}

void qn__recursion_find(struct machine *m, LLVMValueRef kernel)
{
    find_called_in(m, kernel);
    for (uint32_t i = 0; i < m->n_deep; i++)
        find_called_in(m, m->deep[i].function);
}

/* Which arguments all calls inside pass on. */
void qn__recursion_passed_on(struct machine *m, struct deep *d)
{
    d->n_args = LLVMCountParams(d->function);
    d->is_passed_on = QN__NEED_ARRAY(m->u, bool, d->n_args + 1);
    for (unsigned i = 0; i < d->n_args; i++)
        d->is_passed_on[i] = true;
    for (LLVMUseRef use = LLVMGetFirstUse(d->function); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use);
        const LLVMValueRef caller =
            LLVMIsACallInst(call) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) : NULL;
        if (!qn__recursion_deep(m, caller, false))
            continue;
        for (unsigned i = 0; i < d->n_args; i++)
            d->is_passed_on[i] &=
                caller == d->function && LLVMGetArgOperand(call, i) == LLVMGetParam(d->function, i);
    }
}

/* Calls become calls of stand-ins, which are not inlined. */
void qn__recursion_stand_in(struct machine *m, struct deep *d)
{
    size_t n;
    d->name = qn__di_plain_symbol(m->u, qn__text(m->u, "%s", LLVMGetValueName2(d->function, &n)));
    d->again = LLVMAddFunction(m->u->module,
                               qn__text(m->u, "%s.deeper", LLVMGetValueName2(d->function, &n)),
                               LLVMGlobalGetValueType(d->function));
    LLVMReplaceAllUsesWith(d->function, d->again);
}

/* ---- the bodies ---- */

LLVMValueRef qn__recursion_variable(struct machine *m, LLVMTypeRef t, const char *name)
{
    LLVMPositionBuilderBefore(m->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(m->kernel)));
    const LLVMValueRef v = LLVMBuildAlloca(m->b, t, name);
    qn__map_put(m->u, &m->own, v, v);
    return v;
}

LLVMValueRef qn__recursion_number(struct machine *m, uint64_t n)
{
    return LLVMConstInt(m->word, n, false);
}

/* A block that calls the function; the inliner puts its body there. */
static void add_body(struct machine *m, struct deep *d, LLVMMetadataRef at)
{
    size_t n;
    const LLVMTypeRef type = LLVMGlobalGetValueType(d->function);
    const LLVMTypeRef result = LLVMGetReturnType(type);
    d->args = QN__NEED_ARRAY(m->u, LLVMValueRef, d->n_args + 1);
    d->loads = QN__NEED_ARRAY(m->u, LLVMValueRef, d->n_args + 1);
    LLVMSetCurrentDebugLocation2(m->b, NULL);
    for (unsigned i = 0; i < d->n_args; i++)
        d->args[i] = qn__recursion_variable(m, LLVMTypeOf(LLVMGetParam(d->function, i)),
                                            LLVMGetValueName2(LLVMGetParam(d->function, i), &n));
    d->result = LLVMGetTypeKind(result) == LLVMVoidTypeKind
                    ? NULL
                    : qn__recursion_variable(m, result, "result");
    d->enter = LLVMAppendBasicBlockInContext(m->u->context, m->kernel, "enter");
    LLVMPositionBuilderAtEnd(m->b, d->enter);
    for (unsigned i = 0; i < d->n_args; i++)
        d->loads[i] = LLVMBuildLoad2(m->b, LLVMTypeOf(LLVMGetParam(d->function, i)), d->args[i],
                                     LLVMGetValueName2(LLVMGetParam(d->function, i), &n));
    LLVMSetCurrentDebugLocation2(m->b, at);
    const LLVMValueRef call = LLVMBuildCall2(m->b, type, d->function, d->loads, d->n_args, "");
    LLVMSetCurrentDebugLocation2(m->b, NULL);
    if (d->result)
        LLVMBuildStore(m->b, call, d->result);
    LLVMBuildBr(m->b, m->leave);
}

void qn__recursion_bodies(struct machine *m)
{
    LLVMMetadataRef at = NULL;
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(m->kernel); bb;
         bb = LLVMGetNextBasicBlock(bb)) {
        qn__map_put(m->u, &m->own, bb, bb);
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in)) {
            if (LLVMIsAAllocaInst(in))
                qn__map_put(m->u, &m->own, in, in);
            if (LLVMIsACallInst(in) && qn__recursion_deep(m, LLVMGetCalledValue(in), true))
                at = LLVMInstructionGetDebugLoc(in);
        }
    }
    m->depth = qn__recursion_variable(m, m->word, "depth");
    m->site_stack = qn__recursion_variable(m, LLVMArrayType2(m->word, m->depth_max), "sites");
    qn__name_variable(m->u, m->site_stack, "sites");
    m->leave = LLVMAppendBasicBlockInContext(m->u->context, m->kernel, "leave");
    LLVMPositionBuilderAtEnd(m->b, m->leave);
    LLVMBuildUnreachable(m->b);
    for (uint32_t i = 0; i < m->n_deep; i++)
        add_body(m, &m->deep[i], at);
}
