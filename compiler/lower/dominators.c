/* SPDX-License-Identifier: Apache-2.0
 *
 * Which block every path to another leads through (Cooper, Harvey, Kennedy: "A Simple, Fast
 * Dominance Algorithm"). */
#include "compiler/lower/dominators.h"

const struct qn__dom_block *qn__dom_of(const struct qn__dominators *d, LLVMBasicBlockRef b)
{
    return qn__map_get(&d->of, b);
}

bool qn__dom_dominates(const struct qn__dom_block *a, const struct qn__dom_block *b)
{
    while (b->index > a->index)
        b = b->idom;
    return a == b;
}

/* Post-order by an explicit stack. */
static uint32_t order(struct qn__unit *u, LLVMValueRef function, LLVMBasicBlockRef **post)
{
    struct frame {
        LLVMBasicBlockRef block;
        unsigned next;
    } *stack = NULL;
    uint32_t depth = 0, capacity = 0, n = 0, post_capacity = 0;
    struct qn__map seen = {0};
    struct frame top = {LLVMGetEntryBasicBlock(function), 0};
    qn__map_put(u, &seen, top.block, top.block);
    QN__PUSH(u, stack, depth, capacity, top);
    *post = NULL;
    while (depth) {
        struct frame *const at = &stack[depth - 1];
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(at->block);
        if (at->next == LLVMGetNumSuccessors(end)) {
            QN__PUSH(u, *post, n, post_capacity, at->block);
            depth--;
            continue;
        }
        top.block = LLVMGetSuccessor(end, at->next++);
        if (qn__map_get(&seen, top.block))
            continue;
        qn__map_put(u, &seen, top.block, top.block);
        QN__PUSH(u, stack, depth, capacity, top);
    }
    return n;
}

static void link_blocks(struct qn__unit *u, struct qn__dominators *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(d->blocks[i].llvm);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            struct qn__dom_block *const to = qn__map_get(&d->of, LLVMGetSuccessor(end, k));
            QN__PUSH(u, to->preds, to->n_preds, to->preds_capacity, &d->blocks[i]);
        }
    }
}

static struct qn__dom_block *meet(struct qn__dom_block *a, struct qn__dom_block *b)
{
    while (a != b) {
        while (a->index > b->index)
            a = a->idom;
        while (b->index > a->index)
            b = b->idom;
    }
    return a;
}

void qn__dominators_find(struct qn__unit *u, LLVMValueRef function, struct qn__dominators *d)
{
    LLVMBasicBlockRef *post;
    *d = (struct qn__dominators){.n = order(u, function, &post)};
    d->blocks = QN__NEED_ARRAY(u, struct qn__dom_block, d->n);
    for (uint32_t i = 0; i < d->n; i++) {
        d->blocks[i] = (struct qn__dom_block){.llvm = post[d->n - 1 - i], .index = i};
        qn__map_put(u, &d->of, d->blocks[i].llvm, &d->blocks[i]);
    }
    link_blocks(u, d);
    d->blocks[0].idom = &d->blocks[0];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < d->n; i++) {
            struct qn__dom_block *const b = &d->blocks[i], *idom = NULL;
            for (uint32_t k = 0; k < b->n_preds; k++)
                if (b->preds[k]->idom)
                    idom = idom ? meet(idom, b->preds[k]) : b->preds[k];
            changed |= idom != b->idom;
            b->idom = idom;
        }
    }
}
