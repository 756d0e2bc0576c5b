/* SPDX-License-Identifier: Apache-2.0
 *
 * Webs: values that share one C variable. `i = phi(0, i + 1)` should be one variable i, not two and
 * a copy. A phi and a value that flows into it are joined when at no point both are alive; a folded
 * value is alive where it is printed, so its operands live until there.
 *
 * Liveness: one bit per candidate and block, found by walking back from each use to the
 * definition. Only phis and what flows into them are candidates, so the tables stay small; past
 * BITS_LIMIT nothing is joined and copies remain, which is correct too.
 */
#include "compiler/model/coalesce.h"
#include "compiler/model/source_types.h"

#include "compiler/core/debug_info.h"
#include "compiler/model/address_space.h"
#include "compiler/model/builtins.h"
#include "compiler/model/pointee.h"

#include <string.h>

enum { BITS_LIMIT = 1 << 30, PAIRS_LIMIT = 4096 };

struct use {
    struct qn__block *block;
    uint32_t position;
};

struct candidate {
    struct qn__value *value;
    struct use *uses;
    uint32_t n_uses, uses_capacity;
    uint32_t *live_in, *live_out, *used_in; /* bits per block */
};

struct webs {
    struct qn__function *f;
    struct candidate *items;
    uint32_t n, capacity;
    struct qn__map of; /* value -> index + 1 */
};

static struct candidate *candidate_of(struct webs *w, const struct qn__value *v)
{
    const uintptr_t i = (uintptr_t)qn__map_get(&w->of, v);
    return i ? &w->items[i - 1] : NULL;
}

static void add_candidate(struct webs *w, struct qn__value *v)
{
    if (candidate_of(w, v))
        return;
    struct candidate c = {.value = v};
    QN__PUSH(w->f->u, w->items, w->n, w->capacity, c);
    qn__map_put(w->f->u, &w->of, v, (void *)(uintptr_t)w->n);
}

/* The values printed in v's expression at (block, position), through what is folded. */
static void note_uses(struct webs *w, LLVMValueRef operand, struct qn__block *block,
                      uint32_t position)
{
    const struct qn__value *const v = qn__value_of(w->f, operand);
    if (!v)
        return;
    if (v->folded) {
        for (int i = 0; i < LLVMGetNumOperands(v->llvm); i++)
            note_uses(w, LLVMGetOperand(v->llvm, (unsigned)i), block, position);
        return;
    }
    struct candidate *const c = candidate_of(w, v);
    const struct use u = {block, position};
    if (c)
        QN__PUSH(w->f->u, c->uses, c->n_uses, c->uses_capacity, u);
}

static void collect_uses(struct webs *w)
{
    struct qn__function *const f = w->f;
    for (uint32_t i = LLVMCountParams(f->llvm); i < f->n_values; i++) {
        struct qn__value *const v = &f->values[i];
        if (!v->live || v->folded)
            continue;
        if (v->is_phi) {
            for (unsigned k = 0; k < LLVMCountIncoming(v->llvm); k++) {
                struct qn__block *const from = qn__block_of(f, LLVMGetIncomingBlock(v->llvm, k));
                if (from)
                    note_uses(w, LLVMGetIncomingValue(v->llvm, k), from, from->n_instructions + 1);
            }
            continue;
        }
        for (int k = 0; k < LLVMGetNumOperands(v->llvm); k++)
            note_uses(w, LLVMGetOperand(v->llvm, (unsigned)k), v->block, v->position);
    }
}

static bool bit(const uint32_t *bits, const struct qn__block *b)
{
    return bits[b->index / 32] >> b->index % 32 & 1;
}

static void set_bit(uint32_t *bits, const struct qn__block *b)
{
    bits[b->index / 32] |= 1u << b->index % 32;
}

