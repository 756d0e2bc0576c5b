/* SPDX-License-Identifier: Apache-2.0
 *
 * Constants: numbers that read back as the same bits, and initialisers of tables. */
#include "compiler/expr/expr_constant.h"
#include "compiler/core/diagnose.h"
#include "compiler/expr/expr_place.h"
#include "compiler/expr/operators.h"
#include "compiler/model/source_types.h"

#include <math.h>

/* The bits of a NaN, which as a number is only NAN; 0 for any other number and for the plain NaN.
 */
static uint64_t nan_bits(struct qn__unit *u, LLVMValueRef v)
{
    LLVMBool loses;
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    const unsigned bits = kind == LLVMDoubleTypeKind ? 64 : kind == LLVMFloatTypeKind ? 32 : 16;
    const uint64_t plain = bits == 64 ? 0x7ff8000000000000 : bits == 32 ? 0x7fc00000 : 0x7e00;
    if (!isnan(LLVMConstRealGetDouble(v, &loses)))
        return 0;
    const LLVMValueRef as_int = LLVMConstBitCast(v, LLVMIntTypeInContext(u->context, bits));
    return LLVMConstIntGetZExtValue(as_int) == plain ? 0 : LLVMConstIntGetZExtValue(as_int);
}

static struct qn__expr vector_constant(struct qn__function *f, LLVMValueRef v,
                                       const struct qn__type *t)
{
    struct qn__unit *const u = f->u;
    const struct qn__node **const all = QN__NEED_ARRAY(u, const struct qn__node *, t->count);
    bool same = true;
    struct qn__expr first = {0};
    for (unsigned i = 0; i < t->count; i++) {
        const LLVMValueRef e = LLVMGetAggregateElement(v, i);
        const struct qn__expr part =
            e ? qn__convert(f, qn__constant(f, e), t->of) : qn__plain(u, 0, t->of);
        first = i ? first : part;
        same &= qn__node_equal(first.node, part.node);
        all[i] = part.node;
    }
    if (same)
        return qn__same_components(u, t, first);
    return qn__of(qn__node_new(u, QN__OP_VECTOR, t, (uint32_t)t->count, all));
}

/* An address as a number, or what is reckoned from two of them: (char *)a - (char *)b. */
static bool number_of_address(struct qn__function *f, LLVMValueRef v, struct qn__expr *out)
{
    struct qn__unit *const u = f->u;
    const struct qn__type *const t = qn__type_int(u, LLVMGetIntTypeWidth(LLVMTypeOf(v)), true);
    const LLVMValueRef first = LLVMGetOperand(v, 0);
    const LLVMOpcode op = LLVMGetConstOpcode(v);
    switch (op) {
    case LLVMPtrToInt: *out = qn__cast(u, qn__pointer_expr(f, first), t); return true;
    case LLVMTrunc: *out = qn__cast(u, qn__constant(f, first), t); return true;
    case LLVMAdd:
    case LLVMSub: {
        const struct qn__expr a = qn__convert(f, qn__constant(f, first), t),
                              b = qn__convert(f, qn__constant(f, LLVMGetOperand(v, 1)), t);
        *out = qn__infix(u, op == LLVMAdd ? QN__OP_ADD : QN__OP_SUBTRACT, a, b, t);
        return true;
    }
    default: return false;
    }
}

/* A half is a float's number; a NaN of its own bits is those bits. */
static const struct qn__node *real(struct qn__unit *u, LLVMValueRef v, const struct qn__type *t)
{
    LLVMBool loses;
    const double d = LLVMConstRealGetDouble(v, &loses);
    const uint64_t bits = nan_bits(u, v);
    if (bits) {
        const struct qn__type *const as = qn__type_int(u, t->bits, true);
        struct qn__node number = *qn__node_number(u, bits, as);
        number.base = QN__HEXADECIMAL;
        number.is_plain = t->bits < 32;
        const struct qn__node *const n = qn__node_make(u, number);
        return qn__node_unary(u, QN__OP_REINTERPRET, t,
                              t->bits < 32 ? qn__node_unary(u, QN__OP_CAST, as, n) : n);
    }
    if (t->bits == 16)
        return qn__node_unary(u, QN__OP_CAST, t, qn__node_real(u, d, qn__type_float(u, 32)));
    return qn__node_real(u, d, t);
}

