/* SPDX-License-Identifier: Apache-2.0
 *
 * Values to expressions and variables.
 *
 * 1. What is alive: stores, calls with effects, branches, and what they use.
 * 2. What is folded into its user. A value printed once folds when moving it there is sound: pure
 *    arithmetic inside the same loop; loads only if nothing in between writes. Addresses,
 *    conversions and thread indices fold however often they are used. What the source gave a name
 *    is not folded, so its variables reappear.
 * 3. Which of the rest share a variable: a phi and the values that flow into it (coalesce.c).
 */
#include "compiler/model/inline_values.h"

#include "compiler/model/address_space.h"
#include "compiler/model/builtins.h"
#include "compiler/model/coalesce.h"
#include "compiler/passes.h"

#include <string.h>

enum { EXPRESSION_NODES = 48 }; /* longer expressions are cut by a variable */

static bool call_traits(struct qn__unit *u, LLVMValueRef call, enum qn__builtin_traits *out)
{
    const char *const callee = qn__callee(call);
    const struct qn__builtin *const b = *callee ? qn__builtin_find(u, callee) : NULL;
    *out = b ? b->traits : QN__WRITE;
    return b != NULL;
}

bool qn__value_writes(struct qn__unit *u, LLVMValueRef in)
{
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence: return true;
    case LLVMLoad: return LLVMGetVolatile(in) || LLVMGetOrdering(in) != LLVMAtomicOrderingNotAtomic;
    case LLVMCall: {
        enum qn__builtin_traits t;
        if (qn__is_noop_call(qn__callee(in)))
            return false;
        call_traits(u, in, &t);
        return t != QN__PURE && t != QN__READ;
    }
    default: return false;
    }
}

/* Must it be printed as a statement even when its value is not used? */
static bool has_effect(struct qn__unit *u, LLVMValueRef in)
{
    return LLVMIsATerminatorInst(in) || qn__value_writes(u, in);
}

static bool reads_memory(struct qn__unit *u, LLVMValueRef in)
{
    unsigned axis;
    enum qn__builtin_traits t;
    if (LLVMIsALoadInst(in))
        return !qn__work_item(u, in, &axis);
    return LLVMIsACallInst(in) && call_traits(u, in, &t) && t == QN__READ;
}

/* Printed wherever it is used: easier to read than a variable. */
static bool is_cheap(struct qn__unit *u, const struct qn__value *v)
{
    unsigned axis;
    switch (LLVMGetInstructionOpcode(v->llvm)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMExtractElement:
    case LLVMExtractValue:
    case LLVMInsertValue: return true;
    case LLVMLoad: return qn__work_item(u, v->llvm, &axis) != QN__NO_WORK_ITEM;
    default: return false;
    }
}

static bool is_aggregate(LLVMValueRef v)
{
    const LLVMTypeKind k = LLVMGetTypeKind(LLVMTypeOf(v));
    return k == LLVMStructTypeKind || k == LLVMArrayTypeKind;
}

static void mark_live(struct qn__function *f)
{
    struct qn__value **work = NULL;
    uint32_t n = 0, capacity = 0;
    for (uint32_t i = 0; i < f->n_values; i++)
        if (f->values[i].block && has_effect(f->u, f->values[i].llvm)) {
            f->values[i].live = true;
            QN__PUSH(f->u, work, n, capacity, &f->values[i]);
        }
    while (n) {
        const struct qn__value *const v = work[--n];
        const int operands = LLVMGetNumOperands(v->llvm);
        for (int i = 0; i < operands; i++) {
            struct qn__value *const o = qn__value_of(f, LLVMGetOperand(v->llvm, (unsigned)i));
            if (o && !o->live) {
                o->live = true;
                QN__PUSH(f->u, work, n, capacity, o);
            }
        }
    }
}

/* x[i] = x[i] + v prints as x[i] += v: the load that a store may swallow, or NULL. */
struct qn__value *qn__compound_load(struct qn__function *f, const struct qn__value *store)
{
    const LLVMValueRef v = LLVMGetOperand(store->llvm, 0), p = LLVMGetOperand(store->llvm, 1);
    if (!LLVMIsABinaryOperator(v) || LLVMGetNumOperands(v) != 2)
        return NULL;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv: break;
    default: return NULL;
    }
    const LLVMValueRef l = LLVMGetOperand(v, 0);
    if (!LLVMIsALoadInst(l) || LLVMGetOperand(l, 0) != p || LLVMGetVolatile(store->llvm))
        return NULL;
    struct qn__value *const load = qn__value_of(f, l), *const sum = qn__value_of(f, v);
    if (!load || !sum || sum->name.kind == QN__NAME_LOCAL || load->name.kind == QN__NAME_LOCAL)
        return NULL;
    return load->block == store->block && sum->block == store->block ? load : NULL;
}