static void find_liveness(struct webs *w, struct candidate *c)
{
    struct qn__function *const f = w->f;
    struct qn__block *const home = c->value->block ? c->value->block : &f->blocks[0];
    const uint32_t words = (f->n_blocks + 31) / 32;
    struct qn__edge_list work = {0};
    c->live_in = QN__NEED_ARRAY(f->u, uint32_t, words);
    c->live_out = QN__NEED_ARRAY(f->u, uint32_t, words);
    c->used_in = QN__NEED_ARRAY(f->u, uint32_t, words);
    for (uint32_t i = 0; i < c->n_uses; i++)
        set_bit(c->used_in, c->uses[i].block);
    for (uint32_t i = 0; i < c->n_uses; i++)
        if (c->uses[i].block != home && !bit(c->live_in, c->uses[i].block)) {
            set_bit(c->live_in, c->uses[i].block);
            QN__PUSH(f->u, work.items, work.n, work.capacity, c->uses[i].block);
        }
    while (work.n) {
        const struct qn__block *const b = work.items[--work.n];
        for (uint32_t i = 0; i < b->preds.n; i++) {
            struct qn__block *const p = b->preds.items[i];
            set_bit(c->live_out, p);
            if (p != home && !bit(c->live_in, p)) {
                set_bit(c->live_in, p);
                QN__PUSH(f->u, work.items, work.n, work.capacity, p);
            }
        }
    }
}

/* Is `c` still needed after the definition of `at`? */
static bool live_after(const struct candidate *c, const struct qn__value *at,
                       const struct qn__block *entry)
{
    const struct qn__block *const b = at->block ? at->block : entry;
    const struct qn__block *const home = c->value->block ? c->value->block : entry;
    if (home == b ? c->value->position > at->position : !bit(c->live_in, b))
        return false;
    if (bit(c->live_out, b))
        return true;
    if (!bit(c->used_in, b))
        return false;
    for (uint32_t i = 0; i < c->n_uses; i++)
        if (c->uses[i].block == b && c->uses[i].position > at->position)
            return true;
    return false;
}

static bool interfere(struct webs *w, const struct qn__value *a, const struct qn__value *b)
{
    const struct candidate *const ca = candidate_of(w, a), *const cb = candidate_of(w, b);
    const struct qn__block *const entry = &w->f->blocks[0];
    if (!ca || !cb)
        return true;
    return live_after(ca, b, entry) || live_after(cb, a, entry);
}

static struct qn__value *web_of(struct qn__value *v)
{
    while (v->web != v)
        v = v->web = v->web->web;
    return v;
}

static bool same_kind(const struct qn__value *a, const struct qn__value *b)
{
    return LLVMTypeOf(a->llvm) == LLVMTypeOf(b->llvm) && a->space == b->space;
}

static void try_join(struct webs *w, struct qn__value *a, struct qn__value *b)
{
    struct qn__value *const x = web_of(a), *const y = web_of(b);
    if (x == y || !same_kind(a, b) || (uint64_t)x->web_size * y->web_size > PAIRS_LIMIT)
        return;
    struct qn__value *p = x;
    do {
        struct qn__value *q = y;
        do {
            if (interfere(w, p, q) || (!p->block && !q->block))
                return;
            q = q->web_next;
        } while (q != y);
        p = p->web_next;
    } while (p != x);
    struct qn__value *const next = x->web_next;
    x->web_next = y->web_next;
    y->web_next = next;
    y->web = x;
    x->web_size += y->web_size;
}

static bool same_name(const struct qn__value *a, const struct qn__value *b)
{
    return *a->name.name && qn__equal(a->name.name, b->name.name);
}

/* int left = n; while (left > 0) left -= 2: two variables in the source, so two in the text. */
static bool has_other_name(const struct qn__value *phi, const struct qn__value *v)
{
    size_t n;
    return !v->block && phi->name.kind == QN__NAME_LOCAL &&
           !qn__equal(phi->name.name, LLVMGetValueName2(v->llvm, &n));
}

/* First those with the phi's own name, then the rest. */
static void join_phis(struct webs *w, bool named)
{
    struct qn__function *const f = w->f;
    for (uint32_t i = 0; i < w->n; i++) {
        struct qn__value *const phi = w->items[i].value;
        if (!phi->is_phi)
            continue;
        for (unsigned k = 0; k < LLVMCountIncoming(phi->llvm); k++) {
            struct qn__value *const v = qn__value_of(f, LLVMGetIncomingValue(phi->llvm, k));
            if (v && candidate_of(w, v) && same_name(phi, v) == named && !has_other_name(phi, v))
                try_join(w, phi, v);
        }
    }
}

/* x = a; x = x - b; x = x >> c: one variable in the source, several values here. One that is set
 * again in another loop or branch is better declared there. */
