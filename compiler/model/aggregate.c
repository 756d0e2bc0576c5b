/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs as values exist only between insertvalue and extractvalue:
 *
 *     extractvalue(insertvalue(s, x, 1), 1) -> x */
#include "compiler/model/aggregate.h"

LLVMValueRef qn__aggregate_part(LLVMValueRef extract, LLVMValueRef *from)
{
    enum { DEEPEST = 16 };
    unsigned path[DEEPEST], n = 0; /* last index first */
    LLVMValueRef v = extract;
    for (;;) {
        if (LLVMIsAExtractValueInst(v)) {
            const unsigned count = LLVMGetNumIndices(v);
            for (unsigned i = count; i-- > 0 && n < DEEPEST;)
                path[n++] = LLVMGetIndices(v)[i];
            v = LLVMGetOperand(v, 0);
        } else if (LLVMIsAInsertValueInst(v)) {
            const unsigned count = LLVMGetNumIndices(v);
            unsigned same = 0;
            while (same < count && same < n && LLVMGetIndices(v)[same] == path[n - 1 - same])
                same++;
            if (same == n && same < count)
                break; /* asks for more than one insertion */
            if (same == count) {
                n -= count;
                v = LLVMGetOperand(v, 1);
            } else {
                v = LLVMGetOperand(v, 0);
            }
        } else if (n && LLVMIsAConstant(v) && LLVMGetAggregateElement(v, path[n - 1])) {
            v = LLVMGetAggregateElement(v, path[--n]);
        } else {
            break;
        }
        if (n == 0 && !LLVMIsAExtractValueInst(v))
            return v;
    }
    *from = v;
    return NULL;
}
