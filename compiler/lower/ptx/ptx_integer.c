/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer instructions of inline PTX. Each has its CUDA C++ form above it. */
#include "compiler/lower/ptx/ptx_integer.h"

#include "compiler/lower/ptx/ptx_operands.h"

#include <string.h>

static enum qn__ptx_answer set(struct qn__ptx *x, LLVMValueRef v)
{
    return v && qn__ptx_set(x, 0, v) ? QN__PTX_DONE : QN__PTX_FAILED;
}

static LLVMValueRef call1(struct qn__ptx *x, const char *name, LLVMTypeRef result, LLVMValueRef a)
{
    return qn__ptx_call(x, name, result, &a, 1);
}

/* Is the condition code known where this statement runs? Not where it was set under a guard that
 * this statement does not have. */
static bool has_carry(const struct qn__ptx *x)
{
    const struct qn__ptx_guard *const set = &x->carry_guard;
    return x->carry && (!set->predicate || (set->predicate == x->guard.predicate &&
                                            set->is_negated == x->guard.is_negated));
}

/* Under a guard the condition code stays what it was where the guard is false. */
static void set_carry(struct qn__ptx *x, LLVMValueRef carry)
{
    const struct qn__ptx_guard *const g = &x->guard;
    if (!g->predicate || !x->carry || x->carry_guard.predicate) {
        x->carry = carry;
        x->carry_guard = *g;
        return;
    }
    x->carry = LLVMBuildSelect(x->b, g->predicate, g->is_negated ? x->carry : carry,
                               g->is_negated ? carry : x->carry, "");
}

/* add.cc, addc, sub.cc, subc: the carry (or borrow) of a + b + carry, in the same width. The
 * condition code lives within one block only: the compiler may put code between two. */
static LLVMValueRef sum(struct qn__ptx *x, LLVMValueRef a, LLVMValueRef b, bool subtract,
                        bool with_carry, bool sets_carry)
{
    const LLVMTypeRef t = LLVMTypeOf(a);
    if (with_carry && !has_carry(x)) {
        qn__ptx_unknown(x, x->carry ? "the carry was set under another predicate"
                                    : "the carry comes from another asm statement");
        return NULL;
    }
    LLVMValueRef v = subtract ? LLVMBuildSub(x->b, a, b, "") : LLVMBuildAdd(x->b, a, b, "");
    LLVMValueRef carry = sets_carry ? subtract ? LLVMBuildICmp(x->b, LLVMIntULT, a, b, "")
                                               : LLVMBuildICmp(x->b, LLVMIntULT, v, a, "")
                                    : NULL;
    if (with_carry) {
        const LLVMValueRef c = LLVMBuildZExt(x->b, x->carry, t, "");
        const LLVMValueRef w =
            subtract ? LLVMBuildSub(x->b, v, c, "") : LLVMBuildAdd(x->b, v, c, "");
        if (sets_carry)
            carry = LLVMBuildOr(x->b, carry,
                                subtract ? LLVMBuildICmp(x->b, LLVMIntULT, v, c, "")
                                         : LLVMBuildICmp(x->b, LLVMIntULT, w, v, ""),
                                "");
        v = w;
    }
    if (sets_carry)
        set_carry(x, carry);
    return v;
}

/* add d, a, b and sub, with or without carry */
static enum qn__ptx_answer add_or_sub(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    const bool subtract = qn__starts_with(x->words[0], "sub");
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, "cc"))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    return a && b ? set(x, sum(x, a, b, subtract, x->words[0][3] == 'c', qn__ptx_has(x, "cc")))
                  : QN__PTX_FAILED;
}

