/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions: LLVM instructions as C operators.
 *
 * LLVM's integers have no sign and wrap; C's have one and signed overflow is undefined. So an
 * operation that must be unsigned (udiv, icmp ult, an add that may wrap) gets an unsigned operand,
 * and one that must be signed (sdiv, sext) a signed one; the casts that remain are those C needs.
 */
#include "compiler/core/diagnose.h"
#include "compiler/expr/expr_call.h"
#include "compiler/expr/expr_constant.h"
#include "compiler/expr/expr_memory.h"
#include "compiler/expr/expr_place.h"
#include "compiler/expr/operators.h"
#include "compiler/model/source_types.h"

#include "compiler/model/address_space.h"

static const struct qn__node *cast_node(struct qn__unit *u, const struct qn__node *n,
                                        const struct qn__type *to)
{
    return qn__node_unary(u, QN__OP_CAST, to, n);
}

struct qn__expr qn__exact(struct qn__unit *u, struct qn__expr e)
{
    return e.loose ? qn__of(cast_node(u, e.node, e.type)) : e;
}

struct qn__expr qn__var_expr(struct qn__unit *u, const struct qn__var *v)
{
    return qn__of(qn__node_var(u, v));
}

struct qn__expr qn__plain(struct qn__unit *u, uint64_t value, const struct qn__type *t)
{
    return qn__of(qn__node_plain_number(u, value, t));
}

/* A pointer as memory holds it: a ulong. */
static bool is_address_number(const struct qn__type *t)
{
    return t->kind == QN__INT && t->of;
}

struct qn__expr qn__cast(struct qn__unit *u, struct qn__expr e, const struct qn__type *to)
{
    if (e.type == to)
        return e;
    if (to->kind == QN__INT && e.bare.node && (e.bare.exact || to->bits <= e.type->bits)) {
        e = qn__as(e.bare.node, e.bare.type);
        if (e.type == to || (is_address_number(e.type) && to->bits == 64 && to->is_unsigned))
            return e;
    }
    if (to->kind == QN__POINTER && e.type->kind == QN__POINTER) {
        if (e.bare.node)
            e = qn__as(e.bare.node, e.bare.type);
        if (e.type == to)
            return e;
    }
    struct qn__expr out = qn__of(cast_node(u, e.node, to));
    if (to->kind == QN__POINTER && (e.type->kind == QN__POINTER || is_address_number(e.type)))
        out.bare = (struct qn__bare){e.node, e.type, true};
    return out;
}

struct qn__expr qn__convert(struct qn__function *f, struct qn__expr e, const struct qn__type *to)
{
    struct qn__unit *const u = f->u;
    if (e.type == to)
        return e;
    if (to->kind == QN__INT && e.number)
        return qn__number(u, e.number, to);
    if (to->kind == QN__INT && e.type->kind == QN__POINTER)
        return qn__cast(u, e, qn__type_int(u, to->bits, to->is_unsigned));
    if (to->kind == QN__INT && e.type->kind == QN__BOOL && to->bits <= 32)
        return qn__as(e.node, to);
    if (to->kind == QN__BOOL && e.type->kind == QN__INT)
        return qn__is_not_zero(u, e);
    if (to->kind == QN__VECTOR && e.type->kind == QN__VECTOR)
        return qn__prefix(u, QN__OP_REINTERPRET, e, to);
    if (to->kind == QN__POINTER && e.type->kind == QN__POINTER && e.type->of == to->of &&
        e.type->space == to->space && (!e.type->is_const || to->is_const))
        return e; /* adding const or volatile needs no cast */
    return qn__cast(u, e, to);
}

/* A number in an assignment to that type, which gives it its type. */
static const struct qn__node *plain_number(struct qn__unit *u, LLVMValueRef v,
                                           const struct qn__type *to)
{
    const struct qn__node *const n = qn__number(u, v, to).node;
    const int64_t value = LLVMConstIntGetSExtValue(v);
    return value < 0 || value > INT32_MAX ? n : qn__node_plain(u, n);
}

const struct qn__node *qn__assignable(struct qn__function *f, LLVMValueRef v,
                                      const struct qn__type *to)
{
    const struct qn__expr e = qn__expr(f, v);
    if (to->kind == QN__INT && e.type->kind == QN__INT && !e.number && e.type->bits == to->bits)
        return qn__bare_node(e); /* same bits, C changes the sign */
    if (to->kind == QN__INT && e.number)
        return plain_number(f->u, e.number, to);
    if (to->kind == QN__INT && e.type->kind == QN__BOOL)
        return e.node;
    return qn__convert(f, e, to).node;
}

