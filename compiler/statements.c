/* SPDX-License-Identifier: Apache-2.0
 *
 * A block's instructions as statements, and the copies an edge makes into phi variables. */
#include "compiler/stmt.h"

#include "compiler/space.h"
#include "compiler/values.h"

#include <string.h>

static struct qn__stmt *add(struct qn__function *f, struct qn__stmt *list, const char *text,
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
    return qn__compound_operand(f, in, by, var->type);
}

static void assign(struct qn__function *f, struct qn__stmt *list, struct qn__var *var,
                   const char *text, LLVMValueRef value, LLVMValueRef where)
{
    const bool varies = f->expr_varies;
    struct qn__stmt *const s = add(f, list, text, where);
    s->kind = QN__ASSIGN;
    s->var = var;
    s->operand = value ? compound_operand(f, var, value, &s->op) : NULL;
    if (!s->operand)
        s->op = NULL;
    f->expr_varies = varies;
}

/* What a copy moves at a time: the elements of both arrays, else bytes. Anything else would be an
 * access through a type that is not the object's, which C lets compilers reorder. */
static const struct qn__type *copied_unit(struct qn__unit *u, const struct qn__type *t,
                                          const struct qn__type *from, uint64_t bytes,
                                          uint64_t aligned)
{
    while (t->kind == QN__ARRAY)
        t = t->of;
    while (from->kind == QN__ARRAY)
        from = from->of;
    const bool scalar = t->kind == QN__INT || t->kind == QN__FLOAT;
    return scalar && qn__type_same_but_sign(t, from) && qn__type_size(t) <= aligned &&
                   bytes % qn__type_size(t) == 0
               ? t
               : qn__type_int(u, 8, true);
}

/* A struct with a volatile member is copied and cleared as a whole that is volatile: in the largest
 * words it is aligned for, so that no member is torn. */
static bool is_volatile(LLVMValueRef call)
{
    return LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 3)) != 0;
}

static const struct qn__type *word_of(struct qn__unit *u, uint64_t bytes, uint64_t aligned)
{
    while (bytes % aligned != 0)
        aligned /= 2;
    return qn__type_int(u, (unsigned)aligned * 8, true);
}

/* How much a memory function's places are aligned for sure, up to the widest integer. */
static uint64_t alignment_of(LLVMValueRef call, unsigned n_places)
{
    uint64_t aligned = 8;
    const unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    for (unsigned i = 1; i <= n_places; i++) {
        const LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i, kind);
        while (aligned > (a ? LLVMGetEnumAttributeValue(a) : 1))
            aligned /= 2;
    }
    return aligned;
}

/* Does an array end before so many bytes do? Then they go on in the fields behind it. */
static bool ends_before(const struct qn__place *place, uint64_t bytes)
{
    return place->type->kind == QN__ARRAY && place->type->count &&
           qn__type_size(place->type) < bytes;
}

/* The address of `bytes` at a place, as one of units of that type. */
static struct qn__expr pointer_to(struct qn__function *f, const struct qn__place *place,
                                  uint64_t bytes, const struct qn__type *unit, bool is_const,
                                  bool volatile_)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t =
        qn__type_pointer(u, unit, place->space, is_const, volatile_ && place->space != QN__PRIVATE);
    struct qn__expr e = qn__place_address(f, *place);
    if (ends_before(place, bytes))
        e = qn__spell(qn__text(u, "&%s", e.text), QN__PREC_UNARY,
                      qn__type_pointer(u, place->type, place->space, place->is_const, false));
    return qn__cast(u, e, volatile_ ? qn__type_aliasing(u, t) : t);
}

/* memmove within one address space: in the direction in which no byte is read after it is written.
 */
static void move_memory(struct qn__function *f, struct qn__stmt *list, LLVMValueRef call,
                        const struct qn__place *to, const struct qn__place *from)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const byte = qn__type_int(u, 8, true);
    const struct qn__expr d = pointer_to(f, to, 0, byte, false, false),
                          s = pointer_to(f, from, 0, byte, true, false);
    const char *const pd = qn__wrap(u, d, QN__PREC_POSTFIX),
                      *const ps = qn__wrap(u, s, QN__PREC_POSTFIX),
                      *const n = qn__wrap(u, qn__expr(f, LLVMGetArgOperand(call, 2)), QN__PREC_ADD);
    add(f, list,
        qn__text(u,
                 "if (%s <= %s)\n    for (ulong qn_k = 0; qn_k < %s; qn_k++)\n        %s[qn_k] = "
                 "%s[qn_k];\nelse\n    for (ulong qn_k = %s; qn_k-- > 0;)\n        %s[qn_k] = "
                 "%s[qn_k]",
                 qn__wrap(u, d, QN__PREC_RELATION), qn__wrap(u, s, QN__PREC_ADD), n, pd, ps, n, pd,
                 ps),
        call);
}

