/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores, and the variables that have an address: local arrays, shared memory, hidden
 * arguments, constant tables. */
#include "compiler/core/debug_info.h"
#include "compiler/core/diagnose.h"
#include "compiler/core/legal_names.h"
#include "compiler/expr/operators.h"
#include "compiler/lang/language.h"
#include "compiler/model/address_space.h"
#include "compiler/model/alias_types.h"
#include "compiler/model/alignment.h"
#include "compiler/model/inline_values.h"

#include <string.h>

/* Accesses that are less aligned than their type, where C does not know. */
static bool is_underaligned(struct qn__function *f, const struct qn__place *p, LLVMValueRef access,
                            uint64_t natural)
{
    return !p->is_packed && !qn__is_aligned(f->u, access, natural);
}

static const struct qn__type *bytes_vector(struct qn__unit *u, uint64_t n)
{
    return qn__type_vector(u, qn__type_int(u, 8, true), n);
}

/* Is the memory said to hold what the vector consists of? vload and vstore access its elements, and
 * C takes an int for no float. Bytes hold anything, and vectors may alias it. */
static bool holds_elements(const struct qn__place *memory, const struct qn__type *vector)
{
    const struct qn__type *t = memory->type;
    while (t->kind == QN__ARRAY || (t->kind == QN__STRUCT && t->record->n_fields))
        t = t->kind == QN__ARRAY ? t->of : t->record->fields[0].type;
    return t->kind == QN__VECTOR || qn__type_size(vector) > 16 /* split_vectors.c */ ||
           (t->kind == QN__INT && t->bits == 8) || qn__type_same_but_sign(t, vector->of);
}

/* load i32, align 1 -> as_int(vload4(0, (__global uchar *)p));  <4 x float>, align 4 -> vload4(0,
 * p) */
static struct qn__expr byte_load(struct qn__function *f, LLVMValueRef load,
                                 const struct qn__place *memory, struct qn__place p)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = p.type;
    const uint64_t size = qn__type_size(t);
    const bool vector = t->kind == QN__VECTOR &&
                        qn__alignment_of(u, load) >= qn__type_size(t->of) &&
                        holds_elements(memory, t);
    const struct qn__type *const element = vector ? t->of : qn__type_int(u, 8, true);
    const struct qn__expr a = qn__cast(u, qn__place_address(f, p),
                                       qn__type_pointer(u, element, p.space, p.is_const, false));
    const struct qn__node *const loaded =
        qn__node_unary(u, QN__OP_VECTOR_LOAD, vector ? t : bytes_vector(u, size), a.node);
    return vector ? qn__of(loaded) : qn__of(qn__node_unary(u, QN__OP_REINTERPRET, t, loaded));
}

/* Does a load from a uniform address give every work-item the same? What a work-item keeps to
 * itself need not. A barrier under a condition read from shared or global memory is right in CUDA
 * only when all threads read the same there, so that is taken as given. */
static bool load_varies(LLVMValueRef load)
{
    return LLVMIsAAllocaInst(qn__memory_root(LLVMGetOperand(load, 0))) != NULL;
}

struct qn__expr qn__load(struct qn__function *f, LLVMValueRef load)
{
    struct qn__unit *const u = f->u;
    const LLVMTypeRef t = LLVMTypeOf(load);
    unsigned axis;
    const enum qn__work_item what = qn__work_item(u, load, &axis);
    if (what != QN__NO_WORK_ITEM) {
        const struct qn__node *const n = qn__node_work_item(u, what, axis);
        struct qn__expr e = qn__of(qn__node_unary(u, QN__OP_CAST, qn__type_int(u, 32, true), n));
        e.bare = (struct qn__bare){n, n->type, true};
        return e;
    }
    const struct qn__place memory = qn__place(f, LLVMGetOperand(load, 0)),
                           p = qn__place_as(f, memory, t, load, LLVMGetVolatile(load) != 0);
    const bool varies = load_varies(load),
               reads = p.space != QN__PRIVATE && p.space != QN__CONSTANT;
    struct qn__expr e = qn__as(p.node, p.type);
    if (is_underaligned(f, &p, load, qn__type_align(p.type)))
        e = byte_load(f, load, &memory, p);
    e.node = qn__node_with(u, e.node, (varies ? QN__VARIES : 0) | (reads ? QN__READS : 0));
    if (p.type->kind == QN__INT && p.type->of && LLVMGetTypeKind(t) == LLVMPointerTypeKind) {
        const struct qn__value *const v = qn__value_of(f, load);
        const struct qn__type *const to = p.type->of;
        return qn__cast(u, e,
                        qn__type_with_aliases(
                            f, load, qn__type_pointer(u, to->of, v->space, to->is_const, false)));
    }
    return e;
}