const struct qn__node *qn__choice_arm(struct qn__function *f, LLVMValueRef v,
                                      const struct qn__type *to, bool *exact)
{
    const struct qn__expr e = qn__expr(f, v);
    *exact = e.type == to;
    if (to->kind != QN__INT || e.type->kind != QN__INT)
        return qn__convert(f, e, to).node;
    if (e.number) {
        *exact = to->bits == 32 && !to->is_unsigned;
        return LLVMConstIntGetSExtValue(e.number) < 0 ? qn__number(f->u, e.number, to).node
                                                      : plain_number(f->u, e.number, to);
    }
    return e.type->bits == to->bits && to->bits >= 32 ? e.node : qn__convert(f, e, to).node;
}

static bool may_wrap(LLVMValueRef in)
{
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: return !LLVMGetNSW(in);
    default: return false;
    }
}

/* Unsigned, so that the sum may wrap: a size_t is, too. */
static const struct qn__node *wrapping_operand(struct qn__expr e)
{
    return e.bare.node && e.bare.type->bits == 64 && e.bare.type->is_unsigned ? e.bare.node
                                                                              : e.node;
}

const struct qn__node *qn__compound_operand(struct qn__function *f, LLVMValueRef operation,
                                            LLVMValueRef y, const struct qn__type *x)
{
    if (x->kind == QN__INT && !x->is_unsigned && may_wrap(operation))
        return wrapping_operand(qn__convert(f, qn__expr(f, y), qn__type_int(f->u, x->bits, true)));
    const struct qn__expr e = qn__expr(f, y);
    switch (LLVMGetInstructionOpcode(operation)) {
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: /* the operand's sign and width count here */
        return e.number ? plain_number(f->u, e.number, x) : qn__convert(f, e, x).node;
    default: return qn__assignable(f, y, x);
    }
}

/* ---- integers ---- */

bool qn__is_operator(const struct qn__node *n)
{
    return (n->op >= QN__OP_ADDRESS && n->op <= QN__OP_CHOOSE) || qn__node_is_negative(n);
}

const struct qn__type *qn__signed_as(struct qn__unit *u, const struct qn__type *t, bool is_unsigned)
{
    if (t->kind == QN__VECTOR)
        return qn__type_vector(u, qn__type_int(u, t->of->bits, is_unsigned), t->count);
    return qn__type_int(u, t->bits, is_unsigned);
}

bool qn__is_unsigned(const struct qn__type *t)
{
    return t->kind == QN__VECTOR ? t->of->is_unsigned : t->is_unsigned;
}

static unsigned digits(uint64_t z, unsigned base)
{
    unsigned n = 0;
    while (z && z % base == 0)
        z /= base;
    for (; z; z /= base)
        n++;
    return n;
}

/* 0xffffffff, 0x38000000: masks of ones, and what has few digits that way. */
static bool reads_better_in_hexadecimal(uint64_t z)
{
    if (z > 0xffff && (z & (z + 1)) == 0)
        return true;
    return z >= 0x400000 && 2 * digits(z, 16) <= digits(z, 10);
}

struct qn__expr qn__number(struct qn__unit *u, LLVMValueRef v, const struct qn__type *t)
{
    const uint64_t z = LLVMConstIntGetZExtValue(v);
    struct qn__node n = {
        .op = QN__OP_NUMBER,
        .type = t,
        .value = t->is_unsigned ? z : (uint64_t)LLVMConstIntGetSExtValue(v),
        .base = t->is_unsigned && t->bits >= 32 && reads_better_in_hexadecimal(z) ? QN__HEXADECIMAL
                                                                                  : QN__DECIMAL,
    };
    return (struct qn__expr){.node = qn__node_make(u, n), .type = t, .number = v};
}

/* Masks read better in hexadecimal. */
static struct qn__expr mask(struct qn__unit *u, struct qn__expr e)
{
    if (!e.number || (e.type->kind != QN__INT))
        return e;
    const uint64_t z = LLVMConstIntGetZExtValue(e.number);
    if (z < 256)
        return e;
    if (!e.type->is_unsigned && LLVMConstIntGetSExtValue(e.number) < 0)
        return qn__number(u, e.number, e.type);
    e.node = qn__node_make(
        u, (struct qn__node){
               .op = QN__OP_NUMBER, .type = e.type, .value = z, .base = QN__HEXADECIMAL});
    return e;
}

