/* SPDX-License-Identifier: Apache-2.0
 *
 * A block's instructions as statements, and the copies an edge makes into phi variables. */
#include "compiler/stmt/stmt.h"

#include "compiler/model/address_space.h"
#include "compiler/model/inline_values.h"

#include <string.h>

struct qn__stmt *qn__add_text(struct qn__function *f, struct qn__stmt *list, const char *text,
                              LLVMValueRef where)
{
    struct qn__stmt *const s = qn__stmt_new(f, QN__TEXT);
    s->text = text;
    s->where = where;
    s->varies = f->expr_varies;
    s->loads = f->expr_loads;
    qn__append(list, s);
    return s;
}

/* x = x + y, which prints as x += y: the y. NULL for everything else. */
static const char *compound_operand(struct qn__function *f, const struct qn__var *var,
                                    LLVMValueRef in, const char **op)
{
    if (!LLVMIsAInstruction(in) || !LLVMIsABinaryOperator(in) ||
        (var->type->kind != QN__FLOAT && (var->type->kind != QN__INT || var->type->bits < 32)))
        return NULL;
    bool commutes = true;
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMAdd:
    case LLVMFAdd: *op = "+"; break;
    case LLVMMul:
    case LLVMFMul: *op = "*"; break;
    case LLVMAnd: *op = "&"; break;
    case LLVMOr: *op = "|"; break;
    case LLVMXor: *op = "^"; break;
    case LLVMSub:
    case LLVMFSub:
        *op = "-";
        commutes = false;
        break;
    case LLVMFDiv:
        *op = "/";
        commutes = false;
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: {
        const LLVMOpcode opcode = LLVMGetInstructionOpcode(in);
        if (var->type->is_unsigned != (opcode == LLVMUDiv || opcode == LLVMURem))
            return NULL;
        *op = opcode == LLVMUDiv || opcode == LLVMSDiv ? "/" : "%";
        commutes = false;
        break;
    }
    case LLVMLShr:
    case LLVMAShr:
        if (var->type->is_unsigned != (LLVMGetInstructionOpcode(in) == LLVMLShr))
            return NULL;
        *op = ">>";
        commutes = false;
        break;
    case LLVMShl:
        *op = "<<";
        commutes = false;
        break;
    default: return NULL;
    }
    LLVMValueRef by = LLVMGetOperand(in, 1);
    const struct qn__value *v = qn__value_of(f, LLVMGetOperand(in, 0));
    if (!v || v->folded || v->var != var) {
        v = qn__value_of(f, by);
        by = LLVMGetOperand(in, 0);
        if (!commutes || !v || v->folded || v->var != var)
            return NULL;
    }
    const bool wraps = (**op == '+' || **op == '-' || **op == '*') && var->type->kind == QN__INT &&
                       !var->type->is_unsigned && !LLVMGetNSW(in);
    const char *const suffix = !wraps ? "" : var->type->bits == 64 ? "ul" : "u";
    if (LLVMIsAConstantInt(by) && **op == '+' && LLVMConstIntGetSExtValue(by) < 0 &&
        LLVMConstIntGetSExtValue(by) > -1000000) {
        *op = "-";
        return qn__text(f->u, "%lld%s", -LLVMConstIntGetSExtValue(by), suffix);
    }
    if (LLVMIsAConstantInt(by) && LLVMConstIntGetSExtValue(by) >= 0 &&
        LLVMConstIntGetSExtValue(by) < 256)
        return qn__text(f->u, "%lld%s", LLVMConstIntGetSExtValue(by), suffix);
    return qn__marked(f->u, qn__compound_operand(f, in, by, var->type));
}

void qn__add_assign(struct qn__function *f, struct qn__stmt *list, struct qn__var *var,
                    const char *text, LLVMValueRef value, LLVMValueRef where)
{
    const bool varies = f->expr_varies;
    struct qn__stmt *const s = qn__add_text(f, list, text, where);
    s->kind = QN__ASSIGN;
    s->var = var;
    s->operand = value ? compound_operand(f, var, value, &s->op) : NULL;
    if (!s->operand)
        s->op = NULL;
    f->expr_varies = varies;
}

static bool is_barrier(struct qn__unit *u, LLVMValueRef in)
{
    const struct qn__builtin *const b =
        LLVMIsACallInst(in) && *qn__callee(in) ? qn__builtin_find(u, qn__callee(in)) : NULL;
    return b &&
           (b->traits == QN__BARRIER ||
            (b->traits == QN__WARP && (strstr(b->form, "SCRATCH") || strstr(b->form, "barrier("))));
}

/* A volatile store to shared memory: code from before __syncwarp() counts on the lanes of a warp
 * going in step, all loads of a statement before its stores. Where they do not, barriers make it
 * so. */
static bool is_warp_synchronous(struct qn__function *f, LLVMValueRef store)
{
    return LLVMGetVolatile(store) && qn__profile_has(f->u->profile, QN__QUIRK_lanes_not_in_step) &&
           qn__space_of(f, LLVMGetOperand(store, 1)) == QN__LOCAL;
}

static void add_step(struct qn__function *f, struct qn__stmt *list, LLVMValueRef where)
{
    struct qn__unit *const u = f->u;
    qn__explain(u, where, "volatile shared memory: barriers keep the lanes of a warp in step");
    qn__add_text(f, list, "barrier(CLK_LOCAL_MEM_FENCE)", where)->is_barrier = true;
    f->has_barrier = true;
}

