/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of vectors and structs as values. */
#include "compiler/expr/operators.h"

#include <string.h>

static const char *component(struct qn__unit *u, unsigned i, uint64_t count)
{
    if (count <= 4)
        return qn__text(u, "%c", "xyzw"[i & 3]);
    return qn__text(u, "s%c", "0123456789abcdef"[i & 15]);
}

/* Component i of a vector, through what was just put into it. */
static struct qn__expr element(struct qn__function *f, LLVMValueRef vector, unsigned i)
{
    struct qn__unit *const u = f->u;
    const struct qn__value *v = qn__value_of(f, vector);
    while (v && v->folded && LLVMIsAInsertElementInst(vector) &&
           LLVMIsAConstantInt(LLVMGetOperand(vector, 2))) {
        if (LLVMConstIntGetZExtValue(LLVMGetOperand(vector, 2)) == i)
            return qn__expr(f, LLVMGetOperand(vector, 1));
        vector = LLVMGetOperand(vector, 0);
        v = qn__value_of(f, vector);
    }
    const struct qn__expr e = qn__expr(f, vector);
    return qn__spell(
        qn__text(u, "%s.%s", qn__wrap(u, e, QN__PREC_POSTFIX), component(u, i, e.type->count)),
        QN__PREC_POSTFIX, e.type->of);
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
    const char *text = "";
    bool all_same = true;
    for (unsigned i = 0; i < n; i++) {
        const char *part;
        if (parts[i])
            part = qn__assignable(f, parts[i], t->of);
        else if (undefined)
            part = "0";
        else
            part = qn__text(u, "%s.%s", qn__wrap(u, rest, QN__PREC_POSTFIX), component(u, i, n));
        all_same &= parts[i] && parts[i] == parts[0];
        text = qn__text(u, "%s%s%s", text, i ? ", " : "", part);
        if (i + 1 == n && all_same)
            text = part;
    }
    return qn__spell(qn__text(u, "(%s)(%s)", qn__type_text(u, t), text), QN__PREC_UNARY, t);
}

/* v.zyx: all of one vector that has a text of its own */
static const char *swizzle(struct qn__function *f, LLVMValueRef in)
{
    const LLVMValueRef vector = LLVMGetOperand(in, 0);
    const struct qn__value *const known = qn__value_of(f, vector);
    const unsigned n = LLVMGetNumMaskElements(in), count = LLVMGetVectorSize(LLVMTypeOf(vector));
    const char *letters = "";
    if (!known || known->folded || count > 4)
        return NULL;
    for (unsigned i = 0; i < n; i++) {
        const int k = LLVMGetMaskValue(in, i);
        if (k < 0 || k >= (int)count)
            return NULL;
        letters = qn__text(f->u, "%s%s", letters, component(f->u, (unsigned)k, count));
    }
    return qn__text(f->u, "%s.%s", qn__wrap(f->u, qn__expr(f, vector), QN__PREC_POSTFIX), letters);
}

struct qn__expr qn__shuffle(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const unsigned n = LLVMGetNumMaskElements(in);
    const unsigned count = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(in, 0)));
    const struct qn__type *const t = qn__type_of(u, LLVMTypeOf(in), NULL, in);
    const char *const letters = swizzle(f, in);
    if (letters)
        return qn__spell(letters, QN__PREC_POSTFIX, t);
    const char *text = "";
    struct qn__expr part = {0};
    bool all_same = true;
    for (unsigned i = 0; i < n; i++) {
        const int k = LLVMGetMaskValue(in, i);
        const unsigned second = k >= (int)count;
        part = k < 0 ? qn__spell("0", QN__PREC_POSTFIX, t->of)
                     : element(f, LLVMGetOperand(in, second), (unsigned)k - second * count);
        all_same &= k == LLVMGetMaskValue(in, 0);
        text = qn__text(u, "%s%s%s", text, i ? ", " : "", part.text);
    }
    if (all_same)
        return qn__same_components(u, t, part);
    return qn__spell(qn__text(u, "(%s)(%s)", qn__type_text(u, t), text), QN__PREC_UNARY, t);
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
        return qn__infix(u, old, "==", qn__expr(f, LLVMGetOperand(v, 1)), QN__PREC_EQUAL,
                         qn__type_bool(u));
    }
    if (!LLVMIsACallInst(v) || !LLVMIsAInlineAsm(LLVMGetCalledValue(v))) /* refused already */
        qn__refuse(u, in,
                   "a struct as a value in a way that has no OpenCL C form: keep it in a variable");
    return qn__constant(f, LLVMConstInt(LLVMInt32TypeInContext(u->context), 0, 0));
}