static void join_variables(struct webs *w)
{
    struct qn__value **last = QN__NEED_ARRAY(w->f->u, struct qn__value *, w->f->u->n_named + 1);
    for (uint32_t i = 0; i < w->n; i++) {
        struct qn__value *const v = w->items[i].value;
        if (v->name.kind != QN__NAME_LOCAL || v->name.variable > w->f->u->n_named)
            continue;
        struct qn__value *const before = last[v->name.variable];
        if (before && before->block->loop == v->block->loop &&
            qn__dominates(before->block, v->block))
            try_join(w, before, v);
        else
            last[v->name.variable] = v;
    }
}

static bool needs_var(const struct qn__value *v)
{
    return v->live && !v->folded && v->block && (v->places || v->is_phi) &&
           LLVMGetTypeKind(LLVMTypeOf(v->llvm)) != LLVMVoidTypeKind &&
           LLVMGetTypeKind(LLVMTypeOf(v->llvm)) != LLVMStructTypeKind &&
           !LLVMIsAAllocaInst(v->llvm);
}

static bool is_argument_value(struct qn__function *f, const struct qn__value *v, unsigned index)
{
    return !v->block && !qn__byval_type(f->u, f->llvm, index);
}

static int sign_of_predicate(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntUGT:
    case LLVMIntUGE:
    case LLVMIntULT:
    case LLVMIntULE: return 1;
    case LLVMIntSGT:
    case LLVMIntSGE:
    case LLVMIntSLT:
    case LLVMIntSLE: return -1;
    default: return 0;
    }
}

/* Is the integer unsigned (+1) or signed (-1) by its operation, or is that open (0)? */
static int sign_vote(struct qn__unit *u, const struct qn__value *v)
{
    if (v->name.sign_known)
        return v->name.is_unsigned ? 100 : -100;
    if (!v->block)
        return 0;
    switch (LLVMGetInstructionOpcode(v->llvm)) {
    case LLVMUDiv:
    case LLVMURem:
    case LLVMLShr:
    case LLVMFPToUI:
    case LLVMZExt: return 1;
    case LLVMSDiv:
    case LLVMSRem:
    case LLVMAShr:
    case LLVMFPToSI:
    case LLVMSExt: return -1;
    case LLVMCall: return qn__result_sign(u, v->llvm);
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: return LLVMGetNSW(v->llvm) ? -1 : 1;
    case LLVMSelect: {
        const LLVMValueRef c = LLVMGetOperand(v->llvm, 0);
        return LLVMIsAICmpInst(c) ? sign_of_predicate(LLVMGetICmpPredicate(c)) : 0;
    }
    default: return 0;
    }
}

/* What the first uses of a value take it as: a vote for unsigned or signed. */
static int sign_of_uses(struct qn__unit *u, const struct qn__value *v)
{
    enum { LOOK_AT = 8 };
    int votes = 0, n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v->llvm); use && n < LOOK_AT;
         use = LLVMGetNextUse(use), n++) {
        const LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            continue;
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMZExt:
        case LLVMUIToFP:
        case LLVMUDiv:
        case LLVMURem:
        case LLVMLShr: votes++; break;
        case LLVMSExt:
        case LLVMSIToFP:
        case LLVMSDiv:
        case LLVMSRem:
        case LLVMAShr: votes--; break;
        case LLVMICmp: votes += sign_of_predicate(LLVMGetICmpPredicate(user)); break;
        case LLVMCall: votes += qn__argument_sign(u, user, v->llvm); break;
        default: break;
        }
    }
    return votes;
}

/* A load through a pointer to uint4 is one, where LLVM only has four i32. */
static const struct qn__type *vector_type(struct qn__function *f, struct qn__value *web)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const plain = qn__type_of(u, LLVMTypeOf(web->llvm), NULL, web->llvm);
    struct qn__value *v = web;
    do {
        const LLVMValueRef p = v->is_load ? LLVMGetOperand(v->llvm, 0) : NULL;
        if (p && LLVMIsAGetElementPtrInst(p) &&
            LLVMGetTypeKind(LLVMGetGEPSourceElementType(p)) == LLVMStructTypeKind) {
            const struct qn__type *const t =
                qn__type_of(u, LLVMGetGEPSourceElementType(p), NULL, web->llvm);
            if (t->kind == QN__VECTOR && qn__type_holds(t, LLVMTypeOf(web->llvm), u))
                return t;
        }
        v = v->web_next;
    } while (v != web);
    return plain;
}