static void statement(struct qn__function *f, struct qn__stmt *list, struct qn__value *v)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef in = v->llvm;
    f->expr_varies = f->expr_loads = false;
    u->current = in;
    if (LLVMIsAStoreInst(in)) {
        const bool in_step = is_warp_synchronous(f, in);
        if (in_step)
            add_step(f, list, in);
        qn__add_text(f, list, qn__marked(u, qn__store(f, v)), in);
        if (in_step)
            add_step(f, list, in);
        return;
    }
    if (LLVMIsAFenceInst(in)) {
        qn__add_text(f, list, "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", in);
        return;
    }
    if (LLVMIsACallInst(in)) {
        const char *const callee = qn__callee(in);
        if (qn__is_noop_call(callee))
            return;
        if (qn__starts_with(callee, "llvm.memcpy") || qn__starts_with(callee, "llvm.memmove")) {
            qn__copy_memory(f, list, in);
            return;
        }
        if (qn__starts_with(callee, "llvm.memset")) {
            qn__set_memory(f, list, in);
            return;
        }
    }
    const bool barrier = is_barrier(u, in);
    f->has_barrier |= barrier;
    if (v->var) {
        const struct qn__expr e = qn__definition(f, in);
        const struct qn__node *text = qn__bare_node(e);
        if (!(e.type->kind == QN__INT && v->var->type->kind == QN__INT && !e.number) &&
            !(e.type->kind == QN__BOOL && v->var->type->kind == QN__INT))
            text = qn__convert(f, e, v->var->type).node;
        qn__add_assign(f, list, v->var, qn__marked(u, text), in, in);
    } else {
        const struct qn__node *const text = qn__definition(f, in).node;
        if (text)
            qn__add_text(f, list, qn__marked(u, text), in);
    }
    if (list->last)
        list->last->is_barrier = barrier;
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
    const char *text;
    bool varies, loads, done;
    const char *part; /* of a choice of the source */
    bool part_exact;
    bool is_step;              /* of the loop: goes last where it can, for a for */
    LLVMValueRef where, value; /* value: what the text says, while it still does */
};

static bool mentions(struct qn__unit *u, const char *text, const struct qn__var *v)
{
    return strstr(text, qn__marked(u, qn__node_var(u, v))) != NULL;
}

/* The copies happen at once: one goes when nobody still reads what it overwrites; a ring of them is
 * opened by a temporary. */
static void sequence(struct qn__function *f, struct qn__stmt *list, struct copy *copies, uint32_t n)
{
    struct qn__unit *const u = f->u;
    for (uint32_t left = n; left;) {
        uint32_t pick = n;
        for (uint32_t i = 0; i < n; i++) {
            bool read = copies[i].done;
            for (uint32_t k = 0; k < n && !read; k++)
                read = k != i && !copies[k].done && mentions(u, copies[k].text, copies[i].to);
            if (!read && (pick == n || (copies[pick].is_step && !copies[i].is_step)))
                pick = i;
        }
        if (pick == n) { /* every target is still read: save one */
            uint32_t i = 0;
            while (copies[i].done)
                i++;
            struct qn__var *const saved =
                qn__var_new(f, qn__text(u, "old_%s", copies[i].to->wish), copies[i].to->type);
            const char *const name = qn__marked(u, qn__node_var(u, copies[i].to));
            const char *const new_name = qn__marked(u, qn__node_var(u, saved));
            f->expr_varies = f->expr_loads = false;
            qn__add_assign(f, list, saved, name, NULL, copies[i].where);
            for (uint32_t k = 0; k < n; k++) {
                if (copies[k].done || k == i)
                    continue;
                struct qn__str out = {0};
                for (const char *p = copies[k].text; *p;)
                    if (strncmp(p, name, strlen(name)) == 0) {
                        qn__str_add(&out, new_name);
                        p += strlen(name);
                    } else {
                        qn__str_add_char(&out, *p++);
                    }
                copies[k].text = qn__text(u, "%s", out.text ? out.text : "");
                copies[k].value = NULL;
                copies[k].part = NULL;
                qn__str_release(&out);
            }
            continue;
        }
        f->expr_varies = copies[pick].varies;
        f->expr_loads = copies[pick].loads;
        qn__add_assign(f, list, copies[pick].to, copies[pick].text, copies[pick].value,
                       copies[pick].where);
        list->last->part = copies[pick].part;
        list->last->part_exact = copies[pick].part_exact;
        copies[pick].done = true;
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
        f->expr_varies = f->expr_loads = false;
        f->u->current = v && v->block ? incoming : LLVMGetBasicBlockTerminator(from->llvm);
        struct copy c = {.to = phi->var,
                         .text = qn__marked(f->u, qn__assignable(f, incoming, phi->var->type))};
        c.varies = f->expr_varies;
        c.is_step = is_tested(to, in);
        if (joins_choice(to))
            c.part = qn__marked(f->u, qn__choice_arm(f, incoming, phi->var->type, &c.part_exact));
        c.loads = f->expr_loads;
        c.value = v && v->folded ? incoming : NULL;
        c.where = v && v->block ? incoming : LLVMGetBasicBlockTerminator(from->llvm);
        QN__PUSH(f->u, copies, n, capacity, c);
    }
    struct qn__stmt *const before = list->last;
    sequence(f, list, copies, n);
    for (struct qn__stmt *s = before ? before->next : list->first; s; s = s->next)
        s->is_copy = true;
}
