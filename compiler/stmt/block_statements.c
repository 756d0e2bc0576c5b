/* SPDX-License-Identifier: Apache-2.0
 *
 * A block's instructions as statements, and the copies an edge makes into phi variables. */
#include "compiler/stmt/block_statements.h"
#include "compiler/core/diagnose.h"
#include "compiler/expr/expr_memory.h"
#include "compiler/stmt/memcpy.h"
#include "compiler/stmt/stmt.h"

#include "compiler/model/address_space.h"
#include "compiler/model/inline_values.h"

/* The operation of x = x op y that can be x op= y, and whether y op x is the same. */
struct update {
    enum qn__op op;
    bool commutes;
};

static bool update_of(const struct qn__type *type, LLVMOpcode opcode, struct update *out)
{
    switch (opcode) {
    case LLVMAdd:
    case LLVMFAdd: *out = (struct update){QN__OP_ADD, true}; return true;
    case LLVMMul:
    case LLVMFMul: *out = (struct update){QN__OP_MULTIPLY, true}; return true;
    case LLVMAnd: *out = (struct update){QN__OP_AND, true}; return true;
    case LLVMOr: *out = (struct update){QN__OP_OR, true}; return true;
    case LLVMXor: *out = (struct update){QN__OP_XOR, true}; return true;
    case LLVMSub:
    case LLVMFSub: *out = (struct update){QN__OP_SUBTRACT, false}; return true;
    case LLVMFDiv: *out = (struct update){QN__OP_DIVIDE, false}; return true;
    case LLVMUDiv:
    case LLVMSDiv: *out = (struct update){QN__OP_DIVIDE, false}; break;
    case LLVMURem:
    case LLVMSRem: *out = (struct update){QN__OP_REMAINDER, false}; break;
    case LLVMLShr:
    case LLVMAShr: *out = (struct update){QN__OP_SHIFT_RIGHT, false}; break;
    case LLVMShl: *out = (struct update){QN__OP_SHIFT_LEFT, false}; return true;
    default: return false;
    }
    const bool is_unsigned = opcode == LLVMUDiv || opcode == LLVMURem || opcode == LLVMLShr;
    return type->is_unsigned == is_unsigned;
}

/* The y; small numbers have no suffix unless the result may wrap. */
static const struct qn__node *update_by(struct qn__function *f, struct update *update,
                                        const struct qn__type *type, LLVMValueRef in,
                                        LLVMValueRef by)
{
    struct qn__unit *const u = f->u;
    const bool wraps = (update->op == QN__OP_ADD || update->op == QN__OP_SUBTRACT ||
                        update->op == QN__OP_MULTIPLY) &&
                       type->kind == QN__INT && !type->is_unsigned && !LLVMGetNSW(in);
    int64_t number = LLVMIsAConstantInt(by) ? LLVMConstIntGetSExtValue(by) : INT64_MAX;
    if (update->op == QN__OP_ADD && number < 0 && number > -1000000) {
        update->op = QN__OP_SUBTRACT;
        number = -number;
    } else if (number < 0 || number >= 256) {
        return qn__compound_operand(f, in, by, type);
    }
    return wraps ? qn__node_number(u, (uint64_t)number, qn__type_int(u, type->bits, true))
                 : qn__node_number(u, (uint64_t)number, qn__type_int(u, 32, false));
}

/* x = x + y as x += y; NULL for everything else. */
static const struct qn__node *update(struct qn__function *f, const struct qn__var *var,
                                     LLVMValueRef in)
{
    struct update found;
    if (!in || !LLVMIsAInstruction(in) || !LLVMIsABinaryOperator(in) ||
        (var->type->kind != QN__FLOAT && (var->type->kind != QN__INT || var->type->bits < 32)) ||
        !update_of(var->type, LLVMGetInstructionOpcode(in), &found))
        return NULL;
    LLVMValueRef by = LLVMGetOperand(in, 1);
    const struct qn__value *v = qn__value_of(f, LLVMGetOperand(in, 0));
    if (!v || v->folded || v->var != var) {
        v = qn__value_of(f, by);
        by = LLVMGetOperand(in, 0);
        if (!found.commutes || !v || v->folded || v->var != var)
            return NULL;
    }
    const struct qn__node *const y = update_by(f, &found, var->type, in, by);
    return qn__node_assign_by(f->u, found.op, qn__node_var(f->u, var), y);
}

/* Must the whole group execute this together? */
static bool is_barrier(struct qn__unit *u, LLVMValueRef in)
{
    const struct qn__builtin *const b =
        LLVMIsACallInst(in) && *qn__callee(in) ? qn__builtin_find(u, qn__callee(in)) : NULL;
    return b && (b->traits == QN__BARRIER || b->traits == QN__WARP_LOCAL);
}

