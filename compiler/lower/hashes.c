/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash, h = h * 33 + i, overflows after a few iterations. Where all of it is constant, a compiler
 * computes it in advance, and may take an iteration that overflows for one that never runs.
 *
 * The factor is no power of two: by those, strides and sizes grow. */
#include "compiler/lower/hashes.h"

#include <stddef.h>

enum { DEPTH = 4 }; /* operations of one iteration, in a chain */

static bool is_arithmetic(LLVMValueRef v)
{
    const LLVMOpcode op = LLVMIsABinaryOperator(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    return op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMXor;
}

static bool is_power_of_two(LLVMValueRef constant)
{
    const uint64_t n = LLVMConstIntGetZExtValue(constant);
    return (n & (n - 1)) == 0;
}

static bool multiplies(LLVMValueRef v)
{
    for (unsigned i = 0; i < 2 && LLVMGetInstructionOpcode(v) == LLVMMul; i++) {
        const LLVMValueRef by = LLVMGetOperand(v, i);
        if (LLVMIsAConstantInt(by) && LLVMGetIntTypeWidth(LLVMTypeOf(by)) <= 64)
            return !is_power_of_two(by);
    }
    return false;
}

/* Is `v` computed from `from`? With a product by a factor, it has multiplied. */
static bool comes_from(LLVMValueRef v, LLVMValueRef from, bool *multiplied, int depth)
{
    if (v == from)
        return true;
    for (unsigned i = 0; depth > 0 && is_arithmetic(v) && i < 2; i++)
        if (comes_from(LLVMGetOperand(v, i), from, multiplied, depth - 1)) {
            *multiplied |= multiplies(v);
            return true;
        }
    return false;
}

static bool is_hash(LLVMValueRef phi, LLVMValueRef operation)
{
    bool begins = false, hashes = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef in = LLVMGetIncomingValue(phi, i);
        bool multiplied = false, ignored = false;
        begins |= LLVMIsAConstantInt(in) != NULL;
        hashes |= comes_from(in, phi, &multiplied, DEPTH) && multiplied &&
                  comes_from(in, operation, &ignored, DEPTH);
    }
    return begins && hashes;
}

/* Of any loop whose variable `v` is computed from? */
static bool is_of_loop(LLVMValueRef v, LLVMValueRef operation, int depth)
{
    if (LLVMIsAPHINode(v))
        return is_hash(v, operation);
    return depth > 0 && is_arithmetic(v) &&
           (is_of_loop(LLVMGetOperand(v, 0), operation, depth - 1) ||
            is_of_loop(LLVMGetOperand(v, 1), operation, depth - 1));
}

bool qn__is_of_hash(LLVMValueRef operation)
{
    return is_of_loop(operation, operation, DEPTH);
}
