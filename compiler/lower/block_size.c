/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver that compiles a kernel for blocks of one size knows that size, and what is computed from
 * it alone is a constant to it. With a large one few sums do not overflow: of
 *
 *     n = (int)(blockDim.x * -3e9f);    the smallest int
 *     (n - a) % 55                      0 or less, where it does not overflow
 *
 * While the size is not known, n can be any int, and no range shows that. */
#include "compiler/lower/block_size.h"

#include "base/str.h"
#include "compiler/lower/float_range.h"
#include "compiler/model/address_space.h"

enum { DEPTH = 8, LARGE = 1 << 30 };

/* A cast of a float that may be out of range (float_to_int.c), and one that may be large. */
static bool is_large_cast(LLVMValueRef v)
{
    size_t n;
    const LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    const char *const name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
    if (!qn__starts_with(name, "__float2") && !qn__starts_with(name, "__double2"))
        return false;
    const struct qn__range r = qn__float_range(LLVMGetOperand(v, 0), LLVMGetInstructionParent(v));
    return r.low <= -LARGE || r.high >= LARGE;
}

/* A constant, the size of a block, or computed from these; *has_size: not of constants alone. */
static bool is_known(struct qn__unit *u, LLVMValueRef v, bool *has_size, int depth)
{
    unsigned axis;
    if (LLVMIsAConstantInt(v) || LLVMIsAConstantFP(v))
        return true;
    if (LLVMIsALoadInst(v)) {
        *has_size = true;
        return qn__work_item(u, v, &axis) == QN__LOCAL_SIZE;
    }
    const bool computes = LLVMIsABinaryOperator(v) || LLVMIsAUnaryOperator(v);
    if (depth == 0 || (!computes && !LLVMIsACastInst(v) && !is_large_cast(v)))
        return false;
    for (unsigned i = 0; i < (computes ? (unsigned)LLVMGetNumOperands(v) : 1); i++)
        if (!is_known(u, LLVMGetOperand(v, i), has_size, depth - 1))
            return false;
    return true;
}

bool qn__is_large_of_block(struct qn__int_facts *f, LLVMValueRef operation)
{
    for (unsigned i = 0; LLVMIsABinaryOperator(operation) && i < 2; i++) {
        const LLVMValueRef v = LLVMGetOperand(operation, i);
        bool has_size = false;
        if (!LLVMIsAInstruction(v) || !is_known(f->u, v, &has_size, DEPTH) || !has_size)
            continue;
        const struct qn__int_range r =
            qn__int_range(f, v, false, LLVMGetInstructionParent(operation));
        if (r.low <= -LARGE || r.high >= LARGE)
            return true;
    }
    return false;
}