/* How often a live value is printed; folded users print it as often as they are printed. */
static uint32_t count_places(struct qn__function *f, struct qn__value *v, struct qn__value **one)
{
    uint32_t places = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v->llvm); use; use = LLVMGetNextUse(use)) {
        struct qn__value *const user = qn__value_of(f, LLVMGetUser(use));
        if (!user || !user->live)
            continue;
        places += user->folded ? user->places : 1;
        *one = user;
    }
    if (LLVMIsAGetElementPtrInst(v->llvm) && places == 2) /* the address of x[i] += v counts once */
        for (LLVMUseRef use = LLVMGetFirstUse(v->llvm); use; use = LLVMGetNextUse(use)) {
            struct qn__value *const user = qn__value_of(f, LLVMGetUser(use));
            if (!user || !LLVMIsAStoreInst(user->llvm) || LLVMGetOperand(user->llvm, 1) != v->llvm)
                continue;
            const struct qn__value *const load = qn__compound_load(f, user);
            if (load && load->folded && load->root == user)
                return 1;
        }
    return places;
}

static bool is_collective(struct qn__unit *u, LLVMValueRef in)
{
    enum qn__builtin_traits t;
    return LLVMIsACallInst(in) && call_traits(u, in, &t) &&
           (t == QN__BARRIER || t == QN__WARP || t == QN__WARP_LOCAL);
}

/* A division that traps where nothing set its divisor. */
static bool may_trap(LLVMValueRef v)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: return !LLVMIsConstant(LLVMGetOperand(v, 1));
    default: return false;
    }
}

/* Is it printed as a loop, each iteration of which would read what an earlier one has written? */
static bool is_copy_or_clear(LLVMValueRef in)
{
    const char *const callee = LLVMIsACallInst(in) ? qn__callee(in) : "";
    return qn__starts_with(callee, "llvm.memcpy") || qn__starts_with(callee, "llvm.memmove") ||
           qn__starts_with(callee, "llvm.memset");
}

/* May `v` be evaluated at its single user's place instead of its own? */
static bool may_move(struct qn__function *f, const struct qn__value *v,
                     const struct qn__value *user)
{
    const struct qn__value *const root = user->folded ? user->root : user;
    struct qn__block *at = root->block;
    uint32_t position = root->position;
    if (root->is_phi) { /* evaluated at the end of the edge's block */
        const LLVMValueRef incoming = user->folded ? user->edge_value : v->llvm;
        at = NULL;
        for (unsigned i = 0; i < LLVMCountIncoming(root->llvm); i++)
            if (LLVMGetIncomingValue(root->llvm, i) == incoming) {
                if (at)
                    return false; /* on two edges */
                at = qn__block_of(f, LLVMGetIncomingBlock(root->llvm, i));
            }
        if (!at)
            return false;
        position = at->n_instructions + 1;
    }
    if ((may_trap(v->llvm) || reads_memory(f->u, v->llvm)) && is_collective(f->u, root->llvm))
        return false; /* work-items that may not do this take part in it, too */
    if (!reads_memory(f->u, v->llvm))
        return at->loop == v->block->loop;
    if (is_copy_or_clear(root->llvm))
        return false;
    if (at != v->block)
        return false;
    return f->writes_before[v->write_index + (position - v->position) - 1] ==
           f->writes_before[v->write_index];
}

/* i + 1 on its way into the i of the next iteration: the edge steps the variable. */
static bool is_step(struct qn__function *f, const struct qn__value *v, const struct qn__value *user)
{
    if (v->places != 1 || !user->is_phi || v->name.variable != user->name.variable ||
        LLVMGetTypeKind(LLVMTypeOf(v->llvm)) != LLVMIntegerTypeKind ||
        !LLVMIsABinaryOperator(v->llvm) || LLVMGetOperand(v->llvm, 0) != user->llvm)
        return false;
    const LLVMValueRef by = LLVMGetOperand(v->llvm, 1);
    const struct qn__value *const known = qn__value_of(f, by);
    return user->block->is_header && (LLVMIsConstant(by) || !known || !known->block);
}

static bool is_arithmetic(LLVMValueRef v)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMSIToFP:
    case LLVMUIToFP: return true;
    case LLVMAnd:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv: return LLVMIsAConstantInt(LLVMGetOperand(v, 1)) != NULL;
    default: return false;
    }
}

static bool writes_in(struct qn__function *f, const struct qn__block *b)
{
    const struct qn__value *const end = qn__value_of(f, LLVMGetBasicBlockTerminator(b->llvm));
    return f->writes_before[end->write_index] != f->writes_before[end->write_index - end->position];
}

/* Arithmetic in a loop's test that is also used elsewhere, as n - 1 in
 *     for (i = 0; i < n - 1; i++) x[i] = y[n - 1];
 * A variable for it would have to be set before the test, for which a while or for has no room. */
static bool is_of_test(struct qn__function *f, const struct qn__value *v)
{
    if (!v->feeds_test || !is_arithmetic(v->llvm) || writes_in(f, v->block))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v->llvm); i++) {
        const struct qn__value *const o = qn__value_of(f, LLVMGetOperand(v->llvm, i));
        if (o && o->block == v->block && !o->is_phi && !is_arithmetic(o->llvm))
            return false;
    }
    return true;
}

