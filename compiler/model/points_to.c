/* SPDX-License-Identifier: Apache-2.0
 *
 * Which addresses lie where in private and shared memory: for each byte of each variable the space
 * (address_space.c) of the addresses that any store puts there. Two fields of a struct may hold
 * addresses of two spaces, and so may two elements of an array, where each is named by a constant.
 *
 *     struct { float *tile; const float *in; } own[4];
 *     own[i].in          the bytes 8, 24, 40 and 56: at 8, and every 16 bytes
 *
 * A pointer leads to one variable: to one byte, or to that byte and all that are a multiple of a
 * step away, also when it was in memory in between (p = p->next); in an array of numbers within a
 * struct, to those within that array (own.sizes[i] is no address). One that may lead to two
 * variables or is made from a number leads anywhere, and what is stored through it may be found in
 * every variable, as what is stored through one that may be in several spaces. In a large variable,
 * bytes are distinguished within one element only. */
#include "compiler/model/points_to.h"

enum { MOST_BYTES = 1024, POINTER_BYTES = 8 };

enum leads { NOWHERE_YET, TO_VARIABLE, ANYWHERE };

struct reach {
    enum leads leads;
    LLVMValueRef variable;
    int64_t at;
    uint64_t step;      /* `at`, and whatever is a multiple of this away; 0: `at` alone */
    int64_t first, end; /* and is one of these bytes; both 0: of all */
};

/* An address that lies in memory. */
struct address {
    enum qn__space space;
    struct reach reach;
};

struct variable {
    uint64_t bytes;            /* that are distinguished */
    bool repeats;              /* each stands for all that are a multiple of `bytes` away */
    struct address *addresses; /* one for each of these bytes */
};

struct qn__points_to {
    struct qn__function *f;
    struct reach *reaches;                        /* of the function's values */
    struct qn__map variables;                     /* -> struct variable */
    struct address all[QN__SPACE_MIXED + 1];      /* in the whole of private or shared memory */
    struct address anywhere[QN__SPACE_MIXED + 1]; /* stored through a pointer that leads anywhere */
};

struct qn__points_to *qn__points_to_new(struct qn__function *f)
{
    struct qn__points_to *const h = QN__NEED(f->u, struct qn__points_to);
    h->f = f;
    h->reaches = QN__NEED_ARRAY(f->u, struct reach, f->n_values);
    return h;
}

/* ---- where pointers lead ---- */

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool is_within(struct reach r, int64_t first, int64_t end)
{
    return r.step ? r.end != r.first && first <= r.first && r.end <= end
                  : first <= r.at && r.at < end;
}

/* Both of one variable: the bytes that either may lead to. */
static void join_ends(struct reach *a, struct reach b)
{
    const bool a_has = a->end != a->first, b_has = b.end != b.first;
    if (a_has && b_has) {
        a->first = a->first < b.first ? a->first : b.first;
        a->end = a->end > b.end ? a->end : b.end;
    } else if (b_has && is_within(*a, b.first, b.end)) {
        a->first = b.first;
        a->end = b.end;
    } else if (!a_has || !is_within(b, a->first, a->end)) {
        a->first = a->end = 0;
    }
}

static struct reach join(struct reach a, struct reach b)
{
    if (a.leads == NOWHERE_YET || b.leads == ANYWHERE)
        return b;
    if (b.leads == NOWHERE_YET || a.leads == ANYWHERE)
        return a;
    if (a.variable != b.variable)
        return (struct reach){.leads = ANYWHERE};
    const uint64_t apart =
        a.at < b.at ? (uint64_t)b.at - (uint64_t)a.at : (uint64_t)a.at - (uint64_t)b.at;
    join_ends(&a, b);
    a.step = greatest_divisor(greatest_divisor(a.step, b.step), apart);
    return a;
}

/* ---- what lies there ---- */

static struct reach reach_of(const struct qn__points_to *h, LLVMValueRef p);

static LLVMTypeRef type_of(const struct qn__points_to *h, LLVMValueRef variable)
{
    return LLVMIsAArgument(variable)
               ? qn__byval_type(h->f->u, h->f->llvm, qn__value_of(h->f, variable)->index)
               : qn__stated_type(h->f, variable);
}