struct qn__expr qn__constant(struct qn__function *f, LLVMValueRef v)
{
    struct qn__unit *const u = f->u;
    const LLVMTypeRef lt = LLVMTypeOf(v);
    const bool pointer = LLVMGetTypeKind(lt) == LLVMPointerTypeKind;
    const struct qn__type *const t =
        pointer ? qn__type_pointer(u, qn__type_int(u, 8, true), QN__GLOBAL, false, false)
                : qn__type_of(u, lt, NULL, NULL);
    const struct qn__expr zero = qn__plain(u, 0, t);
    if (LLVMIsUndef(v) || LLVMIsPoison(v))
        return t->kind == QN__FLOAT    ? qn__of(qn__node_real(u, 0, t))
               : t->kind == QN__VECTOR ? qn__prefix(u, QN__OP_VECTOR, zero, t)
                                       : zero;
    if (LLVMIsAConstantInt(v)) {
        if (t->kind != QN__BOOL)
            return qn__number(u, v, t);
        struct qn__expr e = qn__of(qn__node_truth(u, LLVMConstIntGetZExtValue(v) != 0));
        e.number = v;
        return e;
    }
    if (LLVMIsAConstantFP(v))
        return qn__of(real(u, v, t));
    if (LLVMIsNull(v) && t->kind == QN__POINTER) {
        /* null is in every space: a cast to another pointer takes the number */
        const struct qn__type *const word = qn__type_int(u, 64, true);
        const struct qn__node *const number = qn__node_plain_number(u, 0, word);
        struct qn__expr e = qn__of(qn__node_unary(u, QN__OP_CAST, t, number));
        e.bare = (struct qn__bare){number, word, true};
        return e;
    }
    if (t->kind == QN__VECTOR)
        return vector_constant(f, v, t);
    struct qn__expr address;
    if (LLVMIsAConstantExpr(v) && t->kind == QN__INT && number_of_address(f, v, &address))
        return address;
    qn__refuse(u, NULL, "a constant that has no OpenCL C form: compute it in the kernel");
    return zero;
}

static const struct qn__node *refused(struct qn__unit *u, const char *why)
{
    qn__refuse(u, NULL, "%s", why);
    return qn__node_number(u, 0, qn__type_int(u, 32, false));
}

static const struct qn__node *initial_integer(struct qn__unit *u, LLVMValueRef v)
{
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    if (!LLVMIsAConstantInt(v))
        return refused(u, "a constant table of addresses turned into integers: OpenCL C has none; "
                          "compute them in the kernel");
    if (bits == 64)
        return qn__node_number(u, LLVMConstIntGetZExtValue(v), qn__type_int(u, 64, true));
    return qn__node_plain_number(
        u, bits == 8 ? LLVMConstIntGetZExtValue(v) : (uint64_t)LLVMConstIntGetSExtValue(v),
        qn__type_int(u, 64, false));
}

static const struct qn__node *initial_real(struct qn__unit *u, LLVMValueRef v)
{
    LLVMBool loses;
    const double d = LLVMConstRealGetDouble(v, &loses);
    const bool is_double = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMDoubleTypeKind;
    const struct qn__type *const t = qn__type_float(u, is_double ? 64 : 32);
    const struct qn__node *const zero = qn__node_real(u, 0, t);
    if (nan_bits(u, v))
        return refused(u,
                       "a constant table with a NaN of its own bits: a table of integers may hold "
                       "them, read with __int_as_float");
    if (isnan(d)) /* NAN is no constant for every compiler */
        return qn__node_binary(u, QN__OP_DIVIDE, t, zero, zero);
    return qn__node_real(u, d, t);
}

/* The initialiser of a program-scope table. */
const struct qn__node *qn__initializer(struct qn__unit *u, LLVMValueRef v)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    const struct qn__node *const zero = qn__node_number(u, 0, qn__type_int(u, 32, false));
    unsigned n = 0;
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind: n = (unsigned)LLVMGetArrayLength2(t); break;
    case LLVMStructTypeKind: n = LLVMCountStructElementTypes(t); break;
    case LLVMVectorTypeKind: n = LLVMGetVectorSize(t); break;
    case LLVMIntegerTypeKind: return LLVMIsUndef(v) ? zero : initial_integer(u, v); /* padding */
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return LLVMIsUndef(v) ? zero : initial_real(u, v);
    case LLVMPointerTypeKind:
        if (LLVMIsAConstantPointerNull(v) || LLVMIsUndef(v))
            return zero;
        if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMIntToPtr)
            return initial_integer(u, LLVMGetOperand(v, 0)); /* a function's number */
        return refused(u,
                       "a constant table of addresses, which OpenCL C does not have: an array of "
                       "the kernel's own may hold them, or a switch choose among them");
    default:
        return refused(u, "a constant table with an initialiser that has no OpenCL C form: fill an "
                          "array in the kernel");
    }
    const struct qn__node **const all = QN__NEED_ARRAY(u, const struct qn__node *, n);
    for (unsigned i = 0; i < n; i++) {
        const LLVMValueRef e = LLVMGetAggregateElement(v, i);
        all[i] = e ? qn__initializer(u, e) : zero;
    }
    return qn__node_new(u, QN__OP_AGGREGATE, qn__type_void(u), n, all);
}