/* A volatile store to shared memory: code from before __syncwarp() counts on the lanes of a warp
 * running in lockstep, all loads of a statement before its stores. Where they do not, barriers make
 * it so. */
static bool is_warp_synchronous(struct qn__function *f, LLVMValueRef store)
{
    return LLVMGetVolatile(store) && qn__profile_has(f->u->profile, QN__QUIRK_lanes_not_in_step) &&
           qn__space_of(f, LLVMGetOperand(store, 1)) == QN__LOCAL;
}

static void add_step(struct qn__function *f, struct qn__stmt *list, LLVMValueRef where)
{
    struct qn__stmt *const barrier = qn__barrier_new(f);
    qn__explain(f->u, where, "volatile shared memory: barriers keep the lanes of a warp in step");
    barrier->where = where;
    qn__append(list, barrier);
    f->has_barrier = true;
}

static void store(struct qn__function *f, struct qn__stmt *list, struct qn__value *v)
{
    const bool in_step = is_warp_synchronous(f, v->llvm);
    if (in_step)
        add_step(f, list, v->llvm);
    qn__add_effect(f, list, qn__store(f, v), v->llvm);
    if (in_step)
        add_step(f, list, v->llvm);
}

/* What the call or operation computes, as the right side of an assignment to its variable. */
static const struct qn__node *assigned(struct qn__function *f, const struct qn__value *v)
{
    const struct qn__expr e = qn__definition(f, v->llvm);
    const bool keeps_bits = e.type->kind == QN__INT && v->var->type->kind == QN__INT && !e.number;
    if (keeps_bits || (e.type->kind == QN__BOOL && v->var->type->kind == QN__INT))
        return qn__bare_node(e);
    return qn__convert(f, e, v->var->type).node;
}

static void computation(struct qn__function *f, struct qn__stmt *list, const struct qn__value *v)
{
    const LLVMValueRef in = v->llvm;
    const bool barrier = is_barrier(f->u, in);
    f->has_barrier |= barrier;
    struct qn__stmt *s = NULL;
    if (v->var) {
        s = qn__add_assign(f, list, v->var, assigned(f, v), in);
        s->update = update(f, v->var, in);
    } else {
        const struct qn__node *const value = qn__definition(f, in).node;
        if (value)
            s = qn__add_effect(f, list, value, in);
    }
    if (s)
        s->is_barrier = barrier;
}

static void statement(struct qn__function *f, struct qn__stmt *list, struct qn__value *v)
{
    const LLVMValueRef in = v->llvm;
    f->u->current = in;
    if (LLVMIsAStoreInst(in)) {
        store(f, list, v);
        return;
    }
    if (LLVMIsAFenceInst(in)) {
        qn__add_effect(f, list, qn__node_new(f->u, QN__OP_FENCE, qn__type_void(f->u), 0, NULL), in);
        return;
    }
    const char *const callee = LLVMIsACallInst(in) ? qn__callee(in) : "";
    if (LLVMIsACallInst(in) && qn__is_noop_call(callee))
        return;
    if (qn__starts_with(callee, "llvm.memcpy") || qn__starts_with(callee, "llvm.memmove"))
        qn__copy_memory(f, list, in);
    else if (qn__starts_with(callee, "llvm.memset"))
        qn__set_memory(f, list, in);
    else
        computation(f, list, v);
}

void qn__block_statements(struct qn__function *f, struct qn__stmt *list, struct qn__block *b)
{
    for (LLVMValueRef in = LLVMGetFirstInstruction(b->llvm); in; in = LLVMGetNextInstruction(in)) {
        struct qn__value *const v = qn__value_of(f, in);
        if (!v->live || v->folded || v->is_phi || LLVMIsATerminatorInst(in) ||
            LLVMIsAAllocaInst(in) || (!v->var && !qn__value_writes(f->u, in)))
            continue;
        statement(f, list, v);
    }
}

/* ---- phi copies ---- */

struct copy {
    struct qn__var *to;
    const struct qn__node *value;
    const struct qn__node *arm; /* of a choice of the source */
    bool is_arm_exact;
    bool is_step;       /* of the loop: goes last where it can, for a for */
    LLVMValueRef where; /* the instruction it comes from */
    LLVMValueRef llvm;  /* what the value computes, where it is all of it */
    bool done;
};

/* Does another copy still read what this one overwrites? */
static bool is_read(const struct copy *copies, uint32_t n, uint32_t i)
{
    for (uint32_t k = 0; k < n; k++)
        if (k != i && !copies[k].done && qn__node_mentions(copies[k].value, copies[i].to))
            return true;
    return false;
}