static struct variable *variable_new(struct qn__points_to *h, LLVMValueRef llvm)
{
    struct qn__unit *const u = h->f->u;
    struct variable *const v = QN__NEED(u, struct variable);
    LLVMTypeRef t = type_of(h, llvm);
    v->bytes = LLVMABISizeOfType(u->layout, t);
    if (LLVMIsAAllocaInst(llvm) && LLVMIsAConstantInt(LLVMGetOperand(llvm, 0)))
        v->bytes *= LLVMConstIntGetZExtValue(LLVMGetOperand(llvm, 0));
    while (v->bytes > MOST_BYTES && LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
        t = LLVMGetElementType(t);
        v->bytes = LLVMABISizeOfType(u->layout, t);
        v->repeats = true;
    }
    if (v->bytes > MOST_BYTES || v->bytes == 0) {
        v->bytes = 1;
        v->repeats = true;
    }
    v->addresses = QN__NEED_ARRAY(u, struct address, v->bytes);
    qn__map_put(u, &h->variables, llvm, v);
    return v;
}

/* The bytes of a variable that are meant, as begin, begin + step, ... below `end`. */
struct steps {
    uint64_t begin, step, end;
};

static struct steps steps_of(const struct variable *v, struct reach r, uint64_t offset)
{
    struct steps s = {.step = v->repeats ? greatest_divisor(r.step, v->bytes) : r.step};
    const int64_t at = r.at + (int64_t)offset, stride = (int64_t)s.step;
    s.begin = (uint64_t)(stride ? (at % stride + stride) % stride : at);
    s.step = stride ? s.step : v->bytes;
    s.end = v->bytes;
    if (stride && r.end != r.first && !v->repeats && r.first >= 0 && (uint64_t)r.end <= v->bytes) {
        const uint64_t first = (uint64_t)r.first;
        s.begin += s.begin < first ? (first - s.begin + s.step - 1) / s.step * s.step : 0;
        s.end = (uint64_t)r.end;
    }
    return s;
}

/* So many bytes from a pointer on, but none past where they repeat. */
static uint64_t span(const struct variable *v, struct reach r, uint64_t bytes)
{
    const uint64_t most = r.step ? r.step : v->bytes;
    return bytes < most ? bytes : most;
}

static bool is_own(enum qn__space where)
{
    return where == QN__PRIVATE || where == QN__LOCAL;
}

static bool is_other(struct reach a, struct reach b)
{
    return a.leads != b.leads || a.step != b.step || a.first != b.first || a.end != b.end;
}

static bool merge(struct address *into, struct address a)
{
    const struct address old = *into;
    into->space = qn__space_join(old.space, a.space);
    into->reach = join(old.reach, a.reach);
    return into->space != old.space || is_other(into->reach, old.reach);
}

static struct address find(const struct qn__points_to *h, struct qn__points_to_bytes from)
{
    const enum qn__space where = qn__space_of(h->f, from.pointer);
    const struct reach r = reach_of(h, from.pointer);
    if (where == QN__SPACE_MIXED) {
        struct address any = h->all[QN__PRIVATE];
        merge(&any, h->all[QN__LOCAL]);
        return any;
    }
    if (!is_own(where) || r.leads == NOWHERE_YET)
        return (struct address){0};
    if (r.leads == ANYWHERE)
        return h->all[where];
    struct address found = h->anywhere[where];
    const struct variable *const v = qn__map_get(&h->variables, r.variable);
    for (uint64_t i = 0; v && i < span(v, r, from.bytes); i++) {
        const struct steps at = steps_of(v, r, from.offset + i);
        for (uint64_t k = at.begin; k < at.end; k += at.step)
            merge(&found, v->addresses[k]);
    }
    return found;
}

/* In all of private and of shared memory. */
static bool put_anywhere(struct qn__points_to *h, struct address a)
{
    bool changed = false;
    for (enum qn__space s = QN__PRIVATE; s <= QN__LOCAL && a.space != QN__SPACE_UNKNOWN; s++)
        if (is_own(s)) {
            changed |= merge(&h->all[s], a);
            changed |= merge(&h->anywhere[s], a);
        }
    return changed;
}

static bool put(struct qn__points_to *h, struct qn__points_to_bytes to, struct address a)
{
    const enum qn__space where = qn__space_of(h->f, to.pointer);
    const struct reach r = reach_of(h, to.pointer);
    if (where == QN__SPACE_MIXED)
        return put_anywhere(h, a);
    if (!is_own(where) || r.leads == NOWHERE_YET || a.space == QN__SPACE_UNKNOWN)
        return false;
    bool changed = merge(&h->all[where], a);
    if (r.leads == ANYWHERE)
        return merge(&h->anywhere[where], a) || changed;
    struct variable *v = qn__map_get(&h->variables, r.variable);
    if (!v)
        v = variable_new(h, r.variable);
    for (uint64_t i = 0; i < span(v, r, to.bytes); i++) {
        const struct steps at = steps_of(v, r, to.offset + i);
        for (uint64_t k = at.begin; k < at.end; k += at.step)
            changed |= merge(&v->addresses[k], a);
    }
    return changed;
}

