/* SPDX-License-Identifier: Apache-2.0
 *
 * For passes that give a function other edges: no block may use a value of another one meanwhile.
 * Each such value is kept in a variable, which SROA takes away again. */
#include "compiler/lower/demote.h"

struct values {
    LLVMValueRef *items;
    uint32_t n, capacity;
};

static LLVMValueRef variable(struct qn__unit *u, LLVMValueRef f, LLVMValueRef like)
{
    size_t n;
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    const LLVMValueRef v = LLVMBuildAlloca(b, LLVMTypeOf(like), LLVMGetValueName2(like, &n));
    LLVMDisposeBuilder(b);
    return v;
}

static LLVMValueRef load_before(struct qn__unit *u, LLVMValueRef in, LLVMValueRef from,
                                LLVMValueRef like)
{
    size_t n;
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, in);
    const LLVMValueRef v = LLVMBuildLoad2(b, LLVMTypeOf(like), from, LLVMGetValueName2(like, &n));
    LLVMDisposeBuilder(b);
    return v;
}

static void store_before(struct qn__unit *u, LLVMValueRef in, LLVMValueRef v, LLVMValueRef to)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, in);
    LLVMBuildStore(b, v, to);
    LLVMDisposeBuilder(b);
}

void qn__demote_phis(struct qn__unit *u, LLVMValueRef f)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef first = LLVMGetFirstInstruction(bb);
        while (LLVMIsAPHINode(first))
            first = LLVMGetNextInstruction(first);
        for (LLVMValueRef phi; LLVMIsAPHINode(phi = LLVMGetFirstInstruction(bb));) {
            const LLVMValueRef v = variable(u, f, phi);
            for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
                if (!LLVMIsUndef(LLVMGetIncomingValue(phi, i)))
                    store_before(u, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)),
                                 LLVMGetIncomingValue(phi, i), v);
            LLVMReplaceAllUsesWith(phi, load_before(u, first, v, phi));
            LLVMInstructionEraseFromParent(phi);
        }
    }
}

static bool leaves_its_block(LLVMValueRef in)
{
    for (LLVMUseRef use = LLVMGetFirstUse(in); use; use = LLVMGetNextUse(use))
        if (LLVMGetInstructionParent(LLVMGetUser(use)) != LLVMGetInstructionParent(in))
            return true;
    return false;
}

/* Each user loads it before it. */
static void load_at_uses(struct qn__unit *u, LLVMValueRef v, LLVMValueRef from)
{
    struct values users = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (LLVMGetInstructionParent(LLVMGetUser(use)) != LLVMGetInstructionParent(v))
            QN__PUSH(u, users.items, users.n, users.capacity, LLVMGetUser(use));
    for (uint32_t i = 0; i < users.n; i++) {
        LLVMValueRef again = NULL;
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(users.items[i]); k++) {
            if (LLVMGetOperand(users.items[i], k) != v)
                continue;
            if (!again)
                again = load_before(u, users.items[i], from, v);
            LLVMSetOperand(users.items[i], k, again);
        }
    }
}

void qn__demote_values(struct qn__unit *u, LLVMValueRef f, struct qn__map *kept)
{
    struct values all = {0};
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef in = LLVMGetFirstInstruction(bb); in; in = LLVMGetNextInstruction(in))
            if (!(LLVMIsAAllocaInst(in) && bb == LLVMGetEntryBasicBlock(f)) && leaves_its_block(in))
                QN__PUSH(u, all.items, all.n, all.capacity, in);
    for (uint32_t i = 0; i < all.n; i++) {
        LLVMValueRef home = qn__map_get(kept, all.items[i]);
        if (!home) {
            home = variable(u, f, all.items[i]);
            store_before(u, LLVMGetNextInstruction(all.items[i]), all.items[i], home);
        }
        load_at_uses(u, all.items[i], home);
    }
}

LLVMBasicBlockRef qn__split_after(struct qn__unit *u, LLVMValueRef in)
{
    const LLVMBasicBlockRef block = LLVMGetInstructionParent(in);
    const LLVMBasicBlockRef next = LLVMGetNextBasicBlock(block);
    const LLVMBasicBlockRef rest =
        next ? LLVMInsertBasicBlockInContext(u->context, next, "resume")
             : LLVMAppendBasicBlockInContext(u->context, LLVMGetBasicBlockParent(block), "resume");
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(b, rest);
    for (LLVMValueRef move; (move = LLVMGetNextInstruction(in)) != NULL;) {
        size_t n;
        const char *const name = qn__text(u, "%s", LLVMGetValueName2(move, &n));
        LLVMInstructionRemoveFromParent(move);
        LLVMInsertIntoBuilderWithName(b, move, name);
    }
    LLVMPositionBuilderAtEnd(b, block);
    LLVMBuildBr(b, rest);
    LLVMDisposeBuilder(b);
    return rest;
}