static const struct qn__type *web_type(struct qn__function *f, struct qn__value *web)
{
    struct qn__unit *const u = f->u;
    const LLVMTypeRef t = LLVMTypeOf(web->llvm);
    struct qn__value *v = web;
    if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
        return qn__pointer_type(f, web);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
        return vector_type(f, web);
    if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(t) == 1)
        return qn__type_of(u, t, NULL, web->llvm);
    int votes = 0;
    do {
        votes += sign_vote(u, v) + (v->is_load ? sign_of_uses(u, v) : 0);
        v = v->web_next;
    } while (v != web);
    for (bool more = votes == 0; more; more = v != web) { /* a choice, a mask: what takes it? */
        votes += v->is_load ? 0 : sign_of_uses(u, v);
        v = v->web_next;
    }
    qn__type_of(u, t, NULL, web->llvm); /* refuses odd widths */
    return qn__type_int(u, LLVMGetIntTypeWidth(t), votes > 0);
}

/* What a load is called: clang names the address of a struct's field after the field. */
static const char *field_name(struct qn__unit *u, LLVMValueRef address)
{
    if (!LLVMIsAGetElementPtrInst(address) || LLVMGetNumOperands(address) < 3 ||
        LLVMGetTypeKind(LLVMGetGEPSourceElementType(address)) != LLVMStructTypeKind)
        return "value";
    size_t n;
    const char *const name = LLVMGetValueName2(address, &n);
    n = strcspn(name, ".0123456789");
    if (n == 0 || qn__starts_with(name, "arrayidx") || qn__starts_with(name, "arraydecay"))
        return "value";
    return qn__text(u, "%.*s", (int)n, name);
}

static const char *opcode_wish(struct qn__unit *u, const struct qn__value *v)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v->llvm)) == LLVMPointerTypeKind)
        return "p";
    switch (LLVMGetInstructionOpcode(v->llvm)) {
    case LLVMICmp:
    case LLVMFCmp: return "condition";
    case LLVMLoad: return field_name(u, LLVMGetOperand(v->llvm, 0));
    case LLVMCall: return "result";
    default: return "t";
    }
}

static void make_var(struct qn__function *f, struct qn__value *v)
{
    struct qn__value *const web = web_of(v);
    struct qn__value *m = web;
    struct qn__var *var = NULL;
    const char *wish = NULL;
    do { /* an argument's variable, else the best name in the web */
        if (!m->block)
            var = m->var;
        else if (*m->name.name && (!wish || m->is_phi))
            wish = m->name.name;
        m = m->web_next;
    } while (m != web);
    if (!var)
        var = qn__var_new(f, wish ? wish : opcode_wish(f->u, v), web_type(f, web));
    var->is_named |= wish != NULL;
    do {
        m->var = var;
        var->is_volatile |= m->is_lost;
        m = m->web_next;
    } while (m != web);
}

void qn__coalesce(struct qn__function *f)
{
    struct webs w = {.f = f};
    const unsigned n_params = LLVMCountParams(f->llvm);
    for (uint32_t i = n_params; i < f->n_values; i++) {
        struct qn__value *const phi = &f->values[i];
        if (needs_var(phi) && phi->name.kind == QN__NAME_LOCAL)
            add_candidate(&w, phi);
        if (!phi->is_phi || !phi->live)
            continue;
        add_candidate(&w, phi);
        for (unsigned k = 0; k < LLVMCountIncoming(phi->llvm); k++) {
            struct qn__value *const v = qn__value_of(f, LLVMGetIncomingValue(phi->llvm, k));
            if (v && !v->folded && (needs_var(v) || is_argument_value(f, v, v->index)))
                add_candidate(&w, v);
        }
    }
    if ((uint64_t)w.n * f->n_blocks < BITS_LIMIT) {
        collect_uses(&w);
        for (uint32_t i = 0; i < w.n; i++)
            find_liveness(&w, &w.items[i]);
        join_phis(&w, true);
        join_phis(&w, false);
        join_variables(&w);
    }
    for (uint32_t i = n_params; i < f->n_values; i++)
        if (needs_var(&f->values[i]) && !f->values[i].var)
            make_var(f, &f->values[i]);
}