enum qn__space qn__points_to_load(const struct qn__points_to *h, struct qn__points_to_bytes from)
{
    return find(h, from).space;
}

bool qn__points_to_store(struct qn__points_to *h, struct qn__points_to_bytes to, enum qn__space s,
                         LLVMValueRef pointer)
{
    const struct reach anywhere = {.leads = ANYWHERE};
    return put(h, to, (struct address){s, pointer ? reach_of(h, pointer) : anywhere});
}

bool qn__points_to_copy(struct qn__points_to *h, LLVMValueRef to, LLVMValueRef from, uint64_t bytes)
{
    bool changed = false;
    if (bytes > MOST_BYTES)
        return put(h, (struct qn__points_to_bytes){to, 0, QN__POINTS_TO_REST},
                   find(h, (struct qn__points_to_bytes){from, 0, QN__POINTS_TO_REST}));
    for (uint64_t i = 0; i < bytes; i++)
        changed |= put(h, (struct qn__points_to_bytes){to, i, 1},
                       find(h, (struct qn__points_to_bytes){from, i, 1}));
    return changed;
}

/* ---- from one pointer to the next ---- */

/* All names of dynamic shared memory are one variable of a size that is not known. */
static struct reach reach_of_variable(LLVMValueRef v)
{
    if (LLVMIsAGlobalVariable(v) && LLVMIsDeclaration(v))
        return (struct reach){.leads = ANYWHERE};
    return (struct reach){.leads = TO_VARIABLE, .variable = v};
}

/* From `r` on to any of the elements, of so many bytes each, of `array`; NULL: to any number of
 * them. An array of no element may be the last of a struct that goes on. */
static void step_over(struct reach *r, LLVMTypeRef array, uint64_t bytes)
{
    const bool is_array = array && LLVMGetTypeKind(array) == LLVMArrayTypeKind;
    const uint64_t n = is_array ? LLVMGetArrayLength2(array) : 0;
    if (n == 0 || qn__holds_pointers(array)) {
        r->first = r->end = 0;
    } else if (!r->step) {
        r->first = r->at;
        r->end = r->at + (int64_t)(n * bytes);
    }
    r->step = greatest_divisor(r->step, bytes);
}

static struct reach reach_of_gep(const struct qn__points_to *h, LLVMValueRef gep)
{
    struct reach r = reach_of(h, LLVMGetOperand(gep, 0));
    LLVMTypeRef t = NULL;
    uint64_t bytes;
    if (r.leads != TO_VARIABLE)
        return r;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const LLVMValueRef index = LLVMGetOperand(gep, i);
        const LLVMTypeRef array = i > 1 ? t : NULL;
        if (!qn__gep_counts(h->f->u, gep, i, &t, &bytes))
            r.at += (int64_t)bytes;
        else if (LLVMIsAConstantInt(index))
            r.at += (int64_t)(bytes * (uint64_t)LLVMConstIntGetSExtValue(index));
        else
            step_over(&r, array, bytes);
    }
    return r;
}

static struct reach derive(const struct qn__points_to *h, LLVMOpcode op, LLVMValueRef p)
{
    struct reach r = {.leads = NOWHERE_YET};
    switch (op) {
    case LLVMAlloca: return reach_of_variable(p);
    case LLVMGetElementPtr: return reach_of_gep(h, p);
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze: return reach_of(h, LLVMGetOperand(p, 0));
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(p); i++)
            r = join(r, reach_of(h, LLVMGetIncomingValue(p, i)));
        return r;
    case LLVMLoad:
        return find(h, (struct qn__points_to_bytes){LLVMGetOperand(p, 0), 0, POINTER_BYTES}).reach;
    case LLVMSelect:
        return join(reach_of(h, LLVMGetOperand(p, 1)), reach_of(h, LLVMGetOperand(p, 2)));
    default: return (struct reach){.leads = ANYWHERE};
    }
}

static struct reach reach_of(const struct qn__points_to *h, LLVMValueRef p)
{
    if (LLVMIsAGlobalVariable(p) || LLVMIsAArgument(p))
        return reach_of_variable(p);
    if (LLVMIsAConstantExpr(p))
        return derive(h, LLVMGetConstOpcode(p), p);
    const struct qn__value *const v = qn__value_of(h->f, p);
    return v ? h->reaches[v->index] : (struct reach){.leads = NOWHERE_YET}; /* null */
}

bool qn__points_to_follow(struct qn__points_to *h, const struct qn__value *pointer)
{
    struct reach *const known = &h->reaches[pointer->index];
    const struct reach now =
        join(*known, derive(h, LLVMGetInstructionOpcode(pointer->llvm), pointer->llvm));
    const bool changed = is_other(now, *known);
    *known = now;
    return changed;
}
