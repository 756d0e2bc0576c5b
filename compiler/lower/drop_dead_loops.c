/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops that never run, as templates leave them where a width is 1:
 *
 *     for (uint mask = 0; mask > 0; mask /= 2) x += y;        (nothing)
 *
 * LLVM's simplifycfg does not see it: the test reads a phi, whose other value comes from the body.
 * Here the test is evaluated with the value from outside; where that leaves the loop, and nothing
 * but the test leads to the body, the body is never reached and the test is a constant. */
#include "compiler/lower/llvm_passes.h"
#include "compiler/passes.h"

/* Blocks reached from the function's entry without the edge from -> to. */
struct reached {
    struct qn__map seen;
    LLVMBasicBlockRef from, to;
};

static void visit(struct qn__unit *u, struct reached *r, LLVMBasicBlockRef entry)
{
    LLVMBasicBlockRef *stack = NULL;
    uint32_t n = 0, capacity = 0;
    QN__PUSH(u, stack, n, capacity, entry);
    while (n) {
        const LLVMBasicBlockRef b = stack[--n];
        if (qn__map_get(&r->seen, b))
            continue;
        qn__map_put(u, &r->seen, b, b);
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            const LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
            if (b != r->from || next != r->to)
                QN__PUSH(u, stack, n, capacity, next);
        }
    }
}

/* The truth of an integer comparison of constants. */
static bool holds(LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b)
{
    const uint64_t ua = LLVMConstIntGetZExtValue(a), ub = LLVMConstIntGetZExtValue(b);
    const int64_t sa = LLVMConstIntGetSExtValue(a), sb = LLVMConstIntGetSExtValue(b);
    switch (p) {
    case LLVMIntEQ: return ua == ub;
    case LLVMIntNE: return ua != ub;
    case LLVMIntUGT: return ua > ub;
    case LLVMIntUGE: return ua >= ub;
    case LLVMIntULT: return ua < ub;
    case LLVMIntULE: return ua <= ub;
    case LLVMIntSGT: return sa > sb;
    case LLVMIntSGE: return sa >= sb;
    case LLVMIntSLT: return sa < sb;
    default: return sa <= sb;
    }
}

static bool is_constant(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
}

/* What the phi has at first: its only constant; *again: the block its other value comes from. */
static LLVMValueRef first_value(LLVMValueRef phi, LLVMBasicBlockRef *again)
{
    if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2)
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        if (is_constant(LLVMGetIncomingValue(phi, i))) {
            *again = LLVMGetIncomingBlock(phi, 1 - i);
            return LLVMGetIncomingValue(phi, i);
        }
    return NULL;
}

/* Makes the branch at the end of a block that is such a loop's test a branch by a constant. */
static bool settle(struct qn__unit *u, LLVMBasicBlockRef head)
{
    const LLVMValueRef branch = LLVMGetBasicBlockTerminator(head);
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
        return false;
    const LLVMValueRef test = LLVMGetCondition(branch);
    if (!LLVMIsAICmpInst(test) || !is_constant(LLVMGetOperand(test, 1)) ||
        LLVMGetInstructionParent(test) != head)
        return false;
    LLVMBasicBlockRef again = NULL;
    const LLVMValueRef phi = LLVMGetOperand(test, 0), first = first_value(phi, &again);
    if (!first || LLVMGetInstructionParent(phi) != head)
        return false;
    const bool truth = holds(LLVMGetICmpPredicate(test), first, LLVMGetOperand(test, 1));
    struct reached r = {.from = head, .to = LLVMGetSuccessor(branch, truth)};
    if (r.to == LLVMGetSuccessor(branch, !truth))
        return false;
    visit(u, &r, LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(head)));
    if (qn__map_get(&r.seen, again))
        return false;
    LLVMSetCondition(branch, LLVMConstInt(LLVMInt1TypeInContext(u->context), truth, false));
    return true;
}

qn_status qn__drop_dead_loops(struct qn__unit *u)
{
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            any |= settle(u, b);
    return any ? qn__llvm_passes_run(u->module, "function(simplifycfg,early-cse)") : QN_OK;
}