static const struct qn__node *byte_store(struct qn__function *f, struct qn__value *store,
                                         const struct qn__place *memory, struct qn__place p)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = p.type;
    const bool vector = t->kind == QN__VECTOR &&
                        qn__alignment_of(u, store->llvm) >= qn__type_size(t->of) &&
                        holds_elements(memory, t);
    const struct qn__type *const element = vector ? t->of : qn__type_int(u, 8, true);
    const struct qn__expr a =
        qn__cast(u, qn__place_address(f, p), qn__type_pointer(u, element, p.space, false, false));
    const struct qn__expr value = qn__convert(f, qn__expr(f, LLVMGetOperand(store->llvm, 0)), t);
    const struct qn__node *stored = value.node;
    if (!vector) { /* C computes in int, and numbers are ints */
        const uint64_t size = qn__type_size(t);
        const bool is_cast = stored->op == QN__OP_CAST;
        if (size < 4 && !is_cast && (value.number || qn__is_operator(stored)))
            stored = qn__node_unary(u, QN__OP_CAST, t, stored);
        stored = qn__node_unary(u, QN__OP_REINTERPRET, bytes_vector(u, size), stored);
    }
    return qn__node_binary(u, QN__OP_VECTOR_STORE, qn__type_void(u), stored, a.node);
}

/* x[i] = x[i] + v -> x[i] += v, where the load was folded into exactly this. */
static const struct qn__node *compound(struct qn__function *f, struct qn__value *store,
                                       struct qn__place p)
{
    struct qn__unit *const u = f->u;
    const struct qn__value *const load = qn__compound_load(f, store);
    if (!load || !load->folded || load->root != store)
        return NULL;
    const LLVMValueRef sum = LLVMGetOperand(store->llvm, 0);
    const struct qn__value *const s = qn__value_of(f, sum);
    if (!s->folded || (p.type->kind != QN__INT && p.type->kind != QN__FLOAT) ||
        (p.type->kind == QN__INT && p.type->bits < 32))
        return NULL;
    enum qn__op op;
    switch (LLVMGetInstructionOpcode(sum)) {
    case LLVMAdd:
    case LLVMFAdd: op = QN__OP_ADD; break;
    case LLVMSub:
    case LLVMFSub: op = QN__OP_SUBTRACT; break;
    case LLVMMul:
    case LLVMFMul: op = QN__OP_MULTIPLY; break;
    case LLVMFDiv: op = QN__OP_DIVIDE; break;
    case LLVMAnd: op = QN__OP_AND; break;
    case LLVMOr: op = QN__OP_OR; break;
    case LLVMXor: op = QN__OP_XOR; break;
    default: return NULL;
    }
    const LLVMValueRef by = LLVMGetOperand(sum, 1);
    const bool adds = op == QN__OP_ADD || op == QN__OP_SUBTRACT;
    const bool wraps = adds && p.type->kind == QN__INT && !p.type->is_unsigned && !LLVMGetNSW(sum);
    const int64_t number = LLVMIsAConstantInt(by) ? LLVMConstIntGetSExtValue(by) : 0;
    if (!wraps && number < 0 && op == QN__OP_ADD)
        return qn__node_assign_by(u, QN__OP_SUBTRACT, p.node,
                                  qn__node_plain_number(u, (uint64_t)-number, p.type));
    return qn__node_assign_by(u, op, p.node, qn__compound_operand(f, sum, by, p.type));
}

const struct qn__node *qn__store(struct qn__function *f, struct qn__value *store)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef value = LLVMGetOperand(store->llvm, 0);
    const struct qn__place memory = qn__place(f, LLVMGetOperand(store->llvm, 1)),
                           p = qn__place_as(f, memory, LLVMTypeOf(value), store->llvm,
                                            LLVMGetVolatile(store->llvm) || store->is_overlooked);
    if (is_underaligned(f, &p, store->llvm, qn__type_align(p.type)))
        return byte_store(f, store, &memory, p);
    const struct qn__node *const short_form = compound(f, store, p);
    return short_form ? short_form
                      : qn__node_binary(u, QN__OP_ASSIGN, p.type, p.node,
                                        qn__assignable(f, value, p.type));
}

