/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel's control-flow graph, its dominator tree (Cooper, Harvey, Kennedy: "A Simple, Fast
 * Dominance Algorithm") and its natural loops. Everything iterates; nothing recurses on the graph.
 */
#include "compiler/model/function.h"

#include "compiler/core/legal_names.h"

#include <string.h>

struct qn__block *qn__block_of(struct qn__function *f, LLVMBasicBlockRef b)
{
    return qn__map_get(&f->block_of, b);
}

struct qn__value *qn__value_of(struct qn__function *f, LLVMValueRef v)
{
    return qn__map_get(&f->value_of, v);
}

bool qn__dominates(const struct qn__block *a, const struct qn__block *b)
{
    return a->dom_in <= b->dom_in && b->dom_out <= a->dom_out;
}

bool qn__in_loop(const struct qn__loop *loop, const struct qn__block *b)
{
    const struct qn__loop *l = b->loop;
    while (l && l->depth > loop->depth)
        l = l->parent;
    return l == loop;
}

struct qn__var *qn__var_new(struct qn__function *f, const char *wish, const struct qn__type *type)
{
    struct qn__unit *const u = f->u;
    struct qn__var *const v = QN__NEED(u, struct qn__var);
    v->id = f->n_vars;
    v->wish = qn__name_legal(u, wish);
    v->type = type;
    QN__PUSH(u, f->vars, f->n_vars, f->vars_capacity, v);
    return v;
}

static void link_blocks(struct qn__unit *u, struct qn__block *from, struct qn__block *to)
{
    QN__PUSH(u, from->succs.items, from->succs.n, from->succs.capacity, to);
    if (!to->preds.n || to->preds.items[to->preds.n - 1] != from) /* a switch may come twice */
        QN__PUSH(u, to->preds.items, to->preds.n, to->preds.capacity, from);
}

/* Reverse post-order by an explicit stack. Successors are visited last to first, so that the first
 * successor comes first in the order. */
static void order_blocks(struct qn__function *f)
{
    struct qn__unit *const u = f->u;
    struct frame {
        LLVMBasicBlockRef block;
        int next;
    } *stack = NULL;
    uint32_t depth = 0, capacity = 0, n_post = 0, post_capacity = 0;
    LLVMBasicBlockRef *post = NULL;
    struct qn__map seen = {0};
    const LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f->llvm);
    qn__map_put(u, &seen, entry, entry);
    struct frame first = {entry, (int)LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(entry))};
    QN__PUSH(u, stack, depth, capacity, first);
    while (depth) {
        struct frame *const top = &stack[depth - 1];
        if (top->next == 0) {
            QN__PUSH(u, post, n_post, post_capacity, top->block);
            depth--;
            continue;
        }
        const LLVMBasicBlockRef s =
            LLVMGetSuccessor(LLVMGetBasicBlockTerminator(top->block), (unsigned)--top->next);
        if (qn__map_get(&seen, s))
            continue;
        qn__map_put(u, &seen, s, s);
        struct frame frame = {s, (int)LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(s))};
        QN__PUSH(u, stack, depth, capacity, frame);
    }
    f->n_blocks = n_post;
    f->blocks = QN__NEED_ARRAY(u, struct qn__block, n_post);
    for (uint32_t i = 0; i < n_post; i++) {
        f->blocks[i].llvm = post[n_post - 1 - i];
        f->blocks[i].index = i;
        qn__map_put(u, &f->block_of, f->blocks[i].llvm, &f->blocks[i]);
    }
    for (uint32_t i = 0; i < n_post; i++) {
        const LLVMValueRef t = LLVMGetBasicBlockTerminator(f->blocks[i].llvm);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(t); k++)
            link_blocks(u, &f->blocks[i], qn__block_of(f, LLVMGetSuccessor(t, k)));
        const LLVMOpcode op = LLVMGetInstructionOpcode(t);
        f->blocks[i].is_return = (op == LLVMRet || op == LLVMUnreachable) &&
                                 LLVMGetFirstInstruction(f->blocks[i].llvm) == t && i != 0;
    }
}

static struct qn__block *meet(struct qn__block *a, struct qn__block *b)
{
    while (a != b) {
        while (a->index > b->index)
            a = a->idom;
        while (b->index > a->index)
            b = b->idom;
    }
    return a;
}

static void find_dominators(struct qn__function *f)
{
    bool changed = true;
    f->blocks[0].idom = &f->blocks[0];
    while (changed) {
        changed = false;
        for (uint32_t i = 1; i < f->n_blocks; i++) {
            struct qn__block *const b = &f->blocks[i], *idom = NULL;
            for (uint32_t k = 0; k < b->preds.n; k++)
                if (b->preds.items[k]->idom)
                    idom = idom ? meet(idom, b->preds.items[k]) : b->preds.items[k];
            changed |= idom != b->idom;
            b->idom = idom;
        }
    }
    for (uint32_t i = 1; i < f->n_blocks; i++) {
        struct qn__block *const b = &f->blocks[i];
        QN__PUSH(f->u, b->idom->children.items, b->idom->children.n, b->idom->children.capacity, b);
    }
    /* intervals: children have larger indices, so sizes add up backwards and starts forwards */
    uint32_t *const size = QN__NEED_ARRAY(f->u, uint32_t, f->n_blocks);
    for (uint32_t i = f->n_blocks; i-- > 0;) {
        size[i]++;
        if (i)
            size[f->blocks[i].idom->index] += size[i];
    }
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        struct qn__block *const b = &f->blocks[i];
        uint32_t at = b->dom_in + 1;
        b->dom_out = b->dom_in + size[i] - 1;
        for (uint32_t k = 0; k < b->children.n; k++) {
            b->children.items[k]->dom_in = at;
            at += size[b->children.items[k]->index];
        }
    }
}

