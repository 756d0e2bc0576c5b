/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores: a[i], a[i] = x, a[i] += x; through vectors of bytes where memory is less
 * aligned than its type. */
#include "compiler/expr/expr_memory.h"
#include "compiler/expr/expr_place.h"
#include "compiler/expr/operators.h"
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

/* The memory as the load or store `access` sees it, of type `t`. Private memory is volatile only
 * for a driver that overlooks something. */
static struct qn__place accessed(struct qn__function *f, struct qn__place memory, LLVMTypeRef t,
                                 LLVMValueRef access)
{
    const bool is_overlooked = qn__value_of(f, access)->is_overlooked;
    const struct qn__place p =
        qn__place_as(f, memory, t, access, LLVMGetVolatile(access) || is_overlooked);
    return is_overlooked && p.space == QN__PRIVATE
               ? qn__place_cast(f, p, LLVMGetOperand(access, LLVMIsAStoreInst(access) != NULL),
                                p.type, true)
               : p;
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
                           p = accessed(f, memory, t, load);
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
                           p = accessed(f, memory, LLVMTypeOf(value), store->llvm);
    if (is_underaligned(f, &p, store->llvm, qn__type_align(p.type)))
        return byte_store(f, store, &memory, p);
    const struct qn__node *const short_form = compound(f, store, p);
    return short_form ? short_form
                      : qn__node_binary(u, QN__OP_ASSIGN, p.type, p.node,
                                        qn__assignable(f, value, p.type));
}