/* a * b: the low half, the high half (__umulhi), or both (.wide) */
static LLVMValueRef product(struct qn__ptx *x, LLVMValueRef a, LLVMValueRef b,
                            const struct qn__ptx_type *t)
{
    const LLVMTypeRef type = LLVMTypeOf(a);
    if (qn__ptx_has(x, "wide")) {
        const LLVMTypeRef wide = LLVMIntTypeInContext(x->u->context, t->bits * 2);
        if (t->bits > 32) {
            qn__ptx_unknown(x, "OpenCL has no 128-bit integers");
            return NULL;
        }
        return t->is_signed ? LLVMBuildMul(x->b, LLVMBuildSExt(x->b, a, wide, ""),
                                           LLVMBuildSExt(x->b, b, wide, ""), "")
                            : LLVMBuildMul(x->b, LLVMBuildZExt(x->b, a, wide, ""),
                                           LLVMBuildZExt(x->b, b, wide, ""), "");
    }
    if (!qn__ptx_has(x, "hi"))
        return LLVMBuildMul(x->b, a, b, "");
    if (t->bits < 32) {
        qn__ptx_unknown(x, "the high half of 16-bit products");
        return NULL;
    }
    const LLVMValueRef both[] = {a, b};
    return qn__ptx_call(x,
                        t->bits == 64  ? t->is_signed ? "__mul64hi" : "__umul64hi"
                        : t->is_signed ? "__mulhi"
                                       : "__umulhi",
                        type, both, 2);
}

/* mul d, a, b    mad d, a, b, c    madc: with the carry */
static enum qn__ptx_answer multiply(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, "lo hi wide cc"))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    const LLVMValueRef p = a && b ? product(x, a, b, &t) : NULL;
    if (!p || x->words[0][1] == 'u')
        return set(x, p);
    struct qn__ptx_type sum_type = t;
    sum_type.bits = LLVMGetIntTypeWidth(LLVMTypeOf(p));
    const LLVMValueRef c = qn__ptx_source(x, 3, &sum_type);
    return c ? set(x, sum(x, p, c, false, qn__equal(x->words[0], "madc"), qn__ptx_has(x, "cc")))
             : QN__PTX_FAILED;
}

/* d = a & b ... ~a ... a << b: shifts by the width or more give 0 or the sign */
static enum qn__ptx_answer logic(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    const char *const name = x->words[0];
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, ""))
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &t);
    if (!a)
        return QN__PTX_FAILED;
    if (qn__equal(name, "not"))
        return set(x, LLVMBuildNot(x->b, a, ""));
    const bool shift = name[0] == 's';
    const struct qn__ptx_type amount_type = {.bits = 32};
    const LLVMValueRef b = qn__ptx_source(x, 2, shift ? &amount_type : &t);
    if (!b)
        return QN__PTX_FAILED;
    if (qn__equal(name, "and"))
        return set(x, LLVMBuildAnd(x->b, a, b, ""));
    if (qn__equal(name, "or"))
        return set(x, LLVMBuildOr(x->b, a, b, ""));
    if (qn__equal(name, "xor"))
        return set(x, LLVMBuildXor(x->b, a, b, ""));
    const LLVMValueRef most = qn__ptx_number(x, 32, t.bits - 1);
    const LLVMValueRef over = LLVMBuildICmp(x->b, LLVMIntUGT, b, most, "");
    LLVMValueRef by = LLVMBuildSelect(x->b, over, most, b, "");
    by = LLVMBuildIntCast2(x->b, by, LLVMTypeOf(a), false, "");
    if (qn__equal(name, "shr") && t.is_signed)
        return set(x, LLVMBuildAShr(x->b, a, by, ""));
    const LLVMValueRef v =
        qn__equal(name, "shl") ? LLVMBuildShl(x->b, a, by, "") : LLVMBuildLShr(x->b, a, by, "");
    return set(x, LLVMBuildSelect(x->b, over, LLVMConstNull(LLVMTypeOf(a)), v, ""));
}

/* ---- lop3: any function of three bits, as a table of its eight results ---- */

/* `table` has 2^n bits; the choice is on sources[n - 1]. */
static LLVMValueRef table_logic(struct qn__ptx *x, const LLVMValueRef *sources, unsigned n,
                                unsigned table)
{
    const LLVMTypeRef t = LLVMTypeOf(sources[0]);
    const unsigned all = n ? (1u << (1u << n)) - 1 : 1;
    if ((table & all) == 0)
        return LLVMConstNull(t);
    if ((table & all) == all)
        return LLVMConstAllOnes(t);
    const unsigned half = 1u << (n - 1), mask = (1u << half) - 1;
    const unsigned low = table & mask, high = table >> half & mask;
    const LLVMValueRef s = sources[n - 1];
    if (low == high)
        return table_logic(x, sources, n - 1, low);
    if ((low ^ high) == mask) /* one is the other's complement */
        return low == 0 ? s : LLVMBuildXor(x->b, s, table_logic(x, sources, n - 1, low), "");
    const LLVMValueRef if_0 = table_logic(x, sources, n - 1, low);
    const LLVMValueRef if_1 = table_logic(x, sources, n - 1, high);
    if (low == 0)
        return LLVMBuildAnd(x->b, s, if_1, "");
    if (high == mask)
        return LLVMBuildOr(x->b, s, if_0, "");
    if (high == 0)
        return LLVMBuildAnd(x->b, LLVMBuildNot(x->b, s, ""), if_0, "");
    if (low == mask)
        return LLVMBuildOr(x->b, LLVMBuildNot(x->b, s, ""), if_1, "");
    return LLVMBuildOr(x->b, LLVMBuildAnd(x->b, s, if_1, ""),
                       LLVMBuildAnd(x->b, LLVMBuildNot(x->b, s, ""), if_0, ""), "");
}

