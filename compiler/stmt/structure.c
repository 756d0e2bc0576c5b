/* SPDX-License-Identifier: Apache-2.0
 *
 * Structure: the control-flow graph as nested ifs and loops. The method is Ramsey's ("Beyond
 * Relooper", ICFP 2022): walk the dominator tree; a block with one way in is printed where it is
 * jumped to; a block with several comes after a statement that all of them leave; a loop header
 * begins a loop. Every reducible graph comes out without a goto and without a copy of any block.
 *
 * One thing is added for readers: the code after a loop comes after the loop's statement, not
 * into the branch that leaves it. That block is the loop's *follow*: of all blocks outside the loop
 * that the loop dominates, the last in reverse post-order. The others are what a loop does before
 * it breaks.
 *
 * A block that only returns is not placed at all: a jump to it is `return`.
 */
#include "compiler/core/diagnose.h"
#include "compiler/expr/expr_constant.h"
#include "compiler/passes.h"
#include "compiler/stmt/block_statements.h"
#include "compiler/stmt/loop_hints.h"
#include "compiler/stmt/stmt.h"

struct structure {
    struct qn__function *f;
    struct qn__stmt **left_for; /* per block: the statement whose leaving leads to it, or NULL */
    struct qn__stmt **loop;     /* per header: its loop */
    bool *labelled;             /* per block: target of a goto */
};

/* The outermost loop that contains b's immediate dominator but not b. */
static struct qn__loop *left_loop(const struct qn__block *b)
{
    struct qn__loop *outermost = NULL;
    for (struct qn__loop *l = b->idom->loop; l && !qn__in_loop(l, b); l = l->parent)
        outermost = l;
    return outermost;
}

static void find_follows(struct qn__function *f)
{
    for (uint32_t i = 1; i < f->n_blocks; i++) {
        struct qn__block *const b = &f->blocks[i];
        struct qn__loop *const l = b->is_return ? NULL : left_loop(b);
        if (l)
            l->follow = b; /* indices ascend: the last one stays */
    }
}

static bool is_follow(const struct qn__block *b)
{
    const struct qn__loop *const l = b->index ? left_loop(b) : NULL;
    return l && l->follow == b;
}

/* Several ways lead in, or none of them from the dominator itself. */
static bool is_merge(const struct qn__block *b)
{
    return !b->is_return &&
           !(b->forward_preds == 1 && b->preds.items[0] == b->idom && b->preds.n == 1) &&
           !(b->is_header && b->forward_preds == 1);
}

static void emit_tree(struct structure *st, struct qn__stmt *list, struct qn__block *b);

static void emit_edge(struct structure *st, struct qn__stmt *list, struct qn__block *from,
                      struct qn__block *to)
{
    struct qn__function *const f = st->f;
    struct qn__stmt *jump;
    qn__edge_copies(f, list, from, to);
    if (to->is_return) {
        jump = qn__stmt_new(f, QN__RETURN);
    } else if (to->is_header && qn__dominates(to, from)) {
        jump = qn__stmt_new(f, QN__CONTINUE);
        jump->target = st->loop[to->index];
    } else if (to->index <= from->index) {
        jump = qn__stmt_new(f, QN__GOTO);
        jump->block = to;
    } else if (st->left_for[to->index]) {
        jump = qn__stmt_new(f, QN__LEAVE);
        jump->target = st->left_for[to->index];
        jump->target->leaves++;
    } else {
        emit_tree(st, list, to);
        return;
    }
    qn__append(list, jump);
}

static struct qn__stmt *condition(struct qn__function *f, LLVMValueRef branch)
{
    struct qn__stmt *const s = qn__stmt_new(f, QN__IF);
    f->u->current = branch;
    s->value = qn__condition(f, LLVMGetCondition(branch), false).node;
    s->negated = qn__condition(f, LLVMGetCondition(branch), true).node;
    s->where = branch;
    return s;
}

static void emit_switch(struct structure *st, struct qn__stmt *list, struct qn__block *b,
                        LLVMValueRef terminator)
{
    struct qn__function *const f = st->f;
    struct qn__unit *const u = f->u;
    struct qn__stmt *const s = qn__stmt_new(f, QN__SWITCH);
    u->current = terminator;
    const struct qn__expr value = qn__expr(f, LLVMGetOperand(terminator, 0));
    const struct qn__type *const type = value.type;
    s->value = value.node;
    s->where = terminator;
    qn__append(list, s);
    struct qn__map cases = {0}; /* block -> its case */
    s->value_type = type;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
        struct qn__block *const to = qn__block_of(f, LLVMGetSuccessor(terminator, i));
        const LLVMValueRef end = LLVMGetBasicBlockTerminator(to->llvm);
        if (i == 0 && to->is_return && LLVMGetInstructionOpcode(end) == LLVMUnreachable) {
            s->is_complete = true;
            continue;
        }
        struct qn__stmt *c = qn__map_get(&cases, to);
        const bool seen = c != NULL;
        if (!seen) {
            c = qn__stmt_new(f, QN__CASE);
            qn__map_put(u, &cases, to, c);
            qn__append(s, c);
        }
        if (i == 0) {
            c->is_default = true;
        } else {
            const struct qn__expr label =
                qn__convert(f, qn__constant(f, LLVMGetOperand(terminator, 2 * i)), type);
            QN__PUSH(u, c->labels, c->n_labels, c->labels_capacity, label.node);
        }
        if (!seen)
            emit_edge(st, c, b, to);
    }
    if (s->first && s->first->is_default) { /* it comes last */
        struct qn__stmt *const d = s->first;
        qn__remove(d);
        qn__append(s, d);
    }
}