/* Users come before what they use. */
static void find_test(struct qn__function *f, struct qn__value *v)
{
    if (!v->block || !v->block->is_header || v->is_phi)
        return;
    for (uint32_t i = 0; i < v->block->succs.n; i++)
        if (v->block->succs.items[i] == v->block)
            return; /* a do: its test comes last */
    for (LLVMUseRef use = LLVMGetFirstUse(v->llvm); use; use = LLVMGetNextUse(use)) {
        const struct qn__value *const user = qn__value_of(f, LLVMGetUser(use));
        if (user && user->block == v->block &&
            (user->feeds_test || LLVMIsATerminatorInst(user->llvm)))
            v->feeds_test = true;
    }
}

/* An operand with which a comparison can be printed again: no iteration of a loop changes it. */
static bool is_settled(struct qn__function *f, LLVMValueRef v)
{
    unsigned axis;
    const struct qn__value *const known = qn__value_of(f, v);
    if (!known || !known->block || qn__work_item(f->u, v, &axis))
        return true;
    if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v))
        return is_settled(f, LLVMGetOperand(v, 0));
    return !known->is_phi && known->name.kind == QN__NAME_LOCAL;
}

/* if (i < n) in several places is printed as if (i < n) in each. */
static bool is_plain_test(struct qn__function *f, const struct qn__value *v)
{
    if (!LLVMIsAICmpInst(v->llvm))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(v->llvm); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsABranchInst(user))
            return false;
    }
    return is_settled(f, LLVMGetOperand(v->llvm, 0)) && is_settled(f, LLVMGetOperand(v->llvm, 1));
}

static void decide(struct qn__function *f, struct qn__value *v)
{
    struct qn__unit *const u = f->u;
    struct qn__value *one = NULL;
    v->places = count_places(f, v, &one);
    find_test(f, v);
    if (v->is_phi || v->is_lost || !v->live || LLVMIsAAllocaInst(v->llvm) || v->places == 0 ||
        LLVMGetTypeKind(LLVMTypeOf(v->llvm)) == LLVMVoidTypeKind)
        return;
    const bool aggregate = is_aggregate(v->llvm);
    if (qn__value_writes(u, v->llvm) && !aggregate)
        return;
    if (aggregate && !LLVMIsAInsertValueInst(v->llvm) && !LLVMIsAExtractValueInst(v->llvm))
        return;
    if (v->name.kind == QN__NAME_LOCAL && !aggregate && !LLVMIsAInsertElementInst(v->llvm) &&
        !is_step(f, v, one))
        return;
    if (is_cheap(u, v) || is_of_test(f, v) || is_plain_test(f, v)) {
        v->folded = true;
    } else if (v->places == 1 && may_move(f, v, one)) {
        v->folded = true;
    }
    if (v->folded && v->places == 1) {
        v->root = one->folded ? one->root : one;
        v->edge_value = one->folded ? one->edge_value : v->llvm;
        if (!v->root)
            v->folded = is_cheap(u, v);
    }
}

/* writes_before[k]: writes among the first k positions of all blocks laid end to end. */
static void count_writes(struct qn__function *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_blocks; i++)
        n += f->blocks[i].n_instructions + 2;
    f->writes_before = QN__NEED_ARRAY(f->u, uint32_t, n + 1);
    uint32_t at = 0, writes = 0;
    struct qn__block *block = NULL;
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        struct qn__value *const v = &f->values[i];
        if (v->block != block) {
            if (block)
                f->writes_before[at++] = writes; /* the edge's position */
            block = v->block;
            f->writes_before[at++] = writes; /* the phis' position */
        }
        if (v->is_phi)
            continue;
        writes += qn__value_writes(f->u, v->llvm);
        v->write_index = at;
        f->writes_before[at++] = writes;
    }
    f->writes_before[at] = writes;
}

/* Cut long expressions: forward, so that operands' sizes are known. */
static void cut_long(struct qn__function *f)
{
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        struct qn__value *const v = &f->values[i];
        uint32_t nodes = 1;
        const int operands = LLVMGetNumOperands(v->llvm);
        for (int k = 0; k < operands && !v->is_phi; k++) {
            const struct qn__value *const o = qn__value_of(f, LLVMGetOperand(v->llvm, (unsigned)k));
            nodes += o && o->folded ? o->nodes : 1;
        }
        if (nodes > EXPRESSION_NODES && v->folded && !is_aggregate(v->llvm) &&
            !LLVMIsAInsertElementInst(v->llvm)) {
            v->folded = false;
            nodes = 1;
        }
        v->nodes = nodes;
    }
}

void qn__inline_values(struct qn__function *f)
{
    mark_live(f);
    count_writes(f);
    for (uint32_t i = f->n_values; i-- > LLVMCountParams(f->llvm);)
        decide(f, &f->values[i]);
    cut_long(f);
    qn__coalesce(f);
}