/* ---- variables with an address ---- */

const char *qn__var_declaration(struct qn__unit *u, const struct qn__var *v, const char *name)
{
    const char *const text = qn__type_declare(u, v->type, name);
    return v->aligned ? qn__text(u, "%s __attribute__((aligned(%u)))", text, v->aligned) : text;
}

struct qn__var *qn__memory_var(struct qn__function *f, LLVMValueRef alloca_)
{
    struct qn__var *v = qn__map_get(&f->memory_of, alloca_);
    if (v)
        return v;
    struct qn__unit *const u = f->u;
    LLVMTypeRef t = LLVMGetAllocatedType(alloca_);
    const struct qn__type *type = qn__type_of(u, t, NULL, alloca_);
    const LLVMValueRef count = LLVMGetOperand(alloca_, 0);
    if (!LLVMIsAConstantInt(count))
        qn__refuse(u, alloca_,
                   "an array whose size is not known when the kernel is compiled: give it the most "
                   "that it may need");
    else if (LLVMConstIntGetZExtValue(count) != 1)
        type = qn__type_array(u, type, LLVMConstIntGetZExtValue(count));
    const struct qn__source_name name = qn__name_of(u, alloca_);
    v = qn__var_new(f, *name.name ? name.name : "array", type);
    v->is_memory = true;
    v->aligned = qn__extra_alignment(u, alloca_, type);
    qn__map_put(u, &f->memory_of, alloca_, v);
    return v;
}

/* "_ZZ4kernE4tile" and "_ZZ1kIfEvPKT_PS0_ij4bodyE1s" are tile and s: the last <length><name>. */
const char *qn__variable_name(struct qn__unit *u, LLVMValueRef global)
{
    size_t n;
    const char *const name = LLVMGetValueName2(global, &n),
                      *spelled = qn__di_variable_name(u, global);
    if (*spelled)
        return spelled;
    if (strncmp(name, "_Z", 2) != 0)
        return qn__text(u, "%.*s", (int)strcspn(name, "."), name);
    for (size_t i = n; i-- > 2;) {
        unsigned length = 0;
        size_t k = i;
        while (k < n && name[k] >= '0' && name[k] <= '9' && length < 10000)
            length = length * 10 + (unsigned)(name[k++] - '0');
        if (k == i || length == 0 || (i && name[i - 1] >= '0' && name[i - 1] <= '9'))
            continue;
        if (k + length <= n &&
            (k + length == n || name[k + length] == '_' || name[k + length] == 'E' ||
             name[k + length] == 'I' || name[k + length] == '.'))
            return qn__text(u, "%.*s", (int)length, name + k);
    }
    return name;
}

static bool is_dynamic(LLVMValueRef shared)
{
    return LLVMIsDeclaration(shared);
}

struct qn__var *qn__shared_var(struct qn__function *f, LLVMValueRef g)
{
    struct qn__unit *const u = f->u;
    struct qn__var *v = qn__map_get(&f->memory_of, g);
    if (v)
        return v;
    const LLVMTypeRef t = LLVMGlobalGetValueType(g);
    const struct qn__type *const type = qn__type_of(u, t, NULL, NULL);
    if (is_dynamic(g)) {
        if (!f->dynamic_shared) {
            /* uint4 for its alignment: NVIDIA's driver places local arguments by their type's own
             */
            const struct qn__type *const chunk = qn__type_vector(u, qn__type_int(u, 32, true), 4);
            f->dynamic_shared = qn__var_new(f, "dynamic_shared",
                                            qn__type_pointer(u, chunk, QN__LOCAL, false, false));
            f->dynamic_shared->is_argument = true;
            const struct qn__hidden h = {QN__HIDDEN_SHARED, 0};
            QN__PUSH(u, f->hidden, f->n_hidden, f->hidden_capacity, h);
            uint32_t n = f->n_hidden - 1;
            QN__PUSH(u, f->hidden_vars, n, f->hidden_vars_capacity, f->dynamic_shared);
        }
        const struct qn__type *const to = type->kind == QN__ARRAY ? type->of : type;
        v = qn__var_new(
            f, qn__variable_name(u, g),
            qn__type_with_aliases(f, g, qn__type_pointer(u, to, QN__LOCAL, false, false)));
    } else {
        v = qn__var_new(f, qn__variable_name(u, g), type);
        v->aligned = LLVMGetAlignment(g) > qn__type_align(type) ? LLVMGetAlignment(g)
                                                                : qn__extra_alignment(u, g, type);
        f->shared_bytes = (f->shared_bytes + qn__type_align(type) - 1) / qn__type_align(type) *
                              qn__type_align(type) +
                          qn__type_size(type);
    }
    v->is_shared = true;
    qn__map_put(u, &f->memory_of, g, v);
    QN__PUSH(u, f->shared, f->n_shared, f->shared_capacity, v);
    return v;
}