/* The block's own statements and its branch. */
static void emit_block(struct structure *st, struct qn__stmt *list, struct qn__block *b)
{
    struct qn__function *const f = st->f;
    const LLVMValueRef t = LLVMGetBasicBlockTerminator(b->llvm);
    if (st->labelled[b->index]) {
        struct qn__stmt *const label = qn__stmt_new(f, QN__LABEL);
        label->block = b;
        qn__append(list, label);
    }
    qn__block_statements(f, list, b);
    switch (LLVMGetInstructionOpcode(t)) {
    case LLVMBr:
        if (LLVMIsConditional(t) && b->succs.items[0] != b->succs.items[1]) {
            struct qn__stmt *const s = condition(f, t);
            qn__append(list, s);
            emit_edge(st, s->body, b, b->succs.items[0]);
            emit_edge(st, s->other, b, b->succs.items[1]);
        } else {
            emit_edge(st, list, b, b->succs.items[0]);
        }
        break;
    case LLVMSwitch: emit_switch(st, list, b, t); break;
    case LLVMRet:
    case LLVMUnreachable: qn__append(list, qn__stmt_new(f, QN__RETURN)); break;
    default:
        qn__refuse(
            f->u, t,
            "control flow of a kind OpenCL C does not have: write it with if, switch and loops");
        break;
    }
}

/* The variables of a header's phis are declared outside of its loop, even where nothing outside
 * mentions them: a phi whose first value is undefined is assigned in the loop alone. */
static void note_carried(struct qn__function *f, struct qn__stmt *loop, const struct qn__block *b)
{
    for (LLVMValueRef in = LLVMGetFirstInstruction(b->llvm); in && LLVMIsAPHINode(in);
         in = LLVMGetNextInstruction(in)) {
        const struct qn__value *const phi = qn__value_of(f, in);
        if (phi->live && phi->var)
            QN__PUSH(f->u, loop->carries, loop->n_carries, loop->carries_capacity, phi->var);
    }
}

/* `b` and everything it dominates, at the end of `list`. */
static void emit_tree(struct structure *st, struct qn__stmt *list, struct qn__block *b)
{
    struct qn__function *const f = st->f;
    while (b) {
        struct qn__block *follow = NULL;
        struct qn__stmt *inner = list;
        if (b->is_header) {
            follow = b->loop->follow;
            if (follow) {
                struct qn__stmt *const out = qn__stmt_new(f, QN__BLOCK);
                qn__append(list, out);
                st->left_for[follow->index] = out;
                inner = out->body;
            }
            struct qn__stmt *const loop = qn__stmt_new(f, QN__LOOP);
            loop->where = LLVMGetBasicBlockTerminator(b->llvm);
            loop->is_for = qn__starts_with(LLVMGetBasicBlockName(b->llvm), "for.");
            loop->hints = qn__loop_hints(f, b);
            st->loop[b->index] = loop;
            note_carried(f, loop, b);
            qn__append(inner, loop);
            inner = loop->body;
        }
        /* merge blocks, outermost statement for the last one */
        uint32_t n = 0;
        struct qn__block **const merges = QN__NEED_ARRAY(f->u, struct qn__block *, b->children.n);
        for (uint32_t i = 0; i < b->children.n; i++)
            if (is_merge(b->children.items[i]) && !is_follow(b->children.items[i]))
                merges[n++] = b->children.items[i];
        struct qn__stmt **const lists = QN__NEED_ARRAY(f->u, struct qn__stmt *, n + 1);
        lists[n] = inner;
        for (uint32_t i = n; i > 0; i--) {
            struct qn__stmt *const out = qn__stmt_new(f, QN__BLOCK);
            qn__append(lists[i], out);
            st->left_for[merges[i - 1]->index] = out;
            lists[i - 1] = out->body;
        }
        emit_block(st, lists[0], b);
        const uint32_t own = b->is_header || !n ? n : n - 1;
        for (uint32_t i = 0; i < own; i++)
            emit_tree(st, lists[i + 1], merges[i]);
        b = b->is_header ? follow : n ? merges[n - 1] : NULL;
    }
}

void qn__structure(struct qn__function *f)
{
    struct structure st = {
        .f = f,
        .left_for = QN__NEED_ARRAY(f->u, struct qn__stmt *, f->n_blocks),
        .loop = QN__NEED_ARRAY(f->u, struct qn__stmt *, f->n_blocks),
        .labelled = QN__NEED_ARRAY(f->u, bool, f->n_blocks),
    };
    for (uint32_t i = 0; i < f->n_blocks; i++)
        for (uint32_t k = 0; k < f->blocks[i].succs.n; k++) {
            const struct qn__block *const to = f->blocks[i].succs.items[k];
            if (to->index <= i && !qn__dominates(to, &f->blocks[i]))
                st.labelled[to->index] = true;
        }
    find_follows(f);
    f->body = qn__stmt_new(f, QN__LIST);
    emit_tree(&st, f->body, &f->blocks[0]);
}
