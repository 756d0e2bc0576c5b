/* SPDX-License-Identifier: Apache-2.0
 *
 * Dominators of a function's blocks, for passes over LLVM IR (dominators.c). A kernel's own are in
 * model/function.h, which comes later. */
#ifndef QN_COMPILER_LOWER_DOMINATORS_H
#define QN_COMPILER_LOWER_DOMINATORS_H

#include "compiler/core/unit.h"

struct qn__dom_block {
    LLVMBasicBlockRef llvm;
    uint32_t index; /* in reverse post-order */
    struct qn__dom_block **preds, *idom;
    uint32_t n_preds, preds_capacity;
};

struct qn__dominators {
    struct qn__map of; /* a block that is reached -> struct qn__dom_block */
    struct qn__dom_block *blocks;
    uint32_t n;
};

void qn__dominators_find(struct qn__unit *u, LLVMValueRef function, struct qn__dominators *out);
/* NULL: the block is not reached. */
const struct qn__dom_block *qn__dom_of(const struct qn__dominators *d, LLVMBasicBlockRef b);
bool qn__dom_dominates(const struct qn__dom_block *a, const struct qn__dom_block *b);

#endif