static enum qn__ptx_answer lop3(struct qn__ptx *x)
{
    const struct qn__ptx_type t = {.bits = 32};
    LLVMValueRef sources[3]; /* the last one is the highest bit of the table's index: a */
    for (unsigned i = 0; i < 3; i++)
        sources[2 - i] = qn__ptx_source(x, i + 1, &t);
    const LLVMValueRef table = qn__ptx_source(x, 4, &t);
    if (!table || !LLVMIsAConstantInt(table) || !sources[0] || !sources[1] || !sources[2])
        return QN__PTX_FAILED;
    return set(x, table_logic(x, sources, 3, (unsigned)LLVMConstIntGetZExtValue(table) & 0xff));
}

/* ---- bit fields ---- */

static LLVMValueRef at_most(struct qn__ptx *x, LLVMValueRef v, uint64_t most)
{
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    const LLVMValueRef limit = qn__ptx_number(x, bits, most);
    return LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntUGT, v, limit, ""), limit, v, "");
}

/* the low `length` bits set, length <= 32, in 64 bits */
static LLVMValueRef low_ones(struct qn__ptx *x, LLVMValueRef length)
{
    const LLVMValueRef one = qn__ptx_number(x, 64, 1);
    return LLVMBuildSub(x->b, LLVMBuildShl(x->b, one, length, ""), one, "");
}

/* of position and length the low 8 bits count, and 32 at most */
static LLVMValueRef field_bound(struct qn__ptx *x, unsigned operand)
{
    const struct qn__ptx_type t = {.bits = 32};
    const LLVMValueRef v = qn__ptx_source(x, operand, &t);
    if (!v)
        return NULL;
    const LLVMValueRef low = LLVMBuildAnd(x->b, v, qn__ptx_number(x, 32, 0xff), "");
    return LLVMBuildZExt(x->b, at_most(x, low, 32), LLVMInt64TypeInContext(x->u->context), "");
}

/* bfe d, a, position, length: (a >> position) & ((1 << length) - 1), of s32 with the field's sign
 */
static enum qn__ptx_answer extract_field(struct qn__ptx *x)
{
    struct qn__ptx_type t;
    if (!qn__ptx_last_type(x, &t) || !qn__ptx_only(x, "") || t.bits != 32)
        return QN__PTX_FAILED;
    const LLVMTypeRef wide = LLVMInt64TypeInContext(x->u->context);
    const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
    const LLVMValueRef a = qn__ptx_source(x, 1, &t);
    const LLVMValueRef position = field_bound(x, 2), length = field_bound(x, 3);
    if (!a || !position || !length)
        return QN__PTX_FAILED;
    if (!t.is_signed) {
        const LLVMValueRef v = LLVMBuildLShr(x->b, LLVMBuildZExt(x->b, a, wide, ""), position, "");
        return set(x,
                   LLVMBuildTrunc(x->b, LLVMBuildAnd(x->b, v, low_ones(x, length), ""), word, ""));
    }
    const LLVMValueRef v = LLVMBuildAShr(x->b, LLVMBuildSExt(x->b, a, wide, ""), position, "");
    const LLVMValueRef up =
        at_most(x, LLVMBuildSub(x->b, qn__ptx_number(x, 64, 64), length, ""), 63);
    const LLVMValueRef field = LLVMBuildAShr(x->b, LLVMBuildShl(x->b, v, up, ""), up, "");
    const LLVMValueRef none = LLVMBuildICmp(x->b, LLVMIntEQ, length, qn__ptx_number(x, 64, 0), "");
    return set(x, LLVMBuildSelect(x->b, none, qn__ptx_number(x, 32, 0),
                                  LLVMBuildTrunc(x->b, field, word, ""), ""));
}