struct qn__expr qn__infix(struct qn__unit *u, enum qn__op op, struct qn__expr a, struct qn__expr b,
                          const struct qn__type *t)
{
    const bool compares = op >= QN__OP_LESS && op <= QN__OP_NOT_EQUAL;
    if (op != QN__OP_SHIFT_LEFT && op != QN__OP_SHIFT_RIGHT && op != QN__OP_LOGICAL_AND &&
        op != QN__OP_LOGICAL_OR)
        qn__usual(u, &a, &b, compares);
    return qn__of(qn__node_binary(u, op, t, a.node, b.node));
}

struct qn__expr qn__prefix(struct qn__unit *u, enum qn__op op, struct qn__expr a,
                           const struct qn__type *t)
{
    return qn__of(qn__node_unary(u, op, t, a.node));
}

struct qn__expr qn__is_not_zero(struct qn__unit *u, struct qn__expr e)
{
    const struct qn__node *const zero = qn__node_plain_number(u, 0, e.type);
    return qn__of(qn__node_binary(u, QN__OP_NOT_EQUAL, qn__type_bool(u), e.node, zero));
}

/* C computes narrow integers as int: cut the result to its width. */
static struct qn__expr narrow(struct qn__unit *u, struct qn__expr e, const struct qn__type *t)
{
    if (t->kind != QN__INT || t->bits >= 32)
        return e;
    e.type = qn__type_int(u, 32, false);
    return qn__cast(u, e, t);
}

static struct qn__expr bool_operation(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const LLVMValueRef rhs = LLVMGetOperand(in, 1);
    const struct qn__type *const t = qn__type_bool(u);
    if (LLVMGetInstructionOpcode(in) == LLVMXor && LLVMIsAConstantInt(rhs))
        return qn__condition(f, LLVMGetOperand(in, 0), LLVMConstIntGetZExtValue(rhs) != 0);
    struct qn__expr logical;
    if (qn__logical(f, in, false, &logical))
        return logical;
    const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0)), b = qn__expr(f, rhs);
    if (LLVMGetInstructionOpcode(in) == LLVMMul)
        return qn__infix(u, QN__OP_LOGICAL_AND, a, b, t);
    return qn__infix(u, QN__OP_NOT_EQUAL, a, b, t);
}

/* add, sub, mul: unsigned unless LLVM knows that they do not overflow */
static struct qn__expr wrapping(struct qn__function *f, LLVMValueRef in, enum qn__op op)
{
    struct qn__unit *const u = f->u;
    struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0)), b = qn__expr(f, LLVMGetOperand(in, 1));
    if (op == QN__OP_SUBTRACT && a.number && LLVMIsNull(a.number) && b.type->kind == QN__INT) {
        if (b.type->bits >= 32 && may_wrap(in))
            b = qn__convert(f, b, qn__type_int(u, b.type->bits, true));
        return narrow(u, qn__prefix(u, QN__OP_NEGATE, b, b.type), b.type);
    }
    bool want_unsigned = qn__is_unsigned(a.type) || (qn__is_unsigned(b.type) && !b.number);
    const bool narrow_type = a.type->kind == QN__INT && a.type->bits < 32;
    if (!want_unsigned && !LLVMGetNSW(in) && !narrow_type) {
        want_unsigned = true;
        if (!b.number)
            a = qn__convert(f, a, qn__signed_as(u, a.type, true));
    }
    const struct qn__type *const t = qn__signed_as(u, a.type, want_unsigned);
    if (a.type->kind == QN__VECTOR || a.number)
        a = qn__convert(f, a, t);
    if (a.type->kind == QN__VECTOR)
        b = qn__convert(f, b, t);
    if (b.number && a.type->kind == QN__INT) {
        const int64_t s = LLVMConstIntGetSExtValue(b.number);
        if (s < 0 && s != INT64_MIN && s != INT32_MIN && op != QN__OP_MULTIPLY) {
            op = op == QN__OP_ADD ? QN__OP_SUBTRACT : QN__OP_ADD;
            b = qn__number(u, LLVMConstInt(LLVMTypeOf(b.number), (unsigned long long)-s, false), t);
        } else {
            b = qn__number(u, b.number, t);
        }
    }
    return qn__with_bare(u, narrow(u, qn__infix(u, op, a, b, t), t), a, op, b);
}