/* Every copy overwrites what another reads: save what the first one does. */
static void save_one(struct qn__function *f, struct qn__stmt *list, struct copy *copies, uint32_t n)
{
    struct qn__unit *const u = f->u;
    uint32_t i = 0;
    while (copies[i].done)
        i++;
    struct qn__var *const to = copies[i].to;
    struct qn__var *const saved = qn__var_new(f, qn__text(u, "old_%s", to->wish), to->type);
    qn__add_assign(f, list, saved, qn__node_var(u, to), copies[i].where);
    for (uint32_t k = 0; k < n; k++) {
        if (copies[k].done || k == i)
            continue;
        copies[k].value = qn__node_replace(u, copies[k].value, to, qn__node_var(u, saved));
        copies[k].llvm = NULL;
        copies[k].arm = NULL;
    }
}

/* The copies happen at once: one goes when no other still reads what it overwrites; a ring of them
 * is opened by a temporary. */
static void sequence(struct qn__function *f, struct qn__stmt *list, struct copy *copies, uint32_t n)
{
    for (uint32_t left = n; left;) {
        struct copy *pick = NULL;
        for (uint32_t i = 0; i < n; i++)
            if (!copies[i].done && !is_read(copies, n, i) &&
                (!pick || (pick->is_step && !copies[i].is_step)))
                pick = &copies[i];
        if (!pick) {
            save_one(f, list, copies, n);
            continue;
        }
        struct qn__stmt *const s = qn__add_assign(f, list, pick->to, pick->value, pick->where);
        s->update = update(f, pick->to, pick->llvm);
        s->arm = pick->arm;
        s->is_arm_exact = pick->is_arm_exact;
        pick->done = true;
        left--;
    }
}

/* Does the branch at the end of a loop's head ask for this phi? */
static bool is_tested(const struct qn__block *head, LLVMValueRef phi)
{
    const LLVMValueRef branch = LLVMGetBasicBlockTerminator(head->llvm);
    if (!head->is_header || !LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
        return false;
    const LLVMValueRef c = LLVMGetCondition(branch);
    return LLVMIsAICmpInst(c) && (LLVMGetOperand(c, 0) == phi || LLVMGetOperand(c, 1) == phi);
}

/* Where the arms of a ?:, && or || of the source come together. */
static bool joins_choice(const struct qn__block *b)
{
    const char *const name = LLVMGetBasicBlockName(b->llvm);
    return qn__starts_with(name, "cond.end") || qn__starts_with(name, "land.end") ||
           qn__starts_with(name, "lor.end");
}

void qn__edge_copies(struct qn__function *f, struct qn__stmt *list, struct qn__block *from,
                     struct qn__block *to)
{
    struct copy *copies = NULL;
    uint32_t n = 0, capacity = 0;
    for (LLVMValueRef in = LLVMGetFirstInstruction(to->llvm); in && LLVMIsAPHINode(in);
         in = LLVMGetNextInstruction(in)) {
        const struct qn__value *const phi = qn__value_of(f, in);
        if (!phi->live || !phi->var)
            continue;
        LLVMValueRef incoming = NULL;
        for (unsigned i = 0; i < LLVMCountIncoming(in) && !incoming; i++)
            if (LLVMGetIncomingBlock(in, i) == from->llvm)
                incoming = LLVMGetIncomingValue(in, i);
        const struct qn__value *const v = incoming ? qn__value_of(f, incoming) : NULL;
        if (incoming && (LLVMIsUndef(incoming) || LLVMIsPoison(incoming))) {
            phi->var->starts_undefined = true;
            continue;
        }
        if (!incoming || (v && !v->folded && v->var == phi->var))
            continue;
        f->u->current = v && v->block ? incoming : LLVMGetBasicBlockTerminator(from->llvm);
        struct copy c = {.to = phi->var, .is_step = is_tested(to, in)};
        c.value = qn__assignable(f, incoming, phi->var->type);
        if (joins_choice(to))
            c.arm = qn__choice_arm(f, incoming, phi->var->type, &c.is_arm_exact);
        c.llvm = v && v->folded ? incoming : NULL;
        c.where = v && v->block ? incoming : LLVMGetBasicBlockTerminator(from->llvm);
        QN__PUSH(f->u, copies, n, capacity, c);
    }
    struct qn__stmt *const before = list->last;
    sequence(f, list, copies, n);
    for (struct qn__stmt *s = before ? before->next : list->first; s; s = s->next)
        s->is_copy = true;
}
