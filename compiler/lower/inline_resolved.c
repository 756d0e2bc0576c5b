/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls through pointers that inlining has made known, of which LLVM's inliner puts some into their
 * place only when it is asked again:
 *
 *     apply(square, x)               f(x) in apply() has become square(x)
 *     shape s; area_of(&s)           p->area() reads the table of virtual functions of s
 *
 * Where that leads no further, those that are one of a few functions become a choice
 * (dispatch_calls.c). For the second, what the kernel stored is followed to where it is read. That
 * would make no other kernel's text better, so it runs only where a call through a pointer is left.
 * In the end addresses of functions that are left become numbers (function_numbers.c). */
#include "compiler/lower/dispatch_calls.h"
#include "compiler/lower/function_numbers.h"
#include "compiler/lower/llvm_passes.h"
#include "compiler/passes.h"

enum { ROUNDS = 8, DEPTH_MAX = 16 };

struct left {
    bool direct, indirect;
};

static bool is_call_of(LLVMValueRef in, LLVMValueRef *callee)
{
    if (!LLVMIsACallInst(in) || LLVMIsAInlineAsm(LLVMGetCalledValue(in)))
        return false;
    *callee = LLVMGetCalledValue(in);
    return true;
}

/* Does f call `target`, itself or through others? Past the depth limit it counts as if it did. */
static bool reaches(LLVMValueRef f, LLVMValueRef target, int depth)
{
    LLVMValueRef callee;
    if (depth == DEPTH_MAX)
        return true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in))
            if (is_call_of(in, &callee) &&
                (callee == target ||
                 (LLVMIsAFunction(callee) && reaches(callee, target, depth + 1))))
                return true;
    return false;
}

/* The calls left in kernels; of direct ones those that can be put into their place. */
static struct left calls_left(struct qn__unit *u)
{
    struct left left = {0};
    LLVMValueRef callee;
    for (uint32_t k = 0; k < u->n_kernels; k++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(u->kernels[k].function); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef in = LLVMGetFirstInstruction(b); in;
                 in = LLVMGetNextInstruction(in)) {
                if (!is_call_of(in, &callee))
                    continue;
                const bool is_known = LLVMIsAFunction(callee) != NULL;
                left.indirect |= !is_known;
                left.direct |= is_known && !LLVMIsDeclaration(callee) && !left.direct &&
                               !reaches(callee, callee, 0);
            }
    return left;
}

qn_status qn__inline_resolved(struct qn__unit *u)
{
    struct left left = calls_left(u);
    bool numbered = false;
    for (int i = 0; i < ROUNDS && (left.direct || left.indirect); i++) {
        QN_TRY(qn__llvm_passes_run(u->module, left.direct ? "always-inline,globaldce"
                                                          : "function(sroa,early-cse<memssa>)"));
        struct left now = calls_left(u);
        if (!left.direct && !now.direct && now.indirect && qn__dispatch_calls(u)) {
            now = calls_left(u);
        } else if (!left.direct && !now.direct && !numbered) {
            numbered = true;
            if (qn__function_numbers(u))
                now = calls_left(u);
        }
        if (!left.direct && !now.direct)
            break; /* nothing became known */
        left = now;
    }
    if (!numbered)
        qn__function_numbers(u);
    return QN_OK;
}