/* bfi d, a, b, position, length: b with its field replaced by the low bits of a */
static enum qn__ptx_answer insert_field(struct qn__ptx *x)
{
    const struct qn__ptx_type t = {.bits = 32};
    if (!qn__equal(x->words[x->n_words - 1], "b32"))
        return QN__PTX_FAILED;
    const LLVMTypeRef wide = LLVMInt64TypeInContext(x->u->context);
    LLVMValueRef a = qn__ptx_source(x, 1, &t), b = qn__ptx_source(x, 2, &t);
    const LLVMValueRef position = field_bound(x, 3), length = field_bound(x, 4);
    if (!a || !b || !position || !length)
        return QN__PTX_FAILED;
    a = LLVMBuildShl(x->b, LLVMBuildZExt(x->b, a, wide, ""), position, "");
    b = LLVMBuildZExt(x->b, b, wide, "");
    const LLVMValueRef field = LLVMBuildShl(x->b, low_ones(x, length), position, "");
    const LLVMValueRef v =
        LLVMBuildOr(x->b, LLVMBuildAnd(x->b, b, LLVMBuildNot(x->b, field, ""), ""),
                    LLVMBuildAnd(x->b, a, field, ""), "");
    return set(x, LLVMBuildTrunc(x->b, v, LLVMInt32TypeInContext(x->u->context), ""));
}

/* bmsk.clamp.b32 d, position, length: so many bits set; .wrap takes both modulo 32 */
static enum qn__ptx_answer field_mask(struct qn__ptx *x)
{
    const struct qn__ptx_type t = {.bits = 32};
    const bool wraps = qn__ptx_has(x, "wrap");
    if (x->n_words != 3 || (!wraps && !qn__ptx_has(x, "clamp")))
        return QN__PTX_FAILED;
    LLVMValueRef s[2];
    for (unsigned i = 0; i < 2; i++) {
        if (!(s[i] = qn__ptx_source(x, i + 1, &t)))
            return QN__PTX_FAILED;
        s[i] =
            wraps ? LLVMBuildAnd(x->b, s[i], qn__ptx_number(x, 32, 31), "") : at_most(x, s[i], 32);
        s[i] = LLVMBuildZExt(x->b, s[i], LLVMInt64TypeInContext(x->u->context), "");
    }
    return set(x, LLVMBuildTrunc(x->b, LLVMBuildShl(x->b, low_ones(x, s[1]), s[0], ""),
                                 LLVMInt32TypeInContext(x->u->context), ""));
}

/* ---- the rest: device functions of the same meaning ---- */

static const struct {
    const char *name, *function; /* the statement's whole name; the function's */
    unsigned n_sources, bits;    /* of sources; results have 32 bits where `narrow` */
    bool narrow;
} functions[] = {
    {"prmt.b32", "__qn_prmt", 3, 32, true},
    {"shf.l.wrap.b32", "__funnelshift_l", 3, 32, true},
    {"shf.l.clamp.b32", "__funnelshift_lc", 3, 32, true},
    {"shf.r.wrap.b32", "__funnelshift_r", 3, 32, true},
    {"shf.r.clamp.b32", "__funnelshift_rc", 3, 32, true},
    {"popc.b32", "__popc", 1, 32, true},
    {"popc.b64", "__popcll", 1, 64, true},
    {"clz.b32", "__clz", 1, 32, true},
    {"clz.b64", "__clzll", 1, 64, true},
    {"brev.b32", "__brev", 1, 32, true},
    {"brev.b64", "__brevll", 1, 64, false},
    {"sad.u32", "__usad", 3, 32, true},
    {"sad.s32", "__sad", 3, 32, true},
    {"mul24.lo.s32", "__mul24", 2, 32, true},
    {"mul24.lo.u32", "__umul24", 2, 32, true},
    {"dp4a.s32.s32", "__qn_dp4a_i32", 3, 32, true},
    {"dp4a.u32.u32", "__qn_dp4a_u32", 3, 32, true},
    {"min.s32", "llvm.smin.i32", 2, 32, true},
    {"max.s32", "llvm.smax.i32", 2, 32, true},
    {"min.u32", "llvm.umin.i32", 2, 32, true},
    {"max.u32", "llvm.umax.i32", 2, 32, true},
    {"min.s64", "llvm.smin.i64", 2, 64, false},
    {"max.s64", "llvm.smax.i64", 2, 64, false},
    {"min.u64", "llvm.umin.i64", 2, 64, false},
    {"max.u64", "llvm.umax.i64", 2, 64, false},
};