/* The body of the loop with this header: what reaches a back edge without passing the header.
 * Headers come outermost first, so an inner loop overwrites b->loop. */
static void fill_loop(struct qn__function *f, struct qn__loop *loop)
{
    struct qn__edge_list work = {0};
    uint32_t *const seen = QN__NEED_ARRAY(f->u, uint32_t, (f->n_blocks + 31) / 32);
    struct qn__block *const h = loop->header;
    seen[h->index / 32] |= 1u << h->index % 32;
    h->loop = loop;
    for (uint32_t i = 0; i < h->preds.n; i++)
        if (qn__dominates(h, h->preds.items[i]))
            QN__PUSH(f->u, work.items, work.n, work.capacity, h->preds.items[i]);
    while (work.n) {
        struct qn__block *const b = work.items[--work.n];
        if (seen[b->index / 32] & 1u << b->index % 32)
            continue;
        seen[b->index / 32] |= 1u << b->index % 32;
        b->loop = loop;
        for (uint32_t i = 0; i < b->preds.n; i++)
            QN__PUSH(f->u, work.items, work.n, work.capacity, b->preds.items[i]);
    }
}

static void find_loops(struct qn__function *f)
{
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        struct qn__block *const b = &f->blocks[i];
        for (uint32_t k = 0; k < b->preds.n; k++) {
            struct qn__block *const p = b->preds.items[k];
            if (p->index < b->index)
                b->forward_preds++;
            else if (qn__dominates(b, p))
                b->is_header = true;
            else
                f->is_irreducible = true;
        }
        if (!b->is_header)
            continue;
        struct qn__loop *const loop = QN__NEED(f->u, struct qn__loop);
        loop->header = b;
        loop->parent = b->loop;
        loop->depth = b->loop ? b->loop->depth + 1 : 1;
        fill_loop(f, loop);
    }
}

const char *qn__callee(LLVMValueRef call)
{
    const LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
}

bool qn__is_noop_call(const char *callee)
{
    return qn__starts_with(callee, "llvm.lifetime.") || qn__starts_with(callee, "llvm.dbg.") ||
           qn__equal(callee, "llvm.assume") || qn__starts_with(callee, "llvm.donothing") ||
           qn__starts_with(callee, "llvm.experimental.noalias.scope.decl") ||
           qn__starts_with(callee, "llvm.var.annotation") ||
           qn__starts_with(callee, "llvm.prefetch.") || qn__equal(callee, "llvm.sideeffect") ||
           qn__starts_with(callee, "llvm.invariant.");
}

static void number_values(struct qn__function *f)
{
    struct qn__unit *const u = f->u;
    uint32_t n = LLVMCountParams(f->llvm);
    for (uint32_t i = 0; i < f->n_blocks; i++)
        for (LLVMValueRef in = LLVMGetFirstInstruction(f->blocks[i].llvm); in;
             in = LLVMGetNextInstruction(in))
            n++;
    f->values = QN__NEED_ARRAY(u, struct qn__value, n);
    for (unsigned i = 0; i < LLVMCountParams(f->llvm); i++)
        f->values[f->n_values++].llvm = LLVMGetParam(f->llvm, i);
    for (uint32_t i = 0; i < f->n_blocks; i++) {
        struct qn__block *const b = &f->blocks[i];
        for (LLVMValueRef in = LLVMGetFirstInstruction(b->llvm); in;
             in = LLVMGetNextInstruction(in)) {
            struct qn__value *const v = &f->values[f->n_values++];
            v->llvm = in;
            v->block = b;
            v->is_phi = LLVMIsAPHINode(in) != NULL;
            v->is_load = LLVMIsALoadInst(in) != NULL;
            v->position = v->is_phi ? 0 : ++b->n_instructions;
            v->name = qn__name_of(u, in);
        }
    }
    for (uint32_t i = 0; i < f->n_values; i++) {
        f->values[i].index = i;
        f->values[i].web = f->values[i].web_next = &f->values[i];
        f->values[i].web_size = 1;
        qn__map_put(u, &f->value_of, f->values[i].llvm, &f->values[i]);
    }
}

struct qn__function *qn__function_new(struct qn__unit *u, struct qn__kernel_source *source)
{
    struct qn__function *const f = QN__NEED(u, struct qn__function);
    f->u = u;
    f->source = source;
    f->llvm = source->function;
    order_blocks(f);
    find_dominators(f);
    find_loops(f);
    number_values(f);
    return f;
}