/* Does C's assignment take along every byte that may matter? Padding it may leave out. */
static bool is_assigned_whole(const struct qn__type *t)
{
    return t->kind != QN__ARRAY && (t->kind != QN__STRUCT || !t->record->hides_bytes);
}

/* memcpy and memset that the passes left: a struct assignment where both sides are one struct, else
 * a loop over elements or bytes. */
static void copy_memory(struct qn__function *f, struct qn__stmt *list, LLVMValueRef call)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef length = LLVMGetArgOperand(call, 2);
    struct qn__place to = qn__place(f, LLVMGetArgOperand(call, 0)),
                     from = qn__place(f, LLVMGetArgOperand(call, 1));
    if (qn__starts_with(qn__callee(call), "llvm.memmove") && to.space == from.space) {
        move_memory(f, list, call, &to, &from);
        return;
    }
    if (!LLVMIsAConstantInt(length)) {
        const struct qn__type *const byte = qn__type_int(u, 8, true);
        const struct qn__expr d = pointer_to(f, &to, 0, byte, false, is_volatile(call)),
                              s = pointer_to(f, &from, 0, byte, true, is_volatile(call));
        add(f, list,
            qn__text(u, "for (ulong qn_k = 0; qn_k < %s; qn_k++)\n    (%s)[qn_k] = (%s)[qn_k]",
                     qn__wrap(u, qn__expr(f, length), QN__PREC_ADD), d.text, s.text),
            call);
        return;
    }
    const uint64_t bytes = LLVMConstIntGetZExtValue(length);
    if (bytes == 0)
        return;
    if (to.type == from.type && qn__type_size(to.type) == bytes && is_assigned_whole(to.type) &&
        !is_volatile(call)) {
        struct qn__value *const v = qn__value_of(f, LLVMGetArgOperand(call, 0));
        if (v && LLVMIsAAllocaInst(v->llvm))
            assign(f, list, qn__memory_var(f, v->llvm), from.text, NULL, call);
        else
            add(f, list, qn__text(u, "%s = %s", to.text, from.text), call);
        return;
    }
    const uint64_t aligned = alignment_of(call, 2);
    const struct qn__type *const unit = is_volatile(call)
                                            ? word_of(u, bytes, aligned)
                                            : copied_unit(u, to.type, from.type, bytes, aligned);
    const uint64_t piece = qn__type_size(unit);
    const struct qn__expr d = pointer_to(f, &to, bytes, unit, false, is_volatile(call)),
                          s = pointer_to(f, &from, bytes, unit, true, is_volatile(call));
    if (bytes == piece)
        add(f, list,
            qn__text(u, "*%s = *%s", qn__wrap(u, d, QN__PREC_UNARY),
                     qn__wrap(u, s, QN__PREC_UNARY)),
            call);
    else
        add(f, list,
            qn__text(u, "for (uint qn_k = 0; qn_k < %llu; qn_k++)\n    %s[qn_k] = %s[qn_k]",
                     (unsigned long long)(bytes / piece), qn__wrap(u, d, QN__PREC_POSTFIX),
                     qn__wrap(u, s, QN__PREC_POSTFIX)),
            call);
}

/* An array's elements, by a loop for each of its dimensions, become 0. False: `to` is no array of
 * numbers that ends where the bytes do. No variable of the source
 * has the counters' names (qn__name_legal). */
static bool clear_array(struct qn__function *f, struct qn__stmt *list, const struct qn__place *to,
                        uint64_t bytes, LLVMValueRef call)
{
    static const char *const counters[] = {"qn_k", "qn_l", "qn_m", "qn_n"};
    struct qn__unit *const u = f->u;
    const struct qn__type *t = to->type;
    const char *loops = "", *element = to->text;
    unsigned depth = 0;
    for (; t->kind == QN__ARRAY; t = t->of, depth++) {
        const uint64_t count = depth ? t->count : bytes / qn__type_size(t->of);
        if (depth == sizeof counters / sizeof *counters || ends_before(to, bytes) ||
            (!depth && bytes % qn__type_size(t->of) != 0))
            return false;
        const char *const c = counters[depth];
        loops = qn__text(u, "%sfor (uint %s = 0; %s < %llu; %s++)\n%*s", loops, c, c,
                         (unsigned long long)count, c, (int)(4 * depth + 4), "");
        element = qn__text(u, "%s[%s]", element, c);
    }
    if (!depth || (t->kind != QN__INT && t->kind != QN__FLOAT && t->kind != QN__VECTOR))
        return false;
    add(f, list, qn__text(u, "%s%s = 0", loops, element), call);
    return true;
}

