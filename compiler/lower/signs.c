/* SPDX-License-Identifier: Apache-2.0
 *
 * The sign of an integer as a compiler sees it that takes signed arithmetic not to overflow: sums
 * and products of what is not negative are not, and neither is what flows around a loop when it
 * starts so.
 *
 *     for (h = 1; ...; h = h * 31 + 7) ... h ...      not negative, to such a compiler
 *     a < 0 ? -a : a                                  nor is this */
#include "compiler/lower/signs.h"

#include "base/str.h"

enum { MOST_VALUES = 48 };

bool qn__is_abs(LLVMValueRef v)
{
    size_t n;
    const LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    const char *const name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
    return (qn__starts_with(name, "llvm.abs.i") || qn__equal(name, "__qn_abs_i32") ||
            qn__equal(name, "__qn_abs_i64")) &&
           LLVMIsDeclaration(callee);
}

struct asked {
    struct qn__int_facts *f;
    LLVMValueRef all[MOST_VALUES]; /* all that must not be negative */
    unsigned n;
    bool fails;
};

static void must_be(struct asked *a, LLVMValueRef v)
{
    for (unsigned i = 0; i < a->n; i++)
        if (a->all[i] == v)
            return;
    if (a->n == MOST_VALUES)
        a->fails = true;
    else
        a->all[a->n++] = v;
}

static bool is_negated(LLVMValueRef v, LLVMValueRef of)
{
    return LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMSub &&
           LLVMIsNull(LLVMGetOperand(v, 0)) && LLVMGetOperand(v, 1) == of;
}

static bool asks_for_sign(LLVMValueRef condition, LLVMValueRef of)
{
    if (!LLVMIsAICmpInst(condition))
        return false;
    const LLVMValueRef a = LLVMGetOperand(condition, 0), b = LLVMGetOperand(condition, 1);
    const LLVMValueRef with = a == of ? b : a;
    return (a == of || b == of) && LLVMIsAConstantInt(with) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(with)) <= 64 && LLVMConstIntGetSExtValue(with) >= -1 &&
           LLVMConstIntGetSExtValue(with) <= 1;
}

/* Is the block one that a branch on the sign leads to? */
static bool is_behind_sign(LLVMBasicBlockRef bb, LLVMValueRef of)
{
    const LLVMValueRef block = LLVMBasicBlockAsValue(bb);
    for (LLVMUseRef use = LLVMGetFirstUse(block); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef branch = LLVMGetUser(use);
        if (LLVMIsABranchInst(branch) && LLVMIsConditional(branch) &&
            asks_for_sign(LLVMGetCondition(branch), of))
            return true;
    }
    return false;
}

/* An absolute value: a choice by its sign between a number and the negated number. */
static bool is_absolute(LLVMValueRef v)
{
    for (unsigned i = 0; i < 2; i++) {
        if (LLVMIsASelectInst(v)) {
            const LLVMValueRef x = LLVMGetOperand(v, 1 + i);
            if (is_negated(LLVMGetOperand(v, 2 - i), x) && asks_for_sign(LLVMGetOperand(v, 0), x))
                return true;
        } else if (LLVMCountIncoming(v) == 2) {
            const LLVMValueRef x = LLVMGetIncomingValue(v, i);
            if (is_negated(LLVMGetIncomingValue(v, 1 - i), x) &&
                is_behind_sign(LLVMGetIncomingBlock(v, 1 - i), x))
                return true;
        }
    }
    return false;
}

static bool range_says(struct asked *a, LLVMValueRef v)
{
    return LLVMIsAInstruction(v)
               ? qn__int_range(a->f, v, false, LLVMGetInstructionParent(v)).low >= 0
               : LLVMIsAConstantInt(v) && (int64_t)LLVMConstIntGetSExtValue(v) >= 0;
}

static void ask(struct asked *a, LLVMValueRef v)
{
    const LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMLoad;
    switch (op) {
    case LLVMPHI:
        if (is_absolute(v))
            return;
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            must_be(a, LLVMGetIncomingValue(v, i));
        return;
    case LLVMSelect:
        if (is_absolute(v))
            return;
        must_be(a, LLVMGetOperand(v, 1));
        must_be(a, LLVMGetOperand(v, 2));
        return;
    case LLVMMul:
        if (LLVMGetOperand(v, 0) == LLVMGetOperand(v, 1))
            return;
        break;
    case LLVMCall: a->fails |= !qn__is_abs(v) && !range_says(a, v); return;
    case LLVMAdd:
    case LLVMSExt:
    case LLVMFreeze: break;
    case LLVMSDiv:
    case LLVMSRem:
    case LLVMAShr:
        must_be(a, LLVMGetOperand(v, 0));
        if (op == LLVMSDiv)
            must_be(a, LLVMGetOperand(v, 1));
        return;
    default: a->fails |= !range_says(a, v); return;
    }
    if (range_says(a, v))
        return;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        must_be(a, LLVMGetOperand(v, i));
}

bool qn__is_not_negative(struct qn__int_facts *f, LLVMValueRef v)
{
    struct asked a = {.f = f, .all = {v}, .n = 1};
    for (unsigned i = 0; i < a.n && !a.fails; i++)
        ask(&a, a.all[i]);
    return !a.fails;
}
