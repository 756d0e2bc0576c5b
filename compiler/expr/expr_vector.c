/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of vectors and structs as values. */
#include "compiler/core/diagnose.h"
#include "compiler/expr/expr_constant.h"
#include "compiler/expr/operators.h"
#include "compiler/model/aggregate.h"
#include "compiler/model/source_types.h"

static const struct qn__node *component(struct qn__unit *u, struct qn__expr e, unsigned i)
{
    return qn__node_components(u, e.type->of, e.node, e.type->count, i);
}

/* Component i of a vector, through what was just put into it. */
static struct qn__expr element(struct qn__function *f, LLVMValueRef vector, unsigned i)
{
    struct qn__unit *const u = f->u;
    const struct qn__value *v = qn__value_of(f, vector);
    while (v && v->folded) {
        if (LLVMIsAShuffleVectorInst(vector)) {
            const int k = LLVMGetMaskValue(vector, i);
            const unsigned n = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(vector, 0)));
            if (k < 0)
                break;
            vector = LLVMGetOperand(vector, (unsigned)k >= n);
            i = (unsigned)k % n;
        } else if (LLVMIsAInsertElementInst(vector) &&
                   LLVMIsAConstantInt(LLVMGetOperand(vector, 2))) {
            if (LLVMConstIntGetZExtValue(LLVMGetOperand(vector, 2)) == i)
                return qn__expr(f, LLVMGetOperand(vector, 1));
            vector = LLVMGetOperand(vector, 0);
        } else {
            break;
        }
        v = qn__value_of(f, vector);
    }
    const struct qn__expr e = qn__expr(f, vector);
    return qn__of(component(u, e, i));
}

struct qn__expr qn__extract_element(struct qn__function *f, LLVMValueRef in)
{
    const LLVMValueRef index = LLVMGetOperand(in, 1);
    if (!LLVMIsAConstantInt(index)) {
        qn__refuse(f->u, in,
                   "an element of a vector value chosen at run time: keep the values in an array");
        return qn__constant(f, LLVMConstNull(LLVMTypeOf(in)));
    }
    return element(f, LLVMGetOperand(in, 0), (unsigned)LLVMConstIntGetZExtValue(index));
}

/* A chain of insertelement is one constructor: (float4)(a, b, c, d). */
struct qn__expr qn__insert_element(struct qn__function *f, LLVMValueRef in)
{
    enum { MOST = 16 };
    struct qn__unit *const u = f->u;
    LLVMValueRef parts[MOST] = {NULL}, v = in;
    const struct qn__type *t = qn__type_of(u, LLVMTypeOf(in), NULL, in);
    const uint64_t n = t->count <= MOST ? t->count : MOST;
    const struct qn__value *known = qn__value_of(f, in);
    do {
        const LLVMValueRef index = LLVMGetOperand(v, 2);
        if (!LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index) >= n) {
            qn__refuse(
                u, in,
                "an element of a vector value chosen at run time: keep the values in an array");
            return qn__constant(f, LLVMGetUndef(LLVMTypeOf(in)));
        }
        const uint64_t i = LLVMConstIntGetZExtValue(index);
        if (!parts[i])
            parts[i] = LLVMGetOperand(v, 1);
        v = LLVMGetOperand(v, 0);
        known = qn__value_of(f, v);
    } while (LLVMIsAInsertElementInst(v) && known && known->folded);
    const bool undefined = LLVMIsUndef(v) || LLVMIsPoison(v);
    const struct qn__expr rest = undefined ? (struct qn__expr){0} : qn__expr(f, v);
    const struct qn__node *all[MOST];
    bool all_same = true;
    for (unsigned i = 0; i < n; i++) {
        if (parts[i])
            all[i] = qn__assignable(f, parts[i], t->of);
        else if (undefined)
            all[i] = qn__node_plain_number(u, 0, t->of);
        else
            all[i] = component(u, rest, i);
        all_same &= parts[i] && parts[i] == parts[0];
    }
    if (all_same)
        all[0] = all[n - 1];
    return qn__of(qn__node_new(u, QN__OP_VECTOR, t, all_same ? 1 : (uint32_t)n, all));
}

/* v.zyx: all of one vector that is an expression of its own; else NULL */
static const struct qn__node *swizzle(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef vector = LLVMGetOperand(in, 0);
    const struct qn__value *const known = qn__value_of(f, vector);
    const unsigned n = LLVMGetNumMaskElements(in), count = LLVMGetVectorSize(LLVMTypeOf(vector));
    uint64_t which = 0;
    if (!known || known->folded || count > 4)
        return NULL;
    for (unsigned i = 0; i < n; i++) {
        const int k = LLVMGetMaskValue(in, i);
        if (k < 0 || k >= (int)count)
            return NULL;
        which |= (uint64_t)k << 4 * i;
    }
    return qn__node_components(u, qn__type_of(u, LLVMTypeOf(in), NULL, in),
                               qn__expr(f, vector).node, count, which);
}

struct qn__expr qn__shuffle(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const unsigned n = LLVMGetNumMaskElements(in);
    const unsigned count = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(in, 0)));
    const struct qn__type *const t = qn__type_of(u, LLVMTypeOf(in), NULL, in);
    const struct qn__node *const swizzled = swizzle(f, in);
    if (swizzled)
        return qn__as(swizzled, t);
    const struct qn__node **const all = QN__NEED_ARRAY(u, const struct qn__node *, n);
    struct qn__expr part = {0};
    bool all_same = true;
    for (unsigned i = 0; i < n; i++) {
        const int k = LLVMGetMaskValue(in, i);
        const unsigned second = k >= (int)count;
        part = k < 0 ? qn__plain(u, 0, t->of)
                     : element(f, LLVMGetOperand(in, second), (unsigned)k - second * count);
        all_same &= k == LLVMGetMaskValue(in, 0);
        all[i] = part.node;
    }
    return all_same ? qn__same_components(u, t, part)
                    : qn__of(qn__node_new(u, QN__OP_VECTOR, t, n, all));
}

struct qn__expr qn__extract_value(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    LLVMValueRef v = in;
    const LLVMValueRef part = qn__aggregate_part(in, &v);
    if (part)
        return qn__expr(f, part);
    const struct qn__value *const known = qn__value_of(f, v);
    if (LLVMIsAAtomicCmpXchgInst(v) && known && known->var) {
        const struct qn__expr old = qn__var_expr(u, known->var);
        if (LLVMGetIndices(in)[0] == 0)
            return old;
        return qn__infix(u, QN__OP_EQUAL, old, qn__expr(f, LLVMGetOperand(v, 1)), qn__type_bool(u));
    }
    if (!LLVMIsACallInst(v) || !LLVMIsAInlineAsm(LLVMGetCalledValue(v))) /* refused already */
        qn__refuse(u, in,
                   "a struct as a value in a way that has no OpenCL C form: keep it in a variable");
    return qn__constant(f, LLVMConstInt(LLVMInt32TypeInContext(u->context), 0, 0));
}