struct qn__var *qn__shared_scratch(struct qn__function *f, const char *wish,
                                   const struct qn__type *type)
{
    struct qn__var *const v = qn__var_new(f, wish, type);
    v->is_shared = true;
    f->shared_bytes = (f->shared_bytes + 15) / 16 * 16 + qn__type_size(type);
    QN__PUSH(f->u, f->shared, f->n_shared, f->shared_capacity, v);
    return v;
}

struct qn__var *qn__scratch(struct qn__function *f, unsigned bits)
{
    enum { BLOCK_MAX = 1024 }; /* CUDA's limit, where the source gives no launch bound */
    uint32_t *const bound = &f->source->block_threads_max;
    const uint32_t words = bits / 32;
    if (!*bound || *bound > BLOCK_MAX)
        *bound = BLOCK_MAX;
    if (!f->scratch)
        f->scratch = qn__shared_scratch(f, "lanes",
                                        qn__type_array(f->u, qn__type_int(f->u, 32, true), *bound));
    if (f->scratch->type->count < words * *bound) {
        f->shared_bytes += 4u * *bound;
        f->scratch->type = qn__type_array(f->u, f->scratch->type->of, words * *bound);
    }
    return f->scratch;
}

static uint32_t module_var(struct qn__unit *u, LLVMValueRef g)
{
    for (uint32_t i = 0; i < u->n_vars; i++)
        if (u->vars[i].llvm == g)
            return i;
    const struct qn__module_var v = {g, qn__variable_name(u, g), u->n_vars};
    QN__PUSH(u, u->vars, u->n_vars, u->vars_capacity, v);
    return u->n_vars - 1;
}

bool qn__is_constant_variable(LLVMValueRef g)
{
    enum { CONSTANT = 4 };
    return LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == CONSTANT;
}

struct qn__var *qn__hidden_var(struct qn__function *f, LLVMValueRef g)
{
    struct qn__unit *const u = f->u;
    struct qn__var *v = qn__map_get(&f->hidden_of, g);
    if (v)
        return v;
    const uint32_t index = module_var(u, g);
    const struct qn__type *const t = qn__type_of(u, LLVMGlobalGetValueType(g), NULL, NULL);
    const struct qn__type *const to = t->kind == QN__ARRAY ? t->of : t;
    v = qn__var_new(f, u->vars[index].name,
                    qn__type_pointer(u, to, QN__GLOBAL, qn__is_constant_variable(g), false));
    v->is_argument = true;
    qn__map_put(u, &f->hidden_of, g, v);
    const struct qn__hidden h = {QN__HIDDEN_GLOBAL, index};
    QN__PUSH(u, f->hidden, f->n_hidden, f->hidden_capacity, h);
    uint32_t n = f->n_hidden - 1;
    QN__PUSH(u, f->hidden_vars, n, f->hidden_vars_capacity, v);
    return v;
}

struct qn__var *qn__table_var(struct qn__function *f, LLVMValueRef g)
{
    struct qn__unit *const u = f->u;
    struct qn__var *v = qn__map_get(&f->hidden_of, g);
    if (v)
        return v;
    uint32_t i = 0;
    while (i < u->n_constants && u->constants[i] != g)
        i++;
    if (i == u->n_constants)
        QN__PUSH(u, u->constants, u->n_constants, u->constants_capacity, g);
    v = qn__var_new(f, "", qn__type_of(u, LLVMGlobalGetValueType(g), NULL, NULL));
    v->name = qn__table_name(u, i);
    v->is_argument = true; /* declared elsewhere, under a fixed name */
    qn__map_put(u, &f->hidden_of, g, v);
    return v;
}

const char *qn__table_name(struct qn__unit *u, uint32_t i)
{
    return qn__text(u, "%s_table%u", qn__name_legal(u, qn__variable_name(u, u->constants[i])), i);
}
