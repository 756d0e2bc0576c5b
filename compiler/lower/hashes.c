/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash, h = h * 33 + i, overflows after a few iterations. Where all of it is constant, a compiler
 * computes it in advance, and may take an iteration that overflows for one that never runs. It may
 * begin with the number of an iteration of a loop around it, which is unrolled.
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

/* A constant, the number of an iteration, which is one where a loop is unrolled, or made of these.
 */
static bool is_known(LLVMValueRef v, int depth)
{
    bool begins = false, counts = false;
    if (LLVMIsAConstantInt(v))
        return true;
    if (depth == 0)
        return false;
    if (LLVMIsACastInst(v))
        return is_known(LLVMGetOperand(v, 0), depth - 1);
    if (is_arithmetic(v))
        return is_known(LLVMGetOperand(v, 0), depth - 1) &&
               is_known(LLVMGetOperand(v, 1), depth - 1);
    for (unsigned i = 0; LLVMIsAPHINode(v) && i < LLVMCountIncoming(v); i++) {
        const LLVMValueRef in = LLVMGetIncomingValue(v, i);
        begins |= LLVMIsAConstantInt(in) != NULL;
        counts |= is_arithmetic(in) && LLVMGetOperand(in, 0) == v &&
                  LLVMIsAConstantInt(LLVMGetOperand(in, 1));
    }
    return begins && counts;
}

static bool is_hash(LLVMValueRef phi, LLVMValueRef operation)
{
    bool begins = false, hashes = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const LLVMValueRef in = LLVMGetIncomingValue(phi, i);
        bool multiplied = false, ignored = false;
        begins |= in != phi && is_known(in, DEPTH);
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