/* div, rem, right shift: the sign is the operation's */
static struct qn__expr with_sign(struct qn__function *f, LLVMValueRef in, enum qn__op op,
                                 bool unsigned_)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr a0 = qn__expr(f, LLVMGetOperand(in, 0));
    const struct qn__type *const t = qn__signed_as(u, a0.type, unsigned_);
    const struct qn__expr a = qn__convert(f, a0, t);
    struct qn__expr b = qn__expr(f, LLVMGetOperand(in, 1));
    if (op == QN__OP_SHIFT_RIGHT) {
        if (b.number)
            b = qn__number(u, b.number, qn__type_int(u, 32, false));
    } else {
        b = qn__convert(f, b, t);
    }
    const struct qn__expr e = qn__infix(u, op, a, b, t);
    return unsigned_ ? qn__with_bare(u, e, a, op, b) : e;
}

static struct qn__expr shift_left(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0));
    struct qn__expr b = qn__expr(f, LLVMGetOperand(in, 1));
    if (b.number)
        b = qn__number(u, b.number, qn__type_int(u, 32, false));
    return narrow(u, qn__infix(u, QN__OP_SHIFT_LEFT, a, b, a.type), a.type);
}

static struct qn__expr bitwise(struct qn__function *f, LLVMValueRef in, enum qn__op op)
{
    struct qn__unit *const u = f->u;
    const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0));
    struct qn__expr b = qn__expr(f, LLVMGetOperand(in, 1));
    const bool any = qn__is_unsigned(a.type) || (!b.number && qn__is_unsigned(b.type));
    const bool top = b.number && LLVMConstIntGetSExtValue(b.number) == INT32_MIN;
    const struct qn__type *const t = qn__signed_as(u, a.type, any || top);
    if (b.number && op == QN__OP_XOR && LLVMConstIntGetSExtValue(b.number) == -1)
        return narrow(u, qn__prefix(u, QN__OP_COMPLEMENT, a, t), t);
    if (b.number)
        b = mask(u, qn__number(u, b.number, t));
    if (t->kind == QN__VECTOR)
        return qn__infix(u, op, qn__convert(f, a, t), qn__convert(f, b, t), t);
    if (t->bits < 32) /* and, or, xor of two like-signed narrow values fit again */
        return qn__infix(u, op, qn__convert(f, a, t), qn__convert(f, b, t), t);
    const struct qn__expr e = qn__infix(u, op, mask(u, a), b, t);
    return op == QN__OP_AND ? qn__with_bare(u, e, a, op, b) : e;
}

/* The value as an integer of this sign: a truncation is cast to it at once. */
struct qn__expr qn__with_sign_of(struct qn__function *f, LLVMValueRef v, bool unsigned_)
{
    const struct qn__value *const known = qn__value_of(f, v);
    if (known && known->folded && LLVMIsATruncInst(v) &&
        LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
        LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 1)
        return qn__cast(f->u, qn__expr(f, LLVMGetOperand(v, 0)),
                        qn__type_int(f->u, LLVMGetIntTypeWidth(LLVMTypeOf(v)), unsigned_));
    return qn__expr(f, v);
}

/* ---- floats ---- */

static struct qn__expr float_operation(struct qn__function *f, LLVMValueRef in, enum qn__op op)
{
    const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0)),
                          b = qn__expr(f, LLVMGetOperand(in, 1));
    return qn__infix(f->u, op, a, b, a.type);
}