static enum qn__ptx_answer by_function(struct qn__ptx *x)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (!qn__equal(x->text, functions[i].name))
            continue;
        LLVMValueRef sources[3];
        const struct qn__ptx_type t = {.bits = functions[i].bits};
        if (x->n_operands != functions[i].n_sources + 1)
            return QN__PTX_FAILED;
        for (unsigned k = 0; k < functions[i].n_sources; k++)
            if (!(sources[k] = qn__ptx_source(x, k + 1, &t)))
                return QN__PTX_FAILED;
        const unsigned bits = functions[i].narrow ? 32 : 64;
        return set(x,
                   qn__ptx_call(x, functions[i].function, LLVMIntTypeInContext(x->u->context, bits),
                                sources, functions[i].n_sources));
    }
    return QN__PTX_OTHER;
}

/* bfind: the highest set bit, 31 - __clz(a); -1 for 0 */
static enum qn__ptx_answer highest_bit(struct qn__ptx *x)
{
    const struct qn__ptx_type t = {.bits = 32};
    const LLVMValueRef a = qn__equal(x->text, "bfind.u32") ? qn__ptx_source(x, 1, &t) : NULL;
    const LLVMTypeRef word = LLVMInt32TypeInContext(x->u->context);
    const LLVMValueRef zeros = a ? call1(x, "__clz", word, a) : NULL;
    return zeros ? set(x, LLVMBuildSub(x->b, qn__ptx_number(x, 32, 31), zeros, ""))
                 : QN__PTX_FAILED;
}

/* Between the least and the greatest number of a type that has fewer bits than v, or another sign.
 */
static LLVMValueRef clamp(struct qn__ptx *x, LLVMValueRef v, bool is_signed,
                          const struct qn__ptx_type *to)
{
    const LLVMTypeRef t = LLVMTypeOf(v);
    const unsigned bits = LLVMGetIntTypeWidth(t);
    const uint64_t most = UINT64_MAX >> (64 - to->bits + to->is_signed);
    const LLVMValueRef high = LLVMConstInt(t, most, false);
    const LLVMValueRef low = LLVMConstInt(t, to->is_signed ? ~most : 0, true);
    if (is_signed && (!to->is_signed || to->bits < bits))
        v = LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntSLT, v, low, ""), low, v, "");
    if (to->bits - to->is_signed >= bits - is_signed)
        return v;
    return LLVMBuildSelect(
        x->b, LLVMBuildICmp(x->b, is_signed ? LLVMIntSGT : LLVMIntUGT, v, high, ""), high, v, "");
}

/* A number in a register: narrower ones are extended there. */
static enum qn__ptx_answer set_number(struct qn__ptx *x, LLVMValueRef v, bool is_signed,
                                      const struct qn__ptx_type *t)
{
    v = LLVMBuildIntCast2(x->b, v, qn__ptx_llvm_type(x, t), is_signed, "");
    if (t->bits < 32)
        v = LLVMBuildIntCast2(x->b, v, LLVMInt32TypeInContext(x->u->context), t->is_signed, "");
    return set(x, v);
}

/* cvt.rzi.s32.f32 -> __float2int_rz, cvt.rn.f32.u32 -> __uint2float_rn. A float becomes the nearest
 * number of the integer type, with .sat or without. */