static void set_memory(struct qn__function *f, struct qn__stmt *list, LLVMValueRef call)
{
    struct qn__unit *const u = f->u;
    const struct qn__place to = qn__place(f, LLVMGetArgOperand(call, 0));
    const LLVMValueRef value = LLVMGetArgOperand(call, 1), length = LLVMGetArgOperand(call, 2);
    const uint64_t bytes = LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : 0;
    const bool clears = bytes && LLVMIsAConstantInt(value) && LLVMIsNull(value);
    if (clears && !is_volatile(call) && clear_array(f, list, &to, bytes, call))
        return;
    const struct qn__type *const unit = clears && is_volatile(call)
                                            ? word_of(u, bytes, alignment_of(call, 1))
                                            : qn__type_int(u, 8, true);
    const struct qn__expr d = pointer_to(f, &to, bytes, unit, false, is_volatile(call));
    const char *const n =
        LLVMIsAConstantInt(length)
            ? qn__text(u, "%llu", (unsigned long long)(bytes / qn__type_size(unit)))
            : qn__wrap(u, qn__expr(f, length), QN__PREC_ADD);
    add(f, list,
        qn__text(u, "for (ulong qn_k = 0; qn_k < %s; qn_k++)\n    %s[qn_k] = %s", n,
                 qn__wrap(u, d, QN__PREC_POSTFIX), clears ? "0" : qn__assignable(f, value, unit)),
        call);
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
    return LLVMGetVolatile(store) && f->u->profile->wave == 1 &&
           qn__space_of(f, LLVMGetOperand(store, 1)) == QN__LOCAL;
}

static void add_step(struct qn__function *f, struct qn__stmt *list, LLVMValueRef where)
{
    struct qn__unit *const u = f->u;
    qn__explain(u, where, "volatile shared memory: barriers keep the lanes of a warp in step");
    add(f, list, "barrier(CLK_LOCAL_MEM_FENCE)", where)->is_barrier = true;
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
        add(f, list, qn__store(f, v), in);
        if (in_step)
            add_step(f, list, in);
        return;
    }
    if (LLVMIsAFenceInst(in)) {
        add(f, list, "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", in);
        return;
    }
    if (LLVMIsACallInst(in)) {
        const char *const callee = qn__callee(in);
        if (qn__is_noop_call(callee))
            return;
        if (qn__starts_with(callee, "llvm.memcpy") || qn__starts_with(callee, "llvm.memmove")) {
            copy_memory(f, list, in);
            return;
        }
        if (qn__starts_with(callee, "llvm.memset")) {
            set_memory(f, list, in);
            return;
        }
    }
    const bool barrier = is_barrier(u, in);
    f->has_barrier |= barrier;
    if (v->var) {
        const struct qn__expr e = qn__definition(f, in);
        const char *text = qn__bare_text(e);
        if (!(e.type->kind == QN__INT && v->var->type->kind == QN__INT && !e.number) &&
            !(e.type->kind == QN__BOOL && v->var->type->kind == QN__INT))
            text = qn__convert(f, e, v->var->type).text;
        assign(f, list, v->var, text, in, in);
    } else {
        const char *const text = qn__definition(f, in).text;
        if (*text)
            add(f, list, text, in);
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
    return strstr(text, qn__var_expr(u, v).text) != NULL;
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
            const char *const name = qn__var_expr(u, copies[i].to).text;
            const char *const new_name = qn__var_expr(u, saved).text;
            f->expr_varies = f->expr_loads = false;
            assign(f, list, saved, name, NULL, copies[i].where);
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
        assign(f, list, copies[pick].to, copies[pick].text, copies[pick].value, copies[pick].where);
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
        struct copy c = {.to = phi->var, .text = qn__assignable(f, incoming, phi->var->type)};
        c.varies = f->expr_varies;
        c.is_step = is_tested(to, in);
        if (joins_choice(to))
            c.part = qn__choice_arm(f, incoming, phi->var->type, &c.part_exact);
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