struct qn__expr qn__definition(struct qn__function *f, LLVMValueRef in)
{
    struct qn__unit *const u = f->u;
    if (LLVMTypeOf(in) == LLVMInt1TypeInContext(u->context) && LLVMIsABinaryOperator(in))
        return bool_operation(f, in);
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMAdd: return wrapping(f, in, QN__OP_ADD);
    case LLVMSub: return wrapping(f, in, QN__OP_SUBTRACT);
    case LLVMMul: return wrapping(f, in, QN__OP_MULTIPLY);
    case LLVMSDiv: return with_sign(f, in, QN__OP_DIVIDE, false);
    case LLVMUDiv: return with_sign(f, in, QN__OP_DIVIDE, true);
    case LLVMSRem: return with_sign(f, in, QN__OP_REMAINDER, false);
    case LLVMURem: return with_sign(f, in, QN__OP_REMAINDER, true);
    case LLVMAShr: return with_sign(f, in, QN__OP_SHIFT_RIGHT, false);
    case LLVMLShr: return with_sign(f, in, QN__OP_SHIFT_RIGHT, true);
    case LLVMShl: return shift_left(f, in);
    case LLVMAnd: return bitwise(f, in, QN__OP_AND);
    case LLVMOr: return bitwise(f, in, QN__OP_OR);
    case LLVMXor: return bitwise(f, in, QN__OP_XOR);
    case LLVMFAdd: return float_operation(f, in, QN__OP_ADD);
    case LLVMFSub: return float_operation(f, in, QN__OP_SUBTRACT);
    case LLVMFMul: return float_operation(f, in, QN__OP_MULTIPLY);
    case LLVMFDiv: return float_operation(f, in, QN__OP_DIVIDE);
    case LLVMFRem: {
        const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0)),
                              b = qn__expr(f, LLVMGetOperand(in, 1));
        const struct qn__node *const both[] = {a.node, b.node};
        return qn__of(qn__node_function(u, "fmod", a.type, 2, both));
    }
    case LLVMFNeg: {
        const struct qn__expr a = qn__expr(f, LLVMGetOperand(in, 0));
        return qn__prefix(u, QN__OP_NEGATE, a, a.type);
    }
    case LLVMICmp: return qn__compare_integers(f, in, false);
    case LLVMFCmp: return qn__compare_floats(f, in, false);
    case LLVMSelect: return qn__choose(f, in);
    case LLVMTrunc: return qn__truncate(f, in);
    case LLVMSExt: return qn__extend(f, in, false);
    case LLVMZExt: return qn__extend(f, in, true);
    case LLVMSIToFP: return qn__to_float(f, in, false);
    case LLVMUIToFP: return qn__to_float(f, in, true);
    case LLVMFPToSI: return qn__to_integer(f, in, false);
    case LLVMFPToUI: return qn__to_integer(f, in, true);
    case LLVMFPExt:
    case LLVMFPTrunc:
        return qn__cast(u, qn__expr(f, LLVMGetOperand(in, 0)),
                        qn__type_of(u, LLVMTypeOf(in), NULL, in));
    case LLVMBitCast:
    case LLVMAddrSpaceCast: return qn__reinterpret(f, in);
    case LLVMFreeze: return qn__expr(f, LLVMGetOperand(in, 0));
    case LLVMPtrToInt:
        return qn__cast(u, qn__pointer_expr(f, LLVMGetOperand(in, 0)),
                        qn__type_int(u, LLVMGetIntTypeWidth(LLVMTypeOf(in)), true));
    case LLVMIntToPtr: return qn__from_integer(f, in);
    case LLVMGetElementPtr: return qn__gep_expr(f, in);
    case LLVMLoad: return qn__load(f, in);
    case LLVMExtractElement: return qn__extract_element(f, in);
    case LLVMInsertElement: return qn__insert_element(f, in);
    case LLVMShuffleVector: return qn__shuffle(f, in);
    case LLVMExtractValue: return qn__extract_value(f, in);
    case LLVMCall:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return qn__call(f, in);
    default:
        qn__refuse(
            u, in,
            "an instruction the translator does not know (LLVM opcode %d): write this in plainer "
            "C++",
            (int)LLVMGetInstructionOpcode(in));
        return qn__constant(f, LLVMGetUndef(LLVMTypeOf(in)));
    }
}

struct qn__expr qn__expr(struct qn__function *f, LLVMValueRef v)
{
    const struct qn__value *const known = qn__value_of(f, v);
    if (!known) {
        if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind &&
            !LLVMIsAConstantPointerNull(v) && !LLVMIsUndef(v))
            return qn__pointer_expr(f, v);
        return qn__constant(f, v);
    }
    if (!known->block && qn__byval_type(f->u, f->llvm, known->index))
        return qn__place_address(f, qn__place(f, v));
    if (!known->folded && known->var) {
        const struct qn__expr e = qn__var_expr(f->u, known->var);
        if (LLVMTypeOf(v) == LLVMInt1TypeInContext(f->u->context)) /* a bool parameter is a uchar */
            return qn__convert(f, e, qn__type_bool(f->u));
        return e;
    }
    if (LLVMIsAAllocaInst(v))
        return qn__pointer_expr(f, v);
    return qn__definition(f, v);
}