static enum qn__ptx_answer convert_float(struct qn__ptx *x, const struct qn__ptx_type *to,
                                         const struct qn__ptx_type *from)
{
    static const char *const modes[][3] = {
        {"rni", "rn", "rn"}, {"rzi", "rz", "rz"}, {"rmi", "rm", "rd"}, {"rpi", "rp", "ru"}};
    const struct qn__ptx_type *const whole = to->is_float ? from : to, *const real =
                                                                           to->is_float ? to : from;
    const char *const sign = whole->is_signed ? "" : "u";
    const char *const integer = whole->bits == 64 ? "ll" : "int";
    const char *const number =
        qn__text(x->u, "%s%s", whole->bits == 64 && !whole->is_signed ? "u" : sign, integer);
    const char *const floating = real->bits == 64 ? "double" : "float";
    if (to->is_float == from->is_float || real->bits < 32 || (to->is_float && from->bits < 32))
        return QN__PTX_FAILED;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (!qn__equal(x->words[1], modes[i][to->is_float]))
            continue;
        const char *const name = to->is_float
                                     ? qn__text(x->u, "__%s2%s_%s", number, floating, modes[i][2])
                                     : qn__text(x->u, "__%s2%s_%s", floating, number, modes[i][2]);
        const LLVMValueRef a = qn__ptx_source(x, 1, from);
        const unsigned bits = to->is_float || to->bits == 64 ? to->bits : 32;
        const struct qn__ptx_type result = {bits, to->is_signed, to->is_float, false};
        const LLVMValueRef v = a ? call1(x, name, qn__ptx_llvm_type(x, &result), a) : NULL;
        return !v             ? QN__PTX_FAILED
               : to->is_float ? set(x, v)
                              : set_number(x, clamp(x, v, to->is_signed, to), to->is_signed, to);
    }
    return QN__PTX_FAILED;
}

/* cvt.sat.u8.s32 d, a: the nearest number of the type */
static enum qn__ptx_answer saturate(struct qn__ptx *x)
{
    struct qn__ptx_type to, from;
    if (x->n_words != 4 || !qn__ptx_type(&to, x->words[2]) || !qn__ptx_type(&from, x->words[3]) ||
        to.is_float || from.is_float)
        return QN__PTX_FAILED;
    const LLVMValueRef a = qn__ptx_source(x, 1, &from);
    return a ? set_number(x, clamp(x, a, from.is_signed, &to), from.is_signed, &to)
             : QN__PTX_FAILED;
}

/* neg, abs, and cvt between integers */
static enum qn__ptx_answer one_source(struct qn__ptx *x)
{
    struct qn__ptx_type t, from;
    if (!qn__ptx_last_type(x, &from))
        return QN__PTX_FAILED;
    const bool is_cvt = qn__equal(x->words[0], "cvt");
    if (is_cvt && qn__equal(x->words[1], "sat"))
        return saturate(x);
    const bool is_sat = is_cvt && x->n_words == 5 && qn__equal(x->words[2], "sat");
    if (is_cvt && x->n_words == 4u + is_sat && qn__ptx_type(&t, x->words[2 + is_sat]))
        return is_sat && t.is_float ? QN__PTX_FAILED : convert_float(x, &t, &from);
    const LLVMValueRef a = qn__ptx_source(x, 1, &from);
    if (!a)
        return QN__PTX_FAILED;
    if (qn__equal(x->words[0], "neg"))
        return set(x, LLVMBuildNeg(x->b, a, ""));
    if (qn__equal(x->words[0], "abs")) {
        const LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a));
        return set(x, LLVMBuildSelect(x->b, LLVMBuildICmp(x->b, LLVMIntSLT, a, zero, ""),
                                      LLVMBuildNeg(x->b, a, ""), a, ""));
    }
    if (x->n_words != 3 || !qn__ptx_type(&t, x->words[1]) || t.is_float || from.is_float)
        return QN__PTX_FAILED;
    return set_number(x, a, from.is_signed, &t);
}

enum qn__ptx_answer qn__ptx_integer(struct qn__ptx *x)
{
    static const struct {
        const char *name;
        enum qn__ptx_answer (*run)(struct qn__ptx *);
    } all[] = {
        {"add", add_or_sub},    {"addc", add_or_sub}, {"sub", add_or_sub},    {"subc", add_or_sub},
        {"mul", multiply},      {"mad", multiply},    {"madc", multiply},     {"and", logic},
        {"or", logic},          {"xor", logic},       {"not", logic},         {"shl", logic},
        {"shr", logic},         {"lop3", lop3},       {"bfe", extract_field}, {"bfi", insert_field},
        {"bfind", highest_bit}, {"neg", one_source},  {"abs", one_source},    {"cvt", one_source},
        {"bmsk", field_mask},
    };
    const enum qn__ptx_answer answer = by_function(x);
    if (answer != QN__PTX_OTHER)
        return answer;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__equal(x->words[0], all[i].name))
            return all[i].run(x);
    return QN__PTX_OTHER;
}
